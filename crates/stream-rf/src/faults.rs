//! Every check is seen to fail: a sound value is broken in one way at a time.

use forest_core::{Forest, ForestSettings, InvariantError, OnlineTree, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};

/// What is wrong, how the error begins, and how a sound value comes to be so.
pub(crate) type Fault<V> = (&'static str, &'static str, fn(&mut V));

/// Asserts that `check` accepts `sound`, and reports each fault with its error.
#[track_caller]
pub(crate) fn assert_all_are_reported<V: Clone>(
    sound: &V,
    check: impl Fn(&V) -> Result<(), InvariantError>,
    faults: &[Fault<V>],
) {
    assert_eq!(check(sound), Ok(()));
    let reported_by = |fault: fn(&mut V)| {
        let mut broken = sound.clone();
        fault(&mut broken);
        reported(check(&broken))
    };
    let reports = faults
        .iter()
        .map(|&(name, error, fault)| (name, error, reported_by(fault)));
    let missed: Vec<_> = reports
        .filter(|(_, error, report)| !report.starts_with(error))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Returns the text of an error, or that there is none.
pub(crate) fn reported(checked: Result<(), InvariantError>) -> String {
    checked.map_or_else(|error| error.to_string(), |()| "no error".to_owned())
}

/// Returns one tree that has learned points of two numbers.
pub(crate) fn grown<K: OnlineTree<Task: ConformanceTask>>(
    settings: K::Settings,
    rows: usize,
) -> Forest<K> {
    let one = ForestSettings::default().with_trees(1).with_seed(1);
    let mut forest = Forest::new(Schema::new(2).unwrap(), settings, one).unwrap();
    let stream = Stream::<K::Task>::uniform(rows, 2, 31);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest
}
