//! `BFTrain`: every tree learns every sample, a part of a batch at a time.

use std::ops::Range;

use forest_core::{PredictionRows, Rows, SampleId, threads};

use super::answer::LocallyClosest;
use super::{BoundaryForest, ForestContext};
use crate::distances::{Distances, Scratch};
use crate::shepard::Average;
use crate::{Averaged, Insertion, Metric, Problem};

/// The most samples of a part: enough to share out among threads, and few enough to stay in a cache
/// until those that no tree holds are dropped.
const LARGEST_PART: usize = 256;

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Learns rows with their labels, one cell after another.
    pub(crate) fn learn_rows(&mut self, rows: &Rows<'_>, labels: &[P::Cell]) {
        self.learn_in_parts(rows, labels, Self::train);
    }

    /// Stores a part of the rows at a time and has the trees `train` on it.
    fn learn_in_parts(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        mut train: impl FnMut(&mut Self, Range<usize>),
    ) {
        let mut start = 0;
        while start < rows.len() {
            let part = LARGEST_PART.min(self.rows_until_insertion());
            let end = rows.len().min(start + part);
            let first = self.samples.len() - self.pending();
            let ids = self.store(rows, labels, start..end);
            train(self, ids);
            self.insert_pending();
            if self.pending() == 0 {
                self.drop_unreferenced(first);
            }
            start = end;
        }
    }

    /// Stores some of the rows; the ids of the samples.
    pub(super) fn store(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        part: Range<usize>,
    ) -> Range<usize> {
        let (shape, first) = (P::shape(&self.schema), self.samples.len());
        let cells = |width: usize| part.start * width..part.end * width;
        let labels = &labels[cells(shape.label_width)];
        let points = &rows.values()[cells(shape.features)];
        self.samples.append(part.len(), points, labels);
        P::admit(&mut self.schema, labels);
        self.seen += part.len() as u64;
        first..first + part.len()
    }

    /// Every tree learns these samples, unless they are inserted later.
    fn train(&mut self, ids: Range<usize>) {
        if self.inserts_at_once() {
            let (context, trees) = self.context_and_trees();
            for_each_sample(&context, trees, ids, |tree, id, distances| {
                tree.train(id, &context, distances);
            });
        }
    }

    /// Whether new samples go into the trees as they arrive.
    fn inserts_at_once(&self) -> bool {
        self.insertion() == Insertion::AtOnce && !self.is_waiting()
    }
}

impl<P: Averaged, M: Metric> BoundaryForest<P, M> {
    /// Learns rows; returns what the forest answered just before each.
    pub(crate) fn average_then_learn(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
    ) -> PredictionRows {
        let mut averages = PredictionRows::default();
        let mut known = self.schema.clone();
        self.learn_in_parts(rows, labels, |forest, ids| {
            let answers = forest.answer_and_train(ids.clone());
            for (nth, id) in ids.map(SampleId::new).enumerate() {
                let width = P::shape(&known).answer_width;
                Average::<P::Cell>::with(width, |average| {
                    for found in answers.iter().filter_map(|answers| answers[nth]) {
                        average.add(forest.samples.label(found.sample), found.distance);
                    }
                    average.write(averages.push(width));
                });
                P::admit(&mut known, forest.samples.label(id));
            }
        });
        averages
    }

    /// Has every tree learn these samples; what each tree answered just before each sample.
    fn answer_and_train(&mut self, ids: Range<usize>) -> Vec<Vec<Option<LocallyClosest>>> {
        let at_once = self.inserts_at_once();
        let (context, trees) = self.context_and_trees();
        let mut trees: Vec<_> = trees.iter_mut().map(|tree| (tree, Vec::new())).collect();
        for_each_sample(
            &context,
            &mut trees,
            ids,
            |(tree, answers), id, distances| {
                let found = match at_once {
                    true => tree
                        .train(id, &context, distances)
                        .map(|found| found.sample),
                    false => context.answer(tree, id.index(), distances),
                };
                answers.push(found.map(|sample| LocallyClosest::new(sample, distances)));
            },
        );
        trees.into_iter().map(|(_, answers)| answers).collect()
    }
}

/// Does `work` on each item (a tree, and what belongs to it) for one sample after another. The items
/// of a thread share the distances of a sample.
fn for_each_sample<P: Problem, M: Metric, T: Send>(
    context: &ForestContext<'_, P, M>,
    items: &mut [T],
    ids: Range<usize>,
    work: impl Fn(&mut T, SampleId, &mut Distances<'_, M>) + Send + Sync,
) {
    let units = ids.len() * items.len();
    threads::in_groups(items, units, |group| {
        Scratch::with(|scratch| {
            for id in ids.clone().map(SampleId::new) {
                let mut distances = context.distances_from(id, scratch);
                for item in &mut *group {
                    work(item, id, &mut distances);
                }
            }
        });
    });
}
