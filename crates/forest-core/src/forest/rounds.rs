//! How trees run through a batch: in rounds, after each of which samples that are not needed are dropped.

use super::{Forest, SeededTree};
use crate::batch::PerRow;
use crate::{Batch, ForestContext, OnlineTree, Proceed, SampleId, SampleStore, Task};

/// Rows that a tree looks at before it learns them: few enough that what it has read is still in cache, enough
/// that many reads of memory overlap. What it buys: `cargo bench -p benches --bench ratios`.
const LOOK_AHEAD: usize = 16;

/// Some rows of a batch, stored for the trees to run through.
pub(super) struct Round<'a, T: OnlineTree> {
    settings: &'a T::Settings,
    samples: &'a SampleStore<T::Task>,
    batch: &'a Batch<'a, T::Task>,
    /// The outputs known before each row, and after the last.
    outputs: &'a [<T::Task as Task>::Outputs],
    /// The sample that is forgotten for each row.
    replaced: &'a [Option<SampleId>],
    /// Where each row is stored.
    ids: &'a [SampleId],
}

impl<T: OnlineTree> Round<'_, T> {
    pub(super) fn rows(&self) -> usize {
        self.batch.len()
    }

    /// Returns the outputs known before row `row`, or after the last.
    pub(super) fn outputs(&self, row: usize) -> <T::Task as Task>::Outputs {
        self.outputs[row]
    }

    fn context(&self, row: usize) -> ForestContext<'_, T> {
        ForestContext {
            settings: self.settings,
            samples: self.samples,
            outputs: self.outputs[row],
        }
    }

    /// A tree forgets the sample that row `row` replaces, and learns the row.
    pub(super) fn learn(&self, SeededTree { tree, rng }: &mut SeededTree<T>, row: usize) {
        let context = self.context(row + 1);
        if let (Some(id), Some(forgetting)) = (self.replaced[row], T::forgetting()) {
            (forgetting.forget)(tree, id, &context, rng);
        }
        tree.learn(self.ids[row], &context, rng);
    }

    /// A tree learns all rows, with a look at the next few before it learns them.
    pub(super) fn learn_all(&self, seeded: &mut SeededTree<T>) {
        for start in (0..self.rows()).step_by(LOOK_AHEAD) {
            let rows = start..self.rows().min(start + LOOK_AHEAD);
            let ids = self.ids[rows.clone()].iter().copied();
            seeded.tree.look_ahead(ids, &self.context(start));
            rows.for_each(|row| self.learn(seeded, row));
        }
    }

    /// A tree that has none learns all rows at once, unless `proceed` says no.
    pub(super) fn learn_first(
        &self,
        SeededTree { tree, rng }: &mut SeededTree<T>,
        proceed: Proceed<'_>,
    ) {
        if proceed() {
            let ids = self.ids.iter().copied();
            tree.learn_first(ids, &self.context(self.rows()), rng, proceed);
        }
    }

    pub(super) fn vote(&self, seeded: &SeededTree<T>, row: usize, accumulator: &mut [f64]) {
        let (features, context) = (self.batch.rows().row(row), self.context(row));
        let SeededTree { tree, rng } = seeded;
        tree.vote(features, &context, rng, accumulator);
    }
}

impl<T: OnlineTree> Forest<T> {
    /// Does `work` on all rows in rounds of up to `most`. A round ends where compaction is due, so that
    /// the forest does not depend on how the stream is cut into batches.
    pub(super) fn rounds(
        &mut self,
        batch: &Batch<'_, T::Task>,
        most: usize,
        mut work: impl FnMut(&Round<'_, T>, &mut [SeededTree<T>]),
    ) {
        let mut start = 0;
        while start < batch.len() {
            let most = most.min(batch.len() - start);
            // Trees that hold no samples leave nothing to compact.
            let replaced = if T::HOLDS_SAMPLES {
                self.retention.replaced(&self.samples, most)
            } else {
                (0..most).map(|_| None).collect()
            };
            let end = start + replaced.len();
            self.round(&batch.part(start..end), &replaced, &mut work);
            start = end;
        }
    }

    fn round(
        &mut self,
        batch: &Batch<'_, T::Task>,
        replaced: &[Option<SampleId>],
        work: &mut impl FnMut(&Round<'_, T>, &mut [SeededTree<T>]),
    ) {
        let outputs = batch.outputs(self.schema.outputs());
        let first = self.samples.slots();
        let (samples, seen) = (&mut self.samples, self.seen);
        let store = |(row, (features, target))| {
            samples.push(features, target, batch.weight(row), seen + row as u64)
        };
        let ids: PerRow<SampleId> = batch.iter().enumerate().map(store).collect();
        let round = Round {
            settings: &self.settings,
            samples: &self.samples,
            batch,
            outputs: &outputs,
            replaced,
            ids: &ids,
        };
        work(&round, &mut self.trees);
        self.schema.set_outputs(outputs[batch.len()]);
        self.seen += batch.len() as u64;
        if !T::HOLDS_SAMPLES {
            self.samples.truncate(first);
        }
        self.drop_unneeded(first, replaced);
    }

    /// Forgets the samples that were replaced, and drops those from index `first` on that no tree holds.
    fn drop_unneeded(&mut self, first: usize, replaced: &[Option<SampleId>]) {
        for &id in replaced.iter().flatten() {
            self.samples.forget(id);
        }
        self.drop_unreferenced(first);
        self.compact();
    }
}
