//! The contract of forest-core, for pipelines of every kind of step.

use super::{Forests, KINDS, Kind, pipeline};
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{Classification, OnlineLearner, Regression, Schema, TreeRng};
use forest_testing::conformance::{self, Broken, Stream};
use tables::preprocessing::Pipeline;

fn every_law<T: Forests>(kind: Kind) -> Result<(), Broken> {
    let build = &|schema: Schema<T>, seed| pipeline(kind, schema, seed);
    let save = |pipeline: &Pipeline<T::Forest>| encode_value(pipeline).unwrap();
    let load = |bytes: &[u8]| decode_value(bytes).unwrap();
    conformance::check(build)?;
    conformance::a_snapshot_resumes(build, &save, &load)?;
    conformance::the_same_bytes(build, &save)?;
    conformance::a_refusal_leaves_the_same_bytes(build, &save)
}

fn every_pipeline_keeps_every_law<T: Forests>() {
    for kind in KINDS {
        let kept = every_law::<T>(kind);
        assert!(kept.is_ok(), "{} for {}: {kept:?}", kind.0, T::NAME);
    }
}

#[test]
fn every_classifying_pipeline_keeps_every_law() {
    every_pipeline_keeps_every_law::<Classification>();
}

#[test]
fn every_regressing_pipeline_keeps_every_law() {
    every_pipeline_keeps_every_law::<Regression>();
}

/// Altered bytes are refused by the codec or by the invariants, or make a pipeline that works.
fn altered_pipelines_never_panic<T: Forests>() {
    let mut rng = TreeRng::new(5, 0);
    let stream = Stream::<T>::uniform(30, 2, 6);
    let mut refused = 0;
    let mut sound = 0;
    for kind in KINDS {
        for rows in [5, 12] {
            let mut learner = pipeline(kind, Schema::<T>::new(2).unwrap(), 1);
            stream.teach(&mut learner, 0, rows).unwrap();
            let bytes = encode_value(&learner).unwrap();
            for _ in 0..500 {
                let altered = conformance::altered(&bytes, &mut rng);
                let loaded = decode_value::<Pipeline<T::Forest>>(&altered);
                match loaded
                    .ok()
                    .filter(|loaded| loaded.check_invariants().is_ok())
                {
                    None => refused += 1,
                    Some(loaded) => {
                        sound += 1;
                        use_it(loaded, &stream);
                    }
                }
            }
        }
    }
    assert!(
        refused > 1000 && sound > 1000,
        "{refused} refused, {sound} sound"
    );
}

fn use_it<T: Forests>(mut learner: Pipeline<T::Forest>, stream: &Stream<T>) {
    if learner.schema().features() == 2 && learner.schema().width() <= 4096 {
        learner.predict(stream.features.view()).unwrap();
        // Refused, if fewer classes are left; never a panic.
        let _ = learner.learn(stream.features.view(), &stream.targets);
        learner.predict(stream.features.view()).unwrap();
    }
}

#[test]
fn altered_classifying_pipelines_never_panic() {
    altered_pipelines_never_panic::<Classification>();
}

#[test]
fn altered_regressing_pipelines_never_panic() {
    altered_pipelines_never_panic::<Regression>();
}
