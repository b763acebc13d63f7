//! Classification: nodes predict smoothed class frequencies, and pay the logarithm.

use std::iter::once;

use forest_core::{ClassSpace, Classification, LabelSummary};
use smallvec::SmallVec;

use super::{AggregatedNode, Expert, Scale};
use crate::{ClassCounts, ClassSummary, LabelSettings};

/// Returns δ for this number of classes.
#[inline]
fn delta(given: Option<f64>, classes: f64) -> f64 {
    // Beyond, probabilities would leave the range in which their products are numbers.
    let given = given.map(|delta| delta.clamp(1e-70, 1e70));
    given.unwrap_or(if classes <= 2.0 { 0.5 } else { 0.01 })
}

/// Nodes predict class k with (n_k + δ) / (n + K·δ); the loss is the negative logarithm.
impl Expert for ClassCounts {
    type Task = Classification;
    type Summary = ClassSummary;
    /// They are read at the end of the path, where it is known which shares are negligible.
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
    fn scale(&self, settings: &LabelSettings) -> Scale {
        Scale {
            step_size: settings.step.unwrap_or(1.0),
            reference: 0.0,
            dirichlet: settings.dirichlet,
        }
    }

    #[inline]
    fn likelihood(&self, summary: &ClassSummary, target: u32, scale: Scale) -> f64 {
        let classes = f64::from(self.classes().max(target + 1));
        let delta = delta(scale.dirichlet, classes);
        let count = f64::from(self.count(summary, target));
        let probability = (count + delta) / (f64::from(summary.total()) + classes * delta);
        if scale.step_size == 1.0 {
            return probability;
        }
        libm::pow(probability, scale.step_size).max(SMALLEST)
    }

    fn log_likelihood(&self, summary: &ClassSummary, target: u32, scale: Scale) -> f64 {
        libm::log(self.likelihood(summary, target, scale))
    }

    #[inline]
    fn pass<'a>(passed: &mut Self::Passed<'a>, node: &'a AggregatedNode<ClassSummary>) {
        passed.push(node);
    }

    fn finish(
        &self,
        passed: &mut Self::Passed<'_>,
        leaf: &ClassSummary,
        settings: &LabelSettings,
        prediction: &mut [f64],
    ) {
        let classes = prediction.len() as f64;
        let delta = delta(settings.dirichlet, classes);
        // What smoothing adds to all classes alike.
        let mut of_each = 0.0;
        let mut reached = 1.0;
        prediction.fill(0.0);
        // The leaf comes last, as `None`: a closure for inner nodes and leaf is not inlined.
        for node in passed.drain(..).map(Some).chain(once(None)) {
            // Its share does not count: predicting `letter` takes .80 to .95 of the time.
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

    /// Two samples of class 0 and one of class 1; then another of class 1, or the first of class 2.
    #[test]
    fn a_class_counts_from_its_first_sample() {
        let mut counts = ClassCounts::default();
        let mut summary = ClassSummary::default();
        for class in [0, 1, 0] {
            counts.add(&mut summary, class);
        }
        // By default two classes have a half, and more have a hundredth.
        for (dirichlet, second, third) in [
            (Some(0.5), 1.5 / 4.0, 0.5 / 4.5),
            (None, 1.5 / 4.0, 0.01 / 3.03),
        ] {
            let scale = Scale {
                dirichlet,
                ..counts.scale(&LabelSettings::default())
            };
            let likelihood = |class| counts.likelihood(&summary, class, scale);
            assert_eq!([likelihood(1), likelihood(2)], [second, third]);
        }
    }
}
