//! `BFTrain`: every tree learns every sample, a part of a batch at a time.

use std::ops::Range;

use forest_core::{PredictionRows, Rows, SampleId, threads};

use super::BoundaryForest;
use crate::distances::{Distances, Scratch};
use crate::label::AveragedLabel;
use crate::shepard::average;
use crate::{Metric, Problem, Samples};

/// The most samples of a part: enough to share out among threads, and few enough to stay in a cache
/// until those that no tree holds are dropped.
const LARGEST_PART: usize = 256;

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Learns rows with their labels, one cell after another.
    pub(crate) fn learn_rows(&mut self, rows: &Rows<'_>, labels: &[P::Cell]) {
        self.learn_in_parts(rows, labels, |forest, ids| {
            if forest.missing_roots().is_none() {
                let (settings, samples) = (&forest.settings, &forest.samples);
                for_each_sample(samples, &mut forest.trees, ids, |tree, id, distances| {
                    tree.train(id, settings, samples, distances);
                });
            }
        });
    }

    /// Stores a part of the rows at a time, has the trees `train` on it, and inserts the first samples once there is one for
    /// each tree.
    fn learn_in_parts(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        mut train: impl FnMut(&mut Self, Range<usize>),
    ) {
        let mut start = 0;
        while start < rows.len() {
            let missing = self.missing_roots();
            let end = rows
                .len()
                .min(start + missing.unwrap_or(LARGEST_PART).min(LARGEST_PART));
            let ids = self.store(rows, labels, start..end);
            train(self, ids.clone());
            match missing {
                None => self.drop_unreferenced(ids.start),
                Some(missing) if ids.len() == missing => {
                    // They may have come in earlier batches, and were kept until now.
                    self.insert_first();
                    self.drop_unreferenced(0);
                }
                Some(_) => {}
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
}

impl<P: Problem<Cell: AveragedLabel>, M: Metric> BoundaryForest<P, M> {
    /// Learns rows; returns what the forest predicted just before each.
    pub(crate) fn average_then_learn(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
    ) -> PredictionRows {
        let mut averages = PredictionRows::default();
        // The forest's own schema knows the whole part already; a prediction may be only as wide as what came before its row.
        let mut known = self.schema.clone();
        self.learn_in_parts(rows, labels, |forest, ids| {
            let found_by_trees = forest.find_and_train(ids.clone());
            for (nth, id) in ids.map(SampleId::new).enumerate() {
                let found = found_by_trees.iter().filter_map(|found| found[nth]);
                let prediction = averages.push(P::shape(&known).prediction_width);
                average(forest.samples.with_labels(found), prediction);
                P::admit(&mut known, forest.samples.label(id));
            }
        });
        averages
    }

    /// Has every tree learn these samples, unless they wait for others; what each tree found just
    /// before each sample, and at which distance.
    fn find_and_train(&mut self, ids: Range<usize>) -> Vec<Vec<Option<(SampleId, f64)>>> {
        let waits = self.missing_roots().is_some();
        let (settings, samples) = (&self.settings, &self.samples);
        let trees = self.trees.iter_mut().map(|tree| (tree, Vec::new()));
        let mut trees: Vec<_> = trees.collect();
        for_each_sample(
            samples,
            &mut trees,
            ids,
            |(tree, all_found), id, distances| {
                let found = if waits {
                    // Only samples before this one: the rest of its part is stored, but not yet seen by the stream.
                    tree.nearest(settings.max_children, id.index(), distances)
                } else {
                    tree.train(id, settings, samples, distances)
                };
                all_found.push(found.map(|sample| (sample, distances.distance(sample))));
            },
        );
        trees.into_iter().map(|(_, all_found)| all_found).collect()
    }
}

/// Does `work` on each item (a tree, and what belongs to it) for one sample after another. The items
/// of a thread share the distances of a sample.
fn for_each_sample<P: Problem, M: Metric, T: Send>(
    samples: &Samples<P, M>,
    items: &mut [T],
    ids: Range<usize>,
    work: impl Fn(&mut T, SampleId, &mut Distances<'_, M>) + Send + Sync,
) {
    let units = ids.len() * items.len();
    threads::in_groups(items, units, |group| {
        Scratch::with(|scratch| {
            for id in ids.clone().map(SampleId::new) {
                let mut distances = Distances::new(samples, samples.features(id), scratch);
                for item in &mut *group {
                    work(item, id, &mut distances);
                }
            }
        });
    });
}
