//! The shape of a stream: how many features, which outputs.

use serde::{Deserialize, Serialize};

use crate::{Classification, SettingError, Task};

/// The shape of the samples of a stream.
///
/// ```
/// use forest_core::{Classification, Schema};
/// let open = Schema::<Classification>::new(4)?;      // classes appear as labels arrive
/// let told = open.with_classes(3)?;                  // three classes are known from the start
/// assert_eq!((open.width(), told.width()), (0, 3));
/// # Ok::<(), forest_core::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schema<T: Task> {
    features: usize,
    outputs: T::Outputs,
}

impl<T: Task> Schema<T> {
    /// A stream of samples with `features` numbers each.
    ///
    /// # Errors
    /// Zero features.
    pub fn new(features: usize) -> Result<Self, SettingError> {
        if features == 0 {
            return Err(SettingError::new("features", "must be at least 1", 0));
        }
        let outputs = T::Outputs::default();
        Ok(Self { features, outputs })
    }

    /// Number of features of a sample.
    pub fn features(&self) -> usize {
        self.features
    }

    /// What is known about the outputs.
    pub fn outputs(&self) -> T::Outputs {
        self.outputs
    }

    /// Width of a prediction row: the classes known so far, or 1.
    pub fn width(&self) -> usize {
        T::width(&self.outputs)
    }

    pub(crate) fn set_outputs(&mut self, outputs: T::Outputs) {
        self.outputs = outputs;
    }
}

impl Schema<Classification> {
    /// States that classes `0..known` exist before any label arrives.
    ///
    /// # Errors
    /// More classes than the cap.
    pub fn with_classes(mut self, known: u32) -> Result<Self, SettingError> {
        self.outputs = ClassSpace::new(known, self.outputs.cap)?;
        Ok(self)
    }

    /// States how many classes may ever appear (4096 unless told); a label beyond is refused.
    ///
    /// # Errors
    /// A cap of zero, or below the classes known.
    pub fn with_class_cap(mut self, cap: u32) -> Result<Self, SettingError> {
        self.outputs = ClassSpace::new(self.outputs.known, cap)?;
        Ok(self)
    }
}

/// The classes `0..known()`, which may grow to `cap()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSpace {
    known: u32,
    cap: u32,
}

impl ClassSpace {
    const DEFAULT_CAP: u32 = 4096;

    fn new(known: u32, cap: u32) -> Result<Self, SettingError> {
        if cap == 0 || known > cap {
            let rule = "must be at least 1 and no less than the classes known";
            return Err(SettingError::new("class_cap", rule, cap));
        }
        Ok(Self { known, cap })
    }

    /// Number of classes known: the largest label seen or stated, plus one.
    pub fn known(self) -> u32 {
        self.known
    }

    /// Number of classes that may ever be known.
    pub fn cap(self) -> u32 {
        self.cap
    }

    pub(crate) fn admit(self, class: u32) -> Self {
        let known = self.known.max(class + 1);
        Self { known, ..self }
    }
}

impl Default for ClassSpace {
    fn default() -> Self {
        let cap = Self::DEFAULT_CAP;
        Self { known: 0, cap }
    }
}
