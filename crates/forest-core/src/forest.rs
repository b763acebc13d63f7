//! A forest: settings once, samples once, and one tree with one random stream per index.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::{
    Batch, Footprint, Ground, InputError, InvariantError, Kept, OnlineLearner, OnlineTree,
    PredictionRows, Rows, SampleStore, Schema, SettingError, Settings, Task, TreeRng, threads,
    votes,
};

/// Independent trees that learn the same stream, each from its own random stream, and vote.
///
/// Learning a batch runs every tree through all of it, trees in parallel; predicting runs rows in
/// parallel. A sample is stored once, and only if some tree keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Forest<T: OnlineTree> {
    schema: Schema<T::Task>,
    settings: T::Settings,
    samples: SampleStore<T::Task>,
    seen: u64,
    trees: Vec<Planted<T>>,
}

/// A tree and its random stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Planted<T: OnlineTree> {
    pub(crate) tree: T,
    pub(crate) rng: TreeRng,
}

impl<T: OnlineTree> Forest<T> {
    /// A forest of `trees` trees for the stream that `schema` describes; tree `i` draws from
    /// stream `i` of `seed`.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
    pub fn new(
        schema: Schema<T::Task>,
        settings: T::Settings,
        trees: usize,
        seed: u64,
    ) -> Result<Self, SettingError> {
        if trees == 0 {
            return Err(SettingError::new("trees", "must be at least 1", trees));
        }
        settings.check(&schema)?;
        let plant = |index| Planted {
            tree: T::plant(index, trees, &schema, &settings),
            rng: TreeRng::new(seed, index),
        };
        let planted = (0..trees).map(plant).collect();
        let samples = SampleStore::new(schema.features());
        Ok(Self {
            schema,
            settings,
            samples,
            seen: 0,
            trees: planted,
        })
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
        self.trees.iter().map(|planted| &planted.tree)
    }

    /// What the trees stand on at this moment.
    pub fn ground(&self) -> Ground<'_, T> {
        ground(&self.settings, &self.samples, self.schema.outputs())
    }

    /// Lets `tend` change every tree, in parallel, each with its own random stream.
    pub fn tend(&mut self, tend: impl Fn(&mut T, &Ground<'_, T>, &mut TreeRng) + Send + Sync) {
        let ground = ground(&self.settings, &self.samples, self.schema.outputs());
        threads::each(&mut self.trees, usize::MAX, |planted| {
            tend(&mut planted.tree, &ground, &mut planted.rng);
        });
    }

    pub(crate) fn planted(&self) -> &[Planted<T>] {
        &self.trees
    }

    /// Drops the samples of the batch that started at `first` which no tree keeps.
    fn forget_the_unkept(&mut self, first: usize) {
        let mut kept = Kept::none_of(first, self.samples.len() - first);
        for planted in &self.trees {
            planted.tree.keep(&mut kept);
            if kept.all() {
                return;
            }
        }
        let names = self.samples.retain(&kept);
        for planted in &mut self.trees {
            planted.tree.renumber(&names);
        }
    }

    /// Checks what planting checked: of interest for a forest that was decoded.
    fn check_frame(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        self.settings.check(&self.schema).map_err(rule)?;
        let planted = !self.trees.is_empty();
        InvariantError::unless(planted, || "forest", || "it has no trees")?;
        self.samples.check(&self.schema)
    }

    fn finish(&mut self, first: usize, rows: usize, outputs: <T::Task as Task>::Outputs) {
        self.schema.set_outputs(outputs);
        self.seen += rows as u64;
        self.forget_the_unkept(first);
    }
}

pub(crate) fn ground<'a, T: OnlineTree>(
    settings: &'a T::Settings,
    samples: &'a SampleStore<T::Task>,
    outputs: <T::Task as Task>::Outputs,
) -> Ground<'a, T> {
    Ground {
        settings,
        samples,
        outputs,
    }
}

impl<T: OnlineTree> OnlineLearner for Forest<T> {
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
        let (stored, limit) = (self.samples.len(), SampleStore::<T::Task>::LIMIT);
        Err(InputError::StoreFull {
            rows,
            stored,
            limit,
        })
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_frame()?;
        let ground = self.ground();
        for (index, tree) in self.trees().enumerate() {
            let place = |error: InvariantError| {
                InvariantError::new(format!("tree {index}, {}", error.place), error.what)
            };
            tree.check(&ground).map_err(place)?;
        }
        Ok(())
    }

    fn learn_checked(&mut self, batch: &Batch<'_, T::Task>) {
        let first = self.samples.len();
        self.samples.append(batch);
        let outputs = batch.outputs(self.schema.outputs());
        let stream = votes::Stream::new(&self.settings, &self.samples, first, &outputs);
        let units = batch.len() * self.trees.len();
        threads::each(&mut self.trees, units, |planted| {
            for row in 0..batch.len() {
                stream.learn(planted, row);
            }
        });
        self.finish(first, batch.len(), outputs[batch.len()]);
    }

    fn predict_checked(&self, rows: &Rows<'_>) -> Array2<f64> {
        votes::predict(self, rows, T::tally)
    }

    fn predict_then_learn_checked(&mut self, batch: &Batch<'_, T::Task>) -> PredictionRows {
        let first = self.samples.len();
        self.samples.append(batch);
        let outputs = batch.outputs(self.schema.outputs());
        let stream = votes::Stream::new(&self.settings, &self.samples, first, &outputs);
        let answers = stream.predict_then_learn(&mut self.trees);
        self.finish(first, batch.len(), outputs[batch.len()]);
        answers
    }
}
