//! All tests in one program, which compiles what they share once. They need some distribution of cuts: the axis-aligned one.

mod aggregation;
mod ahead;
mod blocks;
mod bound;
mod deep;
mod explain;
mod forgetting;
mod hierarchical;
mod leaves;
mod new_points;
mod weights;

use tessellation_tree::{Budget, LabelModel};

type TargetOf<L> = <<L as LabelModel>::Task as forest_core::Task>::Target;

/// It grows so fast that refining cuts leaves on both sides of cuts that are there.
const FAST_BUDGET: Budget = Budget::Schedule {
    scale: 0.05,
    power: 2.0,
};
