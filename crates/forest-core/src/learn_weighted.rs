//! Samples that count more or less than others.

use ndarray::ArrayView2;

use crate::{InputError, OnlineLearner, Task};

/// Learners that take a weight with each sample: w > 0 stands for w copies of the sample at once.
///
/// A weight is in the statistics of nodes: counts of classes, means and losses. It is not in the geometry: a
/// sample is one point however much it counts, so `min_points`, windows, reservoirs and budgets that grow count
/// samples. Where neither these nor random draws depend on the number of points (no limits, an infinite budget), a
/// whole weight k leaves the forest that k samples in a row would leave, up to rounding of means and losses. For other
/// settings this holds of the statistics of each node, given the cuts.
///
/// Of the aggregated models, whose weights depend on losses, docs/theory.md ("Weights of samples") has the sums over copies in closed form.
/// With `step=errors` all copies of a sample have the step before it, since that is one for all nodes and known
/// before the sample; k samples in a row would each have changed it for the next.
///
/// Not for learners that have no such law:
///
/// | learner | why |
/// |---|---|
/// | stream-partitioned forests | a coin for each sample decides whether it shapes a tree or predicts: each of k copies has its own |
/// | boundary forests | a sample that is answered already is not added: the second copy changes nothing |
/// | hierarchical labels | a node passes a class on once, however often it has it; copies of a number agree without noise |
/// | `adaptive`, `conformal` | errors of rows weigh members and rank scores |
/// | baselines | nothing but the number of samples |
///
/// Weights lie between [`SampleWeight::LEAST`] and [`SampleWeight::MOST`] and are
/// rounded to multiples of 2⁻³⁰, so that a sample that is forgotten leaves no trace: sums are exact up to 2³⁴ a node and class.
/// Explanations count samples, not weights, as long as the samples are held.
///
/// [`SampleWeight::LEAST`]: crate::SampleWeight::LEAST
/// [`SampleWeight::MOST`]: crate::SampleWeight::MOST
pub trait LearnWeighted: OnlineLearner {
    /// Learns `features` (one sample a row) with their `targets` and `weights`, one after another. With weights of 1 it
    /// is [`OnlineLearner::learn`], bit for bit.
    ///
    /// Once one weight is not 1, the samples up to it take 8 bytes more each.
    ///
    /// # Errors
    /// As [`OnlineLearner::learn`]; another number of weights than rows, or a weight that is out of
    /// range. Then nothing of the batch was learned.
    fn learn_weighted(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        weights: &[f64],
    ) -> Result<(), InputError>;
}
