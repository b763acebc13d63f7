//! Shards that learn apart are the whole forest once joined; a tree that is replaced is a tree of what
//! is held.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, Vote};
use forest_testing::conformance::Stream;
use mondrian::{MondrianClassifier, MondrianSettings, fixed};

fn seven_trees() -> ForestSettings {
    ForestSettings::default().with_trees(7).with_seed(3)
}

fn shard(part: std::ops::Range<usize>, settings: MondrianSettings<Vote>) -> MondrianClassifier {
    MondrianClassifier::shard(Schema::new(3).unwrap(), settings, seven_trees(), part).unwrap()
}

fn learned(mut forest: MondrianClassifier, rows: usize) -> MondrianClassifier {
    let stream = Stream::<Classification>::uniform(rows, 3, 5);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest
}

fn refused(first: &mut MondrianClassifier, next: MondrianClassifier, why: &str) {
    let error = first.join(next).unwrap_err();
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn joined_shards_are_the_whole_forest() {
    let settings = fixed(f64::INFINITY);
    let whole = learned(shard(0..7, settings.clone()), 200);
    let parts = [0..2, 2..3, 3..7].map(|part| learned(shard(part, settings.clone()), 200));
    let [mut first, second, third] = parts;
    refused(&mut first, third.clone(), "number 2 comes next");
    first.join(second).unwrap();
    first.join(third).unwrap();
    assert_eq!(format!("{first:?}"), format!("{whole:?}"));
    first.check_invariants().unwrap();
}

#[test]
fn shards_of_other_forests_are_refused() {
    let settings = fixed(f64::INFINITY);
    let mut first = learned(shard(0..3, settings.clone()), 50);
    let other = learned(shard(3..7, fixed(2.0)), 50);
    refused(&mut first, other, "different settings");
    let behind = learned(shard(3..7, settings.clone()), 49);
    refused(&mut first, behind, "different samples");
    let schema = Schema::<Classification>::new(3).unwrap();
    for part in [3..3, 0..8] {
        assert!(MondrianClassifier::shard(schema, settings.clone(), seven_trees(), part).is_err());
    }
}
