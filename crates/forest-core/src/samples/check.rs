//! What must hold inside a store, and between it and the schema.

use super::SampleStore;
use crate::{FeatureValues, InvariantError, Schema, Task};

fn require(holds: bool, what: &str) -> Result<(), InvariantError> {
    InvariantError::require(holds, "sample store", what)
}

impl<T: Task> SampleStore<T> {
    /// Checks that lengths agree, that features have `taken` values, and that `schema` lets every sample in and knows its target.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check(&self, schema: &Schema<T>, taken: FeatureValues) -> Result<(), InvariantError> {
        let fits = self.width == schema.features();
        require(fits, "its width is not the schema's")?;
        let rows = self.targets.len();
        let agree = self.features.len() == rows.saturating_mul(self.width)
            && (self.arrivals.len(), self.marks.forgotten.len()) == (rows, rows)
            && self.marks.weights.len() <= rows;
        require(agree, "features, targets and arrivals differ in number")?;
        let are_taken = self.features.iter().all(|&value| taken.admit(value));
        require(
            are_taken,
            "a stored feature is not a value that trees of this kind take",
        )?;
        let ordered = self.arrivals.iter().is_sorted_by(|a, b| a < b);
        require(ordered, "samples are not in order of arrival")?;
        let counted = self.count_forgotten() == (self.forgotten_count, self.oldest);
        require(counted, "forgotten samples are miscounted")?;
        for weight in self.marks.weights.iter() {
            weight.check()?;
        }
        self.check_targets(schema.outputs())
    }

    fn check_targets(&self, outputs: T::Outputs) -> Result<(), InvariantError> {
        for (row, &target) in self.targets.iter().enumerate() {
            let refused = |error| InvariantError::new("sample store", error);
            T::check(&outputs, target, row).map_err(refused)?;
            let known = T::admit(outputs, target) == outputs;
            require(known, "a target is not known to the schema")?;
        }
        Ok(())
    }
}
