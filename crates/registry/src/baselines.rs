//! The baselines: they look at the targets alone.

use std::fmt::Debug;

use forest_core::{
    ByRow, Classification, ForestSettings, Latest, MovingMean, NoChange, Prior, Regression,
    RowLearner, Schema, SettingError, Summary, Task,
};

use parameters::{Field, Parameter, Rule, field};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Capable, Declared, Entry, Named, NamedTask, Role, learner};

/// Class frequencies so far.
pub static MAJORITY: Entry = Entry {
    name: "majority",
    description: "class frequencies so far, whatever the features",
    paper: "none: the trivial baseline",
    limits: &[],
    role: Role::Baseline,
    classification: Some(learner::<Prior<Classification>>),
    regression: None,
};

/// The mean so far.
pub static MEAN: Entry = Entry {
    name: "mean",
    description: "mean of the targets so far, whatever the features",
    paper: "none: the trivial baseline",
    limits: &[],
    role: Role::Baseline,
    classification: None,
    regression: Some(learner::<Prior<Regression>>),
};

/// The latest target.
pub static NO_CHANGE: Entry = Entry {
    name: "no-change",
    description: "the latest target, whatever the features",
    paper: "Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013",
    limits: &[],
    role: Role::Baseline,
    classification: Some(learner::<NoChange<Classification>>),
    regression: Some(learner::<NoChange<Regression>>),
};

/// The mean of the latest targets.
pub static MOVING_MEAN: Entry = Entry {
    name: "moving-mean",
    description: "mean of the latest targets, whatever the features",
    paper: "none: the baseline of streams whose level drifts",
    limits: &[],
    role: Role::Baseline,
    classification: None,
    regression: Some(learner::<MovingMean>),
};

/// A baseline without parameters, by name.
trait NamedMemory<T: Task>:
    RowLearner<T> + Clone + Debug + Default + Serialize + DeserializeOwned + 'static
{
    const ROWS: &'static [&'static Entry];
}

impl NamedMemory<Classification> for Summary<Classification> {
    const ROWS: &'static [&'static Entry] = &[&MAJORITY];
}

impl NamedMemory<Regression> for Summary<Regression> {
    const ROWS: &'static [&'static Entry] = &[&MEAN];
}

impl<T: Task> NamedMemory<T> for Latest<T> {
    const ROWS: &'static [&'static Entry] = &[&NO_CHANGE];
}

impl<T: Task, L: RowLearner<T>> Capable for ByRow<T, L> {}

impl<T: NamedTask, M: NamedMemory<T>> Named for ByRow<T, M> {
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
    /// How many of the latest targets count, 1 or more; 100 by default.
    pub window: usize,
}

impl Default for MovingMeanSettings {
    fn default() -> Self {
        Self { window: 100 }
    }
}

impl Declared for MovingMeanSettings {
    const FIELDS: &'static [Field<Self>] = &[field!(
        Parameter::new("window", Rule::Count(1), "100",
            "how many of the latest targets count"),
        settings => settings.window
    )];
}

impl Named for MovingMean {
    type Settings = MovingMeanSettings;

    fn rows() -> &'static [&'static Entry] {
        const { &[&MOVING_MEAN] }
    }

    fn build(
        schema: Schema<Regression>,
        settings: MovingMeanSettings,
        _: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::of_latest(settings.window, schema)
    }

    fn settings(&self) -> MovingMeanSettings {
        let window = self.window();
        MovingMeanSettings { window }
    }

    fn trees(&self) -> usize {
        0
    }
}
