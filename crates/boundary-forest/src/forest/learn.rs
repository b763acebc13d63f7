//! `BFTrain`: every tree learns every sample, a stretch of samples at a time.

use std::ops::Range;

use forest_core::{Rows, SampleId, threads};

use super::training::{Recorder, TreeInTraining, learn};
use super::{BoundaryForest, ForestContext};
use crate::distances::Scratch;
use crate::{LocallyClosest, Metric, Problem};

/// The most samples that are stored, learned and sorted out at a time: enough to share out among
/// threads, and few enough to stay in a cache until they are.
const STRETCH: usize = 256;

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Learns rows with their labels, one cell after another.
    pub(crate) fn learn_rows(&mut self, rows: &Rows<'_>, labels: &[P::Cell]) {
        self.learn_stretches::<()>(rows, labels, |_, _| {});
    }

    /// Learns rows; before each, tells what the trees answer there, in index order.
    pub(crate) fn learn_rows_telling(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        mut tell: impl FnMut(&Self, &[Option<LocallyClosest>]),
    ) {
        self.learn_stretches::<Vec<_>>(rows, labels, |forest, recorded| {
            for row in 0..recorded[0].len() {
                let answers: Vec<_> = recorded.iter().map(|answers| answers[row]).collect();
                tell(forest, &answers);
            }
        });
    }

    /// Learns rows, a stretch at a time; `use_answers` gets what each tree recorded.
    fn learn_stretches<R: Recorder>(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        mut use_answers: impl FnMut(&Self, &[R]),
    ) {
        let mut start = 0;
        while start < rows.len() {
            let end = rows
                .len()
                .min(start + STRETCH.min(self.rows_to_insertion()));
            let first = self.samples.len() - self.pending();
            let recorded = self.learn_stretch(rows, labels, start..end);
            use_answers(self, &recorded);
            if let Some(block) = self.complete_block() {
                self.insert_shuffled(block);
            }
            if self.pending() == 0 {
                self.drop_unreferenced(first);
            }
            start = end;
        }
    }

    /// Stores a stretch of rows and shows it to every tree; returns what each tree recorded.
    fn learn_stretch<R: Recorder>(
        &mut self,
        rows: &Rows<'_>,
        labels: &[P::Cell],
        stretch: Range<usize>,
    ) -> Vec<R> {
        let first = self.samples.len();
        self.store(rows, labels, stretch);
        let context = ForestContext {
            settings: &self.settings,
            samples: &self.samples,
        };
        let in_training = |tree| TreeInTraining {
            tree,
            answers: R::default(),
        };
        let mut trees: Vec<_> = self.trees.iter_mut().map(in_training).collect();
        let ids = first..self.samples.len();
        let units = ids.len() * trees.len();
        threads::in_groups(&mut trees, units, |group| {
            let mut scratch = Scratch::default();
            for id in ids.clone().map(SampleId::new) {
                learn(group, id, context, &mut scratch);
            }
        });
        trees.into_iter().map(|tree| tree.answers).collect()
    }

    fn store(&mut self, rows: &Rows<'_>, labels: &[P::Cell], stretch: Range<usize>) {
        let cells = |width: usize| stretch.start * width..stretch.end * width;
        let points = &rows.values()[cells(P::features(&self.schema))];
        let labels = &labels[cells(P::label_width(&self.schema))];
        self.samples.append(stretch.len(), points, labels);
        P::note(&mut self.schema, labels);
        self.seen += stretch.len() as u64;
    }
}
