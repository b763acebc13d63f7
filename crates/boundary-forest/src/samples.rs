//! The samples that some tree holds: points and labels, each stored once for all trees.

use forest_core::{IdRemap, InvariantError, SampleId, Schema, Task};
use serde::{Deserialize, Serialize};

use crate::Metric;
use crate::codes::Codes;
use crate::label::Label;
use crate::table::Table;

/// Samples in order of arrival, and the codes of their points, which are not saved but computed again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", from = "(Metric, Table<f32>, Table<C>)")]
pub struct Samples<C: Label> {
    pub(crate) metric: Metric,
    pub(crate) points: Table<f32>,
    pub(crate) labels: Table<C>,
    /// `None` where they do not pay.
    #[serde(skip)]
    pub(crate) codes: Option<Codes>,
}

impl<C: Label> Samples<C> {
    pub(crate) fn new(metric: Metric, features: usize, label_width: usize) -> Self {
        Self::from((metric, Table::new(features), Table::new(label_width)))
    }

    /// Returns the number of samples stored.
    pub fn len(&self) -> usize {
        self.points.rows
    }

    /// Returns whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the features of a sample.
    pub fn features(&self, id: SampleId) -> &[f32] {
        self.points.row(id)
    }

    /// Returns the label of a sample.
    pub fn label(&self, id: SampleId) -> &[C] {
        self.labels.row(id)
    }

    pub(crate) fn bytes(&self) -> usize {
        let codes = self.codes.as_ref().map_or(0, Codes::bytes);
        self.points.cells.bytes() + self.labels.cells.bytes() + codes
    }

    /// Appends `rows` samples; they get the ids that follow the ones given so far.
    pub(crate) fn append(&mut self, rows: usize, points: &[f32], labels: &[C]) {
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

    /// Checks that there are as many cells as rows take, and that each could have been learned: after decoding.
    pub(crate) fn check<T: Task<Target = C>>(
        &self,
        schema: &Schema<T>,
    ) -> Result<(), InvariantError> {
        let sound = self.points.width == schema.features()
            && self.points.is_whole()
            && self.labels.is_whole()
            && self.labels.rows == self.len()
            && self.points.cells.iter().all(|value| value.is_finite())
            && self.labels.cells.iter().all(|&cell| schema.knows(cell));
        let what = "their counts or widths are wrong, or a feature or label is impossible";
        InvariantError::require(sound, "samples", what)
    }
}

/// Points that do not fill their table get no codes, and are refused by `check`.
impl<C: Label> From<(Metric, Table<f32>, Table<C>)> for Samples<C> {
    fn from((metric, points, labels): (Metric, Table<f32>, Table<C>)) -> Self {
        let mut codes = Codes::of(metric, points.width);
        if points.is_whole()
            && points.rows > 0
            && let Some(codes) = &mut codes
        {
            codes.follow(&points);
        }
        Self {
            metric,
            points,
            labels,
            codes,
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_core::Regression;
    use forest_core::registry::snapshot::{decode_value, encode_value};

    use super::*;

    /// Returns the samples that are decoded from a table of points that claims to have this number of `rows`.
    fn read(rows: usize, points: &[[f32; 12]]) -> Samples<f64> {
        let points = (12_usize, rows, points.as_flattened());
        let labels = (0_usize, rows, &[] as &[f64]);
        decode_value(&encode_value(&(Metric::Euclidean, points, labels)).unwrap()).unwrap()
    }

    #[test]
    fn codes_are_recomputed_when_samples_are_read() {
        let points = [[0.0; 12], [1.0; 12], [2.0; 12]];
        let samples = read(3, &points);
        let codes = samples.codes.as_ref().unwrap();
        assert_eq!(codes.rows.row(SampleId::new(2)).len(), 12);
        let schema = Schema::<Regression>::new(12).unwrap();
        assert!(samples.check(&schema).is_ok() && read(4, &points).check(&schema).is_err());
        assert!(read(0, &[]).codes.is_some());
    }
}
