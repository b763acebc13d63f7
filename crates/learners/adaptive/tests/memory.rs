//! With windows alone, memory does not grow with the stream.

use adaptive::AdaptiveSettings;
use forest_core::{OnlineLearner, Regression, Schema};
use forest_testing::conformance::Stream;

use crate::common::build_with_members;

const ROWS: usize = 60_000;
const BATCH: usize = 1000;

/// The most bytes, nodes and samples held at the ends of batches, up to half of the stream and after it.
#[test]
fn memory_is_flat_with_windows_alone() {
    let schema = Schema::<Regression>::new(2).unwrap();
    let members = "mondrian@50@quantile+stream-rf@70@none+boundary-forest@60@none";
    let mut learner = build_with_members(members, AdaptiveSettings::default(), schema, 41);
    let mut most = [(0, 0, 0); 2];
    for start in (0..ROWS).step_by(BATCH) {
        let stream = Stream::<Regression>::uniform(BATCH, 2, start as u64);
        stream.teach(&mut learner, 0, BATCH).unwrap();
        let held = learner.footprint();
        let most = &mut most[start / (ROWS / 2)];
        most.0 = most.0.max(held.bytes);
        most.1 = most.1.max(held.nodes);
        most.2 = most.2.max(held.stored_samples);
    }
    let [early, late] = most;
    assert!(late.0 as f64 <= 1.05 * early.0 as f64, "{early:?} {late:?}");
    assert!(late.1 as f64 <= 1.1 * early.1 as f64, "{early:?} {late:?}");
    // The store, and for each of four copies that hold samples at most two windows.
    assert!(late.2 <= 70 + 4 * 2 * 60, "{late:?}");
    assert_eq!(learner.check_invariants(), Ok(()));
}
