//! Samples that count more or less than others.

use ndarray::ArrayView2;

use crate::{InputError, OnlineLearner, Task};

/// Learners that take a weight with each sample: w > 0 stands for w copies of the sample at once.
///
/// A weight is in the statistics of nodes: counts of classes, means, losses, and gains where cuts are chosen by them. It is not in
/// the geometry: a sample is one point however much it counts, so windows, budgets and limits that concern numbers of samples count
/// samples. Where neither these nor random draws depend on the number of points that coincide, a whole weight k
/// leaves the forest that k samples in a row would leave, up to rounding. For other settings this holds of the statistics
/// of each node, given the cuts.
///
/// A learner for which this does not hold does not implement the trait: one, for example, that decides at random what to do with each sample.
/// docs/theory.md ("Weights of samples") states the rule of each model in closed form with its exceptions, and which learners take no weights, and
/// why.
///
/// Weights lie between [`SampleWeight::MIN`] and [`SampleWeight::MAX`] and are
/// rounded to multiples of 2⁻³⁰, so that forgetting a sample restores the exact sums: sums are exact up to 2³⁴ a node and class.
/// Explanations count samples, not weights, as long as the samples are held.
///
/// [`SampleWeight::MIN`]: crate::SampleWeight::MIN
/// [`SampleWeight::MAX`]: crate::SampleWeight::MAX
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
