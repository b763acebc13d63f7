//! Predictions stay the same, to the bit.
//!
//! `tests/pinned.txt` has a line for every algorithm, task and stream: the digests of the predictions after 1, 10, 100,
//! 1,000 and 3,000 rows. `PIN=1 cargo test -p online-forests --test all pinned` writes it again. A line goes with its
//! algorithm or option; it changes only when a prediction was wrong. With `SEEDS=FOLDER` a small snapshot of each is
//! written there, for the fuzzer.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use forest_core::{Task, TreeRng, category};
use ndarray::{Array2, ArrayView2, s};
use online_forests::snapshot;
use online_forests::{
    Ability, Algorithm, AnyLearner, Classification, FeatureValues, ForestSettings, OnlineLearner,
    Regression, Schema,
};

use crate::common::SETTINGS;

/// Numbers of rows after which predictions are digested.
const ROWS: [usize; 5] = [1, 10, 100, 1000, 3000];

/// Those of algorithms in other settings than their own.
const FEWER: [usize; 4] = [1, 10, 100, 1000];

const WIDTH: usize = 5;
const QUERIES: usize = 50;

/// A task with the targets of the streams.
trait Pinned: Task {
    fn target(row: &[f32], at: usize, rng: &mut TreeRng) -> Self::Target;
}

impl Pinned for Classification {
    /// Three classes with noise, and a fourth from row 500 on.
    fn target(row: &[f32], at: usize, rng: &mut TreeRng) -> u32 {
        let class = u32::from(row[0] > 0.3) + u32::from(row[0] + row[4] > 1.4);
        if rng.uniform() < 0.1 {
            (rng.uniform() * 3.0) as u32
        } else if at > 500 && row[4] == 2.0 {
            3
        } else {
            class
        }
    }
}

impl Pinned for Regression {
    fn target(row: &[f32], _: usize, rng: &mut TreeRng) -> f64 {
        let step = f64::from(u8::from(row[0] > 0.5));
        10.0 * f64::from(row[0]) + step - f64::from(row[4]) + rng.uniform()
    }
}

/// Rows with their targets.
struct Stream<T: Pinned> {
    rows: Array2<f32>,
    targets: Vec<T::Target>,
    /// A quarter to two, if the rows are weighted.
    weights: Option<Vec<f64>>,
}

impl<T: Pinned> Stream<T> {
    /// Returns rows of numbers of several scales, with ties and repeated values.
    fn numbers(seed: u64, count: usize) -> Self {
        let mut rng = TreeRng::new(seed, 0);
        let mut rows = Array2::zeros((count, WIDTH));
        let mut targets = Vec::new();
        for (at, mut row) in rows.rows_mut().into_iter().enumerate() {
            for (feature, value) in row.iter_mut().enumerate() {
                let mut drawn = rng.uniform();
                if at % 5 == 0 {
                    drawn = (drawn * 4.0).floor() / 4.0;
                }
                *value = match feature {
                    3 => 100.0 * drawn as f32 - 20.0,
                    4 => (drawn * 3.0).floor() as f32,
                    _ => drawn as f32,
                };
            }
            targets.push(T::target(&row.to_vec(), at, &mut rng));
        }
        Self {
            rows,
            targets,
            weights: None,
        }
    }

    /// Returns the same with missing values, a feature of categories and one of numbers and categories.
    fn categories(seed: u64, count: usize) -> Self {
        let mut stream = Self::numbers(seed, count);
        let mut rng = TreeRng::new(seed, 1);
        for mut row in stream.rows.rows_mut() {
            if rng.uniform() < 0.1 {
                row[1] = f32::NAN;
            }
            if rng.uniform() < 0.3 {
                row[2] = category((rng.uniform() * 3.0) as u32);
            }
            row[4] = category(row[4] as u32);
        }
        stream
    }

    fn weighted(mut self) -> Self {
        let weight = |row| (1 + row % 8) as f64 / 4.0;
        self.weights = Some((0..self.targets.len()).map(weight).collect());
        self
    }

    fn teach(&self, learner: &mut AnyLearner<T>, start: usize, end: usize) {
        let rows = self.rows.slice(s![start..end, ..]);
        let targets = &self.targets[start..end];
        let learned = match &self.weights {
            None => learner.learn(rows, targets),
            Some(weights) => learner.learn_weighted(rows, targets, &weights[start..end]),
        };
        learned.unwrap();
    }
}

fn digest(predictions: &[f64]) -> u32 {
    let bytes = |value: &f64| value.to_bits().to_le_bytes();
    crc32fast::hash(&predictions.iter().flat_map(bytes).collect::<Vec<_>>())
}

fn in_one_batch<T: Task>(learner: &AnyLearner<T>, rows: ArrayView2<'_, f32>) -> u32 {
    let mut predictions = Vec::new();
    learner.predict_into(rows, &mut predictions).unwrap();
    digest(&predictions)
}

fn row_by_row<T: Task>(learner: &AnyLearner<T>, rows: ArrayView2<'_, f32>) -> u32 {
    let rows = rows.rows().into_iter();
    let predictions = rows.flat_map(|row| learner.predict_one(&row.to_vec()).unwrap());
    digest(&predictions.collect::<Vec<_>>())
}

/// What is learned in batches predicts the same as what is learned row by row and saved and loaded on the way.
fn line<T: Pinned>(
    algorithm: &Algorithm,
    name: &str,
    queries: &Stream<T>,
    stream: &Stream<T>,
    checkpoints: &[usize],
) -> String {
    let build = || {
        let forest = ForestSettings::default().with_trees(3).with_seed(7);
        let schema = Schema::new(WIDTH).unwrap();
        algorithm.build::<T>(schema, forest).unwrap()
    };
    let queries = queries.rows.view();
    let mut batches = build();
    let mut rows = build();
    let mut line = format!("{algorithm} {} {name}", T::NAME);
    let mut start = 0;
    for &end in checkpoints {
        stream.teach(&mut batches, start, end);
        (start..end).for_each(|row| stream.teach(&mut rows, row, row + 1));
        let expected = in_one_batch(&batches, queries);
        let before = row_by_row(&rows, queries);
        let saved = snapshot::to_bytes(&rows).unwrap();
        if let Some(folder) = std::env::var_os("SEEDS").filter(|_| end == 10) {
            let file = line.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
            fs::write(Path::new(&folder).join(file), &saved).unwrap();
        }
        rows = snapshot::from_bytes(&saved).unwrap();
        let after = in_one_batch(&rows, queries);
        assert!(
            before == expected && after == expected,
            "{line}, {end} rows: in batches {expected:08x}, row by row {before:08x}, loaded {after:08x}"
        );
        write!(line, " {expected:08x}").unwrap();
        start = end;
    }
    line
}

fn lines<T: Pinned>() -> Vec<String> {
    let last = ROWS[ROWS.len() - 1];
    let streams = [
        ("numbers", Stream::<T>::numbers(1, last)),
        ("weights", Stream::<T>::numbers(1, last).weighted()),
        ("categories", Stream::<T>::categories(1, last)),
    ];
    let queries = [
        Stream::<T>::numbers(2, QUERIES),
        Stream::<T>::categories(2, QUERIES),
    ];
    let mut lines = Vec::new();
    let does = |algorithm: &Algorithm| algorithm.supports::<T>();
    for algorithm in Algorithm::all().filter(does) {
        // The toy that this program submits is in no table of ours.
        if algorithm.name() == "histogram" {
            continue;
        }
        let schema = Schema::<T>::new(WIDTH).unwrap();
        let learner = algorithm.build(schema, ForestSettings::default()).unwrap();
        for (name, stream) in &streams {
            let accepts = match *name {
                "weights" => learner.can(Ability::Weights),
                "categories" => learner.feature_values() == FeatureValues::NumbersAndCategories,
                _ => true,
            };
            let queries = &queries[usize::from(*name == "categories")];
            if accepts {
                lines.push(line(&algorithm, name, queries, stream, &ROWS));
            }
        }
    }
    let settings = SETTINGS.iter().map(|text| text.parse().unwrap());
    for algorithm in settings.filter(does) {
        let (name, stream) = &streams[0];
        lines.push(line(&algorithm, name, &queries[0], stream, &FEWER));
    }
    lines
}

#[test]
fn predictions_are_those_that_were_pinned() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pinned.txt");
    let lines = [lines::<Classification>(), lines::<Regression>()].concat();
    let now = lines.join("\n") + "\n";
    if std::env::var_os("PIN").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let pinned = fs::read_to_string(&path).unwrap();
    let is_new = |line: &&str| !pinned.lines().any(|pinned| pinned == *line);
    let is_gone = |line: &&str| !now.lines().any(|now| now == *line);
    let new: Vec<_> = now.lines().filter(is_new).collect();
    let gone: Vec<_> = pinned.lines().filter(is_gone).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "now: {new:#?}\npinned: {gone:#?}"
    );
}
