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
use crate::measure::Learner;
use crate::metric::{Accumulate, Accumulator};
use crate::offline::{BatchLearner, Make, OfflineRow, offline_rows};
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

#[derive(Clone)]
enum Kind {
    Online(Algorithm),
    Offline(&'static OfflineRow, Values),
    Own(Arc<str>),
}

/// Makes the caller's own learner of one task, again for each run.
#[derive(Clone)]
pub enum OwnBuild<T: BatchTask> {
    /// One that learns row by row.
    Online(Arc<Build<T>>),
    /// One that sees all training rows at once.
    Offline(Arc<dyn BatchLearner<T> + Send + Sync>),
}

/// Makes a learner for rows of a schema.
pub type Build<T> = dyn Fn(Schema<T>, ForestSettings) -> Result<Box<dyn OnlineLearner<Task = T>>, RunError>
    + Send
    + Sync;

/// What is said of an algorithm.
#[derive(Clone, Debug)]
pub struct About {
    /// A one-line description.
    pub description: &'static str,
    /// The source: a paper or a library.
    pub paper: &'static str,
    /// Its limitations, a phrase each.
    pub limits: &'static [&'static str],
    /// Every parameter it accepts.
    pub parameters: Vec<Parameter>,
    /// The algorithm that its name stands for, with the values it sets; `None` for a name that is not an alias.
    pub alias_of: Option<String>,
}

/// A task that can be compared.
pub trait BatchTask: Task {
    /// The task as a value.
    const KIND: TaskKind;

    /// Adds a target, `weight` times, to a prediction: to the cell of its class, or to the only cell.
    fn add(target: Self::Target, weight: f64, prediction: &mut [f64]);

    /// Returns an accumulator of the metric, if the metric is one of this task.
    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<Self::Target>>>;

    /// Returns what makes the learners of an offline algorithm for this task, if it supports it.
    fn make(row: &OfflineRow) -> Option<Make<Self>>;

    /// Returns what makes the caller's own learners of this task.
    fn own(contender: &mut Contender) -> &mut Option<OwnBuild<Self>>;
}

impl BatchTask for Classification {
    const KIND: TaskKind = TaskKind::Classification;

    fn add(target: u32, weight: f64, prediction: &mut [f64]) {
        prediction[target as usize] += weight;
    }

    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<u32>>> {
        match metric {
            Accumulate::Classes(make) => Some(make()),
            Accumulate::Numbers(_) => None,
        }
    }

    fn make(row: &OfflineRow) -> Option<Make<Self>> {
        row.classification
    }

    fn own(contender: &mut Contender) -> &mut Option<OwnBuild<Self>> {
        &mut contender.classifier
    }
}

impl BatchTask for Regression {
    const KIND: TaskKind = TaskKind::Regression;

    fn add(target: f64, weight: f64, prediction: &mut [f64]) {
        prediction[0] += weight * target;
    }

    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<f64>>> {
        match metric {
            Accumulate::Numbers(make) => Some(make()),
            Accumulate::Classes(_) => None,
        }
    }

    fn make(row: &OfflineRow) -> Option<Make<Self>> {
        row.regression
    }

    fn own(contender: &mut Contender) -> &mut Option<OwnBuild<Self>> {
        &mut contender.regressor
    }
}

impl Contender {
    fn of(kind: Kind) -> Self {
        Self {
            label: None,
            kind,
            classifier: None,
            regressor: None,
        }
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
        Self {
            label: Some(label.into()),
            ..self
        }
    }

    /// Returns every named algorithm with its defaults, those that learn row by row first.
    pub fn all() -> impl Iterator<Item = Self> {
        let offline = offline_rows()
            .map(|row| Self::of(Kind::Offline(row, Values::defaults(row.parameters))));
        Algorithm::all()
            .map(|known| Self::of(Kind::Online(known)))
            .chain(offline)
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

    /// Returns what is said of it.
    pub fn about(&self) -> About {
        match &self.kind {
            Kind::Online(algorithm) => About {
                description: algorithm.description(),
                paper: algorithm.paper(),
                limits: algorithm.limits(),
                parameters: algorithm.parameters(),
                alias_of: (algorithm.alias_of())
                    .map(|name| format!("{name}:{}", algorithm.preset())),
            },
            Kind::Offline(row, _) => About {
                description: row.description,
                paper: row.paper,
                limits: row.limits,
                parameters: row.parameters.to_vec(),
                alias_of: None,
            },
            Kind::Own(_) => About {
                description: "the caller's own learner",
                paper: "none",
                limits: &[],
                parameters: Vec::new(),
                alias_of: None,
            },
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

    /// Returns the parameters given, as data.
    pub(crate) fn params(&self) -> Params {
        match &self.kind {
            Kind::Online(algorithm) => params(algorithm.explicit_values()),
            Kind::Offline(_, given) => params(given.given()),
            Kind::Own(_) => Params::new(),
        }
    }

    /// Returns the algorithm with these feature weights, if it takes weights and the caller has not set any.
    pub(crate) fn with_weights(&self, weights: &[f64]) -> Self {
        let parameters = self.about().parameters;
        let mut of_name = parameters
            .iter()
            .filter(|parameter| parameter.name == WEIGHTS);
        if !of_name.any(|one| one.default != "none") || self.params().contains_key(WEIGHTS) {
            return self.clone();
        }
        let separator = if self.params().is_empty() { ':' } else { ',' };
        let weights: Vec<String> = weights.iter().map(f64::to_string).collect();
        let (given, weights) = (self.text(), weights.join("/"));
        let text = format!("{given}{separator}{WEIGHTS}={weights}");
        let weighted: Self = text.parse().expect("weights are numbers of at least 0");
        Self {
            label: self.label.clone(),
            ..weighted
        }
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
        matches!(self.kind, Kind::Offline(..))
            || matches!(self.classifier, Some(OwnBuild::Offline(_)))
            || matches!(self.regressor, Some(OwnBuild::Offline(_)))
    }

    /// Returns whether it learns this task.
    pub fn supports(&self, task: TaskKind) -> bool {
        let classes = task == TaskKind::Classification;
        match &self.kind {
            Kind::Online(algorithm) if classes => algorithm.supports::<Classification>(),
            Kind::Online(algorithm) => algorithm.supports::<Regression>(),
            Kind::Offline(row, _) if classes => row.classification.is_some(),
            Kind::Offline(row, _) => row.regression.is_some(),
            Kind::Own(_) if classes => self.classifier.is_some(),
            Kind::Own(_) => self.regressor.is_some(),
        }
    }

    /// Returns whether it takes rows of which features are missing, or categories.
    pub(crate) fn takes_missing(&self, task: TaskKind, features: usize) -> bool {
        fn takes<T: BatchTask>(contender: &Contender, features: usize) -> bool {
            let built = contender.build::<T>(features, ForestSettings::default().with_trees(1));
            let values = built
                .ok()
                .and_then(|learner| Some(learner.online()?.feature_values()));
            values == Some(FeatureValues::NumbersAndCategories)
        }
        match task {
            _ if self.is_baseline() || self.is_own() => true,
            TaskKind::Classification => takes::<Classification>(self, features),
            TaskKind::Regression => takes::<Regression>(self, features),
        }
    }

    /// Makes a learner for rows of this width.
    pub(crate) fn build<T: BatchTask>(
        &self,
        features: usize,
        settings: ForestSettings,
    ) -> Result<Learner<T>, RunError> {
        let schema = Schema::<T>::new(features)?;
        let wrong = || RunError::Failed(format!("{} does not support {}", self.text(), T::NAME));
        Ok(match &self.kind {
            Kind::Online(algorithm) => Learner::Named(algorithm.build(schema, settings)?),
            Kind::Offline(row, given) => {
                let learner = T::make(row).ok_or_else(wrong)?(&mut given.clone());
                Learner::AtOnce(learner.into(), settings, None)
            }
            Kind::Own(_) => match T::own(&mut self.clone()).clone().ok_or_else(wrong)? {
                OwnBuild::Online(build) => Learner::Own(build(schema, settings)?),
                OwnBuild::Offline(learner) => Learner::AtOnce(learner, settings, None),
            },
        })
    }

    /// Returns all parameters of the learner that it makes for such rows, and whether that uses the number of trees: of the caller's own, it is
    /// unknown. What cannot be made has the parameters given.
    pub(crate) fn planned(&self, task: TaskKind, features: usize, trees: usize) -> (Params, bool) {
        fn planned<T: BatchTask>(
            algorithm: &Algorithm,
            features: usize,
            trees: usize,
        ) -> Option<(Params, bool)> {
            let settings = ForestSettings::default().with_trees(trees);
            let learner = algorithm
                .build::<T>(Schema::new(features).ok()?, settings)
                .ok()?;
            Some((
                params(learner.algorithm().explicit_values()),
                learner.trees() > 0,
            ))
        }
        let planned = match (&self.kind, task) {
            (Kind::Online(algorithm), TaskKind::Classification) => {
                planned::<Classification>(algorithm, features, trees)
            }
            (Kind::Online(algorithm), TaskKind::Regression) => {
                planned::<Regression>(algorithm, features, trees)
            }
            (Kind::Offline(row, given), _) => {
                let names = row.parameters.iter().map(|known| known.name);
                let all = names.filter_map(|name| Some((name, given.peek(name)?)));
                Some((params(all), row.has_trees))
            }
            (Kind::Own(_), _) => None,
        };
        planned.unwrap_or_else(|| (self.params(), true))
    }
}

/// Returns values as data: numbers where JSON has them, else text (`inf`).
fn params<'a>(values: impl Iterator<Item = (&'static str, &'a str)>) -> Params {
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    values
        .map(|(name, text)| (name.to_owned(), value(text)))
        .collect()
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
        f.debug_tuple("Contender").field(&self.to_string()).finish()
    }
}

impl FromStr for Contender {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let known = match text.parse() {
            Ok(online) => return Ok(Self::of(Kind::Online(online))),
            Err(AlgorithmError::Unknown { known, .. }) => known,
            Err(other) => return Err(other),
        };
        let (name, values) = split(text);
        if let Some(row) = offline_rows().find(|row| row.name == name) {
            let given = Values::read(row.name, row.parameters, values)?;
            return Ok(Self::of(Kind::Offline(row, given)));
        }
        let known: Vec<_> = known
            .into_iter()
            .chain(offline_rows().map(|row| row.name))
            .collect();
        let suggestion = did_you_mean(name, known.iter().copied());
        Err(AlgorithmError::Unknown {
            name: name.to_owned(),
            suggestion,
            known,
        })
    }
}
