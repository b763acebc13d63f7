//! Who is compared: algorithms of the table, offline learners, and the caller's own.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use datasets::TaskKind;
use forest_core::parameters::{ParameterError, Values, split};
use forest_core::registry::BuildError;
use forest_core::{
    Classification, FeatureValues, ForestSettings, OnlineLearner, Regression, Schema, SettingError,
    Task,
};
use online_forests::Algorithm;
use serde_json::Value;

use crate::RunError;
use crate::offline::{Fit, Model, offline_rows};
use crate::record::{Params, WEIGHTS};

/// Who takes part in a comparison: an algorithm of the table with parameters, such as `mondrian:budget=2`, which learns
/// row by row or sees all training rows at once; or the caller's own learner.
///
/// [`Display`](fmt::Display) writes the label that the caller gave, or what [`FromStr`] reads.
#[derive(Clone)]
pub struct Contender {
    /// Empty for an algorithm that is called by its own name.
    label: Arc<str>,
    /// `None` for the caller's own.
    algorithm: Option<Algorithm>,
    classifier: Option<OwnBuild<Classification>>,
    regressor: Option<OwnBuild<Regression>>,
}

/// Makes the caller's own learner of one task, again for each run.
#[derive(Clone)]
pub enum OwnBuild<T: ComparedTask> {
    /// One that learns row by row.
    Online(Arc<Build<T>>),
    /// One that sees all training rows at once.
    Offline(Arc<Fit<T>>),
}

/// Makes a learner for rows of a schema.
pub type Build<T> = dyn Fn(Schema<T>, ForestSettings) -> Result<Box<dyn OnlineLearner<Task = T>>, RunError>
    + Send
    + Sync;

/// A task that can be compared.
pub trait ComparedTask: Task<Target: Into<f64>> {
    /// The task as a value.
    const KIND: TaskKind;

    /// Returns what makes offline learners, or the caller's own, of this task.
    fn own(contender: &Contender) -> Option<&OwnBuild<Self>>;

    /// Sets what makes the caller's own learners of this task.
    fn set_own(contender: &mut Contender, build: OwnBuild<Self>);
}

impl ComparedTask for Classification {
    const KIND: TaskKind = TaskKind::Classification;

    fn own(contender: &Contender) -> Option<&OwnBuild<Self>> {
        contender.classifier.as_ref()
    }

    fn set_own(contender: &mut Contender, build: OwnBuild<Self>) {
        contender.classifier = Some(build);
    }
}

impl ComparedTask for Regression {
    const KIND: TaskKind = TaskKind::Regression;

    fn own(contender: &Contender) -> Option<&OwnBuild<Self>> {
        contender.regressor.as_ref()
    }

    fn set_own(contender: &mut Contender, build: OwnBuild<Self>) {
        contender.regressor = Some(build);
    }
}

/// A learner of a run. An offline one has a model after it was fitted.
pub(crate) enum Learner<T: ComparedTask> {
    Online(Box<dyn OnlineLearner<Task = T>>),
    Offline(Arc<Fit<T>>, Option<Model>),
}

/// What is known of a learner before it runs.
pub(crate) struct Planned {
    /// All parameters; of what cannot be made, those given.
    pub params: Params,
    /// Whether it uses the number of trees; of the caller's own, that is unknown.
    pub has_trees: bool,
    /// Whether it takes rows of which features are missing, or categories.
    pub takes_missing: bool,
}

impl Contender {
    fn of(algorithm: Algorithm) -> Self {
        let mut contender = Self::own("");
        if let Some(row) = offline_rows().find(|row| row.entry.name == algorithm.name()) {
            let mut values = values(&algorithm);
            let classifier = row.classification.map(|make| make(&mut values));
            let regressor = row.regression.map(|make| make(&mut values));
            contender.classifier = classifier.map(OwnBuild::Offline);
            contender.regressor = regressor.map(OwnBuild::Offline);
        }
        contender.algorithm = Some(algorithm);
        contender
    }

    /// Returns a learner of the caller that supports no task yet.
    pub fn own(name: &str) -> Self {
        Self {
            label: name.into(),
            algorithm: None,
            classifier: None,
            regressor: None,
        }
    }

    /// Returns the same with what makes its learners of task `T`.
    #[must_use]
    pub fn with<T: ComparedTask>(mut self, build: OwnBuild<T>) -> Self {
        T::set_own(&mut self, build);
        self
    }

    /// Returns a learner of the caller: an [`OnlineLearner`].
    pub fn new<L: OnlineLearner<Task: ComparedTask> + 'static>(
        name: &str,
        build: impl Fn(Schema<L::Task>, ForestSettings) -> Result<L, SettingError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self::own(name).with(OwnBuild::Online(Arc::new(move |schema, settings| {
            Ok(Box::new(build(schema, settings)?) as Box<dyn OnlineLearner<Task = L::Task>>)
        })))
    }

    /// Returns the same under another name in tables.
    #[must_use]
    pub fn labelled(mut self, label: &str) -> Self {
        self.label = label.into();
        self
    }

    /// Returns every named algorithm with its defaults, those that learn row by row first.
    pub fn all() -> impl Iterator<Item = Self> {
        Algorithm::all().map(Self::of)
    }

    /// Returns the algorithms that are compared by default: one of each family that learns online.
    pub fn defaults() -> impl Iterator<Item = Self> {
        Algorithm::all()
            .filter(|algorithm| !algorithm.is_variant() && !algorithm.is_offline())
            .map(Self::of)
    }

    /// Returns the algorithm of the table; `None` for the caller's own.
    pub fn algorithm(&self) -> Option<&Algorithm> {
        self.algorithm.as_ref()
    }

    /// Returns the name without parameters.
    pub fn name(&self) -> &str {
        self.algorithm().map_or(&self.label, |known| known.name())
    }

    /// Returns the algorithm and the parameters given, whatever the label.
    pub fn text(&self) -> String {
        match &self.algorithm {
            Some(algorithm) => algorithm.to_string(),
            None => self.label.to_string(),
        }
    }

    /// Returns the parameters that were given.
    pub(crate) fn params(&self) -> Params {
        match &self.algorithm {
            Some(algorithm) => params(algorithm.explicit_values()),
            None => Params::new(),
        }
    }

    /// Returns the algorithm with these feature weights, if it takes weights and the caller has not set any.
    pub(crate) fn with_weights(&self, weights: &[f64]) -> Self {
        let mut parameters = self.algorithm.iter().flat_map(Algorithm::parameters);
        let takes_weights = parameters.any(|one| one.name == WEIGHTS && one.default != "none");
        let given = self.params();
        if !takes_weights || given.contains_key(WEIGHTS) {
            return self.clone();
        }
        let separator = if given.is_empty() { ':' } else { ',' };
        let weights: Vec<String> = weights.iter().map(f64::to_string).collect();
        let text = format!("{}{separator}{WEIGHTS}={}", self.text(), weights.join("/"));
        let mut weighted: Self = text.parse().expect("weights are numbers of at least 0");
        weighted.label = self.label.clone();
        weighted
    }

    /// Returns whether it ignores the features.
    pub fn is_baseline(&self) -> bool {
        self.algorithm.as_ref().is_some_and(Algorithm::is_baseline)
    }

    /// Returns whether it is the caller's own.
    pub fn is_own(&self) -> bool {
        self.algorithm.is_none()
    }

    /// Returns whether it sees all training rows at once.
    pub fn is_offline(&self) -> bool {
        matches!(self.classifier, Some(OwnBuild::Offline(_)))
            || matches!(self.regressor, Some(OwnBuild::Offline(_)))
    }

    /// Returns whether it learns this task.
    pub fn supports(&self, task: TaskKind) -> bool {
        match task {
            TaskKind::Classification => self.learns::<Classification>(),
            TaskKind::Regression => self.learns::<Regression>(),
        }
    }

    fn learns<T: ComparedTask>(&self) -> bool {
        T::own(self).is_some() || self.algorithm().is_some_and(Algorithm::supports::<T>)
    }

    /// Makes the learner of a run, with what is known of it.
    pub(crate) fn build<T: ComparedTask>(
        &self,
        features: usize,
        settings: ForestSettings,
    ) -> Result<(Learner<T>, Planned), RunError> {
        let schema = Schema::<T>::new(features)?;
        let mut planned = self.given();
        match (T::own(self), &self.algorithm) {
            (Some(OwnBuild::Online(build)), _) => {
                Ok((Learner::Online(build(schema, settings)?), planned))
            }
            (Some(OwnBuild::Offline(fit)), algorithm) => {
                if let Some(algorithm) = algorithm {
                    let values = values(algorithm);
                    let names = algorithm.parameters().into_iter().map(|one| one.name);
                    let known = names.filter_map(|name| Some((name, values.peek(name)?)));
                    planned.params = params(known);
                    planned.has_trees = algorithm.trees() > 0;
                }
                Ok((Learner::Offline(fit.clone(), None), planned))
            }
            (None, Some(algorithm)) if !algorithm.is_offline() => {
                let learner = algorithm.build(schema, settings)?;
                planned.params = params(learner.algorithm().explicit_values());
                planned.has_trees = learner.trees() > 0;
                let takes = learner.feature_values();
                planned.takes_missing |= takes == FeatureValues::NumbersAndCategories;
                Ok((Learner::Online(Box::new(learner)), planned))
            }
            _ => Err(BuildError::wrong_task(self.name(), T::NAME).into()),
        }
    }

    /// Returns what is known of its learners of a task.
    pub(crate) fn planned(&self, task: TaskKind, features: usize, trees: usize) -> Planned {
        if self.is_own() {
            return self.given();
        }
        match task {
            TaskKind::Classification => self.planned_as::<Classification>(features, trees),
            TaskKind::Regression => self.planned_as::<Regression>(features, trees),
        }
    }

    fn planned_as<T: ComparedTask>(&self, features: usize, trees: usize) -> Planned {
        let settings = ForestSettings::default().with_trees(trees);
        let built = self.build::<T>(features, settings);
        built.map_or_else(|_| self.given(), |(_, planned)| planned)
    }

    /// Returns what is known before a learner is made.
    fn given(&self) -> Planned {
        Planned {
            params: self.params(),
            has_trees: true,
            takes_missing: self.is_baseline() || self.is_own(),
        }
    }
}

/// Returns the values of an offline algorithm, given or by default.
fn values(algorithm: &Algorithm) -> Values {
    let text = algorithm.to_string();
    let values = Values::read(algorithm.name(), &algorithm.parameters(), split(&text).1);
    values.expect("it was read from such a text")
}

/// Returns values as data: numbers where JSON has them, else text (`inf`).
fn params<'a>(values: impl Iterator<Item = (&'static str, &'a str)>) -> Params {
    let mut params = Params::new();
    for (name, text) in values {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        params.insert(name.to_owned(), value);
    }
    params
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.label.is_empty() {
            return f.write_str(&self.text());
        }
        f.write_str(&self.label)
    }
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contender({:?})", self.to_string())
    }
}

impl FromStr for Contender {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        Ok(Self::of(text.parse()?))
    }
}
