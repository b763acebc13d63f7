//! `BFQuery`: what the trees find at a point, and the average of the labels found (equation 1).

use forest_core::{Rows, SampleId, threads};

use super::{BoundaryForest, ForestContext};
use crate::distances::{Distances, Scratch};
use crate::shepard::Average;
use crate::tree::BoundaryTree;
use crate::{Averaged, Metric, Problem};

/// A tree's answer to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LocallyClosest {
    /// The sample whose label is the answer.
    pub(crate) sample: SampleId,
    /// Its distance from the query.
    pub(crate) distance: f64,
}

impl LocallyClosest {
    pub(super) fn new<M: Metric>(sample: SampleId, distances: &mut Distances<'_, M>) -> Self {
        let distance = distances.distance(sample);
        Self { sample, distance }
    }
}

impl<P: Problem, M: Metric> ForestContext<'_, P, M> {
    /// What `tree` finds: before it has a root, the closest of the first `stored` samples.
    pub(super) fn answer(
        &self,
        tree: &BoundaryTree,
        stored: usize,
        distances: &mut Distances<'_, M>,
    ) -> Option<SampleId> {
        if tree.is_empty() {
            return tree.closest_of(0..stored, distances);
        }
        let found = tree.query(self.settings.max_children, distances)?;
        Some(found.sample)
    }
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Hands what each tree finds at `query`, in index order, to `each`.
    pub(crate) fn for_each_answer(
        &self,
        query: &[f32],
        scratch: &mut Scratch,
        mut each: impl FnMut(LocallyClosest),
    ) {
        let mut distances = Distances::new(&self.samples, query, scratch);
        let (context, stored) = (self.context(), self.samples.len());
        for tree in &self.trees {
            if let Some(sample) = context.answer(tree, stored, &mut distances) {
                each(LocallyClosest::new(sample, &mut distances));
            }
        }
    }
}

impl<P: Averaged, M: Metric> BoundaryForest<P, M> {
    /// Fills `answers` with the average of what the trees find, for each row.
    pub(crate) fn average_rows(&self, rows: &Rows<'_>, answers: &mut [f64]) {
        let width = P::shape(&self.schema).answer_width;
        let units = rows.len() * self.trees.len();
        threads::fill_rows(answers, width, units, |first, share| {
            let share = share.chunks_exact_mut(width.max(1));
            Scratch::with(|scratch| {
                for (answer, row) in share.zip(first..) {
                    self.average(rows.row(row), scratch, answer);
                }
            });
        });
    }

    fn average(&self, query: &[f32], scratch: &mut Scratch, answer: &mut [f64]) {
        Average::<P::Cell>::with(answer.len(), |average| {
            self.for_each_answer(query, scratch, |found| {
                average.add(self.samples.label(found.sample), found.distance);
            });
            average.write(answer);
        });
    }
}
