//! All tests in one program, which compiles what they share once. They need some distribution of cuts: the axis-aligned
//! one.

mod aggregation;
mod blocks;
mod bound;
mod explain;
mod forgetting;
mod hierarchical;
mod leaves;
mod new_points;
mod weights;

use forest_core::TreeRng;
use forest_core::ndarray::Array2;
use tessellation_tree::{Aggregated, Budget, ClassCounts, LabelModel, SquaredErrors};

type AggregatedClasses = Aggregated<ClassCounts>;

type AggregatedMeans = Aggregated<SquaredErrors>;

type TargetOf<L> = <<L as LabelModel>::Task as forest_core::Task>::Target;

/// It grows so fast that refining cuts leaves on both sides of cuts that are there.
const FAST_BUDGET: Budget = Budget::Schedule {
    scale: 0.05,
    power: 2.0,
};

/// Points of the unit cube.
fn uniform(rows: usize, features: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((rows, features), || rng.uniform() as f32)
}
