//! Memory that batch learners report for a fit, against the memory it takes.

use comparison::{BatchAlgorithm, BatchTask, FitOptions, Training};
use forest_core::{Classification, Regression, TreeRng, threads};
use ndarray::Array2;

/// Returns the reported and the measured bytes of a fit. Targets are independent of the features, so that trees are largest.
fn reported_and_taken<T: BatchTask>(
    algorithm: &BatchAlgorithm,
    (rows, features, trees): (usize, usize, usize),
    target: impl Fn(f64) -> T::Target + Sync,
) -> Option<[u64; 2]> {
    let one_thread = || {
        let mut rng = TreeRng::new(1, 0);
        let points = Array2::from_shape_fn((rows, features), |_| rng.uniform() as f32);
        let targets: Vec<T::Target> = (0..rows).map(|_| target(rng.uniform())).collect();
        let training = Training::<T>::new(points.view(), &targets).unwrap();
        let learner = algorithm.learner::<T>().unwrap();
        let reported = learner.bytes_to_fit(&training, trees)?;
        let mut fitted = None;
        let options = FitOptions::new(trees, 1);
        let counted =
            allocation_counter::measure(|| fitted = Some(learner.fit(&training, options)));
        fitted.unwrap().unwrap();
        Some([reported, counted.bytes_max])
    };
    threads::with_threads(1, one_thread).unwrap()
}

/// Rows, features and trees.
const SHAPES: [(usize, usize, usize); 4] = [(100, 3, 1), (250, 3, 10), (200, 60, 3), (2000, 4, 2)];

/// Returns whether the case is too slow for a test: a machine of 2000 rows takes half a minute.
fn is_slow(algorithm: &BatchAlgorithm, rows: usize) -> bool {
    rows > 1000 && algorithm.to_string().contains("svm")
}

fn memory_is_as_reported<T: BatchTask>(target: impl Fn(f64) -> T::Target + Sync) {
    let mut compared = 0;
    let limited = ["decision-tree:depth=3", "random-forest:depth=6"];
    let limited = limited.map(|text| text.parse().unwrap());
    let algorithms = BatchAlgorithm::all().filter(BatchAlgorithm::supports::<T>);
    for algorithm in algorithms.chain(limited) {
        for shape in SHAPES {
            if is_slow(&algorithm, shape.0) {
                continue;
            }
            if let Some([reported, taken]) = reported_and_taken::<T>(&algorithm, shape, &target) {
                let sound = taken <= reported && reported <= 4 * taken;
                assert!(
                    sound,
                    "{algorithm} {shape:?}: reported {reported}, taken {taken}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 5 * SHAPES.len());
}

fn memory_of_classes_is_as_reported(count: f64) {
    memory_is_as_reported::<Classification>(|uniform| (uniform * count) as u32);
}

#[test]
fn fits_to_two_classes_take_what_they_say_or_up_to_four_times_less() {
    memory_of_classes_is_as_reported(2.0);
}

#[test]
fn fits_to_five_classes_take_what_they_say_or_up_to_four_times_less() {
    memory_of_classes_is_as_reported(5.0);
}

#[test]
fn fits_to_numbers_take_what_they_say_or_up_to_four_times_less() {
    memory_is_as_reported::<Regression>(|uniform| uniform);
}
