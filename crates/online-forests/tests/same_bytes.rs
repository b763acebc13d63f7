//! The same rows give the same snapshot, whatever the number of threads and the size of the batches: with all rows held
//! or the latest, with budgets, with weights, and with classes that come late.

use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::{
    Ability, Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression,
    Schema, Task, snapshot, threads,
};

const ROWS: usize = 1200;

/// Sizes of batches and numbers of threads beside one row at a time on one thread. Small batches are not shared out.
const OTHERS: [(usize, usize); 6] = [(1, 8), (7, 2), (1000, 1), (1000, 2), (1000, 8), (1000, 64)];

/// The same for a variant of an algorithm: the sizes on both sides of a block.
const FEWER: [(usize, usize); 3] = [(7, 2), (1000, 1), (1000, 8)];

fn settings() -> ForestSettings {
    ForestSettings::default().with_trees(5).with_seed(11)
}

/// A learner with the rows that it learns, and a weight for each if there are any.
struct Case<'a, T: Task> {
    algorithm: Algorithm,
    stream: &'a Stream<T>,
    weights: Option<&'a [f64]>,
}

impl<'a, T: ConformanceTask> Case<'a, T> {
    /// Returns the algorithm with all rows held, and no weights.
    fn new(algorithm: Algorithm, stream: &'a Stream<T>) -> Self {
        Self {
            algorithm,
            stream,
            weights: None,
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
                let end = ROWS.min(start + batch);
                let (rows, targets) = self.stream.part(start, end);
                match self.weights {
                    None => learner.learn(rows, targets).unwrap(),
                    Some(all) => {
                        let weights = &all[start..end];
                        learner.learn_weighted(rows, targets, weights).unwrap();
                    }
                }
            }
            snapshot::to_bytes(&learner).unwrap()
        };
        threads::with_threads(threads, learn).unwrap()
    }

    fn learns_the_same(&self, others: &[(usize, usize)]) {
        let expected = self.bytes(1, 1);
        for &(batch, threads) in others {
            let same = self.bytes(batch, threads) == expected;
            let algorithm = &self.algorithm;
            assert!(same, "{algorithm}, batches of {batch}, {threads} threads");
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
fn every_learner_learns_the_same() {
    every_algorithm_learns_the_same::<Classification>();
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

fn limited_trees_are_the_same<T: ConformanceTask>() {
    let stream = &Stream::<T>::uniform(ROWS, 3, 6);
    let mut count = 0;
    let is_built = |one: &Algorithm| one.build::<T>(Schema::new(3).unwrap(), settings()).is_ok();
    for algorithm in limited::<T>().filter(is_built) {
        Case::new(algorithm, stream).learns_the_same(&FEWER);
        count += 1;
    }
    assert!(count >= 20, "{count} algorithms with limits");
}

#[test]
fn trees_with_windows_and_budgets_learn_the_same() {
    limited_trees_are_the_same::<Classification>();
    limited_trees_are_the_same::<Regression>();
}

fn weights_are_learned_the_same<T: ConformanceTask>() {
    let stream = &Stream::<T>::uniform(ROWS, 3, 7);
    let weights: Vec<f64> = (0..ROWS).map(|row| (1 + row % 8) as f64 / 4.0).collect();
    let mut count = 0;
    for algorithm in every::<T>() {
        let mut case = Case::new(algorithm, stream);
        case.weights = Some(&weights);
        if case.build().can(Ability::Weights) {
            case.learns_the_same(&FEWER);
            count += 1;
        }
    }
    assert!(count >= 8, "{count} algorithms with weights");
}

#[test]
fn weights_are_learned_the_same_way() {
    weights_are_learned_the_same::<Classification>();
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
