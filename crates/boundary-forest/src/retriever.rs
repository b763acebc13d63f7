//! Forests whose labels have several cells, or none: regression with vectors, the paper's general case, and retrieval,
//! where every tree holds every point and a query finds points near it.

use forest_core::ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use forest_core::{
    ForestSettings, InputError, OnlineLearner as _, Regression, Rows, Schema, SettingError,
    Task as _, threads,
};
use serde::{Deserialize, Serialize};

use crate::distances::Scratch;
use crate::{BoundaryForest, TreeSettings};

/// A boundary forest that stores points and finds those near a query; labels are the points, so all are stored.
///
/// Points that arrive in sorted order, or in the order of time, make queries slow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Retriever(BoundaryForest<Regression>);

/// A point that was found near a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The point's number in the order of arrival, from 0.
    pub point: usize,
    /// Its distance from the query.
    pub distance: f64,
}

impl Retriever {
    /// Creates a forest for points of `features` numbers.
    ///
    /// # Errors
    /// Returns an error for zero features, no trees, or a setting that breaks its rule.
    pub fn new(
        features: usize,
        settings: TreeSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let schema = Schema::new(features)?;
        BoundaryForest::with_label_width(0, schema, settings, forest).map(Self)
    }

    /// Returns the forest, for what it holds; its labels are empty.
    pub fn forest(&self) -> &BoundaryForest<Regression> {
        &self.0
    }

    /// Adds points, one a row.
    ///
    /// # Errors
    /// Returns an error for a wrong width or a value that is not finite; then no point was added.
    pub fn learn(&mut self, points: ArrayView2<'_, f32>) -> Result<(), InputError> {
        let rows = Rows::check(points, self.0.schema.features())?;
        self.0.check_room(rows.len())?;
        self.0.learn_rows(&rows, &[], None);
        Ok(())
    }

    /// Adds one point.
    ///
    /// # Errors
    /// As [`Retriever::learn`].
    pub fn learn_one(&mut self, point: &[f32]) -> Result<(), InputError> {
        self.learn(ArrayView1::from(point).insert_axis(Axis(0)))
    }

    /// Returns the closest point that any tree finds, `None` before the first was added.
    ///
    /// # Errors
    /// Returns an error for a wrong width or a value that is not finite.
    pub fn nearest(&self, query: &[f32]) -> Result<Option<Neighbour>, InputError> {
        let found = self.retrieve(ArrayView1::from(query).insert_axis(Axis(0)), 1)?;
        Ok(found[0].first().copied())
    }

    /// Returns the best `q` of the points that the trees find for each row of `queries`, closest first (of equally
    /// close ones, the earlier first). Several trees may find the same point, so there may be fewer.
    ///
    /// # Errors
    /// As [`Retriever::nearest`].
    pub fn retrieve(
        &self,
        queries: ArrayView2<'_, f32>,
        q: usize,
    ) -> Result<Vec<Vec<Neighbour>>, InputError> {
        let rows = Rows::check(queries, self.0.schema.features())?;
        let mut found = vec![Vec::new(); rows.len()];
        let mut queries: Vec<_> = rows.iter().zip(&mut found).collect();
        let units = queries.len() * self.0.trees.len();
        threads::in_groups(&mut queries, units, |group| {
            Scratch::with(|scratch| {
                for (query, found) in group {
                    for (sample, distance) in self.0.nearest_by_tree(query, scratch) {
                        let point = sample.index();
                        found.push(Neighbour { point, distance });
                    }
                    found.sort_by(|a, b| {
                        let nearer = a.distance.total_cmp(&b.distance);
                        nearer.then(a.point.cmp(&b.point))
                    });
                    // Equal points have equal distances, so the sort has made them neighbours.
                    found.dedup_by_key(|neighbour| neighbour.point);
                    found.truncate(q);
                }
            });
        });
        Ok(found)
    }
}

/// A boundary forest that learns vectors of numbers, such as a position; a prediction is their weighted mean.
///
/// ```
/// use ndarray::{Array2, arr2};
/// use boundary_forest::{ForestSettings, TreeSettings, VectorRegressor};
///
/// let mut forest = VectorRegressor::new(1, 2, TreeSettings::default(), ForestSettings::default())?;
/// let angles = Array2::from_shape_fn((300, 1), |(row, _)| row as f32 / 300.0);
/// let position = |angle: f32| [f64::from(angle).cos(), f64::from(angle).sin()];
/// let positions = Array2::from_shape_fn((300, 2), |(row, axis)| position(angles[[row, 0]])[axis]);
/// forest.learn(angles.view(), positions.view())?;
/// let prediction = forest.predict(arr2(&[[0.5]]).view())?;
/// assert!((prediction[[0, 0]] - 0.5_f64.cos()).abs() < 0.02);
/// assert!((prediction[[0, 1]] - 0.5_f64.sin()).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VectorRegressor(BoundaryForest<Regression>);

impl VectorRegressor {
    /// Creates a forest for samples with `features` numbers each, labelled with `targets` numbers.
    ///
    /// # Errors
    /// Returns an error for zero features, zero targets, no trees, or a setting that breaks its rule.
    pub fn new(
        features: usize,
        targets: usize,
        settings: TreeSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        SettingError::require(targets > 0, "targets", "must be at least 1", targets)?;
        let schema = Schema::new(features)?;
        BoundaryForest::with_label_width(targets, schema, settings, forest).map(Self)
    }

    /// Returns the forest, for what it holds; its own predictions are of the first cell.
    pub fn forest(&self) -> &BoundaryForest<Regression> {
        &self.0
    }

    /// Learns `features` (one sample a row) with their `labels` (one a row), one after another.
    ///
    /// # Errors
    /// Returns an error for wrong shapes or a value that is not finite; then nothing was learned.
    pub fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        labels: ArrayView2<'_, f64>,
    ) -> Result<(), InputError> {
        let rows = Rows::check(features, self.0.schema.features())?;
        let expected = self.0.samples.labels.width;
        let got = labels.ncols();
        if got != expected {
            let what =
                format!("a label has {got} numbers, but this forest was made for {expected}");
            return Err(InputError::Shape(what));
        }
        InputError::check_number("target", labels.nrows(), rows.len())?;
        for ((row, _), &value) in labels.indexed_iter() {
            Regression::check(&(), value, row)?;
        }
        self.0.check_room(rows.len())?;
        let cells: Vec<f64> = labels.iter().copied().collect();
        self.0.learn_rows(&rows, &cells, None);
        Ok(())
    }

    /// Predicts a label (a row of numbers) for each row of `features`.
    ///
    /// # Errors
    /// Returns an error for a wrong width or a value that is not finite.
    pub fn predict(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.0.schema.features())?;
        let mut predictions = Array2::zeros((rows.len(), self.0.samples.labels.width));
        let cells = predictions.as_slice_mut();
        self.0
            .predict_rows(&rows, cells.expect("a new array is contiguous"));
        Ok(predictions)
    }
}
