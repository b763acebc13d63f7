//! Every check of a forest's frame, its store and its retention fails where that alone does not hold.

use forest_core::{Forest, InputError, OnlineLearner, Retention, SampleStore};
use serde_json::{Value, json};

use super::{CanForget, Kind, Ledger, forest, learn};

type Store = SampleStore<forest_core::Regression>;

/// Returns what `check_invariants` says of a forest of five rows where the value at `place` is another.
fn refusal<K: Kind>(retention: Retention, place: &str, value: Value) -> String {
    let mut forest = forest::<K>(7, retention);
    learn(&mut forest, 0, 5);
    let mut stored = serde_json::to_value(&forest).unwrap();
    let found = stored.pointer_mut(place).expect(place);
    assert_ne!(*found, value, "{place}");
    *found = value;
    let altered: Forest<Ledger<K>> = serde_json::from_value(stored).unwrap();
    altered.check_invariants().unwrap_err().to_string()
}

#[test]
fn every_check_of_a_frame_and_a_store_fails_alone() {
    let counted = "the samples seen are miscounted";
    let trees = "no trees, or more than the whole forest";
    for (place, value, expected) in [
        ("/seen", json!(4), counted),
        ("/seen", json!(u64::MAX / 2 + 1), counted),
        ("/trees", json!([]), trees),
        ("/first_tree", json!(1), trees),
        ("/first_tree", json!(usize::MAX), trees),
        ("/total_trees", json!(2), trees),
        ("/samples/width", json!(2), "width is not the schema's"),
        ("/samples/targets", json!([0.0]), "differ in number"),
        ("/samples/arrivals", json!([0, 1, 2, 3]), "differ in number"),
        ("/samples/marks", json!(["Unweighted"]), "differ in number"),
        ("/samples/marks/1", json!({"Weighted": 1}), "2^-20"),
        ("/samples/arrivals/1", json!(2), "order of arrival"),
        ("/samples/forgotten_count", json!(1), "miscounted"),
        ("/samples/oldest", json!(1), "miscounted"),
    ] {
        let refusal = refusal::<CanForget>(Retention::Everything, place, value);
        assert!(refusal.contains(expected), "{place}: {refusal}");
    }
}

#[test]
fn a_retention_is_of_the_samples_held() {
    let refusal = refusal::<CanForget>(Retention::Latest(3), "/retention/Latest", json!(2));
    assert!(refusal.contains("not what the store holds"), "{refusal}");
}

#[test]
fn a_store_has_room_up_to_its_limit() {
    let mut forest = forest::<CanForget>(7, Retention::Everything);
    learn(&mut forest, 0, 3);
    assert_eq!(forest.samples().room(), Store::LIMIT - 3);
    assert_eq!(forest.check_room(Store::LIMIT - 3), Ok(()));
    let (rows, stored, limit) = (Store::LIMIT - 2, 3, Store::LIMIT);
    let full = InputError::StoreFull {
        rows,
        stored,
        limit,
    };
    assert_eq!(forest.check_room(rows), Err(full));
}
