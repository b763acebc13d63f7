//! Retention: which samples are held, and that nothing else depends on how the stream is cut.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod ledger;

use forest_core::ndarray::Array2;
use forest_core::{Forest, OnlineLearner, Retention, Schema};
use ledger::{CanForget, CannotForget, HoldsNone, Kind, Ledger, NoSettings, forest, settings};

const ROWS: usize = 700;

/// With few samples held, the store is compacted after 64 replacements; with 100, after 100.
const LIMITED: [Retention; 3] = [
    Retention::Latest(1),
    Retention::Latest(5),
    Retention::Latest(100),
];

/// Learns samples `from..to`, whose features and targets are their numbers in the stream.
fn learn<K: Kind>(forest: &mut Forest<Ledger<K>>, from: usize, to: usize) {
    let rows = Array2::from_shape_fn((to - from, 1), |(row, _)| (from + row) as f32);
    let targets: Vec<f64> = rows.iter().map(|x| f64::from(*x)).collect();
    forest.learn(rows.view(), &targets).unwrap();
}

/// Returns the numbers of the samples held, in their order.
fn held<K: Kind>(forest: &Forest<Ledger<K>>) -> Vec<usize> {
    let samples = forest.samples();
    let number = |id| samples.features(id)[0] as usize;
    samples.ids().map(number).collect()
}

/// Returns the numbers of the samples in the ledger of tree `index`.
fn entries<K: Kind>(forest: &Forest<Ledger<K>>, index: usize) -> Vec<usize> {
    let tree = forest.trees().nth(index).unwrap();
    tree.entries.iter().map(|(_, x)| *x as usize).collect()
}

fn bytes<K: Kind>(forest: &Forest<Ledger<K>>) -> Vec<u8> {
    forest_core::registry::snapshot::encode_value(forest).unwrap()
}

fn row_by_row<K: Kind>(retention: Retention) -> Forest<Ledger<K>> {
    let mut forest = forest::<K>(7, retention);
    for row in 0..ROWS {
        learn(&mut forest, row, row + 1);
        forest.check_invariants().unwrap();
    }
    forest
}

/// Batches of uneven sizes; after each, `between` may do something that must change nothing.
fn in_batches<K: Kind>(
    mut forest: Forest<Ledger<K>>,
    between: impl Fn(&mut Forest<Ledger<K>>),
) -> Forest<Ledger<K>> {
    let mut start = 0;
    for size in [1, 2, 70, 3, 150, 64].into_iter().cycle() {
        let end = ROWS.min(start + size);
        learn(&mut forest, start, end);
        between(&mut forest);
        start = end;
        if start == ROWS {
            break;
        }
    }
    forest
}

fn nothing_depends_on_the_cuts<K: Kind>(retention: Retention) {
    let expected = bytes(&row_by_row::<K>(retention));
    let fresh = || forest::<K>(7, retention);
    let mut whole = fresh();
    learn(&mut whole, 0, ROWS);
    assert!(bytes(&whole) == expected, "{retention}: one batch");
    let batches = in_batches(fresh(), |_| ());
    assert!(bytes(&batches) == expected, "{retention}: uneven batches");
    let reload = |forest: &mut _| {
        *forest = forest_core::registry::snapshot::decode_value(&bytes(forest)).unwrap();
    };
    let loaded = in_batches(fresh(), reload);
    assert!(bytes(&loaded) == expected, "{retention}: snapshots");
    let mut asked = fresh();
    let rows = Array2::from_shape_fn((ROWS, 1), |(row, _)| row as f32);
    let targets: Vec<f64> = (0..ROWS).map(|row| row as f64).collect();
    let together = asked.predict_then_learn(rows.view(), &targets).unwrap();
    assert!(bytes(&asked) == expected, "{retention}: predictions");
    let mut alone = fresh();
    for (row, prediction) in together.iter().enumerate() {
        assert_eq!(alone.predict_one(&[row as f32]).unwrap(), prediction);
        learn(&mut alone, row, row + 1);
    }
    let part = |part| {
        let schema = Schema::new(1).unwrap();
        Forest::shard(schema, NoSettings, settings(7, retention), part).unwrap()
    };
    let mut joined: Forest<Ledger<K>> = in_batches(part(0..1), |_| ());
    joined.join(in_batches(part(1..3), |_| ())).unwrap();
    assert!(bytes(&joined) == expected, "{retention}: shards");
}

#[test]
fn nothing_depends_on_how_the_stream_is_cut() {
    for retention in LIMITED {
        nothing_depends_on_the_cuts::<CanForget>(retention);
    }
    nothing_depends_on_the_cuts::<CanForget>(Retention::Everything);
    nothing_depends_on_the_cuts::<CannotForget>(Retention::Everything);
    nothing_depends_on_the_cuts::<HoldsNone>(Retention::Everything);
}

#[test]
fn a_sample_is_forgotten_before_the_one_that_replaces_it_is_learned() {
    let forest = row_by_row::<CanForget>(Retention::Latest(100));
    assert!(forest.trees().all(|tree| tree.most == 100));
}

#[test]
fn a_window_holds_the_latest() {
    let forest = row_by_row::<CanForget>(Retention::Latest(5));
    assert_eq!(held(&forest), [695, 696, 697, 698, 699]);
    assert_eq!(entries(&forest, 2), held(&forest));
}

#[test]
fn trees_that_hold_nothing_need_no_store() {
    let forest = row_by_row::<HoldsNone>(Retention::Everything);
    assert_eq!(forest.samples().slots(), 0);
    assert_eq!(entries(&forest, 0).len(), ROWS);
}

#[test]
fn few_forgotten_samples_stay_in_the_store_and_trees_are_seldom_remapped() {
    for retention in LIMITED {
        let mut forest = forest::<CanForget>(7, retention);
        for row in 0..ROWS {
            learn(&mut forest, row, row + 1);
            let samples = forest.samples();
            let forgotten = samples.slots() - samples.len();
            assert!(forgotten < samples.len().max(64), "{retention}");
        }
        let remaps = forest.trees().map(|tree| tree.remaps).max().unwrap();
        assert!(remaps <= ROWS / 64, "{retention}: {remaps}");
    }
}

#[test]
fn a_window_can_follow_a_larger_one() {
    let mut forest = row_by_row::<CanForget>(Retention::Latest(100));
    let latest = held(&forest)[90..].to_vec();
    forest.keep_latest(10).unwrap();
    assert_eq!(held(&forest), latest);
    assert_eq!(forest.retention(), Retention::Latest(10));
    learn(&mut forest, ROWS, ROWS + 200);
    forest.check_invariants().unwrap();
    assert_eq!(held(&forest), (ROWS + 190..ROWS + 200).collect::<Vec<_>>());
}

#[track_caller]
fn refused<K: Kind>(retention: Retention, message: &str) {
    let schema = Schema::new(1).unwrap();
    let refused = Forest::<Ledger<K>>::new(schema, NoSettings, settings(1, retention));
    assert_eq!(refused.unwrap_err().to_string(), message);
}

#[test]
fn a_retention_that_trees_cannot_follow_is_refused() {
    let latest =
        "retention must be everything, since these trees cannot forget, but is the latest 5";
    refused::<CannotForget>(Retention::Latest(5), latest);
    refused::<HoldsNone>(Retention::Latest(5), latest);
    let empty = "retention must be of at least 1 sample, but is the latest 0";
    refused::<CanForget>(Retention::Latest(0), empty);
}

/// Joins two shards, of these seeds and retentions, that have learned these rows; returns what is said against it.
fn joined<K: Kind>(shards: [(u64, Retention, usize, usize); 2]) -> String {
    let parts = [0..2, 2..3].into_iter().zip(shards);
    let mut shards = parts.map(|(part, (seed, retention, from, to))| {
        let schema = Schema::new(1).unwrap();
        let settings = settings(seed, retention);
        let mut shard = Forest::<Ledger<K>>::shard(schema, NoSettings, settings, part).unwrap();
        learn(&mut shard, from, to);
        shard
    });
    let mut first = shards.next().unwrap();
    let refused = first.join(shards.next().unwrap()).err();
    refused.map_or(String::new(), |error| error.to_string())
}

#[test]
fn shards_of_another_forest_or_stream_are_not_joined() {
    let all = Retention::Everything;
    let [five, six] = [5, 6].map(Retention::Latest);
    assert_eq!(joined::<CanForget>([(7, all, 0, 5), (7, all, 0, 5)]), "");
    for (one, other, said) in [
        ((1, five, 0, 5), (2, five, 0, 5), "different seeds"),
        ((1, five, 0, 5), (1, six, 0, 5), "different retentions"),
        ((7, all, 0, 5), (7, all, 1, 6), "different samples"),
    ] {
        assert!(joined::<CanForget>([one, other]).contains(said), "{said}");
    }
    // Nothing is held, so only the number of rows differs.
    assert!(joined::<HoldsNone>([(7, all, 0, 5), (7, all, 0, 6)]).contains("different samples"));
}
