//! Faults of stream-partitioned trees.

use std::num::NonZeroU32;

use forest_core::{Classification, Forest, ForestContext, OnlineTree};

use super::super::leaf::LeafState;
use super::StreamTree;
use crate::faults::{assert_all_are_reported, grown, reported};
use crate::label_rows::LabelRows;
use crate::settings::{FringeLimit, StreamSettings};

type Tree = StreamTree<Classification>;

/// Returns a tree with this fringe.
fn forest(fringe: FringeLimit, rows: usize) -> Forest<Tree> {
    let settings = StreamSettings {
        fringe,
        ..StreamSettings::default()
    };
    grown(settings, rows)
}

fn four_active() -> Forest<Tree> {
    forest(FringeLimit::AtMost(4), 900)
}

fn assert_faults(forest: &Forest<Tree>, faults: &[crate::faults::Fault<Tree>]) {
    let tree = forest.trees().next().unwrap();
    assert_all_are_reported(tree, |tree| tree.check(&forest.context()), faults);
}

#[test]
fn records_that_are_not_one_for_each_leaf_are_reported() {
    const RECORDS: &str = "leaves: not one record for each";
    assert_faults(
        &four_active(),
        &[
            ("a record too many", RECORDS, |t| t.leaves.push(t.leaves[0])),
            ("votes of one leaf only", RECORDS, |t| {
                t.estimation_labels = LabelRows::one(2);
            }),
            ("structure labels of one leaf only", RECORDS, |t| {
                t.structure_labels = LabelRows::one(2);
            }),
            ("a class that is not known", "leaf: counts a class", |t| {
                t.estimation_labels.widen(100);
                t.estimation_labels.row_mut(1)[99] = 1;
            }),
            ("splits of nowhere", "node ", |t| {
                t.nodes.split(0, crate::nodes::LeafId::FIRST, 0, 0.5);
            }),
        ],
    );
}

#[test]
fn impossible_depths_and_ages_are_reported() {
    const AGE: &str = "leaf 0: an impossible depth or age";
    assert_faults(
        &four_active(),
        &[
            ("another depth", AGE, |t| t.leaves[0].depth += 1),
            ("created with the last point", AGE, |t| {
                t.leaves[0].created = t.estimation_points as f64;
            }),
            ("too young by half a point", AGE, |t| {
                let points = t.estimation_points - t.leaves[0].estimation_points;
                t.leaves[0].created = points as f64 + 0.5;
            }),
            ("created before the tree", AGE, |t| {
                t.leaves[0].created = -1.0;
            }),
            ("more points than the tree", AGE, |t| {
                t.leaves[0].created = -1.0 + 1e-10;
                t.leaves[0].estimation_points = t.estimation_points + 1;
            }),
            ("more points than are counted exactly", AGE, |t| {
                t.estimation_points = 1 << 53;
            }),
            (
                "no points",
                "leaf 0: fewer than α(d) estimation points",
                |t| {
                    t.leaves[0].estimation_points = 0;
                },
            ),
        ],
    );
}

#[test]
fn every_fault_of_a_full_fringe_is_reported() {
    const TWO: &str = "fringe: two leaves at a place";
    assert_faults(
        &four_active(),
        &[
            ("all leaves at the first one's place", TWO, |t| {
                let is_active = |state| matches!(state, LeafState::Active(_));
                let first = t.leaves.iter().position(|leaf| is_active(leaf.state));
                let (_, others) = t.leaves.split_at_mut(first.unwrap());
                let state = others[0].state;
                others.iter_mut().for_each(|leaf| leaf.state = state);
            }),
            ("a place beyond the last", TWO, |t| {
                t.leaves[0].state = LeafState::Active(4);
            }),
            ("points in no bin", "points: bins hold too many", |t| {
                t.fringe[2].estimation.points.binned += 1;
                t.fringe[2].estimation.points.total += 1;
            }),
            (
                "a free place while leaves wait",
                "fringe: too many places",
                |t| {
                    let last = LeafState::Active(3);
                    let leaf = t.leaves.iter().position(|leaf| leaf.state == last);
                    t.wait(crate::nodes::LeafId::new(leaf.unwrap()));
                    t.fringe.truncate(3);
                },
            ),
        ],
    );
}

#[test]
fn every_fault_of_a_fringe_with_room_is_reported() {
    const PLACES: &str = "fringe: too many places, or too few";
    assert_faults(
        &forest(FringeLimit::Unlimited, 900),
        &[("a place of no leaf", PLACES, |t| {
            t.fringe.push(t.fringe[0].clone());
        })],
    );
    assert_faults(
        &forest(FringeLimit::Unlimited, 0),
        &[("points, but no leaf is active", PLACES, |t| {
            t.estimation_points = 1;
        })],
    );
}

#[test]
fn every_fault_of_the_queue_is_reported() {
    assert_faults(
        &four_active(),
        &[
            (
                "a leaf that does not wait",
                "queue: place 0 is another leaf's",
                |t| {
                    let first = t.queue.entries()[0].leaf;
                    t.leaves[first.index()].state = LeafState::Waiting(1);
                },
            ),
            ("a leaf left out", "queue: a leaf has no place", |t| {
                t.queue.remove_first(&mut t.leaves);
            }),
            (
                "bounds of 0",
                "queue: a leaf has a ŝ above its bound",
                |t| {
                    for _ in 0..t.queue.entries().len() {
                        t.queue.lower_first(0.0, &mut t.leaves);
                    }
                },
            ),
        ],
    );
}

/// Returns the error of the check with other settings than those that made the tree.
fn fault_with(forest: &Forest<Tree>, change: impl FnOnce(&mut StreamSettings)) -> String {
    let (tree, context) = (forest.trees().next().unwrap(), forest.context());
    let mut settings = context.settings.clone();
    change(&mut settings);
    let settings = &settings;
    reported(tree.check(&ForestContext {
        settings,
        ..context
    }))
}

#[test]
fn a_tree_of_other_settings_is_reported() {
    const PLACES: &str = "fringe: too many places, or too few";
    let forest = four_active();
    let full = NonZeroU32::new(forest.trees().next().unwrap().len() as u32);
    let limited = |limit| fault_with(&forest, |s| s.fringe = FringeLimit::AtMost(limit));
    assert_eq!([3, 4, 5].map(limited), [PLACES, "no error", PLACES]);
    assert_eq!(fault_with(&forest, |s| s.max_nodes = full), PLACES);
    let other_beta = fault_with(&forest, |s| s.beta.scale *= 2.0);
    assert_eq!(other_beta, "fringe: α or β of another depth");
}
