//! Learners of the table that other learners hold.

use crate::{ForestSettings, Schema, SettingError};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::registry::snapshot::{Payload, Snapshot};
use crate::registry::{Algorithm, AlgorithmError, AnyLearner, BuildError, NamedTask};

/// What a base has to be.
const RULE: &str =
    "must be an algorithm that this one can hold: not itself, nor one that can hold it";

/// A learner by name that another learner holds, whose [`NESTING`](crate::registry::Named::NESTING) is `LEVEL`; its own is lower.
#[derive(Clone, Debug)]
pub struct BaseLearner<T: NamedTask, const LEVEL: u8>(AnyLearner<T>);

impl<T: NamedTask, const LEVEL: u8> BaseLearner<T, LEVEL> {
    /// Returns an empty learner of the algorithm that `text` names. The parameters in `text` are separated by `;`, so that
    /// it can stand in a list of parameters itself.
    ///
    /// # Errors
    /// An unknown algorithm or parameter, one that does not learn the task or nests too deep, or a setting that
    /// breaks its rule.
    pub fn build(
        text: &str,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let text = text.replace(';', ",");
        let algorithm: Algorithm = text.parse().map_err(|error| unknown(&text, &error))?;
        SettingError::require(algorithm.entry().nesting() < LEVEL, "base", RULE, &text)?;
        let built = algorithm.build(schema, forest);
        built.map(Self).map_err(|error| impossible(&text, error))
    }

    /// Returns the learner.
    pub fn get(&self) -> &AnyLearner<T> {
        &self.0
    }

    /// Returns the learner, to learn.
    pub fn get_mut(&mut self) -> &mut AnyLearner<T> {
        &mut self.0
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

impl<T: NamedTask, const LEVEL: u8> Serialize for BaseLearner<T, LEVEL> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: NamedTask, const LEVEL: u8> Deserialize<'de> for BaseLearner<T, LEVEL> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (label, payload) = <(String, Vec<u8>)>::deserialize(deserializer)?;
        let algorithm: Algorithm = label.parse().map_err(de::Error::custom)?;
        if algorithm.entry().nesting() >= LEVEL {
            return Err(de::Error::custom(format!("a base {RULE}; {label} is not")));
        }
        let learner = AnyLearner::decode(&label, &mut Payload(&payload));
        learner.map(Self).map_err(de::Error::custom)
    }
}
