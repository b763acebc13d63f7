//! The baselines: they look at the targets alone.

use forest_core::{
    Classification, ForestSettings, NoChange, Prior, Regression, Schema, SettingError, Task,
};

use crate::{Configuration, Entry, Named, Role, learner};

/// Class frequencies so far.
pub static MAJORITY: Entry = Entry {
    name: "majority",
    description: "class frequencies so far, whatever the features",
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    classification: Some(learner::<Prior<Classification>>()),
    regression: None,
};

/// The mean so far.
pub static MEAN: Entry = Entry {
    name: "mean",
    description: "mean of the targets so far, whatever the features",
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    classification: None,
    regression: Some(learner::<Prior<Regression>>()),
};

/// The latest target.
pub static NO_CHANGE: Entry = Entry {
    name: "no-change",
    description: "the latest target, whatever the features",
    paper: "Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013",
    role: Role::Baseline,
    classification: Some(learner::<NoChange<Classification>>()),
    regression: Some(learner::<NoChange<Regression>>()),
};

/// A task that has a baseline of its own.
trait Baseline: Task {
    const CONFIGURATIONS: &'static [Configuration<()>];
}

impl Baseline for Classification {
    const CONFIGURATIONS: &'static [Configuration<()>] = &[without_parameters(&MAJORITY)];
}

impl Baseline for Regression {
    const CONFIGURATIONS: &'static [Configuration<()>] = &[without_parameters(&MEAN)];
}

const fn without_parameters(entry: &'static Entry) -> Configuration<()> {
    Configuration {
        entry,
        default: |_| (),
        includes: |()| true,
        fields: &[],
    }
}

impl<T: Baseline> Named for Prior<T> {
    type Settings = ();

    fn configurations() -> &'static [Configuration<()>] {
        T::CONFIGURATIONS
    }

    fn build(schema: Schema<T>, (): (), _: ForestSettings) -> Result<Self, SettingError> {
        Ok(Self::new(schema))
    }

    fn settings(&self) {}

    fn trees(&self) -> usize {
        0
    }
}

const NO_CHANGE_ALONE: &[Configuration<()>] = &[without_parameters(&NO_CHANGE)];

impl<T: Task> Named for NoChange<T> {
    type Settings = ();

    fn configurations() -> &'static [Configuration<()>] {
        NO_CHANGE_ALONE
    }

    fn build(schema: Schema<T>, (): (), _: ForestSettings) -> Result<Self, SettingError> {
        Ok(Self::new(schema))
    }

    fn settings(&self) {}

    fn trees(&self) -> usize {
        0
    }
}
