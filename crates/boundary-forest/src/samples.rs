//! The samples that some tree keeps: positions and labels, each stored once for all trees.

use forest_core::{InvariantError, SampleId};
use serde::{Deserialize, Serialize};

use crate::nodes::Nodes;
use crate::points::Points;
use crate::table::Table;
use crate::{Metric, Problem};

/// Samples in order of arrival, named by it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Samples<P: Problem, M: Metric> {
    points: Points<M>,
    labels: Table<P::Cell>,
}

impl<P: Problem, M: Metric> Samples<P, M> {
    /// The most samples, 2³⁰: a tree may hold all of them.
    pub(crate) const LIMIT: usize = Nodes::LIMIT;

    pub(crate) fn new(schema: &P::Schema) -> Self {
        let points = Points::new(P::features(schema));
        let labels = Table::new(P::label_width(schema));
        Self { points, labels }
    }

    /// Number of samples stored.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The features of a sample.
    pub fn features(&self, id: SampleId) -> &[f32] {
        self.points.at(id)
    }

    /// The label of a sample.
    pub fn label(&self, id: SampleId) -> &[P::Cell] {
        self.labels.row(id.index())
    }

    pub(crate) fn points(&self) -> &Points<M> {
        &self.points
    }

    pub(crate) fn bytes(&self) -> usize {
        self.points.bytes() + self.labels.bytes()
    }

    /// Appends `rows` samples; they get the names that follow the ones given so far.
    pub(crate) fn append(&mut self, rows: usize, points: &[f32], labels: &[P::Cell]) {
        self.points.append(rows, points);
        self.labels.append(rows, labels);
    }

    /// Drops the samples that `kept` does not name and closes the gaps.
    pub(crate) fn retain(&mut self, kept: &RetentionMask) {
        self.points.retain_from(kept.first, &kept.marks);
        self.labels.retain_from(kept.first, &kept.marks);
    }

    /// Checks everything that learning guarantees: of interest for samples that were decoded.
    ///
    /// # Errors
    /// What does not hold.
    pub(crate) fn check(&self, schema: &P::Schema) -> Result<(), InvariantError> {
        let place = || "samples";
        let count = || format!("there are {}, more than {}", self.len(), Self::LIMIT);
        InvariantError::unless(self.len() <= Self::LIMIT, place, count)?;
        let sound = self.points.are_sound(P::features(schema));
        InvariantError::unless(sound, place, || "the positions are not finite points")?;
        let fits = self.labels.is_whole()
            && self.labels.width() == P::label_width(schema)
            && self.labels.len() == self.len();
        InvariantError::unless(fits, place, || "labels and positions differ in number")?;
        let mut labels = (0..self.len()).map(|row| (row, self.labels.row(row)));
        labels.try_for_each(|(row, label)| P::check_label(schema, label, row))
    }
}

/// Which of the samples stored last some tree keeps.
#[derive(Debug)]
pub(crate) struct RetentionMask {
    first: usize,
    marks: Vec<bool>,
}

impl RetentionMask {
    /// None of the samples `first..end`.
    pub(crate) fn none_of(first: usize, end: usize) -> Self {
        let marks = vec![false; end - first];
        Self { first, marks }
    }

    /// The first sample that this is about.
    pub(crate) fn first(&self) -> SampleId {
        SampleId::new(self.first)
    }

    pub(crate) fn keep(&mut self, id: SampleId) {
        self.marks[id.index() - self.first] = true;
    }

    pub(crate) fn all(&self) -> bool {
        self.marks.iter().all(|&keep| keep)
    }

    /// The new name of each sample, from the first on, once those not kept are dropped.
    pub(crate) fn names(&self) -> Vec<SampleId> {
        let mut next = self.first;
        let name = |&keep: &bool| {
            let name = SampleId::new(next);
            next += usize::from(keep);
            name
        };
        self.marks.iter().map(name).collect()
    }
}
