//! The shape of a stream: how many features, which outputs, which classes.

use serde::{Deserialize, Serialize};

use crate::{ClassSpace, Classification, InputError, SettingError, Task};

/// The shape of the samples of a stream.
///
/// ```
/// use forest_core::{Classification, Schema};
/// let open = Schema::<Classification>::new(4)?;      // classes appear as labels arrive
/// let three = open.with_classes(3)?;                 // three classes are known from the start
/// assert_eq!((open.width(), three.width()), (0, 3));
/// # Ok::<(), forest_core::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schema<T: Task> {
    features: usize,
    pub(crate) outputs: T::Outputs,
}

impl<T: Task> Schema<T> {
    /// Returns a stream of samples with `features` numbers each.
    ///
    /// # Errors
    /// Returns an error if `features` is 0.
    pub fn new(features: usize) -> Result<Self, SettingError> {
        let outputs = T::Outputs::default();
        Self { features, outputs }.with_features(features)
    }

    /// Checks a schema that was decoded.
    ///
    /// # Errors
    /// Returns an error if the number of features is 0, or the outputs are impossible.
    pub fn check(&self) -> Result<(), SettingError> {
        SettingError::require(self.features > 0, "features", "must be at least 1", 0)?;
        T::check_outputs(&self.outputs)
    }

    /// Returns the number of features of a sample.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Returns the same outputs for samples with `features` numbers each.
    ///
    /// # Errors
    /// Returns an error if `features` is 0.
    pub fn with_features(self, features: usize) -> Result<Self, SettingError> {
        let schema = Self { features, ..self };
        schema.check()?;
        Ok(schema)
    }

    /// Returns the outputs known so far.
    pub fn outputs(&self) -> T::Outputs {
        self.outputs
    }

    /// Returns the width of a prediction row: the classes known so far, or 1.
    pub fn width(&self) -> usize {
        T::width(&self.outputs)
    }

    /// Checks that there is a target for each of `rows` rows, and that this stream may have it.
    ///
    /// # Errors
    /// Returns an error if the numbers differ or a target is refused.
    pub fn check_targets(&self, rows: usize, targets: &[T::Target]) -> Result<(), InputError> {
        InputError::check_number("target", targets.len(), rows)?;
        for (row, &target) in targets.iter().enumerate() {
            T::check(&self.outputs, target, row)?;
        }
        Ok(())
    }

    /// Returns whether a stream of this schema may hold `target`: it is not refused, and its class is known.
    pub fn knows(&self, target: T::Target) -> bool {
        T::check(&self.outputs, target, 0).is_ok() && T::admit(self.outputs, target) == self.outputs
    }

    /// Records that `target`, which the schema does not refuse, has been seen.
    pub fn admit(&mut self, target: T::Target) {
        self.outputs = T::admit(self.outputs, target);
    }
}

impl Schema<Classification> {
    /// States that classes `0..known` exist before any label arrives.
    ///
    /// # Errors
    /// Returns an error if these are more than the cap.
    pub fn with_classes(mut self, known: u32) -> Result<Self, SettingError> {
        self.outputs = ClassSpace::new(known, self.outputs.cap())?;
        Ok(self)
    }

    /// States how many classes may ever appear (4096 by default, 2²⁴ at most); a label beyond is refused.
    ///
    /// # Errors
    /// Returns an error if the cap is 0, above 2²⁴, or below the classes known.
    pub fn with_class_cap(mut self, cap: u32) -> Result<Self, SettingError> {
        self.outputs = ClassSpace::new(self.outputs.known(), cap)?;
        Ok(self)
    }
}
