//! Deviations and intervals of the first rows are of the size of the targets.

use forest_core::{OnlineLearner, Schema, TreeRng};
use ndarray::{Array2, array};

use super::learner;

/// The regressor that predicts variances.
const GAUSSIAN: [&str; 1] = ["mondrian-2016"];

const ROWS: usize = 60;

/// Normal targets, the first `equal` of which are `first`.
fn targets(
    seed: u64,
    [centre, spread]: [f64; 2],
    (first, equal): (Option<f64>, usize),
) -> Vec<f64> {
    let mut rng = TreeRng::new(seed, 0);
    let mut targets: Vec<f64> = (0..ROWS).map(|_| centre + spread * rng.normal()).collect();
    let first = first.unwrap_or(targets[0]);
    targets[..equal].fill(first);
    targets
}

/// Around 0 and far from it, in small and in large units; the first alone, twenty that are equal, one or twenty that are 0.
fn streams(seed: u64) -> Vec<Vec<f64>> {
    let scales = [[0.0, 1.0], [300.0, 5.0], [1e-6, 1e-6], [0.0, 1e12]];
    let begins = [(None, 1), (None, 20), (Some(0.0), 1), (Some(0.0), 20)];
    let streams = scales
        .into_iter()
        .flat_map(|scale| begins.map(|begin| (scale, begin)));
    streams
        .map(|(scale, begin)| targets(seed, scale, begin))
        .collect()
}

fn features() -> Array2<f32> {
    let mut rng = TreeRng::new(3, 0);
    Array2::from_shape_fn((ROWS, 2), |_| rng.uniform() as f32)
}

/// Returns the largest difference to the first target: 0 while all are equal.
fn range(seen: &[f64]) -> f64 {
    seen.iter()
        .fold(0.0, |most: f64, target| most.max((target - seen[0]).abs()))
}

/// Two targets may be near each other by chance, and the third far off: a score has no mean then. A thousand times is that chance; the
/// fault was 1e98 times.
#[test]
fn deviations_and_intervals_of_the_first_rows_are_of_the_size_of_the_targets() {
    let (rows, point) = (features(), array![[0.4_f32, 0.3]]);
    for (base, targets) in GAUSSIAN
        .iter()
        .flat_map(|base| (0..5).flat_map(streams).map(move |targets| (base, targets)))
    {
        let mut learner = learner(Schema::new(2).unwrap(), base, 1000, 1);
        for (row, &target) in targets.iter().enumerate() {
            learner.learn_one(&rows.row(row).to_vec(), target).unwrap();
            let size = range(&targets[..=row]);
            if size == 0.0 {
                continue;
            }
            let deviation = learner.means_and_variances(point.view()).unwrap()[[0, 1]].sqrt();
            let within = (size / 1000.0..1000.0 * size).contains(&deviation);
            assert!(
                within,
                "{base}, row {row}: {deviation:e} of {size:e}, {targets:?}"
            );
            let bounds = learner.central_intervals(point.view(), 0.9).unwrap();
            let width = bounds[[0, 1]] - bounds[[0, 0]];
            assert!(
                row < 9 || width < 1000.0 * size,
                "{base}, row {row}: {width:e} of {size:e}"
            );
        }
        let deviation = learner.means_and_variances(point.view()).unwrap()[[0, 1]].sqrt();
        assert!(
            deviation < 100.0 * range(&targets),
            "{base}: {deviation:e}, {targets:?}"
        );
    }
}
