//! What a row costs as a forest grows and as batches do: learning, testing then learning, predicting, and bytes, a row and tree.
//!
//! `cargo run --release -p benches --example speed -- ROWS BATCH ALGORITHM...` prints a line of CSV for each algorithm and each of the comma-separated
//! numbers of ROWS and BATCH: Friedman's function with noise 1, d = 5, on one thread, with so many trees that 100,000 rows are learned by some tree.
//! Times are of the last 16,000 rows and of the processor. Two revisions are compared by running both in turns.

use std::error::Error;
use std::ops::Range;

use benches::Samples;
use forest_testing::timing::timed;
use online_forests::ndarray::{ArrayView2, s};
use online_forests::{
    Algorithm, AnyLearner, ForestSettings, InputError, OnlineLearner, Regression,
};

/// Rows that are timed: as many as one batch at least.
const TIMED: usize = 16_000;

/// Rows that are learned by some tree, at least.
const WORK: usize = 100_000;

/// A stream whose rows are learned in batches of `batch`: `rows` of them first, then twice `timed`.
struct Run {
    stream: Samples<Regression>,
    rows: usize,
    timed: usize,
    batch: usize,
    trees: usize,
}

/// What is done with a batch.
type Work = fn(&mut AnyLearner<Regression>, ArrayView2<'_, f32>, &[f64]) -> Result<(), InputError>;

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
    println!("algorithm,rows,batch,trees,learn_us,test_then_learn_us,predict_us,bytes");
    for &rows in &rows {
        for &batch in &batches {
            let run = Run::new(rows, batch);
            for algorithm in &algorithms {
                benches::on_one_thread(|| {
                    run.measure(algorithm).map_err(|error| error.to_string())
                })?;
            }
        }
    }
    Ok(())
}

fn numbers(text: &str) -> Result<Vec<usize>, std::num::ParseIntError> {
    text.split(',').map(str::parse).collect()
}

impl Run {
    fn new(rows: usize, batch: usize) -> Self {
        let timed = TIMED.max(batch);
        let all = rows + 2 * timed;
        Self {
            stream: benches::numbers(&format!("friedman:n={all},noise=1,test=0")),
            rows,
            timed,
            batch,
            trees: (WORK / rows).max(1),
        }
    }

    fn measure(&self, algorithm: &Algorithm) -> Result<(), Box<dyn Error>> {
        let forest = ForestSettings::default()
            .with_trees(self.trees)
            .with_seed(1);
        let mut learner = algorithm.build::<Regression>(self.stream.schema(), forest)?;
        let learn: Work = |learner, features, targets| learner.learn(features, targets);
        let test: Work =
            |learner, features, targets| learner.predict_then_learn(features, targets).map(drop);
        let predict: Work = |learner, features, _| learner.predict(features).map(drop);
        let (rows, timed) = (self.rows, self.timed);
        self.pass(&mut learner, 0..rows, learn)?;
        let learned = self.pass(&mut learner, rows..rows + timed, learn)?;
        let bytes = learner.footprint().bytes / ((rows + timed) * self.trees);
        let tested = self.pass(&mut learner, rows + timed..rows + 2 * timed, test)?;
        let predicted = self.pass(&mut learner, 0..timed, predict)?;
        let (batch, trees) = (self.batch, self.trees);
        println!(
            "{algorithm},{rows},{batch},{trees},{learned:.3},{tested:.3},{predicted:.3},{bytes}"
        );
        Ok(())
    }

    /// Returns the microseconds a row and tree of work on some rows, batch by batch.
    fn pass(
        &self,
        learner: &mut AnyLearner<Regression>,
        rows: Range<usize>,
        work: Work,
    ) -> Result<f64, InputError> {
        let mut micros = 0.0;
        let count = rows.len();
        for start in rows.clone().step_by(self.batch) {
            let part = start..rows.end.min(start + self.batch);
            let features = self.stream.features().slice_move(s![part.clone(), ..]);
            let (done, took) = timed(|| work(learner, features, &self.stream.targets()[part]));
            done?;
            micros += took;
        }
        Ok(micros / (count * self.trees) as f64)
    }
}
