//! The same rows give the same snapshot, whatever the number of threads and the size of the batches: with all rows held or the latest, with budgets, with weights, and with
//! classes that come late.

use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::{
    Ability, Algorithm, AnyLearner, Classification, ForestSettings, Regression, Schema, Task,
    snapshot, threads,
};

const ROWS: usize = 1200;

/// Sizes of batches and numbers of threads beside one row at a time on one thread. Small batches are not shared out.
const OTHERS: [(usize, usize); 6] = [(1, 8), (7, 2), (1000, 1), (1000, 2), (1000, 8), (1000, 64)];

/// The same for a variant of an algorithm: the sizes on both sides of a block.
const FEWER: [(usize, usize); 3] = [(7, 2), (1000, 1), (1000, 8)];

fn settings() -> ForestSettings {
    ForestSettings::default().with_trees(5).with_seed(11)
}

/// How rows `start..end` of a stream are learned.
type Teach<T> = fn(&mut AnyLearner<T>, &Stream<T>, usize, usize);

fn teach<T: ConformanceTask>(
    learner: &mut AnyLearner<T>,
    stream: &Stream<T>,
    start: usize,
    end: usize,
) {
    stream.teach(learner, start, end).unwrap();
}

/// Learns with weights from a quarter to 2.
fn teach_weighted<T: ConformanceTask>(
    learner: &mut AnyLearner<T>,
    stream: &Stream<T>,
    start: usize,
    end: usize,
) {
    let weight = |row| (1 + row % 8) as f64 / 4.0;
    let weights: Vec<f64> = (start..end).map(weight).collect();
    let (features, targets) = stream.part(start, end);
    learner.learn_weighted(features, targets, &weights).unwrap();
}

/// A learner with the rows that it learns.
struct Case<'a, T: Task> {
    algorithm: Algorithm,
    stream: &'a Stream<T>,
    teach: Teach<T>,
}

impl<'a, T: ConformanceTask> Case<'a, T> {
    /// Returns the algorithm with all rows held, and no weights.
    fn new(algorithm: Algorithm, stream: &'a Stream<T>) -> Self {
        Self {
            algorithm,
            stream,
            teach,
        }
    }

    fn build(&self) -> AnyLearner<T> {
        let schema = Schema::new(3).unwrap();
        self.algorithm.build::<T>(schema, settings()).unwrap()
    }

    /// Returns the snapshot after all rows, in batches of `batch`, on `threads` threads.
    fn bytes(&self, batch: usize, threads: usize) -> Vec<u8> {
        let learn = || {
            let mut learner = self.build();
            for start in (0..ROWS).step_by(batch) {
                (self.teach)(&mut learner, self.stream, start, ROWS.min(start + batch));
            }
            snapshot::to_bytes(&learner).unwrap()
        };
        threads::with_threads(threads, learn).unwrap()
    }

    fn learns_the_same(&self, others: &[(usize, usize)]) {
        let expected = self.bytes(1, 1);
        for &(batch, threads) in others {
            assert!(
                self.bytes(batch, threads) == expected,
                "{}, batches of {batch}, {threads} threads: another snapshot",
                self.algorithm
            );
        }
    }
}

fn every<T: Task>() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(Algorithm::supports::<T>)
}

fn every_algorithm_learns_the_same<T: ConformanceTask>() {
    let stream = &Stream::<T>::uniform(ROWS, 3, 5);
    for algorithm in every::<T>() {
        Case::new(algorithm, stream).learns_the_same(&OTHERS);
    }
}

#[test]
fn every_classifier_learns_the_same() {
    every_algorithm_learns_the_same::<Classification>();
}

#[test]
fn every_regressor_learns_the_same() {
    every_algorithm_learns_the_same::<Regression>();
}

/// Values of parameters that change what a tree holds.
const PARAMETERS: [&str; 4] = ["window=150", "budget=3", "max_nodes=101", "recheck=0"];

/// Returns the algorithms with each of [`PARAMETERS`] that they have and that their other values allow.
fn limited<T: Task>() -> impl Iterator<Item = Algorithm> {
    every::<T>().flat_map(|algorithm| {
        let has = |pair: &&str| {
            let name = pair.split('=').next();
            let parameters = algorithm.parameters_of::<T>();
            parameters.iter().any(|known| Some(known.name) == name)
        };
        let with = |pair: &str| format!("{}:{pair}", algorithm.name()).parse().ok();
        let pairs = PARAMETERS.iter().copied().filter(|pair| has(pair));
        pairs.filter_map(with).collect::<Vec<_>>()
    })
}

/// Returns whether forests of the algorithm can be built.
fn is_built<T: Task>(algorithm: &Algorithm) -> bool {
    let schema = Schema::new(3).unwrap();
    algorithm.build::<T>(schema, settings()).is_ok()
}

fn limited_trees_are_the_same<T: ConformanceTask>() {
    let stream = &Stream::<T>::uniform(ROWS, 3, 6);
    let mut count = 0;
    for algorithm in limited::<T>().filter(is_built::<T>) {
        Case::new(algorithm, stream).learns_the_same(&FEWER);
        count += 1;
    }
    assert!(count >= 20, "{count} algorithms with limits");
}

#[test]
fn classifiers_with_windows_and_budgets_learn_the_same() {
    limited_trees_are_the_same::<Classification>();
}

#[test]
fn regressors_with_windows_and_budgets_learn_the_same() {
    limited_trees_are_the_same::<Regression>();
}

fn weights_are_learned_the_same<T: ConformanceTask>() {
    let stream = &Stream::<T>::uniform(ROWS, 3, 7);
    let mut count = 0;
    for algorithm in every::<T>() {
        let case = Case {
            teach: teach_weighted,
            ..Case::new(algorithm, stream)
        };
        if case.build().can(Ability::Weights) {
            case.learns_the_same(&FEWER);
            count += 1;
        }
    }
    assert!(count >= 8, "{count} algorithms with weights");
}

#[test]
fn classifiers_learn_weights_the_same() {
    weights_are_learned_the_same::<Classification>();
}

#[test]
fn regressors_learn_weights_the_same() {
    weights_are_learned_the_same::<Regression>();
}

#[test]
fn classes_that_come_late_are_learned_the_same() {
    let mut stream = Stream::<Classification>::uniform(ROWS, 3, 8);
    // The last class comes within a batch of 1,000 rows, two more after it.
    let last = stream.targets.iter().copied().max().unwrap();
    for (row, target) in stream.targets.iter_mut().enumerate() {
        *target = match row {
            0..500 => (*target).min(last - 1),
            1100.. => *target + (row % 3) as u32,
            _ => *target,
        };
    }
    for algorithm in every::<Classification>() {
        Case::new(algorithm, &stream).learns_the_same(&FEWER);
    }
}
