//! Classification: nodes predict smoothed class frequencies, and pay the logarithm.

use std::iter::once;

use forest_core::LabelSummary;
use forest_core::{ClassSpace, Classification, Vote};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Aggregated, AggregatedNode, Expert, FirstLoss, Scale};
use crate::{ClassCounts, ClassSummary};

/// The mixture over all prunings for classification.
pub type AggregatedClasses = Aggregated<ClassCounts>;

/// Parameters of [`AggregatedClasses`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassAggregation {
    /// The step size η: a pruning with log losses L has weight exp(−ηL); with 1 it is the posterior.
    pub step: f64,
    /// κ, the share of the loss of its first sample that a node pays.
    pub first_loss: FirstLoss,
    /// What is added to the count of each class.
    pub dirichlet: Dirichlet,
    /// How a tree votes.
    pub vote: Vote,
}

/// δ in (n_k + δ) / (n + K·δ), the probability of class k of K.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Dirichlet {
    /// ½ (Krichevsky and Trofimov) for two classes, 0.01 for more, as in the authors' code.
    ByClasses,
    /// This number.
    Fixed(f64),
}

impl Dirichlet {
    #[inline]
    fn of(self, classes: f64) -> f64 {
        match self {
            Self::ByClasses if classes <= 2.0 => 0.5,
            Self::ByClasses => 0.01,
            Self::Fixed(delta) => delta,
        }
    }
}

/// Nodes predict class k with (n_k + δ) / (n + K·δ); the loss is the negative logarithm.
impl Expert for ClassCounts {
    type Task = Classification;
    type Settings = ClassAggregation;
    type Summary = ClassSummary;
    /// They are read at the end of the path: which shares are negligible is easy to foresee there, and hard while
    /// several points are on their way. A path of more than 64 takes
    /// memory from the heap: once a query, and once for each walk of a batch.
    type Passed<'a> = SmallVec<[&'a AggregatedNode<ClassSummary>; 64]>;

    #[inline]
    fn of_one(target: u32) -> ClassSummary {
        ClassSummary::of_one(target)
    }

    fn copy(&mut self, summary: &ClassSummary) -> ClassSummary {
        self.copy(summary)
    }

    #[inline]
    fn add(&mut self, summary: &mut ClassSummary, target: u32) {
        self.add(summary, target);
    }

    fn release(&mut self, summary: &mut ClassSummary) {
        self.release(summary);
    }

    #[inline]
    fn first_loss(settings: &ClassAggregation) -> FirstLoss {
        settings.first_loss
    }

    #[inline]
    fn step_size(&self, settings: &ClassAggregation) -> f64 {
        settings.step
    }

    #[inline]
    fn arrived(&mut self, _: &ClassSummary, _: u32, _: f64, settings: &ClassAggregation) -> Scale {
        let (step_size, reference) = (settings.step, 0.0);
        Scale {
            step_size,
            reference,
        }
    }

    #[inline]
    fn likelihood(
        &self,
        summary: &ClassSummary,
        target: u32,
        scale: Scale,
        settings: &ClassAggregation,
    ) -> f64 {
        let classes = f64::from(self.classes().max(target + 1));
        let delta = settings.dirichlet.of(classes);
        let count = f64::from(self.count(summary, target));
        let probability = (count + delta) / (f64::from(summary.total()) + classes * delta);
        if scale.step_size == 1.0 {
            return probability;
        }
        libm::pow(probability, scale.step_size).max(SMALLEST)
    }

    fn log_likelihood(
        &self,
        summary: &ClassSummary,
        target: u32,
        step_size: f64,
        settings: &ClassAggregation,
    ) -> f64 {
        let scale = Scale {
            step_size,
            reference: 0.0,
        };
        libm::log(self.likelihood(summary, target, scale, settings))
    }

    #[inline]
    fn pass<'a>(passed: &mut Self::Passed<'a>, node: &'a AggregatedNode<ClassSummary>) {
        passed.push(node);
    }

    fn finish(
        &self,
        passed: &mut Self::Passed<'_>,
        leaf: &ClassSummary,
        settings: &ClassAggregation,
        prediction: &mut [f64],
    ) {
        let classes = prediction.len() as f64;
        let delta = settings.dirichlet.of(classes);
        // What smoothing adds to all classes alike.
        let mut of_each = 0.0;
        let mut reached = 1.0;
        prediction.fill(0.0);
        // The leaf comes last, as `None`: a closure for inner nodes and leaf is not inlined.
        for node in passed.drain(..).map(Some).chain(once(None)) {
            // Neither its share counts nor what it takes from those below: predicting `letter` takes .80 to .95 of the time.
            if node.is_some_and(|node| node.ratio.value() < NEGLIGIBLE) {
                continue;
            }
            let (stop, go) = node.map_or((1.0, 0.0), |node| node.ratio.stop_and_go());
            let summary = node.map_or(leaf, |node| &node.summary);
            let share = reached * stop;
            reached *= go;
            if share < NEGLIGIBLE {
                continue;
            }
            let unit = share / (f64::from(summary.total()) + classes * delta);
            for (class, count) in self.counts(summary) {
                prediction[class] += unit * f64::from(count);
            }
            of_each += unit * delta;
        }
        prediction.iter_mut().for_each(|cell| *cell += of_each);
        settings.vote.cast(prediction);
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn is_shaped<'a>(
        &self,
        summaries: impl Iterator<Item = &'a ClassSummary>,
        classes: &ClassSpace,
    ) -> bool {
        self.is_shaped(summaries, classes.known())
    }

    fn add_labels(&self, summary: &ClassSummary, sum: &mut LabelSummary) {
        for (class, count) in self.counts(summary) {
            sum.add_class(class as u32, u64::from(count));
        }
    }
}

/// A large step would leave a likelihood that is 0 as a number.
const SMALLEST: f64 = 1e-80;

/// A node with a smaller share changes no digit of a probability, and most nodes near the root have one.
const NEGLIGIBLE: f64 = 1e-18;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_have_a_half_and_more_have_a_hundredth() {
        let delta = |classes| Dirichlet::ByClasses.of(classes);
        assert_eq!([1.0, 2.0, 3.0].map(delta), [0.5, 0.5, 0.01]);
        assert_eq!(Dirichlet::Fixed(0.2).of(2.0), 0.2);
    }

    /// Two samples of class 0 and one of class 1; then another of class 1, or the first of class 2.
    #[test]
    fn a_class_counts_from_its_first_sample() {
        let (mut counts, mut summary) = (ClassCounts::default(), ClassSummary::default());
        for class in [0, 1, 0] {
            counts.add(&mut summary, class);
        }
        let settings = ClassAggregation {
            dirichlet: Dirichlet::Fixed(0.5),
            ..ClassAggregation::default()
        };
        let scale = Scale {
            step_size: 1.0,
            reference: 0.0,
        };
        let likelihood = |class| counts.likelihood(&summary, class, scale, &settings);
        assert_eq!(likelihood(1), 1.5 / 4.0);
        assert_eq!(likelihood(2), 0.5 / 4.5);
    }
}
