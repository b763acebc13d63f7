//! The learner inside a copy.

use forest_core::{ForestSettings, Schema, SettingError};
use registry::snapshot::Snapshot;
use registry::{Algorithm, AlgorithmError, AnyLearner, BuildError, NamedTask, Registry};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::member::is_adaptive;
use crate::{MemberSettings, NAME};

/// A learner by name that is not adaptive itself, so that decoding is not nested.
#[derive(Clone, Debug)]
pub(crate) struct Base<T: NamedTask, R>(pub(crate) AnyLearner<T, R>);

impl<T: NamedTask, R: Registry> Base<T, R> {
    /// An empty learner.
    pub(crate) fn build(
        member: &MemberSettings,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let text = member.algorithm();
        let algorithm: Algorithm<R> = text.parse().map_err(|error| unknown(&text, &error))?;
        let built = algorithm.build(schema, forest);
        built.map(Self).map_err(|error| impossible(&text, error))
    }
}

fn unknown(text: &str, error: &AlgorithmError) -> SettingError {
    let rule = "must name an algorithm, with parameters that it has";
    SettingError::new("base", rule, format!("`{text}`: {error}"))
}

fn impossible(text: &str, error: BuildError) -> SettingError {
    match error {
        BuildError::Setting { source, .. } => source,
        other => {
            let rule = "must learn the task";
            SettingError::new("base", rule, format!("`{text}`: {other}"))
        }
    }
}

impl<T: NamedTask, R: Registry> Serialize for Base<T, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: NamedTask, R: Registry> Deserialize<'de> for Base<T, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (label, payload) = <(String, Vec<u8>)>::deserialize(deserializer)?;
        if is_adaptive(&label) {
            return Err(de::Error::custom(format!(
                "{NAME} cannot be its own member"
            )));
        }
        let learner = AnyLearner::decode(&label, &payload);
        learner.map(Self).map_err(de::Error::custom)
    }
}
