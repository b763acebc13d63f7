//! Who is compared: algorithms of the table, offline learners, and the caller's own.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use datasets::TaskKind;
use forest_core::parameters::{Parameter, Values, did_you_mean, split};
use forest_core::registry::AlgorithmError;
use forest_core::{
    Classification, FeatureValues, ForestSettings, OnlineLearner, Regression, Schema, SettingError,
    Task,
};
use online_forests::Algorithm;
use serde_json::Value;

use crate::RunError;
use crate::offline::{Fit, Model, OfflineRow, offline_rows};
use crate::record::{Params, WEIGHTS};

/// An algorithm that takes part in a comparison: a name with parameters, such as `mondrian:budget=2`, of one that learns row by row or of
/// one that sees all training rows at once; or the caller's own learner.
///
/// [`Display`](fmt::Display) writes the label that the caller gave, or what [`FromStr`] reads.
#[derive(Clone)]
pub struct Contender {
    label: Option<Arc<str>>,
    kind: Kind,
    classifier: Option<OwnBuild<Classification>>,
    regressor: Option<OwnBuild<Regression>>,
}

/// Who takes part.
#[derive(Clone)]
pub enum Kind {
    /// One of the table, which learns row by row.
    Online(Algorithm),
    /// One that sees all training rows at once, with the parameters given.
    Offline(&'static OfflineRow, Values),
    /// The caller's own, by name.
    Own(Arc<str>),
}

/// Makes the caller's own learner of one task, again for each run.
#[derive(Clone)]
pub enum OwnBuild<T: BatchTask> {
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
pub trait BatchTask: Task {
    /// The task as a value.
    const KIND: TaskKind;

    /// Returns a target as a number.
    fn number(target: Self::Target) -> f64;

    /// Returns what makes offline learners, or the caller's own, of this task.
    fn own(contender: &mut Contender) -> &mut Option<OwnBuild<Self>>;
}

impl BatchTask for Classification {
    const KIND: TaskKind = TaskKind::Classification;

    fn number(target: u32) -> f64 {
        target.into()
    }

    fn own(contender: &mut Contender) -> &mut Option<OwnBuild<Self>> {
        &mut contender.classifier
    }
}

impl BatchTask for Regression {
    const KIND: TaskKind = TaskKind::Regression;

    fn number(target: f64) -> f64 {
        target
    }

    fn own(contender: &mut Contender) -> &mut Option<OwnBuild<Self>> {
        &mut contender.regressor
    }
}

pub(crate) enum Learner<T: BatchTask> {
    Online(Box<dyn OnlineLearner<Task = T>>),
    AtOnce(Arc<Fit<T>>, Option<Model>),
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
    fn of(kind: Kind) -> Self {
        let (label, classifier, regressor) = (None, None, None);
        Self {
            label,
            kind,
            classifier,
            regressor,
        }
    }

    fn offline(row: &'static OfflineRow, given: Values) -> Self {
        let mut values = given.clone();
        let classifier = row.classification.map(|make| make(&mut values));
        let regressor = row.regression.map(|make| make(&mut values));
        let mut contender = Self::of(Kind::Offline(row, given));
        contender.classifier = classifier.map(OwnBuild::Offline);
        contender.regressor = regressor.map(OwnBuild::Offline);
        contender
    }

    /// Returns a learner of the caller that supports no task yet.
    pub fn own(name: &str) -> Self {
        Self::of(Kind::Own(name.into()))
    }

    /// Returns the same with what makes its learners of task `T`.
    #[must_use]
    pub fn with<T: BatchTask>(mut self, build: OwnBuild<T>) -> Self {
        *T::own(&mut self) = Some(build);
        self
    }

    /// Returns a learner of the caller: an [`OnlineLearner`].
    pub fn new<L: OnlineLearner<Task: BatchTask> + 'static>(
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
    pub fn labelled(self, label: &str) -> Self {
        let label = Some(label.into());
        Self { label, ..self }
    }

    /// Returns every named algorithm with its defaults, those that learn row by row first.
    pub fn all() -> impl Iterator<Item = Self> {
        let online = Algorithm::all().map(|known| Self::of(Kind::Online(known)));
        let offline =
            offline_rows().map(|row| Self::offline(row, Values::defaults(row.parameters)));
        online.chain(offline)
    }

    /// Returns those that are compared by default: one of each family that learns online.
    pub fn defaults() -> impl Iterator<Item = Self> {
        let known = Algorithm::all().filter(|known| !known.is_variant());
        known.map(|known| Self::of(Kind::Online(known)))
    }

    /// Returns the name without parameters.
    pub fn name(&self) -> &str {
        match &self.kind {
            Kind::Online(algorithm) => algorithm.name(),
            Kind::Offline(row, _) => row.name,
            Kind::Own(name) => name,
        }
    }

    /// Returns who it is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    fn parameters(&self) -> Vec<Parameter> {
        match &self.kind {
            Kind::Online(algorithm) => algorithm.parameters(),
            Kind::Offline(row, _) => row.parameters.to_vec(),
            Kind::Own(_) => Vec::new(),
        }
    }

    /// Returns the algorithm and the parameters given, whatever the label.
    pub fn text(&self) -> String {
        match &self.kind {
            Kind::Online(algorithm) => algorithm.to_string(),
            Kind::Offline(row, given) if given.is_empty() => row.name.to_owned(),
            Kind::Offline(row, given) => format!("{}:{given}", row.name),
            Kind::Own(name) => name.to_string(),
        }
    }

    pub(crate) fn params(&self) -> Params {
        match &self.kind {
            Kind::Online(algorithm) => params(algorithm.explicit_values()),
            Kind::Offline(_, given) => params(given.given()),
            Kind::Own(_) => Params::new(),
        }
    }

    /// Returns the algorithm with these feature weights, if it takes weights and the caller has not set any.
    pub(crate) fn with_weights(&self, weights: &[f64]) -> Self {
        let given = self.params();
        let takes = |known: &Parameter| known.name == WEIGHTS && known.default != "none";
        if given.contains_key(WEIGHTS) || !self.parameters().iter().any(takes) {
            return self.clone();
        }
        let separator = if given.is_empty() { ':' } else { ',' };
        let weights: Vec<String> = weights.iter().map(f64::to_string).collect();
        let text = format!("{}{separator}{WEIGHTS}={}", self.text(), weights.join("/"));
        let weighted: Self = text.parse().expect("weights are numbers of at least 0");
        let label = self.label.clone();
        Self { label, ..weighted }
    }

    /// Returns whether it ignores the features.
    pub fn is_baseline(&self) -> bool {
        matches!(&self.kind, Kind::Online(algorithm) if algorithm.is_baseline())
    }

    /// Returns whether it is the caller's own.
    pub fn is_own(&self) -> bool {
        matches!(self.kind, Kind::Own(_))
    }

    /// Returns whether it sees all training rows at once.
    pub fn is_offline(&self) -> bool {
        let is_offline = matches!(self.classifier, Some(OwnBuild::Offline(_)));
        is_offline || matches!(self.regressor, Some(OwnBuild::Offline(_)))
    }

    /// Returns whether it learns this task.
    pub fn supports(&self, task: TaskKind) -> bool {
        let is_classes = task == TaskKind::Classification;
        match &self.kind {
            Kind::Online(known) if is_classes => known.supports::<Classification>(),
            Kind::Online(known) => known.supports::<Regression>(),
            _ if is_classes => self.classifier.is_some(),
            _ => self.regressor.is_some(),
        }
    }

    pub(crate) fn build<T: BatchTask>(
        &self,
        features: usize,
        settings: ForestSettings,
    ) -> Result<(Learner<T>, Planned), RunError> {
        let schema = Schema::<T>::new(features)?;
        let mut planned = self.given();
        if let Kind::Online(algorithm) = &self.kind {
            let learner = algorithm.build(schema, settings)?;
            planned.params = params(learner.algorithm().explicit_values());
            planned.has_trees = learner.trees() > 0;
            let takes = learner.feature_values();
            planned.takes_missing |= takes == FeatureValues::NumbersAndCategories;
            return Ok((Learner::Online(Box::new(learner)), planned));
        }
        if let Kind::Offline(row, given) = &self.kind {
            let all = row.parameters.iter().map(|known| known.name);
            planned.params = params(all.filter_map(|name| Some((name, given.peek(name)?))));
            planned.has_trees = row.has_trees;
        }
        let learner = match T::own(&mut self.clone()) {
            Some(OwnBuild::Online(build)) => Learner::Online(build(schema, settings)?),
            Some(OwnBuild::Offline(fit)) => Learner::AtOnce(fit.clone(), None),
            None => {
                let reason = format!("{} does not support {}", self.text(), T::NAME);
                return Err(RunError::Failed(reason));
            }
        };
        Ok((learner, planned))
    }

    pub(crate) fn planned(&self, task: TaskKind, features: usize, trees: usize) -> Planned {
        let settings = ForestSettings::default().with_trees(trees);
        let built = match task {
            _ if self.is_own() => None,
            TaskKind::Classification => self.plan::<Classification>(features, settings),
            TaskKind::Regression => self.plan::<Regression>(features, settings),
        };
        built.unwrap_or_else(|| self.given())
    }

    fn plan<T: BatchTask>(&self, features: usize, settings: ForestSettings) -> Option<Planned> {
        Some(self.build::<T>(features, settings).ok()?.1)
    }

    /// Returns what is known of what cannot be made.
    fn given(&self) -> Planned {
        let takes_missing = self.is_baseline() || self.is_own();
        let (params, has_trees) = (self.params(), true);
        Planned {
            params,
            has_trees,
            takes_missing,
        }
    }
}

/// Returns values as data: numbers where JSON has them, else text (`inf`).
fn params<'a>(values: impl Iterator<Item = (&'static str, &'a str)>) -> Params {
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let named = values.map(|(name, text)| (name.to_owned(), value(text)));
    named.collect()
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.label {
            Some(label) => f.write_str(label),
            None => f.write_str(&self.text()),
        }
    }
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contender({:?})", self.to_string())
    }
}

impl FromStr for Contender {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let mut known = match text.parse() {
            Ok(online) => return Ok(Self::of(Kind::Online(online))),
            Err(AlgorithmError::Unknown { known, .. }) => known,
            Err(other) => return Err(other),
        };
        let (name, values) = split(text);
        if let Some(row) = offline_rows().find(|row| row.name == name) {
            let given = Values::read(row.name, row.parameters, values)?;
            return Ok(Self::offline(row, given));
        }
        known.extend(offline_rows().map(|row| row.name));
        let (name, suggestion) = (name.to_owned(), did_you_mean(name, known.iter().copied()));
        Err(AlgorithmError::Unknown {
            name,
            suggestion,
            known,
        })
    }
}
