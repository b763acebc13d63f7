//! Formats numbers of trees.

use std::collections::BTreeSet;

use super::repetitions::Repetitions;
use crate::number;

/// Formats a number of trees: `1 tree`, `10 trees`; empty without trees.
pub(super) fn words(trees: usize) -> String {
    match trees {
        0 => String::new(),
        _ => number::counted(trees, "tree"),
    }
}

/// Formats numbers of trees: `10 trees`, `2 or 10 trees`; `None` for an empty set.
pub(super) fn list(trees: &BTreeSet<usize>) -> Option<String> {
    let all: Vec<String> = trees.iter().map(ToString::to_string).collect();
    if trees.iter().eq([&1]) {
        Some(words(1))
    } else {
        (!all.is_empty()).then(|| format!("{} trees", all.join(" or ")))
    }
}

/// Returns the requested numbers of trees. A learner of one tree, such as a decision tree, is requested with as many as the forests
/// beside it.
pub(super) fn forest_sizes(groups: &[Repetitions<'_>]) -> BTreeSet<usize> {
    let runs = groups.iter().map(Repetitions::first);
    let with_trees = runs.filter(|run| run.trees > 0);
    with_trees.map(|run| run.asked_trees).collect()
}
