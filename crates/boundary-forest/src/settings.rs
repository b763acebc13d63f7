//! The parameters of the paper, with the rule of each.

use std::fmt::Debug;

use forest_core::SettingError;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What the settings of every use have in common.
pub trait Settings:
    Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// The paper's `k`.
    fn max_children(&self) -> ChildLimit;

    /// Checks every rule.
    ///
    /// # Errors
    /// The first setting that breaks its rule, with rule and value.
    fn check(&self) -> Result<(), SettingError> {
        self.max_children().check()
    }
}

/// The paper's `k`: how many children a node may have.
///
/// A walk cannot stop at a node that has them all, so a bound makes a query's cost logarithmic in
/// the number of nodes instead of a power of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChildLimit {
    /// Finite `k`; at least 2, since a limit of one would turn every tree into a chain.
    AtMost(u32),
    /// `k = ∞`.
    Unlimited,
}

impl ChildLimit {
    /// Whether a node with this many children is full: it gets no more and answers no query.
    #[inline]
    pub fn is_reached(self, children: usize) -> bool {
        match self {
            Self::AtMost(limit) => children >= limit as usize,
            Self::Unlimited => false,
        }
    }

    /// Whether a node may have this many children.
    pub(crate) fn allows(self, children: usize) -> bool {
        match self {
            Self::AtMost(limit) => children <= limit as usize,
            Self::Unlimited => true,
        }
    }

    fn check(self) -> Result<(), SettingError> {
        match self {
            Self::AtMost(limit) if limit < 2 => {
                let rule = "must be at least 2, or unlimited";
                Err(SettingError::new("max_children", rule, limit))
            }
            _ => Ok(()),
        }
    }
}

impl Default for ChildLimit {
    /// 50, as in all experiments of the paper.
    fn default() -> Self {
        Self::AtMost(50)
    }
}

/// Settings of a [`BoundaryClassifier`](crate::BoundaryClassifier).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassifierSettings {
    /// The paper's `k`, 50 unless told.
    pub max_children: ChildLimit,
}

impl Settings for ClassifierSettings {
    fn max_children(&self) -> ChildLimit {
        self.max_children
    }
}

/// Settings of a [`Retriever`](crate::Retriever).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetrieverSettings {
    /// The paper's `k`, 50 unless told.
    pub max_children: ChildLimit,
}

impl Settings for RetrieverSettings {
    fn max_children(&self) -> ChildLimit {
        self.max_children
    }
}

/// Settings of a [`BoundaryRegressor`](crate::BoundaryRegressor) or a
/// [`VectorRegressor`](crate::VectorRegressor).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegressorSettings {
    /// The paper's `k`, 50 unless told.
    pub max_children: ChildLimit,
    /// The paper's `ε`: a sample is added if its label is further than this from the answer's (of
    /// vectors, by the Euclidean distance).
    ///
    /// In units of the target; finite and not negative. The paper names no value, as none fits
    /// every target: the default, 0, keeps every sample whose target is not met exactly.
    pub epsilon: f64,
}

impl Settings for RegressorSettings {
    fn max_children(&self) -> ChildLimit {
        self.max_children
    }

    fn check(&self) -> Result<(), SettingError> {
        self.max_children.check()?;
        if self.epsilon.is_finite() && self.epsilon >= 0.0 {
            return Ok(());
        }
        let rule = "must be finite and not negative";
        Err(SettingError::new("epsilon", rule, self.epsilon))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_below_two_is_refused_by_name() {
        let settings = ClassifierSettings {
            max_children: ChildLimit::AtMost(1),
        };
        let error = settings.check().unwrap_err();
        assert_eq!(
            (error.parameter, error.value.as_str()),
            ("max_children", "1")
        );
    }

    #[test]
    fn epsilon_is_a_finite_distance() {
        let with = |epsilon| RegressorSettings {
            epsilon,
            ..RegressorSettings::default()
        };
        assert!(with(0.0).check().is_ok());
        for epsilon in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(with(epsilon).check().unwrap_err().parameter, "epsilon");
        }
    }
}
