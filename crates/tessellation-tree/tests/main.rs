//! All tests in one program, which compiles what they share once. They need some distribution of cuts: the axis-aligned one.

mod ahead;
mod bound;
mod deep;
mod explain;
mod forgetting;
mod leaves;
mod new_points;
mod path_mixing;
mod shards;

use tessellation_tree::LabelModel;

type TargetOf<L> = <<L as LabelModel>::Task as forest_core::Task>::Target;
