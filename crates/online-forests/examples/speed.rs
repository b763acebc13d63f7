//! What a row costs as a forest grows and as batches do: learning, testing then learning, predicting, and bytes, a row and tree.
//!
//! `cargo run --release -p online-forests --example speed -- ROWS BATCH ALGORITHM...` prints a line of CSV for each algorithm and task, and each of
//! the comma-separated numbers of ROWS and BATCH, on one thread, with so many trees that 100,000 rows are learned by some tree. Numbers are
//! Friedman's function with noise 1, classes the sides of a hyperplane with noise, d = 5. Times are of the last 16,000 rows and of the
//! processor. `against.py` beside it runs this program of two checkouts in turns.

use std::error::Error;
use std::ops::Range;

use datasets::{Target, open};
use forest_testing::timing::timed;
use online_forests::ndarray::{Array2, ArrayView2, s};
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, InputError, OnlineLearner, Regression,
    Schema, Task, threads,
};

/// Rows that are timed: as many as one batch at least.
const TIMED: usize = 16_000;

/// Rows that are learned by some tree, at least.
const WORK: usize = 100_000;

/// A stream whose rows are learned in batches of `batch`: `rows` of them first, then twice `timed`.
struct Run<T: Task> {
    features: Array2<f32>,
    targets: Vec<T::Target>,
    rows: usize,
    timed: usize,
    batch: usize,
    trees: usize,
}

/// What is done with a batch.
type Work<T> =
    fn(&mut AnyLearner<T>, ArrayView2<'_, f32>, &[<T as Task>::Target]) -> Result<(), InputError>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .ok_or("expected the arguments ROWS BATCH ALGORITHM...")
    };
    let (rows, batches) = (numbers(&next()?)?, numbers(&next()?)?);
    let algorithms: Vec<Algorithm> = arguments
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    println!("algorithm,task,rows,batch,trees,learn_us,test_then_learn_us,predict_us,bytes");
    for &rows in &rows {
        for &batch in &batches {
            let timed = TIMED.max(batch);
            let all = rows + 2 * timed;
            let classes = format!("hyperplane:d=5,drifting=1,magnitude=0,noise=20,n={all}");
            let numbers = format!("friedman:n={all},noise=1,test=0");
            let (classes, numbers) = (generate(&classes)?, generate(&numbers)?);
            if let (features, Target::Classes { labels, .. }) = classes {
                Run::<Classification>::new(features, labels, rows, batch)
                    .measure_all(&algorithms)?;
            }
            if let (features, Target::Values { values, .. }) = numbers {
                Run::<Regression>::new(features, values, rows, batch).measure_all(&algorithms)?;
            }
        }
    }
    Ok(())
}

fn numbers(text: &str) -> Result<Vec<usize>, std::num::ParseIntError> {
    text.split(',').map(str::parse).collect()
}

fn generate(address: &str) -> Result<(Array2<f32>, Target), datasets::DataError> {
    let data = open(address, &Default::default())?;
    Ok((data.features, data.target))
}

impl<T: Task> Run<T> {
    fn new(features: Array2<f32>, targets: Vec<T::Target>, rows: usize, batch: usize) -> Self {
        Self {
            features,
            targets,
            rows,
            timed: TIMED.max(batch),
            batch,
            trees: (WORK / rows).max(1),
        }
    }

    fn measure_all(&self, algorithms: &[Algorithm]) -> Result<(), String> {
        let mut supported = algorithms.iter().filter(|known| known.supports::<T>());
        supported.try_for_each(|algorithm| {
            let measure = || self.measure(algorithm).map_err(|error| error.to_string());
            threads::with_threads(1, measure).map_err(|error| error.to_string())?
        })
    }

    fn measure(&self, algorithm: &Algorithm) -> Result<(), Box<dyn Error>> {
        let forest = ForestSettings::default()
            .with_trees(self.trees)
            .with_seed(1);
        let mut learner = algorithm.build::<T>(Schema::new(self.features.ncols())?, forest)?;
        let learn: Work<T> = |learner, features, targets| learner.learn(features, targets);
        let test: Work<T> =
            |learner, features, targets| learner.predict_then_learn(features, targets).map(drop);
        let predict: Work<T> = |learner, features, _| learner.predict(features).map(drop);
        let (rows, timed) = (self.rows, self.timed);
        self.pass(&mut learner, 0..rows, learn)?;
        let learned = self.pass(&mut learner, rows..rows + timed, learn)?;
        let bytes = learner.footprint().bytes / ((rows + timed) * self.trees);
        let tested = self.pass(&mut learner, rows + timed..rows + 2 * timed, test)?;
        let predicted = self.pass(&mut learner, 0..timed, predict)?;
        let (batch, trees) = (self.batch, self.trees);
        println!(
            "{algorithm},{},{rows},{batch},{trees},{learned:.3},{tested:.3},{predicted:.3},{bytes}",
            T::NAME
        );
        Ok(())
    }

    /// Returns the microseconds a row and tree of work on some rows, batch by batch.
    fn pass(
        &self,
        learner: &mut AnyLearner<T>,
        rows: Range<usize>,
        work: Work<T>,
    ) -> Result<f64, InputError> {
        let mut micros = 0.0;
        let count = rows.len();
        for start in rows.clone().step_by(self.batch) {
            let part = start..rows.end.min(start + self.batch);
            let features = self.features.slice(s![part.clone(), ..]);
            let (done, took) = timed(|| work(learner, features, &self.targets[part]));
            done?;
            micros += took;
        }
        Ok(micros / (count * self.trees) as f64)
    }
}
