//! Algorithms to take bases from, and streams.

use std::ops::Range;

use adaptive::{Adaptive, AdaptiveSettings, AdaptiveTask, MemberCopy, MemberSettings};
use forest_core::registry::{Algorithm, AnyLearner};
use forest_core::{ForestSettings, OnlineLearner, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::{Array2, s};

// Bases that forget, that cannot, and that hold no samples.
forest_core::submit!(&[
    adaptive::ADAPTIVE,
    mondrian::MONDRIAN,
    boundary_forest::BOUNDARY_FOREST,
    stream_rf::STREAM_RF,
]);

/// Two trees a copy.
pub(crate) fn forest(seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(2).with_seed(seed)
}

/// Returns a learner of these members, separated by `+`.
pub(crate) fn build_with_members<T: AdaptiveTask>(
    members: &str,
    settings: AdaptiveSettings,
    schema: Schema<T>,
    seed: u64,
) -> Adaptive<T> {
    let settings = AdaptiveSettings {
        members: members.split('+').map(str::to_owned).collect(),
        ..settings
    };
    Adaptive::new(schema, settings, forest(seed)).unwrap()
}

/// Returns the rows of a stream as a member's copy sees them that was built from the rows `from`.
fn scaled_by<T: AdaptiveTask>(
    member: &MemberSettings,
    stream: &Stream<T>,
    from: Range<usize>,
) -> Array2<f32> {
    let own = stream.features.slice(s![from.clone(), ..]);
    let all = stream.features.clone();
    let mut scaled = match member.scaling {
        None => all,
        Some(scaling) => {
            let step = scaling.fit(own).unwrap().unwrap();
            step.transform(all).unwrap()
        }
    };
    if member.uses_labels {
        let weights = T::feature_weights(own, &stream.targets[from]).unwrap();
        for (mut column, weight) in scaled.columns_mut().into_iter().zip(weights) {
            column *= weight as f32;
        }
    }
    scaled
}

/// Returns the learner that is built from the rows that a copy has seen, and from no others.
pub(crate) fn from_these_rows_alone<T: AdaptiveTask + ConformanceTask>(
    copy: &MemberCopy<T>,
    stream: &Stream<T>,
    (schema, seen): (Schema<T>, usize),
) -> AnyLearner<T> {
    let text = copy.member().base.replace(';', ",");
    let algorithm: Algorithm = text.parse().unwrap();
    let mut alone = algorithm.build(schema, copy.forest()).unwrap();
    let first = copy.first_row() as usize;
    let built = copy.built() as usize;
    let scaled = scaled_by(copy.member(), stream, first..built);
    let mut learn = |from: usize, to: usize| {
        let rows = scaled.slice(s![from..to, ..]);
        alone.learn(rows, &stream.targets[from..to]).unwrap();
    };
    learn(first, built);
    learn(built, seen);
    alone
}
