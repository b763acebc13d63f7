//! A forest: settings once, samples once, and one tree with one random stream per index.

use std::ops::Range;

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::{
    Batch, CanForget, CheckedBatch, CheckedRows, Footprint, ForestContext, ForestSettings, Forget,
    Forgetting, IdRemap, ImplementLearner, InputError, InvariantError, NotHeld, OnlineTree,
    PredictionRows, Retention, RetentionMask, Rows, SampleId, SampleStore, Schema, SettingError,
    Settings, Task, TreeRng, threads, votes,
};

/// Independent trees that learn the same stream, each from its own random stream, and vote.
///
/// Learning a batch runs every tree through all of it, trees in parallel; predicting runs rows in
/// parallel. A sample is stored once, and only if some tree keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Forest<T: OnlineTree> {
    pub(crate) schema: Schema<T::Task>,
    pub(crate) settings: T::Settings,
    pub(crate) samples: SampleStore<T::Task>,
    pub(crate) seen: u64,
    pub(crate) retention: Retention<T::Forgets>,
    /// The index of the first of the trees in the whole forest, which has `of_trees`.
    pub(crate) first_tree: usize,
    pub(crate) of_trees: usize,
    pub(crate) trees: Vec<SeededTree<T>>,
}

/// Rows that are learned before samples that no tree keeps are dropped: a batch of any length takes
/// little memory beside the forest.
const ROWS_PER_ROUND: usize = 4096;

/// The same while each row is predicted first, which takes memory for every tree's answers.
const TESTED_ROWS_PER_ROUND: usize = 256;

/// A tree and its random stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct SeededTree<T: OnlineTree> {
    pub(crate) tree: T,
    pub(crate) rng: TreeRng,
}

impl<T: OnlineTree> SeededTree<T> {
    /// Tree number `index` of `trees`, before its first sample.
    pub(crate) fn new(
        index: usize,
        trees: usize,
        schema: &Schema<T::Task>,
        settings: &T::Settings,
        seed: u64,
    ) -> Self {
        Self {
            tree: T::build(index, trees, schema, settings),
            rng: TreeRng::new(seed, index),
        }
    }
}

impl<T: OnlineTree> Forest<T> {
    /// A forest for the stream that `schema` describes; `settings` are those of its trees.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
    pub fn new(
        schema: Schema<T::Task>,
        settings: T::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::shard(schema, settings, forest, 0..forest.trees)
    }

    /// The trees `part` of a forest, before the first sample.
    pub(crate) fn of_trees(
        schema: Schema<T::Task>,
        settings: T::Settings,
        ForestSettings { trees, seed }: ForestSettings,
        part: Range<usize>,
    ) -> Self {
        let build = |index| SeededTree::new(index, trees, &schema, &settings, seed);
        Self {
            first_tree: part.start,
            of_trees: trees,
            trees: part.map(build).collect(),
            samples: SampleStore::new(schema.features()),
            schema,
            settings,
            seen: 0,
            retention: Retention::Everything,
        }
    }

    /// The same forest, before its first sample, with this retention.
    ///
    /// # Errors
    /// The latest 0 samples.
    pub fn with_retention(
        mut self,
        retention: Retention<T::Forgets>,
    ) -> Result<Self, SettingError> {
        check_retention(retention)?;
        self.retention = retention;
        Ok(self)
    }

    /// Which samples the forest holds on to.
    pub fn retention(&self) -> Retention<T::Forgets> {
        self.retention
    }

    /// The settings that all trees share.
    pub fn settings(&self) -> &T::Settings {
        &self.settings
    }

    /// The samples that some tree keeps.
    pub fn samples(&self) -> &SampleStore<T::Task> {
        &self.samples
    }

    /// The trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &T> {
        self.trees.iter().map(|seeded| &seeded.tree)
    }

    /// What the trees stand on at this moment.
    pub fn context(&self) -> ForestContext<'_, T> {
        context(&self.settings, &self.samples, self.schema.outputs())
    }

    /// Answers `features`, a row each: the prediction, and behind it what else the trees tell, such as
    /// a variance (see [`OnlineTree::answer_width`]).
    ///
    /// # Errors
    /// As [`predict`](crate::OnlineLearner::predict).
    pub fn answers(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema.features())?;
        let width = T::answer_width(&self.schema.outputs());
        let mut answers = vec![0.0; rows.len() * width];
        votes::predict(self, &rows, width, &mut answers);
        Ok(Array2::from_shape_vec((rows.len(), width), answers).expect("a row for each row"))
    }

    /// Lets `change` change every tree, in parallel, each with its own random stream.
    pub fn for_each_tree(
        &mut self,
        change: impl Fn(&mut T, &ForestContext<'_, T>, &mut TreeRng) + Send + Sync,
    ) {
        let context = context(&self.settings, &self.samples, self.schema.outputs());
        threads::each(&mut self.trees, usize::MAX, |seeded| {
            change(&mut seeded.tree, &context, &mut seeded.rng);
        });
    }

    pub(crate) fn seeded(&self) -> &[SeededTree<T>] {
        &self.trees
    }

    /// Drops the samples of the round that started at `first` which no tree keeps, and then makes
    /// room of what was forgotten.
    pub(crate) fn drop_unneeded(&mut self, first: usize) {
        let mut kept = RetentionMask::none_of(first, self.samples.slots() - first);
        for seeded in &self.trees {
            seeded.tree.keep(&mut kept);
            if kept.all() {
                break;
            }
        }
        if !kept.all() {
            let names = self.samples.retain(&kept);
            self.remap(&names);
        }
        self.compact();
    }

    fn compact(&mut self) {
        if let Some(names) = self.samples.compact() {
            self.remap(&names);
        }
    }

    fn remap(&mut self, names: &IdRemap) {
        threads::each(&mut self.trees, usize::MAX, |seeded| {
            seeded.tree.remap(names);
        });
    }

    /// For each of the last `rows` samples stored, the sample that is forgotten before it is learned;
    /// empty if none ever is.
    fn leaving(&self, rows: usize) -> Vec<Option<SampleId>> {
        let Retention::Latest(most, _) = self.retention else {
            return Vec::new();
        };
        let (mut held, mut oldest) = (self.samples.len() - rows, self.samples.ids());
        let mut next = || {
            held += 1;
            let full = held > most;
            held -= usize::from(full);
            full.then(|| oldest.next()).flatten()
        };
        (0..rows).map(|_| next()).collect()
    }

    /// Checks what planting checked: of interest for a forest that was decoded.
    fn check_frame(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        self.settings.check(&self.schema).map_err(rule)?;
        check_retention(self.retention).map_err(rule)?;
        let end = self.first_tree.checked_add(self.trees.len());
        let seeded = !self.trees.is_empty() && end.is_some_and(|end| end <= self.of_trees);
        InvariantError::unless(
            seeded,
            || "forest",
            || "it has no trees, or more than the whole forest",
        )?;
        self.samples.check(&self.schema)
    }

    /// Does `work` on all rows in rounds of up to `most`. A round ends where gaps are due to be closed,
    /// so that the learner does not depend on how the stream is cut into batches.
    fn rounds(
        &mut self,
        batch: &Batch<'_, T::Task>,
        most: usize,
        mut work: impl FnMut(&votes::Stream<'_, T>, &mut [SeededTree<T>]),
    ) {
        let mut start = 0;
        while start < batch.len() {
            let rows = match self.retention {
                Retention::Everything => most,
                Retention::Latest(n, _) => most.min(self.samples.rows_until_compaction(n)),
            };
            let end = batch.len().min(start + rows.max(1));
            self.round(&batch.part(start..end), &mut work);
            start = end;
        }
    }

    /// Stores the rows of `batch`, lets `work` run every tree through them, and drops what is not
    /// needed any more.
    fn round(
        &mut self,
        batch: &Batch<'_, T::Task>,
        work: &mut impl FnMut(&votes::Stream<'_, T>, &mut [SeededTree<T>]),
    ) {
        let first = self.samples.slots();
        self.samples.append(batch, self.seen);
        let outputs = batch.outputs(self.schema.outputs());
        let leaving = self.leaving(batch.len());
        let stream = votes::Stream {
            settings: &self.settings,
            samples: &self.samples,
            first,
            outputs: &outputs,
            leaving: &leaving,
            retention: self.retention,
        };
        work(&stream, &mut self.trees);
        self.schema.set_outputs(outputs[batch.len()]);
        self.seen += batch.len() as u64;
        let gone = leaving.into_iter().flatten();
        gone.for_each(|id| self.samples.forget(id));
        self.drop_unneeded(first);
    }
}

fn check_retention<F: Forgetting>(retention: Retention<F>) -> Result<(), SettingError> {
    match retention {
        Retention::Latest(0, _) => Err(SettingError::new("window", "must be at least 1", 0)),
        Retention::Everything | Retention::Latest(..) => Ok(()),
    }
}

pub(crate) fn context<'a, T: OnlineTree>(
    settings: &'a T::Settings,
    samples: &'a SampleStore<T::Task>,
    outputs: <T::Task as Task>::Outputs,
) -> ForestContext<'a, T> {
    ForestContext {
        settings,
        samples,
        outputs,
    }
}

impl<T: OnlineTree> ImplementLearner for Forest<T> {
    type Task = T::Task;

    fn schema(&self) -> &Schema<T::Task> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let trees: Footprint = self.trees().map(OnlineTree::footprint).sum();
        let streams = self.trees.len() * size_of::<TreeRng>();
        let stored_samples = self.samples.len();
        let bytes = self.samples.bytes() + streams;
        trees
            + Footprint {
                nodes: 0,
                stored_samples,
                bytes,
            }
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        if rows <= self.samples.room() {
            return Ok(());
        }
        let (stored, limit) = (self.samples.slots(), SampleStore::<T::Task>::LIMIT);
        Err(InputError::StoreFull {
            rows,
            stored,
            limit,
        })
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_frame()?;
        let context = self.context();
        for (index, tree) in self.trees().enumerate() {
            let place = |error: InvariantError| {
                InvariantError::new(format!("tree {index}, {}", error.place), error.what)
            };
            tree.check(&context).map_err(place)?;
        }
        Ok(())
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.rounds(&batch, ROWS_PER_ROUND, |stream, trees| {
            stream.learn_all(trees);
        });
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, answers: &mut [f64]) {
        votes::predict(self, &rows, self.schema.width(), answers);
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut answers = PredictionRows::default();
        self.rounds(&batch, TESTED_ROWS_PER_ROUND, |stream, trees| {
            stream.predict_then_learn(trees, &mut answers);
        });
        answers
    }
}

impl<T: OnlineTree<Forgets = CanForget>> Forget for Forest<T> {
    fn forget(&mut self, arrival: u64) -> Result<(), NotHeld> {
        let id = self.samples.find(arrival).ok_or(NotHeld {
            arrival,
            seen: self.seen,
            held: self.samples.len(),
        })?;
        self.for_each_tree(|tree, context, rng| tree.forget(id, context, rng, CanForget));
        self.samples.forget(id);
        self.compact();
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) {
        let n = n.max(1);
        self.retention = Retention::Latest(n, CanForget);
        let excess = self.samples.len().saturating_sub(n);
        let gone: Vec<_> = self.samples.ids().take(excess).collect();
        self.for_each_tree(|tree, context, rng| {
            let forget = |&id| tree.forget(id, context, rng, CanForget);
            gone.iter().for_each(forget);
        });
        gone.into_iter().for_each(|id| self.samples.forget(id));
        self.compact();
    }
}
