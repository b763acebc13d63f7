//! Deviations and intervals of the first rows are of the size of the targets.

use forest_core::{OnlineLearner, Schema, TreeRng};
use ndarray::{Array2, array};

use super::learner;

const ROWS: usize = 60;

/// Normal targets around 0 and far from it, in small and in large units; the first alone, twenty that are equal, one or
/// twenty that are 0.
fn streams(seed: u64) -> Vec<Vec<f64>> {
    let mut streams = Vec::new();
    for (centre, spread) in [(0.0, 1.0), (300.0, 5.0), (1e-6, 1e-6), (0.0, 1e12)] {
        for (is_zero, equal) in [(false, 1), (false, 20), (true, 1), (true, 20)] {
            let mut rng = TreeRng::new(seed, 0);
            let mut targets: Vec<f64> = (0..ROWS).map(|_| centre + spread * rng.normal()).collect();
            let first = if is_zero { 0.0 } else { targets[0] };
            targets[..equal].fill(first);
            streams.push(targets);
        }
    }
    streams
}

/// Two targets may be near each other by chance, and the third far off: a score has no mean then. A thousand times is
/// that chance; the fault was 1e98 times.
#[test]
fn deviations_and_intervals_of_the_first_rows_are_of_the_size_of_the_targets() {
    let mut rng = TreeRng::new(3, 0);
    let rows = Array2::from_shape_fn((ROWS, 2), |_| rng.uniform() as f32);
    let point = array![[0.4_f32, 0.3]];
    for targets in (0..5).flat_map(streams) {
        let mut learner = learner(Schema::new(2).unwrap(), "mondrian-2016", 1000, 1);
        let mut size = 0.0f64;
        let mut deviation = 0.0;
        for (row, &target) in targets.iter().enumerate() {
            learner.learn_one(&rows.row(row).to_vec(), target).unwrap();
            // The largest difference to the first target: 0 while all are equal.
            size = size.max((target - targets[0]).abs());
            if size == 0.0 {
                continue;
            }
            deviation = learner.means_and_variances(point.view()).unwrap()[[0, 1]].sqrt();
            let within = (size / 1000.0..1000.0 * size).contains(&deviation);
            assert!(within, "row {row}: {deviation:e} of {size:e}, {targets:?}");
            let bounds = learner.central_intervals(point.view(), 0.9).unwrap();
            let width = bounds[[0, 1]] - bounds[[0, 0]];
            assert!(
                row < 9 || width < 1000.0 * size,
                "row {row}: {width:e} of {size:e}"
            );
        }
        assert!(deviation < 100.0 * size, "{deviation:e}, {targets:?}");
    }
}
