//! The samples that some tree holds: points and labels, each stored once for all trees.

use forest_core::{Arena, IdRemap, InvariantError, SampleId};
use serde::{Deserialize, Serialize, Serializer};

use crate::codes::Codes;
use crate::label::Label;
use crate::{BoundaryTree, Metric};

/// Samples in order of arrival, and the codes of their points.
#[derive(Clone, Debug, Deserialize)]
#[serde(bound = "", from = "(Metric, Table<f32>, Table<C>)")]
pub struct Samples<C: Label> {
    metric: Metric,
    points: Table<f32>,
    labels: Table<C>,
    codes: Option<Codes>,
}

impl<C: Label> Samples<C> {
    /// The most samples, 2³⁰: a tree may hold all of them.
    pub(crate) const LIMIT: usize = BoundaryTree::LIMIT;

    pub(crate) fn new(metric: Metric, features: usize, label_width: usize) -> Self {
        Self {
            metric,
            points: Table::new(features),
            labels: Table::new(label_width),
            codes: Codes::of(metric, features),
        }
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
        self.points.row(id.index())
    }

    /// Returns the label of a sample.
    pub fn label(&self, id: SampleId) -> &[C] {
        self.labels.row(id.index())
    }

    /// Returns the number of cells of a label: 0 if only points are stored.
    pub(crate) fn label_width(&self) -> usize {
        self.labels.width
    }

    /// Returns whether a sample corrects the prediction that is the label of another one. One without a label does: "For retrieval,
    /// we add all examples to the trees."
    pub(crate) fn differ(&self, one: SampleId, other: SampleId, epsilon: f64) -> bool {
        self.label_width() == 0 || C::distance(self.label(one), self.label(other)) > epsilon
    }

    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    pub(crate) fn points(&self) -> &Table<f32> {
        &self.points
    }

    /// Returns the codes, if points have any.
    pub(crate) fn codes(&self) -> Option<&Codes> {
        self.codes.as_ref()
    }

    /// Has every distance computed from the points.
    #[cfg(test)]
    pub(crate) fn without_codes(&mut self) {
        self.codes = None;
    }

    pub(crate) fn bytes(&self) -> usize {
        let codes = self.codes.as_ref().map_or(0, Codes::bytes);
        self.points.bytes() + self.labels.bytes() + codes
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

    /// Checks that there are as many cells as rows take, and that each could have been learned where there are `features` and
    /// predictions have this width: after decoding.
    pub(crate) fn check(&self, features: usize, width: usize) -> Result<(), InvariantError> {
        let fits = self.len() <= Self::LIMIT
            && self.points.width == features
            && self.points.is_whole()
            && self.labels.is_whole()
            && self.labels.rows == self.len();
        InvariantError::require(fits, "samples", "their counts or widths are wrong")?;
        let known = self.points.cells.iter().all(|value| value.is_finite())
            && self.labels.cells.iter().all(|cell| cell.is_known(width));
        InvariantError::require(known, "samples", "a feature or label is impossible")
    }
}

/// Codes are computed again when samples are read. Points that do not fill their table get none, and
/// are refused by `check`.
impl<C: Label> From<(Metric, Table<f32>, Table<C>)> for Samples<C> {
    fn from((metric, points, labels): (Metric, Table<f32>, Table<C>)) -> Self {
        let mut codes = Codes::of(metric, points.width);
        if let (true, Some(codes)) = (points.is_whole() && points.rows > 0, &mut codes) {
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

impl<C: Label> Serialize for Samples<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.metric, &self.points, &self.labels).serialize(serializer)
    }
}

/// Rows of equal width, stored flat; a row may be empty, and is counted all the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Table<C> {
    pub(crate) width: usize,
    pub(crate) rows: usize,
    cells: Arena<C>,
}

impl<C: Copy> Table<C> {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            rows: 0,
            cells: Arena::default(),
        }
    }

    #[inline]
    pub(crate) fn row(&self, index: usize) -> &[C] {
        &self.cells[index * self.width..][..self.width]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Appends `rows` rows, given cell after cell.
    pub(crate) fn append(&mut self, rows: usize, cells: &[C]) {
        debug_assert_eq!(cells.len(), rows * self.width, "whole rows");
        self.rows += rows;
        self.cells.extend_from_slice(cells);
    }

    /// Appends a row of this value and hands it out to be filled.
    pub(crate) fn append_filled(&mut self, value: C) -> &mut [C] {
        let start = self.cells.len();
        self.rows += 1;
        self.cells.resize(start + self.width, value);
        &mut self.cells[start..]
    }

    /// Drops the rows of samples that were not kept, and closes the holes.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        // Rows before the first change stay where they are.
        self.rows = names.first().index();
        for (old, new) in names.kept() {
            let row = old * self.width..(old + 1) * self.width;
            self.cells.copy_within(row, new * self.width);
            self.rows += 1;
        }
        self.cells.truncate(self.rows * self.width);
    }

    /// Returns whether there are as many cells as the rows take: after decoding.
    fn is_whole(&self) -> bool {
        self.rows.checked_mul(self.width) == Some(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use forest_core::RetentionMask;
    use forest_core::registry::snapshot::{decode_value, encode_value};

    use super::*;

    fn remap(first: usize, end: usize, kept: usize) -> IdRemap {
        let mut mask = RetentionMask::empty(first, end - first);
        mask.keep(SampleId::new(kept));
        mask.remap()
    }

    #[test]
    fn retained_rows_close_the_holes_and_empty_rows_are_counted() {
        let mut table = Table::new(2);
        table.append(5, &[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        table.remap(&remap(2, 5, 3));
        assert_eq!((table.rows, &table.cells[..]), (3, &[0, 0, 1, 1, 3, 3][..]));
        let mut table = Table::<f64>::new(0);
        table.append(3, &[]);
        table.remap(&remap(1, 3, 1));
        assert_eq!((table.rows, table.row(1).len()), (2, 0));
    }

    /// Returns the samples that are decoded from a table of points that claims to have this number of `rows`.
    fn read(rows: usize, points: &[[f32; 12]]) -> Samples<f64> {
        let (points, labels) = (
            (12_usize, rows, points.as_flattened()),
            (0_usize, rows, &[] as &[f64]),
        );
        let bytes = encode_value(&(Metric::Euclidean, points, labels)).unwrap();
        decode_value(&bytes).unwrap()
    }

    #[test]
    fn codes_are_recomputed_when_samples_are_read() {
        let points = [[0.0; 12], [1.0; 12], [2.0; 12]];
        let samples = read(3, &points);
        let codes = samples.codes().unwrap();
        assert_eq!(codes.row(SampleId::new(2)).len(), 12);
        assert!(!codes.any_clipped());
        assert!(samples.check(12, 1).is_ok() && samples.check(11, 1).is_err());
        assert!(read(0, &[]).codes().is_some());
        assert!(read(4, &points).check(12, 1).is_err());
    }
}
