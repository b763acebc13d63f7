//! `BFQuery`: what the trees find at a point, and the average of the labels found (equation 1).

use forest_core::{Rows, SampleId, threads};

use super::{BoundaryForest, ForestContext};
use crate::distances::{Candidate, DistanceSource, Query, Scratch, run_query};
use crate::problem::Averaged;
use crate::settings::Settings;
use crate::shepard::Average;
use crate::tree::BoundaryTree;
use crate::{Metric, Problem};

/// A tree's answer to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocallyClosest {
    /// The sample whose label is the answer.
    pub sample: SampleId,
    /// Its distance from the query.
    pub distance: f64,
}

impl LocallyClosest {
    pub(super) fn new<M: Metric, S: DistanceSource>(
        found: Candidate<S::Estimate>,
        distances: &mut S,
    ) -> Self {
        Self {
            sample: found.place.sample,
            distance: M::distance(distances.proxy(found)),
        }
    }

    /// What `tree` finds.
    pub(super) fn in_tree<P: Problem, M: Metric>(
        tree: &BoundaryTree,
        context: ForestContext<'_, P, M>,
        distances: &mut impl DistanceSource,
    ) -> Option<Self> {
        let found = tree.query(context.settings.max_children(), distances)?;
        Some(Self::new::<M, _>(found, distances))
    }
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Hands what each tree finds at `y`, in index order, to `each`.
    pub(crate) fn for_each_answer(
        &self,
        y: &[f32],
        scratch: &mut Scratch,
        each: impl FnMut(LocallyClosest),
    ) {
        let (context, trees) = (self.context(), self.trees.as_slice());
        let query = FindInTrees {
            trees,
            context,
            each,
        };
        run_query(self.samples.points(), y, scratch, query);
    }
}

/// Finds the locally closest node of every tree.
struct FindInTrees<'a, P: Problem, M: Metric, E> {
    trees: &'a [BoundaryTree],
    context: ForestContext<'a, P, M>,
    each: E,
}

impl<P: Problem, M: Metric, E: FnMut(LocallyClosest)> Query for FindInTrees<'_, P, M, E> {
    type Answer = ();

    fn run(self, mut distances: impl DistanceSource) {
        let find = |tree| LocallyClosest::in_tree(tree, self.context, &mut distances);
        self.trees.iter().filter_map(find).for_each(self.each);
    }
}

impl<P: Averaged, M: Metric> BoundaryForest<P, M> {
    /// Fills `answers` with the average of what the trees find, for each row.
    pub(crate) fn average_rows(&self, rows: &Rows<'_>, answers: &mut [f64]) {
        let width = P::answer_width(&self.schema);
        let units = rows.len() * self.trees.len();
        threads::fill_rows(answers, width, units, |first, share| {
            let share = share.chunks_exact_mut(width.max(1));
            let rows = share
                .zip(first..)
                .map(|(answer, row)| (rows.row(row), answer));
            Scratch::with(|scratch| {
                Average::<P>::with(&self.schema, |average| {
                    for (row, answer) in rows {
                        average.clear();
                        let add = |found| average.add_found(found, &self.samples);
                        self.for_each_answer(row, scratch, add);
                        average.write(answer);
                    }
                });
            });
        });
    }
}
