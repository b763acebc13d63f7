//! The checks of every learner, with bases of each kind.

use adaptive::{Adaptive, AdaptiveSettings, AdaptiveTask, ClassLoss, Update};
use forest_core::{Classification, Regression, Schema};
use forest_testing::conformance::{self, ConformanceTask};
use registry::snapshot;

use crate::common::build_with_members;

/// Members of which some are built again within the streams of the checks.
const MEMBERS: &[&str] = &[
    "mondrian@all@none",
    "mondrian@all@quantile",
    "mondrian@20@minmax+mondrian@50@quantile@labels+mondrian@all@none",
    "mondrian@20@quantile+mondrian@change@quantile+mondrian@change@none+mondrian@40@none",
    "boundary-forest@32@quantile+stream-rf:lambda=1;m=5;tau=0.01@60@none+mondrian@45@none",
];

fn conforms<T: AdaptiveTask + ConformanceTask>(members: &str, settings: &AdaptiveSettings<T>) {
    let build =
        |schema: Schema<T>, seed| build_with_members(members, settings.clone(), schema, seed);
    let save = |learner: &Adaptive<T>| snapshot::to_bytes(learner).unwrap();
    let load = |bytes: &[u8]| snapshot::from_bytes::<Adaptive<T>>(bytes).unwrap();
    let kept = conformance::check(&build)
        .and_then(|()| conformance::a_snapshot_resumes(&build, &save, &load))
        .and_then(|()| conformance::the_same_bytes(&build, &save));
    assert_eq!(kept, Ok(()), "{members} {settings:?}");
}

fn in_all_settings<T: AdaptiveTask + ConformanceTask>() {
    let default = AdaptiveSettings::<T>::default();
    for members in MEMBERS {
        conforms(members, &default);
    }
    let forget = AdaptiveSettings {
        update: Update::Forget,
        rebuild: 2,
        ..default.clone()
    };
    conforms(MEMBERS[2], &forget);
    conforms(MEMBERS[3], &forget);
    conforms(MEMBERS[4], &forget);
    let share = AdaptiveSettings {
        discount: vec![1.0],
        share: 0.05,
        history: 30,
        ..default
    };
    conforms(MEMBERS[2], &share);
}

#[test]
fn classifiers_conform() {
    in_all_settings::<Classification>();
    for loss in [ClassLoss::Brier, ClassLoss::Linear] {
        conforms::<Classification>(
            MEMBERS[2],
            &AdaptiveSettings {
                loss,
                ..AdaptiveSettings::default()
            },
        );
    }
}

#[test]
fn regressors_conform() {
    in_all_settings::<Regression>();
}
