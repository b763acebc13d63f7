//! The baselines: they look at the targets alone.

use std::fmt::Debug;

use forest_core::{
    ByRow, Classification, ForestSettings, Latest, MovingMean, NoChange, Prior, Regression,
    RowLearner, Schema, SettingError, Summary, Task,
};

use parameters::{Parameter, Rule, field};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Configuration, Entry, Named, Role, learner};

/// Class frequencies so far.
pub static MAJORITY: Entry = Entry {
    name: "majority",
    description: "class frequencies so far, whatever the features",
    paper: "none: the trivial baseline",
    limits: &[],
    role: Role::Baseline,
    classification: Some(learner::<Prior<Classification>>()),
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
    regression: Some(learner::<Prior<Regression>>()),
};

/// The latest target.
pub static NO_CHANGE: Entry = Entry {
    name: "no-change",
    description: "the latest target, whatever the features",
    paper: "Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013",
    limits: &[],
    role: Role::Baseline,
    classification: Some(learner::<NoChange<Classification>>()),
    regression: Some(learner::<NoChange<Regression>>()),
};

/// The mean of the latest targets.
pub static MOVING_MEAN: Entry = Entry {
    name: "moving-mean",
    description: "mean of the latest targets, whatever the features",
    paper: "none: the baseline of streams whose level drifts",
    limits: &[],
    role: Role::Baseline,
    classification: None,
    regression: Some(learner::<MovingMean>()),
};

/// A baseline without parameters, by name.
trait NamedMemory<T: Task>:
    RowLearner<T> + Clone + Debug + Default + Serialize + DeserializeOwned + 'static
{
    const CONFIGURATIONS: &'static [Configuration<()>];
}

impl NamedMemory<Classification> for Summary<Classification> {
    const CONFIGURATIONS: &'static [Configuration<()>] = &[without_parameters(&MAJORITY)];
}

impl NamedMemory<Regression> for Summary<Regression> {
    const CONFIGURATIONS: &'static [Configuration<()>] = &[without_parameters(&MEAN)];
}

impl<T: Task> NamedMemory<T> for Latest<T> {
    const CONFIGURATIONS: &'static [Configuration<()>] = &[without_parameters(&NO_CHANGE)];
}

const fn without_parameters(entry: &'static Entry) -> Configuration<()> {
    Configuration {
        entry,
        default: |_| (),
        includes: |()| true,
        fields: &[],
    }
}

impl<T: Task, M: NamedMemory<T>> Named for ByRow<T, M> {
    type Settings = ();

    fn configurations() -> &'static [Configuration<()>] {
        M::CONFIGURATIONS
    }

    fn build(schema: Schema<T>, (): (), _: ForestSettings) -> Result<Self, SettingError> {
        Ok(Self::new(schema))
    }

    fn settings(&self) {}

    fn trees(&self) -> usize {
        0
    }
}

const WINDOW: Parameter = Parameter::new(
    "window",
    Rule::Count(1),
    "100",
    "how many of the latest targets count",
);

const OF_MOVING_MEAN: &[Configuration<usize>] = &[Configuration {
    entry: &MOVING_MEAN,
    default: |_| 100,
    includes: |_| true,
    fields: &[&[field!(WINDOW, window => *window)]],
}];

impl Named for MovingMean {
    type Settings = usize;

    fn configurations() -> &'static [Configuration<usize>] {
        OF_MOVING_MEAN
    }

    fn build(
        schema: Schema<Regression>,
        window: usize,
        _: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::of_latest(window, schema)
    }

    fn settings(&self) -> usize {
        self.window()
    }

    fn trees(&self) -> usize {
        0
    }
}
