//! The parameters of the paper, with the rule of each.

use forest_core::{Classification, Regression, Schema, SettingError, Settings};
use serde::{Deserialize, Serialize};

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
    pub fn is_reached(self, children: u32) -> bool {
        match self {
            Self::AtMost(limit) => children >= limit,
            Self::Unlimited => false,
        }
    }

    /// Whether a node may have this many children.
    pub(crate) fn allows(self, children: u32) -> bool {
        match self {
            Self::AtMost(limit) => children <= limit,
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

impl Settings<Classification> for ClassifierSettings {
    fn check(&self, _: &Schema<Classification>) -> Result<(), SettingError> {
        self.max_children.check()
    }
}

/// Settings of a [`BoundaryRegressor`](crate::BoundaryRegressor).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegressorSettings {
    /// The paper's `k`, 50 unless told.
    pub max_children: ChildLimit,
    /// The paper's `ε`: a sample is added if its target is further than this from the answer's.
    ///
    /// In units of the target; finite and not negative. The paper names no value, as none fits
    /// every target: the default, 0, keeps every sample whose target is not met exactly.
    pub epsilon: f64,
}

impl Settings<Regression> for RegressorSettings {
    fn check(&self, _: &Schema<Regression>) -> Result<(), SettingError> {
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
        let error = settings.check(&Schema::new(1).unwrap()).unwrap_err();
        assert_eq!(
            (error.parameter, error.value.as_str()),
            ("max_children", "1")
        );
    }

    #[test]
    fn epsilon_is_a_finite_distance() {
        let schema = Schema::new(1).unwrap();
        let with = |epsilon| RegressorSettings {
            epsilon,
            ..RegressorSettings::default()
        };
        assert!(with(0.0).check(&schema).is_ok());
        for epsilon in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(
                with(epsilon).check(&schema).unwrap_err().parameter,
                "epsilon"
            );
        }
    }
}
