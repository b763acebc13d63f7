//! Prints the errors of regressors along a stream, part by part, as lines of CSV: `cargo run --release -p forest-evaluation --example recovery --
//! friedman:d=5,n=14000,seed=SEED+flip=10000 500 50 10 residual-forest residual-forest:window=2000`
//!
//! Arguments: a data set, in which `SEED` stands for the number of a run; rows of a part; trees (`adaptive`: of each copy of a
//! member); runs; names of algorithms. Each line has the rows at the end of a part, the root of the mean squared error in it over all runs, the
//! standard error of that root, and microseconds of processor time a row (one thread). Each row is predicted just before it is learned; errors are measured
//! against the function without noise where that is known.

use std::error::Error;

use datasets::{Dataset, OpenOptions, Target, data_folder, open};
use forest_core::threads;
use forest_testing::timing::timed;
use ndarray::s;
use online_forests::{Algorithm, ForestSettings, OnlineLearner, Regression, Schema};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What is measured, and how.
struct Plan<'a> {
    address: &'a str,
    rows: usize,
    trees: usize,
    runs: u64,
}

/// A part of a stream in one run.
struct Part {
    until: usize,
    mean_square: f64,
    micros: f64,
}

fn main() -> Result<()> {
    threads::with_threads(1, run)?
}

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, rows, trees, runs, names @ ..] = &arguments[..] else {
        return Err(
            "expected a data set, rows of a part, trees, runs and names of algorithms".into(),
        );
    };
    let (rows, trees, runs) = (rows.parse()?, trees.parse()?, runs.parse()?);
    let plan = Plan {
        address,
        rows,
        trees,
        runs,
    };
    names.iter().try_for_each(|name| plan.measure(name))
}

impl Plan<'_> {
    /// Runs an algorithm and prints its lines.
    fn measure(&self, name: &str) -> Result<()> {
        let runs = (1..=self.runs).map(|seed| self.follow(name, seed));
        let runs = runs.collect::<Result<Vec<_>>>()?;
        for part in 0..runs.first().map_or(0, Vec::len) {
            let same: Vec<&Part> = runs.iter().map(|run| &run[part]).collect();
            self.print(name, &same);
        }
        Ok(())
    }

    /// Returns the parts of one run.
    fn follow(&self, name: &str, seed: u64) -> Result<Vec<Part>> {
        let options = OpenOptions {
            data_dir: Some(data_folder()),
            ..OpenOptions::default()
        };
        let data = open(self.address.replace("SEED", &seed.to_string()), &options)?;
        let (algorithm, trees): (Algorithm, _) = (name.parse()?, self.trees);
        let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
        let mut learner = algorithm.build::<Regression>(Schema::new(data.n_features())?, forest)?;
        let starts = (0..data.rows()).step_by(self.rows);
        let part = |from| self.part(&mut learner, &data, from);
        starts.map(part).collect()
    }

    /// Tests, then trains, on the rows of a part.
    fn part(
        &self,
        learner: &mut impl OnlineLearner<Task = Regression>,
        data: &Dataset,
        from: usize,
    ) -> Result<Part> {
        let Target::Values { values, noise_free } = &data.target else {
            return Err("expected a regression data set".into());
        };
        let until = data.rows().min(from + self.rows);
        let rows = data.features.slice(s![from..until, ..]);
        let (predictions, micros) =
            timed(|| learner.predict_then_learn(rows, &values[from..until]));
        let predictions = predictions?;
        let truth = noise_free.as_ref().unwrap_or(values);
        let pairs = predictions.iter().zip(&truth[from..until]);
        let squares: f64 = pairs
            .map(|(prediction, y)| (prediction[0] - y).powi(2))
            .sum();
        let count = (until - from) as f64;
        Ok(Part {
            until,
            mean_square: squares / count,
            micros: micros / count,
        })
    }

    fn print(&self, name: &str, runs: &[&Part]) {
        let count = runs.len() as f64;
        let mean = |value: &dyn Fn(&Part) -> f64| {
            let values = runs.iter().map(|part| value(part));
            values.sum::<f64>() / count
        };
        let square = mean(&|part| part.mean_square);
        let variance = mean(&|part| (part.mean_square - square).powi(2)) / (count - 1.0).max(1.0);
        // d√x = dx / (2 √x).
        let (root, error) = (square.sqrt(), variance.sqrt() / (2.0 * square.sqrt()));
        let (address, trees, until) = (self.address, self.trees, runs[0].until);
        let micros = mean(&|part| part.micros);
        println!(
            "\"{name}\",\"{address}\",{trees},{count},{until},{root:.4},{error:.4},{micros:.0}"
        );
    }
}
