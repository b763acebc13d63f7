//! The baselines: they look at the targets alone.

use std::fmt::Debug;

use crate::{
    ByRow, Classification, ForestSettings, MovingMean, NoChange, Prior, Regression, RowLearner,
    Schema, SettingError,
};

use crate::parameters::{Parameter, Rule};
use serde::{Serialize, de::DeserializeOwned};

use crate::registry::{Entry, Named, NamedTask, Role, learner};

crate::registry::submit!(&[MAJORITY, MEAN, MOVING_MEAN, NO_CHANGE]);

/// Class frequencies so far.
pub const MAJORITY: &Entry = &Entry {
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    classification: Some(learner::<Prior<Classification>>),
    ..Entry::new(
        "majority",
        "class frequencies so far, whatever the features",
    )
};

/// The mean so far.
pub const MEAN: &Entry = &Entry {
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    regression: Some(learner::<Prior<Regression>>),
    ..Entry::new("mean", "mean of the targets so far, whatever the features")
};

/// The latest target.
pub const NO_CHANGE: &Entry = &Entry {
    paper: "Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013",
    role: Role::Baseline,
    classification: Some(learner::<NoChange<Classification>>),
    regression: Some(learner::<NoChange<Regression>>),
    ..Entry::new("no-change", "the latest target, whatever the features")
};

/// The mean of the latest targets.
pub const MOVING_MEAN: &Entry = &Entry {
    paper: "none: the baseline of streams whose level drifts",
    role: Role::Baseline,
    regression: Some(learner::<MovingMean>),
    ..Entry::new(
        "moving-mean",
        "mean of the latest targets, whatever the features",
    )
};

/// A [row learner](RowLearner) without parameters is known by name if it is plain data.
///
/// ```
/// use forest_core::{ByRow, ForestSettings, OnlineLearner, Regression, RowLearner, Schema};
/// use forest_core::registry::{Algorithm, Entry, learner, snapshot};
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
/// forest_core::submit!(&[&Entry {
///     regression: Some(learner::<ByRow<Regression, Largest>>),
///     ..Entry::new("largest", "the largest target so far")
/// }]);
///
/// let largest: Algorithm = "largest".parse()?;
/// let mut largest = largest.build::<Regression>(Schema::new(2)?, ForestSettings::default())?;
/// largest.learn_one(&[0.5, 0.1], 3.0)?;
/// let loaded: forest_core::registry::AnyLearner<Regression> = snapshot::from_bytes(&snapshot::to_bytes(&largest)?)?;
/// assert_eq!(loaded.predict_one(&[0.1, 0.1])?, [3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<T, L> Named for ByRow<T, L>
where
    T: NamedTask,
    L: RowLearner<T> + Clone + Debug + Default + Serialize + DeserializeOwned + 'static,
{
    type Settings = ();

    fn build(schema: Schema<T>, (): (), _: ForestSettings) -> Result<Self, SettingError> {
        Ok(Self::new(schema))
    }

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

    fn build(
        schema: Schema<Regression>,
        settings: MovingMeanSettings,
        _: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::with_window(settings.window, schema)
    }

    fn trees(&self) -> usize {
        0
    }
}
