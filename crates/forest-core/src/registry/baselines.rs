//! The baselines: they look at the targets alone.

use std::fmt::Debug;

use crate::{
    ByRow, Classification, ForestSettings, Latest, MovingMean, NoChange, Prior, Regression,
    RowLearner, Schema, SettingError, Summary, Task,
};

use crate::parameters::{Parameter, Rule};
use serde::{Serialize, de::DeserializeOwned};

use crate::registry::{Capable, Entry, Named, NamedTask, Role, learner};

crate::registry::submit!(&[MAJORITY, MEAN, MOVING_MEAN, NO_CHANGE]);

/// Class frequencies so far.
pub const MAJORITY: &Entry = &Entry {
    name: "majority",
    description: "class frequencies so far, whatever the features",
    paper: "none: the trivial baseline",
    limits: &[],
    role: Role::Baseline,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(learner::<Prior<Classification>>),
    regression: None,
};

/// The mean so far.
pub const MEAN: &Entry = &Entry {
    name: "mean",
    description: "mean of the targets so far, whatever the features",
    paper: "none: the trivial baseline",
    limits: &[],
    role: Role::Baseline,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: None,
    regression: Some(learner::<Prior<Regression>>),
};

/// The latest target.
pub const NO_CHANGE: &Entry = &Entry {
    name: "no-change",
    description: "the latest target, whatever the features",
    paper: "Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013",
    limits: &[],
    role: Role::Baseline,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(learner::<NoChange<Classification>>),
    regression: Some(learner::<NoChange<Regression>>),
};

/// The mean of the latest targets.
pub const MOVING_MEAN: &Entry = &Entry {
    name: "moving-mean",
    description: "mean of the latest targets, whatever the features",
    paper: "none: the baseline of streams whose level drifts",
    limits: &[],
    role: Role::Baseline,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: None,
    regression: Some(learner::<MovingMean>),
};

/// A learner without parameters that takes one row at a time, by name: what [`ByRow`] around it needs to be [`Named`], and so to be
/// compared, trained, saved and loaded like any other.
///
/// ```
/// use forest_core::{ByRow, ForestSettings, OnlineLearner, Regression, RowLearner, Schema};
/// use forest_core::registry::{Algorithm, Entry, NamedRowLearner, Role, learner, snapshot};
/// use serde::{Deserialize, Serialize};
///
/// /// Predicts the largest target so far.
/// #[derive(Clone, Debug, Default, Serialize, Deserialize)]
/// struct Largest(f64);
///
/// impl RowLearner<Regression> for Largest {
///     fn learn(&mut self, _: &[f32], target: f64, seen: u64) {
///         self.0 = if seen == 1 { target } else { self.0.max(target) };
///     }
///     fn predict(&self, _: &[f32], _: u64, prediction: &mut [f64]) {
///         prediction[0] = self.0;
///     }
/// }
///
/// const LARGEST: &Entry = &Entry {
///     regression: Some(learner::<ByRow<Regression, Largest>>),
///     ..Entry::new("largest", "the largest target so far")
/// };
/// impl NamedRowLearner<Regression> for Largest {
///     const ROWS: &'static [&'static Entry] = &[LARGEST];
/// }
/// forest_core::submit!(&[LARGEST]);
///
/// let largest: Algorithm = "largest".parse()?;
/// let mut largest = largest.build::<Regression>(Schema::new(1)?, ForestSettings::default())?;
/// largest.learn_one(&[0.5], 3.0)?;
/// let loaded: forest_core::registry::AnyLearner<Regression> = snapshot::from_bytes(&snapshot::to_bytes(&largest)?)?;
/// assert_eq!(loaded.predict_one(&[0.1])?, [3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait NamedRowLearner<T: Task>:
    RowLearner<T> + Clone + Debug + Default + Serialize + DeserializeOwned + 'static
{
    /// The rows of the table that make it.
    const ROWS: &'static [&'static Entry];
}

impl NamedRowLearner<Classification> for Summary<Classification> {
    const ROWS: &'static [&'static Entry] = &[MAJORITY];
}

impl NamedRowLearner<Regression> for Summary<Regression> {
    const ROWS: &'static [&'static Entry] = &[MEAN];
}

impl<T: Task> NamedRowLearner<T> for Latest<T> {
    const ROWS: &'static [&'static Entry] = &[NO_CHANGE];
}

impl<T: Task, L: RowLearner<T>> Capable for ByRow<T, L> {}

impl<T: NamedTask, M: NamedRowLearner<T>> Named for ByRow<T, M> {
    type Settings = ();

    fn rows() -> &'static [&'static Entry] {
        M::ROWS
    }

    fn build(schema: Schema<T>, (): (), _: ForestSettings) -> Result<Self, SettingError> {
        Ok(Self::new(schema))
    }

    fn settings(&self) {}

    fn trees(&self) -> usize {
        0
    }
}

/// What is chosen for [`MovingMean`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovingMeanSettings {
    /// How many of the latest targets count, 1 or more.
    pub window: usize,
}

crate::registry::settings! {
    MovingMeanSettings {
        window: Parameter::new("window", Rule::Count(1), "100", "how many of the latest targets count");
    }
}

impl Named for MovingMean {
    type Settings = MovingMeanSettings;

    fn rows() -> &'static [&'static Entry] {
        const { &[MOVING_MEAN] }
    }

    fn build(
        schema: Schema<Regression>,
        settings: MovingMeanSettings,
        _: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::with_window(settings.window, schema)
    }

    fn settings(&self) -> MovingMeanSettings {
        let window = self.window();
        MovingMeanSettings { window }
    }

    fn trees(&self) -> usize {
        0
    }
}
