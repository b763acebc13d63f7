//! The parts together.

use forest_core::{ForestSettings, Schema, SettingError, threads};
use ndarray::{ArrayView2, s};
use registry::{BaseLearner, NamedTask};
use serde::{Deserialize, Serialize};

use crate::RowPartsSettings;
use crate::part::{Deal, Part};
use crate::predictions::PartPredictions;
use crate::settings::seeded;

/// Rows that parts predict between learning them, at a time: every part's predictions are held.
const ROWS_PER_ROUND: usize = 256;

/// Rows that parts predict at a time, so that a large query takes little memory.
const ROWS_PER_BLOCK: usize = 8192;

/// Parts that each learn every P-th row of a stream and predict together.
///
/// See the [crate](crate) for its purpose.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct RowParts<T: NamedTask> {
    pub(crate) schema: Schema<T>,
    pub(crate) settings: RowPartsSettings,
    pub(crate) forest: ForestSettings,
    /// Rows of the whole stream.
    pub(crate) seen: u64,
    /// All parts, or the contiguous ones of a shard.
    pub(crate) parts: Vec<Part<T>>,
}

impl<T: NamedTask> RowParts<T> {
    /// Builds a learner for the stream that `schema` describes; `forest` sets the number of trees of each part, the seed from which
    /// those of the parts are derived, and which of the samples that it learns a part keeps.
    ///
    /// # Errors
    /// Returns an error for no parts, for more trees in all than [`ForestSettings::MOST_TREES`], or for a base that is not in the table, does not
    /// support the task or is this algorithm itself.
    pub fn new(
        schema: Schema<T>,
        settings: RowPartsSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        settings.check(&forest)?;
        let parts = (0..settings.parts).map(|number| {
            let base = BaseLearner::build(&settings.base, schema, seeded(forest, number))?;
            Ok(Part::new(number, base))
        });
        Ok(Self {
            parts: parts.collect::<Result<_, _>>()?,
            seen: 0,
            schema,
            settings,
            forest,
        })
    }

    /// Returns the settings it was built with.
    pub fn settings(&self) -> &RowPartsSettings {
        &self.settings
    }

    /// Returns the number of trees of all parts together.
    pub fn trees(&self) -> usize {
        self.parts.iter().map(|part| part.learner().trees()).sum()
    }

    pub(crate) fn deal(&self) -> Deal {
        let (seen, parts) = (self.seen, self.settings.parts);
        Deal { seen, parts }
    }

    /// Returns its parts that have learned a row: only these predict.
    pub(crate) fn voters(&self) -> &[Part<T>] {
        let before = self.parts[0].number();
        let voters = self.seen.saturating_sub(u64::from(before));
        &self.parts[..voters.min(self.parts.len() as u64) as usize]
    }

    /// Adds the predictions of its parts to sums of `width` numbers, one per row, part by part.
    pub(crate) fn add_predictions(
        &self,
        rows: ArrayView2<'_, f32>,
        sums: &mut [f64],
        width: usize,
    ) {
        threads::with_buffer(|base_predictions| {
            for start in (0..rows.nrows()).step_by(ROWS_PER_BLOCK) {
                let end = rows.nrows().min(start + ROWS_PER_BLOCK);
                let (rows, sums) = (
                    rows.slice(s![start..end, ..]),
                    &mut sums[start * width..end * width],
                );
                for part in self.voters() {
                    part.add_predictions(rows, base_predictions, sums, width);
                }
            }
        });
    }

    /// Lets every part learn its share of these rows.
    pub(crate) fn learn_rows(&mut self, rows: ArrayView2<'_, f32>, targets: &[T::Target]) {
        let (deal, units) = (self.deal(), targets.len() * self.forest.trees);
        threads::each(&mut self.parts, units, |part| {
            part.learn(rows, targets, deal);
        });
        targets.iter().for_each(|&target| self.schema.admit(target));
        self.seen += targets.len() as u64;
    }

    /// Lets every part predict each of these rows just before it is learned; calls `each` with the predictions, row by row.
    pub(crate) fn predict_rows_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
        mut each: impl FnMut(&PartPredictions<'_, T>),
    ) {
        for start in (0..targets.len()).step_by(ROWS_PER_ROUND) {
            let end = targets.len().min(start + ROWS_PER_ROUND);
            let rows = rows.slice(s![start..end, ..]);
            self.round(rows, &targets[start..end], &mut each);
        }
    }

    fn round(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
        each: &mut impl FnMut(&PartPredictions<'_, T>),
    ) {
        let mut after = self.schema;
        targets.iter().for_each(|&target| after.admit(target));
        let (deal, width) = (self.deal(), after.width());
        let units = targets.len() * self.parts.len() * self.forest.trees;
        threads::each(&mut self.parts, units, |part| {
            part.predict_rows_then_learn(rows, targets, deal, width);
        });
        for (row, &target) in targets.iter().enumerate() {
            each(&PartPredictions {
                voters: self.voters(),
                row,
                width,
                known: self.schema.width(),
            });
            self.schema.admit(target);
            self.seen += 1;
        }
    }
}
