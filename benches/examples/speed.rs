//! What a row costs as a forest grows and as batches do: learning, testing then learning, predicting, and bytes, a row
//! and tree.
//!
//! `cargo run --release -p benches --example speed -- ROWS BATCH ALGORITHM...` prints a line of CSV for each algorithm
//! and task, and each of the comma-separated numbers of ROWS and BATCH, on one thread, with enough trees that 100,000
//! rows are learned by some tree. Numbers are Friedman's function with noise 1, classes the sides of a hyperplane with
//! noise, d = 5. Times are of the last 16,000 rows and of the processor. `benches/against.py` runs this program of two
//! checkouts in turns.

use std::error::Error;
use std::ops::Range;
use std::time::Duration;

use benches::Samples;
use online_forests::ndarray::{ArrayView2, s};
use online_forests::{Algorithm, AnyLearner, ForestSettings, InputError, OnlineLearner, Task};

/// Rows that are timed: as many as one batch at least.
const TIMED: usize = 16_000;

/// Rows that are learned by some tree, at least.
const WORK: usize = 100_000;

/// A stream whose rows are learned in batches of `batch`: `rows` of them first, then twice `timed`.
struct Run<T: Task> {
    stream: Samples<T>,
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
    let rows = numbers(&next()?)?;
    let batches = numbers(&next()?)?;
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
            Run::new(benches::classes(&classes), rows, batch).measure_all(&algorithms)?;
            Run::new(benches::numbers(&numbers), rows, batch).measure_all(&algorithms)?;
        }
    }
    Ok(())
}

fn numbers(text: &str) -> Result<Vec<usize>, std::num::ParseIntError> {
    text.split(',').map(str::parse).collect()
}

impl<T: Task> Run<T> {
    fn new(stream: Samples<T>, rows: usize, batch: usize) -> Self {
        Self {
            stream,
            rows,
            timed: TIMED.max(batch),
            batch,
            trees: (WORK / rows).max(1),
        }
    }

    fn measure_all(&self, algorithms: &[Algorithm]) -> Result<(), String> {
        let mut supported = algorithms.iter().filter(|known| known.supports::<T>());
        supported.try_for_each(|algorithm| {
            benches::on_one_thread(|| self.measure(algorithm).map_err(|error| error.to_string()))
        })
    }

    fn measure(&self, algorithm: &Algorithm) -> Result<(), Box<dyn Error>> {
        let forest = ForestSettings::default()
            .with_trees(self.trees)
            .with_seed(1);
        let mut learner = algorithm.build::<T>(self.stream.schema(), forest)?;
        let learn: Work<T> = |learner, features, targets| learner.learn(features, targets);
        let test: Work<T> =
            |learner, features, targets| learner.predict_then_learn(features, targets).map(drop);
        let predict: Work<T> = |learner, features, _| learner.predict(features).map(drop);
        let rows = self.rows;
        let middle = rows + self.timed;
        self.pass(&mut learner, 0..rows, learn)?;
        let learned = self.pass(&mut learner, rows..middle, learn)?;
        let bytes = learner.footprint().bytes / (middle * self.trees);
        let tested = self.pass(&mut learner, middle..middle + self.timed, test)?;
        let predicted = self.pass(&mut learner, 0..self.timed, predict)?;
        println!(
            "{algorithm},{},{rows},{},{},{learned:.3},{tested:.3},{predicted:.3},{bytes}",
            T::NAME,
            self.batch,
            self.trees
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
            let features = self.stream.features().slice_move(s![part.clone(), ..]);
            let (done, took) = timed(|| work(learner, features, &self.stream.targets()[part]));
            done?;
            micros += took;
        }
        Ok(micros / (count * self.trees) as f64)
    }
}

/// Returns the result of `work`, and the microseconds that this thread has run for it, however busy the machine is.
/// Linux reports them; elsewhere they are 0.
fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = processor_time();
    let result = work();
    (result, (processor_time() - start).as_secs_f64() * 1e6)
}

fn processor_time() -> Duration {
    // Linux counts up to the last tick, 4 ms ago at most, unless the thread yields.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}
