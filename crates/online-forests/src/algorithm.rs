//! An algorithm by name, with the parameters that were given.

use std::fmt;
use std::str::FromStr;

use forest_core::{ForestSettings, Schema};

use crate::configuration::{BuildContext, Configuration, Role};
use crate::{AlgorithmError, Facade, Parameter, PlantError, algorithms, spec};

/// A named configuration with parameters, such as `mondrian:budget=5,min_points=1`.
///
/// Read with [`FromStr`]; everything that can be wrong without knowing the stream (names, values,
/// a parameter given twice) is refused there. [`Display`](fmt::Display) writes the canonical text:
/// the parameters given, in the order of the table, each value as the program would write it.
///
/// ```
/// use online_forests::Algorithm;
///
/// let algorithm: Algorithm = "majority".parse()?;
/// assert!(algorithm.is_baseline());
/// let error = "majorty".parse::<Algorithm>().unwrap_err();
/// assert!(error.to_string().contains("did you mean `majority`"));
/// # Ok::<(), online_forests::AlgorithmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Algorithm {
    configuration: &'static Configuration,
    given: Vec<Given>,
}

/// A parameter and its value in canonical text, which the parameter's rule accepts.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) parameter: &'static Parameter,
    pub(crate) value: String,
}

impl Algorithm {
    /// Every named configuration with its defaults, baselines last.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        algorithms::ALL.iter().map(|configuration| Algorithm {
            configuration,
            given: Vec::new(),
        })
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        self.configuration.name
    }

    /// What it is, in one line.
    pub fn description(&self) -> &'static str {
        self.configuration.description
    }

    /// The publication it comes from.
    pub fn paper(&self) -> &'static str {
        self.configuration.paper
    }

    /// The parameters it takes, given or not.
    pub fn parameters(&self) -> &'static [Parameter] {
        self.configuration.parameters
    }

    /// The parameters given, as name and canonical value, in the order of [`Algorithm::parameters`].
    pub fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given
            .iter()
            .map(|given| (given.parameter.name, given.value.as_str()))
    }

    /// Whether it learns task `T`, and every parameter given has a meaning there.
    pub fn supports<T: Facade>(&self) -> bool {
        T::planter(self.configuration).is_some() && self.stray_parameter::<T>().is_none()
    }

    /// Whether it ignores the features: the yardstick that every forest has to beat.
    pub fn is_baseline(&self) -> bool {
        self.configuration.role == Role::Baseline
    }

    /// A learner of this kind for the stream that `schema` describes. A baseline has no trees and
    /// draws nothing, whatever `forest` says.
    ///
    /// # Errors
    /// A task that the algorithm or a given parameter does not know, no trees, or a parameter that
    /// breaks its rule for this schema.
    pub fn build<T: Facade>(
        &self,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<T::Any, PlantError> {
        let planter = T::planter(self.configuration).ok_or_else(|| self.wrong_task::<T>())?;
        if let Some(stray) = self.stray_parameter::<T>() {
            return Err(self.wrong_parameter::<T>(stray));
        }
        let context = BuildContext { schema, forest };
        planter(self, context).map_err(|source| PlantError::Setting {
            algorithm: self.to_string(),
            source,
        })
    }

    /// The configuration with these values, which its table must know.
    pub(crate) fn new(configuration: &'static Configuration, given: Vec<Given>) -> Self {
        Self {
            configuration,
            given,
        }
    }

    fn stray_parameter<T: Facade>(&self) -> Option<&'static Parameter> {
        let mut parameters = self.given.iter().map(|given| given.parameter);
        parameters.find(|parameter| !parameter.tasks.include::<T>())
    }

    fn wrong_task<T: Facade>(&self) -> PlantError {
        PlantError::WrongTask {
            algorithm: self.name(),
            task: T::NAME,
        }
    }

    fn wrong_parameter<T: Facade>(&self, parameter: &Parameter) -> PlantError {
        PlantError::WrongParameter {
            algorithm: self.name(),
            parameter: parameter.name,
            task: T::NAME,
        }
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.given().eq(other.given())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (index, (name, value)) in self.given().enumerate() {
            let separator = if index == 0 { ':' } else { ',' };
            write!(f, "{separator}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        spec::parse(text)
    }
}
