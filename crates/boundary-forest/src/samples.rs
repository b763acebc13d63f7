//! The samples that some tree holds: points and labels, each stored once for all trees.

use forest_core::{IdRemap, InvariantError, SampleId};
use serde::{Deserialize, Serialize, Serializer};

use crate::codes::Codes;
use crate::label::Label;
use crate::table::Table;
use crate::{BoundaryTree, Metric, Problem};

/// Samples in order of arrival, and the codes of their points.
#[derive(Clone, Debug, Deserialize)]
#[serde(bound = "", from = "(Table<f32>, Table<P::Cell>)")]
pub struct Samples<P: Problem, M: Metric> {
    points: Table<f32>,
    labels: Table<P::Cell>,
    codes: Option<Codes<M>>,
}

impl<P: Problem, M: Metric> Samples<P, M> {
    /// The most samples, 2³⁰: a tree may hold all of them.
    pub(crate) const LIMIT: usize = BoundaryTree::LIMIT;

    pub(crate) fn new(schema: &P::Schema) -> Self {
        let shape = P::shape(schema);
        Self {
            points: Table::new(shape.features),
            labels: Table::new(shape.label_width),
            codes: Codes::for_width(shape.features),
        }
    }

    /// Returns the number of samples stored.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the features of a sample.
    pub fn features(&self, id: SampleId) -> &[f32] {
        self.points.row(id.index())
    }

    /// Returns the label of a sample.
    pub fn label(&self, id: SampleId) -> &[P::Cell] {
        self.labels.row(id.index())
    }

    pub(crate) fn differ(
        &self,
        one: SampleId,
        other: SampleId,
        epsilon: <P::Cell as Label>::Epsilon,
    ) -> bool {
        P::Cell::distance(self.label(one), self.label(other)) > epsilon.into()
    }

    /// Returns the labels of samples that were found, instead of the samples.
    pub(crate) fn with_labels(
        &self,
        found: impl Iterator<Item = (SampleId, f64)>,
    ) -> impl Iterator<Item = (&[P::Cell], f64)> {
        found.map(|(sample, distance)| (self.label(sample), distance))
    }

    pub(crate) fn points(&self) -> &Table<f32> {
        &self.points
    }

    /// Returns the codes, if points have any.
    pub(crate) fn codes(&self) -> Option<&Codes<M>> {
        self.codes.as_ref()
    }

    pub(crate) fn bytes(&self) -> usize {
        let codes = self.codes.as_ref().map_or(0, Codes::bytes);
        self.points.bytes() + self.labels.bytes() + codes
    }

    /// Appends `rows` samples; they get the ids that follow the ones given so far.
    pub(crate) fn append(&mut self, rows: usize, points: &[f32], labels: &[P::Cell]) {
        self.points.append(rows, points);
        self.labels.append(rows, labels);
        if let Some(codes) = &mut self.codes {
            codes.follow(&self.points);
        }
    }

    /// Drops the samples that were not kept and closes the holes.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        self.points.remap(names);
        self.labels.remap(names);
        if let Some(codes) = &mut self.codes {
            codes.remap(names);
        }
    }

    /// Checks everything that learning guarantees, for samples that were decoded.
    pub(crate) fn check(&self, schema: &P::Schema) -> Result<(), InvariantError> {
        let (place, shape) = ("samples", P::shape(schema));
        let count = format_args!("there are {}, more than {}", self.len(), Self::LIMIT);
        InvariantError::require(self.len() <= Self::LIMIT, place, count)?;
        let fits = self.points.is_whole(shape.features)
            && self.labels.is_whole(shape.label_width)
            && self.labels.len() == self.len();
        InvariantError::require(fits, place, "their counts or widths are wrong")?;
        let finite = self.points.cells().iter().all(|value| value.is_finite());
        InvariantError::require(finite, place, "a feature is not finite")?;
        (0..self.len()).try_for_each(|row| {
            let label = self.labels.row(row);
            let what = format_args!("its label {label:?} could not have been learned");
            let valid = P::Cell::is_valid(label, shape.prediction_width);
            InvariantError::require(valid, format_args!("sample {row}"), what)
        })
    }
}

/// Codes are computed again when samples are read. Points that do not fill their table get none, and
/// are refused by `check`.
impl<P: Problem, M: Metric> From<(Table<f32>, Table<P::Cell>)> for Samples<P, M> {
    fn from((points, labels): (Table<f32>, Table<P::Cell>)) -> Self {
        let width = points.width();
        let mut codes = Codes::for_width(width);
        if let (true, Some(codes)) = (points.is_whole(width) && points.len() > 0, &mut codes) {
            codes.follow(&points);
        }
        Self {
            points,
            labels,
            codes,
        }
    }
}

impl<P: Problem, M: Metric> Serialize for Samples<P, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.points, &self.labels).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use forest_core::registry::snapshot::{decode_value, encode_value};

    use super::*;
    use crate::{Euclidean, PointSchema, Retrieval};

    type Points = Samples<Retrieval, Euclidean>;

    const NO_CELLS: &[u8] = &[];

    /// Returns the samples that are decoded from a table of points that claims to have this number of `rows`.
    fn read(rows: usize, points: &[[f32; 12]]) -> Points {
        let cells = points.as_flattened();
        let bytes = encode_value(&((12_usize, rows, cells), (0_usize, rows, NO_CELLS))).unwrap();
        decode_value(&bytes).unwrap()
    }

    #[test]
    fn codes_are_recomputed_when_samples_are_read() {
        let points = [[0.0; 12], [1.0; 12], [2.0; 12]];
        let samples = read(3, &points);
        let codes = samples.codes().unwrap();
        assert_eq!(codes.row(SampleId::new(2)).len(), 12);
        assert!(!codes.any_clipped());
        let schema = PointSchema::new(12).unwrap();
        assert!(samples.check(&schema).is_ok());
        assert!(read(0, &[]).codes().is_some());
        assert!(read(4, &points).check(&schema).is_err());
    }
}
