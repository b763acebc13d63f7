//! Retrieval: every tree holds every point, and a query finds points near it.

use forest_core::ndarray::ArrayView2;
use forest_core::{InputError, Rows, SampleId, SettingError, threads};
use serde::{Deserialize, Serialize};

use crate::distances::Scratch;
use crate::label::Label;
use crate::problem::Shape;
use crate::settings::Exact;
use crate::{BoundaryForest, Metric, Problem};

/// Finding the stored points near a query. A point's label is the point itself, `c(x) = x`, so any
/// two differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retrieval;

/// The shape of a stream of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointSchema {
    features: usize,
}

impl PointSchema {
    /// Creates a stream of points with `features` numbers each.
    ///
    /// # Errors
    /// Zero features.
    pub fn new(features: usize) -> Result<Self, SettingError> {
        let schema = Self { features };
        Retrieval::check_schema(&schema).map(|()| schema)
    }

    /// Returns the number of features of a point.
    pub fn features(&self) -> usize {
        self.features
    }
}

/// "For retrieval, we add all examples to the trees."
impl Problem for Retrieval {
    type Cell = NoLabel;
    type Schema = PointSchema;

    fn shape(schema: &PointSchema) -> Shape {
        Shape {
            features: schema.features,
            label_width: 0,
            prediction_width: 0,
        }
    }

    fn check_schema(schema: &PointSchema) -> Result<(), SettingError> {
        SettingError::require(schema.features > 0, "features", "must be at least 1", 0)
    }
}

/// The cell of labels that have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoLabel {}

/// Any two differ.
impl Label for NoLabel {
    type Epsilon = Exact;

    fn distance(_: &[Self], _: &[Self]) -> f64 {
        f64::INFINITY
    }

    fn is_valid(_: &[Self], _: usize) -> bool {
        true
    }
}

/// A point that was found near a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The point's number in the order of arrival, from 0.
    pub point: usize,
    /// Its distance from the query.
    pub distance: f64,
}

impl<M: Metric> BoundaryForest<Retrieval, M> {
    /// Adds points, one a row.
    ///
    /// # Errors
    /// [`InputError`] if any is refused; then none was added.
    pub fn learn(&mut self, points: ArrayView2<'_, f32>) -> Result<(), InputError> {
        self.add(&Rows::check(points, self.schema().features)?)
    }

    /// Adds one point.
    ///
    /// # Errors
    /// As [`BoundaryForest::learn`].
    pub fn learn_one(&mut self, point: &[f32]) -> Result<(), InputError> {
        self.add(&Rows::one(point, self.schema().features)?)
    }

    fn add(&mut self, points: &Rows<'_>) -> Result<(), InputError> {
        self.check_room(points.len())?;
        self.learn_rows(points, &[]);
        Ok(())
    }

    /// Returns the closest point that any tree finds, `None` before the first was added.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    pub fn nearest(&self, query: &[f32]) -> Result<Option<Neighbour>, InputError> {
        Ok(self.best(query, 1)?.first().copied())
    }

    /// Returns the best `q` of the points that the trees find, closest first (of equally close ones, the
    /// earlier first). Several trees may find the same point, so there may be fewer.
    ///
    /// # Errors
    /// As [`BoundaryForest::nearest`].
    pub fn best(&self, query: &[f32], q: usize) -> Result<Vec<Neighbour>, InputError> {
        let row = Rows::one(query, self.schema().features)?;
        Ok(Scratch::with(|scratch| {
            self.best_of(row.row(0), q, scratch)
        }))
    }

    /// [`BoundaryForest::best`] for each row of `queries`, in parallel.
    ///
    /// # Errors
    /// As [`BoundaryForest::nearest`].
    pub fn retrieve(
        &self,
        queries: ArrayView2<'_, f32>,
        q: usize,
    ) -> Result<Vec<Vec<Neighbour>>, InputError> {
        let rows = Rows::check(queries, self.schema().features)?;
        let mut found = vec![Vec::new(); rows.len()];
        let mut queries: Vec<_> = rows.iter().zip(&mut found).collect();
        let units = queries.len() * self.trees().len();
        threads::in_groups(&mut queries, units, |group| {
            Scratch::with(|scratch| {
                for (query, found) in group {
                    **found = self.best_of(query, q, scratch);
                }
            });
        });
        Ok(found)
    }

    fn best_of(&self, query: &[f32], q: usize, scratch: &mut Scratch) -> Vec<Neighbour> {
        let neighbour = |(sample, distance): (SampleId, f64)| Neighbour {
            point: sample.index(),
            distance,
        };
        let mut found: Vec<_> = self
            .nearest_by_tree(query, scratch)
            .map(neighbour)
            .collect();
        found.sort_by(|a, b| {
            let nearer = a.distance.total_cmp(&b.distance);
            nearer.then(a.point.cmp(&b.point))
        });
        // Equal points have equal distances, so the sort has made them neighbours.
        found.dedup_by_key(|neighbour| neighbour.point);
        found.truncate(q);
        found
    }
}
