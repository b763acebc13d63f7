//! Faults of trees of Saffari et al.

use std::num::NonZeroU32;

use forest_core::{Classification, Forest, ForestContext, OnlineTree};

use super::{Leaf, SaffariTree};
use crate::candidates::Candidates;
use crate::faults::{assert_all_are_reported, grown, reported};
use crate::label_rows::LabelRows;
use crate::settings::SaffariSettings;

type Tree = SaffariTree<Classification>;

fn forest() -> Forest<Tree> {
    grown(SaffariSettings::default(), 900)
}

#[test]
fn every_fault_of_a_tree_is_reported() {
    const RECORDS: &str = "leaves: not one record for each";
    let forest = forest();
    assert_all_are_reported(
        forest.trees().next().unwrap(),
        |tree| tree.check(&forest.context()),
        &[
            ("a leaf too many", RECORDS, |t| t.leaves.push(Leaf::at(1))),
            ("labels of one leaf only", RECORDS, |t| {
                t.labels = LabelRows::one(2);
            }),
            ("another depth", "leaf 0: an impossible depth", |t| {
                t.leaves[0].depth += 1;
            }),
            ("a class that is not known", "leaf: counts a class", |t| {
                t.labels.widen(100);
                t.labels.row_mut(1)[99] = 1;
            }),
            ("tests of another m", "candidates: impossible", |t| {
                let mut tests = t.leaves.iter_mut().filter_map(|leaf| leaf.tests.as_mut());
                tests.next().unwrap().candidates = Candidates::new(vec![0, 1], 3);
            }),
            ("splits of nowhere", "node ", |t| {
                t.nodes.split(0, crate::nodes::LeafId::FIRST, 0, 0.5);
            }),
        ],
    );
}

/// Returns the error of the check with other settings than those that made the tree.
fn fault_with(forest: &Forest<Tree>, change: impl FnOnce(&mut SaffariSettings)) -> String {
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
fn leaves_that_cannot_be_split_have_no_tests() {
    let forest = forest();
    let tree = forest.trees().next().unwrap();
    let with_tests = tree.leaves.iter().filter(|leaf| leaf.tests.is_some());
    let deepest = with_tests.map(|leaf| leaf.depth).max().unwrap();
    let full = NonZeroU32::new(tree.len() as u32);
    assert_eq!(
        fault_with(&forest, |s| s.max_depth = deepest + 1),
        "no error"
    );
    assert!(fault_with(&forest, |s| s.max_depth = deepest).ends_with("an impossible depth"));
    assert!(fault_with(&forest, |s| s.max_nodes = full).ends_with("an impossible depth"));
}
