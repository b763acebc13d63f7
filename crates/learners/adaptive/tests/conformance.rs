//! The checks of every learner.

use adaptive::{Adaptive, AdaptiveSettings, AdaptiveTask};
use forest_core::registry::snapshot;
use forest_core::{Classification, Regression, Schema};
use forest_testing::conformance::{self, ConformanceTask};

use crate::common::build_with_members;

/// Members since a change; `online-forests` checks others by name.
const MEMBERS: &str =
    "mondrian@20@quantile+mondrian@change@quantile+mondrian@change@none+mondrian@40@none";

fn conform<T: AdaptiveTask + ConformanceTask>() {
    let build = |schema: Schema<T>, seed| {
        build_with_members(MEMBERS, AdaptiveSettings::default(), schema, seed)
    };
    let save = |learner: &Adaptive<T>| snapshot::encode_value(learner).unwrap();
    let load = |bytes: &[u8]| snapshot::decode_value::<Adaptive<T>>(bytes).unwrap();
    let kept = conformance::check(&build)
        .and_then(|()| conformance::a_snapshot_resumes(&build, &save, &load))
        .and_then(|()| conformance::the_same_bytes(&build, &save));
    assert_eq!(kept, Ok(()));
}

#[test]
fn mixtures_conform() {
    conform::<Classification>();
    conform::<Regression>();
}
