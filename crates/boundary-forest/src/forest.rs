//! The forest: samples stored once, and trees that refer to them (Algorithm 2).

use std::ops::Range;

use forest_core::ndarray::ArrayView2;
use forest_core::{
    Batch, Footprint, ForestSettings, InputError, InvariantError, OnlineLearner, PredictionRows,
    RetentionMask, Rows, SampleId, Schema, SettingError, Task, TreeRng, threads,
};
use serde::{Deserialize, Serialize};

use crate::distances::{Distances, Scratch};
use crate::label::{Label, average};
use crate::{BoundaryTree, Samples, TreeSettings};

/// Boundary trees that learn the same stream, each from its own root and random stream. They are quick where samples
/// arrive in no particular order, not in sorted or time-ordered streams.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BoundaryForest<T: Task<Target: Label>> {
    pub(crate) schema: Schema<T>,
    pub(crate) settings: TreeSettings,
    pub(crate) samples: Samples<T::Target>,
    pub(crate) seen: u64,
    pub(crate) trees: Vec<BoundaryTree>,
}

impl<T: Task<Target: Label>> BoundaryForest<T> {
    /// Creates a forest for the stream that `schema` describes; the number of its trees is the paper's `n_T`.
    ///
    /// # Errors
    /// Returns an error for no trees, or a setting that breaks its rule.
    pub fn new(
        schema: Schema<T>,
        settings: TreeSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::with_label_width(1, schema, settings, forest)
    }

    pub(crate) fn with_label_width(
        cells: usize,
        schema: Schema<T>,
        settings: TreeSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        forest.check(false)?;
        schema.check()?;
        settings.check()?;
        let rng = |index| TreeRng::new(forest.seed, index);
        let trees = (0..forest.trees).map(|index| BoundaryTree::new(rng(index)));
        Ok(Self {
            samples: Samples::new(settings.metric, schema.features(), cells),
            schema,
            settings,
            seen: 0,
            trees: trees.collect(),
        })
    }

    /// Learns rows that every tree takes in a random order of its own. A forest that has learned nothing becomes the
    /// paper's offline forest of a data set, `OBF`: "each tree gets an independently reshuffled version of the data".
    ///
    /// # Errors
    /// Returns an error for what [`learn`](forest_core::OnlineLearner::learn) refuses; then nothing was learned.
    pub fn learn_shuffled(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        let rows = Rows::check(features, self.schema.features())?;
        self.schema.check_targets(rows.len(), targets)?;
        self.check_room(rows.len())?;
        if rows.is_empty() {
            return Ok(());
        }
        // Without roots, samples wait that no tree has learned: each tree's root is the first one of its own order.
        let first = self.missing_roots().map_or(self.samples.len(), |_| 0);
        let end = self.store(&rows, targets, 0..rows.len()).end;
        self.insert_shuffled(first..end);
        self.drop_unreferenced(first);
        Ok(())
    }

    /// Returns the samples that some tree holds.
    pub fn samples(&self) -> &Samples<T::Target> {
        &self.samples
    }

    /// Returns the trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &BoundaryTree> {
        self.trees.iter()
    }
}

impl<T: Task<Target: Label>> OnlineLearner for BoundaryForest<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let trees = self.trees.capacity() * size_of::<BoundaryTree>();
        let nodes: usize = self.trees.iter().map(BoundaryTree::bytes).sum();
        Footprint {
            nodes: self.trees.iter().map(BoundaryTree::len).sum(),
            stored_samples: self.samples.len(),
            bytes: self.samples.bytes() + trees + nodes,
        }
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }

    /// Checks that at most 2³⁰ samples are stored.
    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        InputError::check_room(rows, self.samples.len(), BoundaryTree::LIMIT)
    }

    /// Checks widths, lengths and trees of a forest that was decoded. Either no tree has a root, and all samples are
    /// waiting for the first `n_T` to be complete; or every tree has one.
    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        self.settings.check().map_err(rule)?;
        self.samples.check(&self.schema)?;
        let stored = self.samples.len();
        let rooted = self.trees.iter().filter(|tree| !tree.is_empty()).count();
        let waits = rooted == 0 && stored < self.trees.len();
        let sound = waits || rooted == self.trees.len();
        InvariantError::require(sound, "forest", "only some trees have a root")?;
        let fits = stored <= BoundaryTree::LIMIT;
        InvariantError::require(fits, "forest", "it holds too many samples")?;
        self.trees.iter().try_for_each(|tree| tree.check(stored))
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.learn_rows(batch.rows(), batch.targets(), None);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        self.learn_rows(batch.rows(), batch.targets(), Some(&mut predictions));
        predictions
    }

    /// Fills `predictions` with the average of what the trees find, for each row (equation 1).
    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        // A cell of a label is a number, or says which class.
        let width = self.schema.width() * self.samples.labels.width;
        let units = rows.len() * self.trees.len();
        threads::fill_rows(predictions, width, units, |first, share| {
            let share = share.chunks_exact_mut(width.max(1));
            Scratch::with(|scratch| {
                for (prediction, row) in share.zip(first..) {
                    let found = self.nearest_by_tree(rows.row(row), scratch);
                    let labels = found.map(|(id, distance)| (self.samples.label(id), distance));
                    average(labels, prediction);
                }
            });
        });
    }
}

/// The most samples of a part: enough for several threads, and few enough to stay in a cache until some are dropped.
const LARGEST_PART: usize = 256;

/// `BFInitialization` and `BFTrain`.
impl<T: Task<Target: Label>> BoundaryForest<T> {
    /// Returns how many more samples are stored before trees have roots, `None` if they have.
    fn missing_roots(&self) -> Option<usize> {
        let waits = self.trees.iter().all(BoundaryTree::is_empty);
        waits.then(|| self.trees.len() - self.samples.len())
    }

    /// Learns rows with their labels, a part at a time; the first `n_T` are stored until there is one for the root of
    /// each tree. If asked for, appends what the forest predicts just before each row.
    pub(crate) fn learn_rows(
        &mut self,
        rows: &Rows<'_>,
        labels: &[T::Target],
        mut predictions: Option<&mut PredictionRows>,
    ) {
        // The forest's own schema knows the whole part already; a prediction is as wide as what came before its row.
        let mut known = self.schema;
        let mut start = 0;
        while start < rows.len() {
            let missing = self.missing_roots();
            let most = missing.unwrap_or(LARGEST_PART).min(LARGEST_PART);
            let end = rows.len().min(start + most);
            let ids = self.store(rows, labels, start..end);
            if let Some(predictions) = &mut predictions {
                self.predict_and_train(ids.clone(), &mut known, predictions);
            } else if missing.is_none() {
                let samples = &self.samples;
                for_each_sample(samples, &mut self.trees, &ids, |tree, id, distances| {
                    tree.train(id, &self.settings, samples, distances);
                });
            }
            if missing == Some(ids.len()) {
                // They may have come in earlier batches, and were kept until now. All trees learn all of them.
                for (index, tree) in self.trees.iter_mut().enumerate() {
                    tree.add(SampleId::new(index), 0);
                }
                self.insert_shuffled(0..self.samples.len());
                self.drop_unreferenced(0);
            } else if missing.is_none() {
                self.drop_unreferenced(ids.start);
            }
            start = end;
        }
    }

    /// Lets every tree learn these samples but its root, in a random order of its own.
    fn insert_shuffled(&mut self, ids: Range<usize>) {
        let samples = &self.samples;
        let units = ids.len() * self.trees.len();
        threads::in_groups(&mut self.trees, units, |group| {
            Scratch::with(|scratch| {
                for tree in group {
                    for id in tree.shuffled(ids.clone()) {
                        let mut distances = Distances::new(samples, samples.features(id), scratch);
                        tree.train(id, &self.settings, samples, &mut distances);
                    }
                }
            });
        });
    }

    /// Stores some of the rows; returns the ids of the samples.
    fn store(&mut self, rows: &Rows<'_>, labels: &[T::Target], part: Range<usize>) -> Range<usize> {
        let first = self.samples.len();
        let cells = |width: usize| part.start * width..part.end * width;
        let labels = &labels[cells(self.samples.labels.width)];
        let points = &rows.values()[cells(self.schema.features())];
        self.samples.append(part.len(), points, labels);
        labels.iter().for_each(|&cell| self.schema.admit(cell));
        self.seen += part.len() as u64;
        first..first + part.len()
    }

    /// Drops the samples from `first` on that no tree holds.
    fn drop_unreferenced(&mut self, first: usize) {
        let mut kept = RetentionMask::empty(first, self.samples.len() - first);
        self.trees.iter().for_each(|tree| tree.keep(&mut kept));
        if !kept.all() {
            let names = kept.remap();
            self.samples.remap(&names);
            self.trees.iter_mut().for_each(|tree| tree.remap(&names));
        }
    }

    /// Lets every tree learn these samples, unless they wait for others; appends the prediction just before each.
    fn predict_and_train(
        &mut self,
        ids: Range<usize>,
        known: &mut Schema<T>,
        predictions: &mut PredictionRows,
    ) {
        let waits = self.missing_roots().is_some();
        let samples = &self.samples;
        // Each tree with what it finds for each sample.
        let trees = self.trees.iter_mut().map(|tree| (tree, Vec::new()));
        let mut trees: Vec<_> = trees.collect();
        for_each_sample(samples, &mut trees, &ids, |(tree, all), id, distances| {
            let found = if waits {
                // Only samples before this one: the rest of its part is stored, but not yet seen by the stream.
                tree.nearest(self.settings.max_children, id.index(), distances)
            } else {
                tree.train(id, &self.settings, samples, distances)
            };
            all.push(found.map(|sample| (sample, distances.distance(sample))));
        });
        for (nth, id) in ids.map(SampleId::new).enumerate() {
            let found = trees.iter().filter_map(|(_, all)| all[nth]);
            let labels = found.map(|(id, distance)| (self.samples.label(id), distance));
            average(labels, predictions.push(known.width()));
            let label = self.samples.label(id);
            label.iter().for_each(|&cell| known.admit(cell));
        }
    }
}

/// Calls `work` with each item, a tree with what belongs to it, for each sample; the items of a thread share distances.
fn for_each_sample<C: Label, T: Send>(
    samples: &Samples<C>,
    items: &mut [T],
    ids: &Range<usize>,
    work: impl Fn(&mut T, SampleId, &mut Distances<'_>) + Send + Sync,
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

/// `BFQuery`: what the trees find at a point.
impl<T: Task<Target: Label>> BoundaryForest<T> {
    /// Returns the sample that each tree finds at `query`, in index order, and its distance from the query.
    pub(crate) fn nearest_by_tree<'a>(
        &'a self,
        query: &'a [f32],
        scratch: &'a mut Scratch,
    ) -> impl Iterator<Item = (SampleId, f64)> + use<'a, T> {
        let mut distances = Distances::new(&self.samples, query, scratch);
        self.trees.iter().filter_map(move |tree| {
            let limit = self.settings.max_children;
            let found = tree.nearest(limit, self.samples.len(), &mut distances)?;
            Some((found, distances.distance(found)))
        })
    }

    /// Returns how many nodes a query is compared with in each tree that has a root, in index order: the root, and all
    /// children of every node visited. It is the paper's measure of cost.
    ///
    /// # Errors
    /// Returns an error for a wrong width or a value that is not finite.
    pub fn comparisons(&self, query: &[f32]) -> Result<Vec<usize>, InputError> {
        let row = Rows::one(query, self.schema.features())?;
        let limit = self.settings.max_children;
        Ok(Scratch::with(|scratch| {
            let mut distances = Distances::new(&self.samples, row.row(0), scratch);
            let rooted = self.trees.iter().filter(|tree| !tree.is_empty());
            let compared = rooted.map(|tree| {
                distances.compared = 0;
                tree.query(limit, &mut distances, &mut None);
                1 + distances.compared
            });
            compared.collect()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundaryRegressor, Retriever};

    #[test]
    fn a_forest_has_room_for_as_many_samples_as_a_tree_for_nodes() {
        let schema = Schema::new(1).unwrap();
        let trees = ForestSettings::default();
        let mut forest = BoundaryRegressor::new(schema, TreeSettings::default(), trees).unwrap();
        assert!(forest.check_room(1 << 30).is_ok());
        forest.learn_rows(&Rows::one(&[0.0], 1).unwrap(), &[1.0], None);
        let error = forest.check_room(1 << 30).unwrap_err().to_string();
        assert!(error.contains(&(1 << 30).to_string()), "{error}");
    }

    #[test]
    fn the_root_and_the_children_on_the_way_are_compared() {
        let one = ForestSettings::default().with_trees(1);
        let mut forest = Retriever::new(1, TreeSettings::default(), one).unwrap();
        assert!(forest.forest().comparisons(&[0.0]).unwrap().is_empty());
        for point in [0.0, 1.0, -1.0, 2.0] {
            forest.learn_one(&[point]).unwrap();
        }
        // The root has two children, and 1 has one.
        assert_eq!(forest.forest().comparisons(&[-5.0]).unwrap(), [3]);
        assert_eq!(forest.forest().comparisons(&[5.0]).unwrap(), [4]);
    }

    mod shortcuts;
}
