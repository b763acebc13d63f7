//! Every check is seen to fail: a snapshot with one thing broken is refused, and the error names it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::snapshot::{decode_value, encode_value};
use boundary_forest::{
    BoundaryForest, ChildLimit, Classification, ClassifierSettings, Euclidean, OnlineLearner,
    Problem, Regression, RegressorSettings, VectorRegression,
};
use forest_core::TreeRng;
use serde::Serialize;

/// A forest as snapshots hold it, with everything within reach.
#[derive(Clone, Serialize)]
struct Saved<S, T, C> {
    schema: S,
    settings: T,
    points: SavedTable<f32>,
    labels: SavedTable<C>,
    seen: u64,
    trees: Vec<SavedTree>,
}

#[derive(Clone, Serialize)]
struct SavedTable<C> {
    width: usize,
    rows: usize,
    cells: Vec<C>,
}

/// The sample of each node, counted from 1, and its parent.
#[derive(Clone, Serialize)]
struct SavedTree {
    nodes: Vec<(u32, u32)>,
    rng: TreeRng,
}

#[derive(Clone, Serialize)]
struct SavedClasses {
    features: usize,
    known: u32,
    cap: u32,
}

type SavedClassifier = Saved<SavedClasses, ClassifierSettings, u32>;

impl<C> SavedTable<C> {
    /// Rows of one cell.
    fn column(cells: impl Into<Vec<C>>) -> Self {
        let (width, cells) = (1, cells.into());
        let rows = cells.len();
        Self { width, rows, cells }
    }

    fn keep(&mut self, rows: usize) {
        self.rows = rows;
        self.cells.truncate(rows * self.width);
    }
}

impl<S, T, C> Saved<S, T, C> {
    /// Two trees of the five points 0 to 4: a chain, and three nodes.
    fn with(schema: S, settings: T, labels: [C; 5]) -> Self {
        let trees = [
            vec![(1, 0), (2, 0), (3, 1), (4, 2), (5, 3)],
            vec![(2, 0), (1, 0), (3, 0)],
        ];
        let tree = |(index, nodes)| SavedTree {
            nodes,
            rng: TreeRng::new(1, index),
        };
        Self {
            schema,
            settings,
            points: SavedTable::column([0.0, 1.0, 2.0, 3.0, 4.0]),
            labels: SavedTable::column(labels),
            seen: 6,
            trees: trees.into_iter().enumerate().map(tree).collect(),
        }
    }

    fn node(&mut self, tree: usize, node: usize) -> &mut (u32, u32) {
        &mut self.trees[tree].nodes[node]
    }

    /// A forest that has seen `rows` samples, and waits for more.
    fn waits_with(&mut self, rows: usize) {
        self.trees.iter_mut().for_each(|tree| tree.nodes.clear());
        self.points.keep(rows);
        self.labels.keep(rows);
        self.seen = rows as u64;
    }
}

/// At most two children; the classes of the points alternate.
fn classifier() -> SavedClassifier {
    let schema = SavedClasses {
        features: 1,
        known: 2,
        cap: 9,
    };
    let settings = ClassifierSettings {
        max_children: ChildLimit::AtMost(2),
        ..ClassifierSettings::default()
    };
    Saved::with(schema, settings, [0, 1, 0, 1, 0])
}

fn read<P: Problem>(saved: &impl Serialize) -> BoundaryForest<P, Euclidean> {
    decode_value(&encode_value(saved).unwrap()).unwrap()
}

/// Returns the error of the check of a snapshot.
fn fault<P: Problem>(saved: &impl Serialize) -> Option<String> {
    let checked = read::<P>(saved).check_invariants();
    checked
        .err()
        .map(|error| format!("{}: {}", error.place, error.what))
}

type Break = fn(&mut SavedClassifier);

/// Breaks a sound forest in each of these ways.
#[track_caller]
fn all_are_refused(breaks: &[(Break, &str)]) {
    assert_eq!(fault::<Classification>(&classifier()), None);
    for (break_it, expected) in breaks {
        let mut saved = classifier();
        break_it(&mut saved);
        let said = fault::<Classification>(&saved);
        let named = said.as_ref().is_some_and(|said| said.contains(expected));
        assert!(named, "{expected}\nbut it says: {said:?}");
    }
}

#[test]
fn a_broken_schema_or_setting_is_refused() {
    all_are_refused(&[
        (|saved| saved.schema.features = 0, "settings: features"),
        (|saved| saved.schema.known = 10, "settings: class_cap"),
        (
            |saved| saved.settings.max_children = ChildLimit::AtMost(1),
            "settings: max_children",
        ),
    ]);
}

#[test]
fn broken_samples_are_refused() {
    let widths = "samples: their counts or widths are wrong";
    all_are_refused(&[
        (
            |saved| saved.points.rows = (1 << 30) + 1,
            "samples: there are 1073741825, more than 1073741824",
        ),
        (|saved| saved.points.width = 2, widths),
        (|saved| saved.points.cells.truncate(4), widths),
        (|saved| saved.labels.width = 2, widths),
        (|saved| saved.labels.cells.truncate(4), widths),
        (|saved| saved.labels.keep(4), widths),
        (
            |saved| saved.points.cells[2] = f32::NAN,
            "samples: a feature is not finite",
        ),
        (
            |saved| saved.labels.cells[3] = 2,
            "sample 3: its label [2] could not have been learned",
        ),
    ]);
}

#[test]
fn broken_trees_are_refused() {
    all_are_refused(&[
        (|saved| saved.trees.clear(), "forest: it has no trees"),
        (
            |saved| saved.trees[1].nodes.clear(),
            "forest: only some trees have a root",
        ),
        (
            |saved| saved.node(1, 1).1 = 2,
            "tree 1, node 1: is not the child of an earlier node",
        ),
        (
            |saved| saved.node(0, 4).0 = 6,
            "tree 0, node 4: holds sample 5, which is not inserted yet",
        ),
        (
            |saved| saved.node(1, 2).0 = 1,
            "tree 1, node 2: holds sample 0, which is not inserted yet, or held twice",
        ),
        (
            |saved| saved.trees[1].nodes.push((5, 0)),
            "tree 1, node 0: has 3 children with a limit of AtMost(2)",
        ),
        (
            |saved| saved.node(0, 3).1 = 1,
            "tree 0, node 3: does not correct its parent's label",
        ),
    ]);
}

#[test]
fn forests_that_wait_hold_what_they_have_seen_and_have_fewer_samples_than_trees() {
    let mut waiting = classifier();
    waiting.waits_with(1);
    assert_eq!(fault::<Classification>(&waiting), None);
    let roots = "forest: its samples are not those that wait for the roots";
    all_are_refused(&[
        (|saved| saved.waits_with(2), roots),
        (
            |saved| {
                saved.waits_with(1);
                saved.seen = 2;
            },
            roots,
        ),
    ]);
}

#[test]
fn a_learner_says_what_its_forest_says() {
    let mut saved = classifier();
    assert!(OnlineLearner::check_invariants(&read::<Classification>(&saved)).is_ok());
    saved.trees.clear();
    assert!(OnlineLearner::check_invariants(&read::<Classification>(&saved)).is_err());
}

#[test]
fn numbers_and_vectors_are_checked_as_classes_are() {
    let numbers = |features: usize, labels| {
        let saved = Saved::with(features, RegressorSettings::default(), labels);
        fault::<Regression>(&saved)
    };
    let sound = [0.0, 1.0, 0.5, -1.0, 3.0];
    assert_eq!(numbers(1, sound), None);
    assert!(numbers(0, sound).unwrap().starts_with("settings: features"));
    let label = numbers(1, [0.0, 1.0, f64::NAN, -1.0, 3.0]);
    assert!(label.unwrap().starts_with("sample 2: its label [NaN]"));
    let vectors = |schema: (usize, usize)| {
        let saved = Saved::with(schema, RegressorSettings::default(), sound);
        fault::<VectorRegression>(&saved)
    };
    assert_eq!(vectors((1, 1)), None);
    assert!(vectors((0, 1)).unwrap().starts_with("settings: features"));
    assert!(vectors((1, 0)).unwrap().starts_with("settings: targets"));
}
