//! `BFQuery`: what the trees find at a point, and the average of the labels found (equation 1).

use forest_core::{Rows, SampleId, threads};

use super::BoundaryForest;
use crate::distances::{Distances, Scratch};
use crate::label::AveragedLabel;
use crate::shepard::average;
use crate::{Metric, Problem};

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Returns the sample that each tree finds at `query`, in index order, and its distance from the query.
    pub(crate) fn nearest_by_tree<'a>(
        &'a self,
        query: &'a [f32],
        scratch: &'a mut Scratch,
    ) -> impl Iterator<Item = (SampleId, f64)> + use<'a, P, M> {
        let mut distances = Distances::new(&self.samples, query, scratch);
        let (limit, stored) = (self.settings.max_children, self.samples.len());
        self.trees.iter().filter_map(move |tree| {
            let found = tree.nearest(limit, stored, &mut distances)?;
            Some((found, distances.distance(found)))
        })
    }
}

impl<P: Problem<Cell: AveragedLabel>, M: Metric> BoundaryForest<P, M> {
    /// Fills `predictions` with the average of what the trees find, for each row.
    pub(crate) fn average_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let width = P::shape(&self.schema).prediction_width;
        let units = rows.len() * self.trees.len();
        threads::fill_rows(predictions, width, units, |first, share| {
            let share = share.chunks_exact_mut(width.max(1));
            Scratch::with(|scratch| {
                for (prediction, row) in share.zip(first..) {
                    let found = self.nearest_by_tree(rows.row(row), scratch);
                    average(self.samples.with_labels(found), prediction);
                }
            });
        });
    }
}
