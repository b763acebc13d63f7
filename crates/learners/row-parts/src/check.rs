//! Invariants of the parts, the settings and the stream.

use forest_core::{InvariantError, OnlineLearner, SettingError};
use registry::{BaseLearner, NamedTask};

use crate::part::Part;
use crate::{NESTING, RowParts};

impl<T: NamedTask> RowParts<T> {
    /// Checks the state against what would be built from the settings.
    pub(crate) fn check(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        self.settings.check(&self.forest).map_err(rule)?;
        let first = self.parts.first().map_or(0, Part::number);
        let in_order = (first..)
            .zip(&self.parts)
            .all(|(number, part)| number == part.number());
        let end = u64::from(first) + self.parts.len() as u64;
        let some = !self.parts.is_empty() && end <= u64::from(self.settings.parts);
        let counted = self.seen <= u64::MAX / 4;
        let what = "they are not a contiguous range of the parts of the settings";
        InvariantError::require(some && in_order && counted, "parts", what)?;
        let built = BaseLearner::<T, NESTING>::build(&self.settings.base, self.schema, self.forest);
        let built = built.map_err(rule)?;
        self.parts
            .iter()
            .try_for_each(|part| self.check_part(part, &built))
    }

    fn check_part(
        &self,
        part: &Part<T>,
        built: &BaseLearner<T, NESTING>,
    ) -> Result<(), InvariantError> {
        let place = || format!("part {}", part.number());
        let (learner, built) = (part.learner(), built.get());
        let same = (learner.algorithm(), learner.trees()) == (built.algorithm(), built.trees());
        let what = "it does not match the settings";
        InvariantError::require(same, place(), what)?;
        let (own, all) = (learner.schema(), &self.schema);
        let fits = own.features() == all.features() && own.width() <= all.width();
        let learned = learner.samples_seen() == self.deal().learned(part.number());
        let what = "it has not learned its rows of the stream";
        InvariantError::require(fits && learned, place(), what)?;
        let found = learner.check_invariants();
        found.map_err(|error| {
            InvariantError::new(format!("{}, {}", place(), error.place), error.what)
        })
    }
}
