//! The forest: samples stored once, and trees that refer to them (Algorithm 2).

use std::ops::Range;

use forest_core::ndarray::ArrayView2;
use forest_core::{
    ForestSettings, InputError, InvariantError, PredictionRows, RetentionMask, Rows, SampleId,
    Schema, SettingError, Task, threads,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::distances::{Distances, Scratch};
use crate::grower::Grower;
use crate::label::{Label, average};
use crate::{BoundaryTree, Samples, TreeSettings};

/// Boundary trees that learn the same stream, each from its own root and random stream.
///
/// They are quick where samples arrive in no particular order, not in sorted or time-ordered streams.
///
/// One container for all uses of the paper: see [`BoundaryClassifier`](crate::BoundaryClassifier),
/// [`BoundaryRegressor`](crate::BoundaryRegressor), and what is built on the latter: [`VectorRegressor`](crate::VectorRegressor),
/// whose labels have several cells, and [`Retriever`](crate::Retriever), whose labels have none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BoundaryForest<T: Task<Target: Label>> {
    pub(crate) schema: Schema<T>,
    pub(crate) settings: TreeSettings,
    pub(crate) samples: Samples<T::Target>,
    pub(crate) seen: u64,
    pub(crate) trees: Vec<Grower>,
}

/// Why no offline forest could be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OfflineError {
    /// The data were refused.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// There is nothing to make a root of.
    #[error("an offline forest needs at least one sample")]
    NoSamples,
}

impl<T: Task<Target: Label>> BoundaryForest<T> {
    /// Creates a forest for the stream that `schema` describes; the number of its trees is the paper's `n_T`.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
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
        let trees = (0..forest.trees).map(|index| Grower::new(index, forest.seed));
        Ok(Self {
            samples: Samples::new(settings.metric, schema.features(), cells),
            schema,
            settings,
            seen: 0,
            trees: trees.collect(),
        })
    }

    /// Creates the offline forest of a data set, the paper's `OBF`: "each tree gets an independently reshuffled version of the
    /// data", all of it once. It can continue learning, like any other forest.
    ///
    /// # Errors
    /// No samples, or what [`BoundaryForest::new`] or
    /// [`learn`](forest_core::OnlineLearner::learn) would refuse.
    pub fn offline(
        schema: Schema<T>,
        settings: TreeSettings,
        forest: ForestSettings,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<Self, OfflineError> {
        let mut forest = Self::new(schema, settings, forest)?;
        let rows = Rows::check(features, forest.schema.features())?;
        forest.schema.check_targets(rows.len(), targets)?;
        forest.check_space(rows.len())?;
        if rows.is_empty() {
            return Err(OfflineError::NoSamples);
        }
        let all = forest.store(&rows, targets, 0..rows.len());
        // No roots were set: the first sample of each tree's own order becomes its root.
        forest.insert_shuffled(all);
        forest.drop_unreferenced(0);
        Ok(forest)
    }

    /// Returns the settings that all trees share.
    pub fn settings(&self) -> &TreeSettings {
        &self.settings
    }

    /// Returns the samples that some tree holds.
    pub fn samples(&self) -> &Samples<T::Target> {
        &self.samples
    }

    /// Returns the trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &BoundaryTree> {
        self.trees.iter().map(|tree| &tree.nodes)
    }

    /// Returns the width of a prediction where `schema` is known: a cell of a label is a number, or says which class.
    fn prediction_width(&self, schema: &Schema<T>) -> usize {
        schema.width() * self.samples.label_width()
    }

    /// Returns an error unless `rows` more samples fit: a forest stores at most 2³⁰.
    pub(crate) fn check_space(&self, rows: usize) -> Result<(), InputError> {
        let (stored, limit) = (self.samples.len(), Samples::<T::Target>::LIMIT);
        if rows <= limit - stored {
            return Ok(());
        }
        Err(InputError::StoreFull {
            rows,
            stored,
            limit,
        })
    }

    /// Checks the shape of a forest that was decoded: widths and lengths, and trees that hold samples which are stored. Either no
    /// tree has a root, and all samples are waiting for the first `n_T` to be complete; or every tree has one.
    pub(crate) fn check_shape(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        self.settings.check().map_err(rule)?;
        self.samples
            .check(self.schema.features(), self.schema.width())?;
        let stored = self.samples.len();
        let rooted = self.trees().filter(|tree| !tree.is_empty()).count();
        let sound = match rooted {
            0 => stored < self.trees.len(),
            _ => rooted == self.trees.len(),
        };
        InvariantError::require(sound, "forest", "only some trees have a root")?;
        self.trees().try_for_each(|tree| tree.check(stored))
    }
}

/// `BFInitialization`: the first `n_T` samples are stored until each tree gets another one as its root.
impl<T: Task<Target: Label>> BoundaryForest<T> {
    /// Returns how many more samples are stored before trees have roots, `None` if they have.
    fn missing_roots(&self) -> Option<usize> {
        let waits = self.trees().all(BoundaryTree::is_empty);
        waits.then(|| self.trees.len() - self.samples.len())
    }

    /// Inserts the first samples, one for the root of each tree.
    fn insert_first(&mut self) {
        let ids = 0..self.samples.len();
        for (tree, id) in self.trees.iter_mut().zip(ids.clone()) {
            tree.nodes.add_root(SampleId::new(id));
        }
        // All trees learn all of them, not just their own root.
        self.insert_shuffled(ids);
    }

    /// Every tree learns these samples but its root, in a random order of its own.
    fn insert_shuffled(&mut self, ids: Range<usize>) {
        let (settings, samples) = (&self.settings, &self.samples);
        let units = ids.len() * self.trees.len();
        threads::in_groups(&mut self.trees, units, |group| {
            Scratch::with(|scratch| {
                for tree in group {
                    for id in tree.shuffled(ids.clone()) {
                        let mut distances = Distances::new(samples, samples.features(id), scratch);
                        tree.train(id, settings, samples, &mut distances);
                    }
                }
            });
        });
    }
}

/// The most samples of a part: enough to share out among threads, and few enough to stay in a cache
/// until those that no tree holds are dropped.
const LARGEST_PART: usize = 256;

/// `BFTrain`: every tree learns every sample, a part of a batch at a time.
impl<T: Task<Target: Label>> BoundaryForest<T> {
    /// Learns rows with their labels, one cell after another.
    pub(crate) fn learn_rows(&mut self, rows: &Rows<'_>, labels: &[T::Target]) {
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
        labels: &[T::Target],
        mut train: impl FnMut(&mut Self, Range<usize>),
    ) {
        let mut start = 0;
        while start < rows.len() {
            let missing = self.missing_roots();
            let most = missing.unwrap_or(LARGEST_PART).min(LARGEST_PART);
            let end = rows.len().min(start + most);
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
    fn store(&mut self, rows: &Rows<'_>, labels: &[T::Target], part: Range<usize>) -> Range<usize> {
        let first = self.samples.len();
        let cells = |width: usize| part.start * width..part.end * width;
        let labels = &labels[cells(self.samples.label_width())];
        let points = &rows.values()[cells(self.schema.features())];
        self.samples.append(part.len(), points, labels);
        labels.iter().for_each(|&cell| self.schema.admit(cell));
        self.seen += part.len() as u64;
        first..first + part.len()
    }

    /// Drops the samples from `first` on that no tree holds.
    fn drop_unreferenced(&mut self, first: usize) {
        let mut kept = RetentionMask::empty(first, self.samples.len() - first);
        self.trees().for_each(|tree| tree.keep(&mut kept));
        if kept.all() {
            return;
        }
        let names = kept.remap();
        self.samples.remap(&names);
        let trees = self.trees.iter_mut();
        trees.for_each(|tree| tree.nodes.remap(&names));
    }

    /// Learns rows; returns what the forest predicted just before each.
    pub(crate) fn average_then_learn(
        &mut self,
        rows: &Rows<'_>,
        labels: &[T::Target],
    ) -> PredictionRows {
        let mut averages = PredictionRows::default();
        // The forest's own schema knows the whole part already; a prediction may be only as wide as what came before its row.
        let mut known = self.schema;
        self.learn_in_parts(rows, labels, |forest, ids| {
            let found_by_trees = forest.find_and_train(ids.clone());
            for (nth, id) in ids.map(SampleId::new).enumerate() {
                let found = found_by_trees.iter().filter_map(|found| found[nth]);
                let labels = found.map(|(id, distance)| (forest.samples.label(id), distance));
                average(labels, averages.push(forest.prediction_width(&known)));
                let label = forest.samples.label(id);
                label.iter().for_each(|&cell| known.admit(cell));
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
fn for_each_sample<C: Label, T: Send>(
    samples: &Samples<C>,
    items: &mut [T],
    ids: Range<usize>,
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
        let (limit, stored) = (self.settings.max_children, self.samples.len());
        self.trees.iter().filter_map(move |tree| {
            let found = tree.nearest(limit, stored, &mut distances)?;
            Some((found, distances.distance(found)))
        })
    }

    /// Fills `predictions` with the average of what the trees find, for each row (equation 1).
    pub(crate) fn average_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let width = self.prediction_width(&self.schema);
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

    /// Returns how many nodes a query is compared with in each tree, in index order: the root, and all children of every node
    /// visited. None before the trees have roots.
    ///
    /// The paper's measure of cost. The forest computes fewer distances: each at most once for all trees.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    pub fn comparisons(&self, query: &[f32]) -> Result<Vec<usize>, InputError> {
        let row = Rows::one(query, self.schema.features())?;
        let limit = self.settings.max_children;
        Ok(Scratch::with(|scratch| {
            let mut distances = Distances::new(&self.samples, row.row(0), scratch);
            let ends = self.trees.iter().filter_map(|tree| {
                let end = tree.query(limit, &mut distances)?.node;
                Some((&tree.nodes, end))
            });
            ends.map(|(tree, end)| {
                let path = std::iter::successors(Some(end), |&node| tree.parent(node));
                1 + path.map(|node| tree.children(node).len()).sum::<usize>()
            })
            .collect()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundaryRegressor, Retriever};

    #[test]
    fn a_forest_has_room_for_as_many_samples_as_a_tree_for_nodes() {
        let (schema, settings) = (Schema::new(1).unwrap(), ForestSettings::default());
        let mut forest = BoundaryRegressor::new(schema, TreeSettings::default(), settings).unwrap();
        assert!(forest.check_space(1 << 30).is_ok());
        let row = [0.0];
        forest.learn_rows(&Rows::one(&row, 1).unwrap(), &[1.0]);
        let error = forest.check_space(1 << 30).unwrap_err().to_string();
        assert!(error.contains(&(1 << 30).to_string()), "{error}");
    }

    #[test]
    fn samples_are_stored_up_to_the_roots() {
        let trees = ForestSettings::default().with_trees(10).with_seed(1);
        let mut forest = Retriever::new(1, TreeSettings::default(), trees).unwrap();
        for stored in 0..10 {
            assert_eq!(forest.forest().missing_roots(), Some(10 - stored));
            forest.learn_one(&[stored as f32]).unwrap();
        }
        assert_eq!(forest.forest().missing_roots(), None);
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
