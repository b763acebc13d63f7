//! BSP-Forests by name.

use forest_core::parameters::Parameter;
use forest_core::registry::{Alias, Entry, MAX_NODES, VOTE};
use tessellation_tree::{
    AGGREGATION, Aggregated, BUDGET, BUDGET_SCALE, ClassCounts, ClassFrequencies, INCREASING,
    LABELS, LABELS_WINDOW, LeafMeans, MIN_POINTS, PAUSE, RATE, SquaredErrors, UPDATE, either,
};

use crate::PairCuts;

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[OBSP];

/// `obsp`: the exact online forest.
///
/// Constants are compiled where they are used: unit tests, which do not use it, need not compile the learners.
pub const OBSP: &Entry = &Entry {
    paper: PAPER,
    parameters: &[
        &[GROWING, BUDGET_SCALE, UNCUT, PAUSE, UPDATE, VOTE, RATE],
        &[LABELS_WINDOW, MAX_NODES, LABELS],
        &AGGREGATION,
    ],
    limits: &[
        "few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d \
         dimensions, so with hundreds of features a forest takes gigabytes; reduce them first",
    ],
    // The paper's forest is a majority of majorities.
    aliases: &[Alias {
        name: "obsp-redraw",
        description: "the paper's Algorithm 4 as printed: leaves drawn again at every arrival",
        paper: PAPER,
        preset: "budget_scale=1,update=redraw,vote=majority",
        task: None,
    }],
    classes: Some(either::<PairCuts, ClassFrequencies, Aggregated<ClassCounts>>),
    numbers: Some(either::<PairCuts, LeafMeans, Aggregated<SquaredErrors>>),
    ..Entry::new(
        "obsp",
        "cuts oblique in two axes, a growing budget; online and batch trees have one distribution",
    )
};

const PAPER: &str = "Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020";

const GROWING: Parameter = BUDGET.with_default(INCREASING);

/// The paper leaves nodes of three points uncut (Alg. 4, line 3).
const UNCUT: Parameter = MIN_POINTS.with_default("3");
