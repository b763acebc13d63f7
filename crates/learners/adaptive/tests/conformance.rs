//! The checks of every learner, with bases of each kind.

use adaptive::{Adaptive, AdaptiveSettings, AdaptiveTask};
use forest_core::registry::snapshot;
use forest_core::{Classification, Regression, Schema};
use forest_testing::conformance::{self, ConformanceTask};

use crate::common::build_with_members;

/// Members of which some are built again within the streams of the checks; those of `online-forests` are others.
const MEMBERS: &[&str] = &[
    "mondrian@20@minmax+mondrian@50@quantile@labels+mondrian@all@none",
    "mondrian@20@quantile+mondrian@change@quantile+mondrian@change@none+mondrian@40@none",
];

fn conforms<T: AdaptiveTask + ConformanceTask>(members: &str, settings: &AdaptiveSettings) {
    let build =
        |schema: Schema<T>, seed| build_with_members(members, settings.clone(), schema, seed);
    let save = |learner: &Adaptive<T>| snapshot::encode_value(learner).unwrap();
    let load = |bytes: &[u8]| snapshot::decode_value::<Adaptive<T>>(bytes).unwrap();
    let kept = conformance::check(&build)
        .and_then(|()| conformance::a_snapshot_resumes(&build, &save, &load))
        .and_then(|()| conformance::the_same_bytes(&build, &save));
    assert_eq!(kept, Ok(()), "{members} {settings:?}");
}

fn in_all_settings<T: AdaptiveTask + ConformanceTask>() {
    let default = AdaptiveSettings::default();
    for members in MEMBERS {
        conforms::<T>(members, &default);
    }
}

#[test]
fn classifiers_conform() {
    in_all_settings::<Classification>();
}

#[test]
fn regressors_conform() {
    in_all_settings::<Regression>();
}
