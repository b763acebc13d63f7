//! What tessellation trees keep of targets, and how they predict: label models for any distribution of cuts.
//!
//! A [`LabelModel`](tessellation_tree::LabelModel) is informed of what happens to the nodes of its tree, keeps statistics of their
//! targets, and predicts along the path of a point. It does not know the cuts.
//!
//! | `labels` | classification | regression |
//! |---|---|---|
//! | `empirical`: the labels of a leaf | [`ClassFrequencies`] | [`LeafMeans`] |
//! | `aggregated`: the mixture over all prunings | [`AggregatedClasses`] | [`AggregatedMeans`] |
//! | `hierarchical`, of axis-aligned cuts: smoothed along the path, where points may branch off | [`KneserNey`] | [`GaussianHierarchy`] |
//!
//! [`Tessellation`] lists the forests that a distribution of cuts makes with them.

mod aggregated;
mod class_counts;
mod class_frequencies;
mod declared;
mod hierarchical;
mod leaf_means;
mod mean;
mod named;
mod total;

use forest_core::{SampleId, SampleStore, SampleWeight, Task};

pub use aggregated::{
    Aggregated, AggregatedClasses, AggregatedMeans, AggregatedNode, ClassAggregation, Dirichlet,
    Expert, FirstLoss, MeanAggregation, Scale, SquaredErrors, StepSize,
};
pub use class_counts::{ClassCounts, ClassSummary};
pub use class_frequencies::ClassFrequencies;
pub use declared::{AGGREGATED, AXIS_LABELS, EMPIRICAL, HIERARCHICAL, LABELS};
pub use hierarchical::{
    Belief, Boxes, BranchCounts, Combination, Delay, Departure, GaussianHierarchy,
    GaussianSettings, HyperparameterRule, Hyperparameters, KneserNey, KneserNeySettings, Passage,
};
pub use leaf_means::LeafMeans;
pub use mean::Mean;
pub use named::{Start, Tessellation};

/// Returns the target and the weight of a sample.
#[inline]
fn weighted_samples<T: Task>(
    samples: &SampleStore<T>,
) -> impl Fn(SampleId) -> (T::Target, SampleWeight) + Copy {
    |id| (samples.target(id), samples.weight(id))
}
