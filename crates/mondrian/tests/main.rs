//! All tests in one program, which compiles what they share once.

mod aggregation;
mod ahead;
mod blocks;
mod bound;
mod branching;
mod checks;
mod contract;
mod cuts;
mod deep;
mod explain;
mod forgetting;
mod hierarchical;
mod law;
mod leaves;
mod new_points;
mod path_mixing;
mod shards;

use tessellation_tree::{Budget, LabelModel};

type TargetOf<L> = <<L as LabelModel>::Task as forest_core::Task>::Target;

/// It grows so fast that refining cuts leaves on both sides of cuts that are there.
const FAST_BUDGET: Budget = Budget::Schedule {
    scale: 0.05,
    power: 2.0,
};
