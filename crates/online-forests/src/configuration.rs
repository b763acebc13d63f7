//! A row of the table of algorithms.

use std::str::FromStr;

use forest_core::{
    Classification, Forest, ForestSettings, OnlineTree, Regression, Schema, SettingError,
};

use crate::algorithm::Given;
use crate::{Algorithm, Facade, Parameter};

/// A named configuration: what it is, what it takes, and how it is built.
#[derive(Debug)]
pub struct Configuration {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) paper: &'static str,
    pub(crate) role: Role,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) classification: Option<Builder<Classification>>,
    pub(crate) regression: Option<Builder<Regression>>,
}

/// What a configuration is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Forest,
    Baseline,
}

/// Makes a learner; the parameters given are known to have a meaning in task `T`.
pub type Builder<T> = fn(&Algorithm, BuildContext<T>) -> Result<<T as Facade>::Any, SettingError>;

/// Everything about a new learner that is not its algorithm.
#[derive(Debug)]
pub struct BuildContext<T: Facade> {
    pub(crate) schema: Schema<T>,
    pub(crate) forest: ForestSettings,
}

impl Configuration {
    pub(crate) fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|known| known.name == name)
    }

    /// Where a parameter stands in the table.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|known| known.name == name)
    }

    /// This configuration with every value stated, as a learner's settings tell them.
    pub(crate) fn with(
        &'static self,
        values: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Algorithm {
        let given = values.into_iter().map(|(name, value)| {
            let parameter = self.parameter(name);
            let parameter = parameter.expect("a configuration lists the parameters it reads");
            Given { parameter, value }
        });
        Algorithm::new(self, given.collect())
    }
}

impl<T: Facade> BuildContext<T> {
    /// A forest for this stream.
    pub(crate) fn forest<K: OnlineTree<Task = T>>(
        self,
        settings: K::Settings,
    ) -> Result<Forest<K>, SettingError> {
        Forest::new(self.schema, settings, self.forest)
    }
}

impl Algorithm {
    /// The text of a parameter, if one was given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut given = self.given();
        given
            .find(|(given, _)| *given == name)
            .map(|(_, value)| value)
    }

    /// The value of a parameter, or `default` if none was given.
    pub(crate) fn value<V: FromStr>(&self, name: &str, default: V) -> V {
        self.text(name).map_or(default, parsed)
    }
}

/// A given value; parameters hold only texts that their rules accept.
pub(crate) fn parsed<V: FromStr>(value: &str) -> V {
    let value = value.parse().ok();
    value.expect("the parameter's rule accepts only what parses")
}
