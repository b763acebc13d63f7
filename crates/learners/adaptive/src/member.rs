//! One member as text: `base@window@scaling`.

use std::fmt;
use std::str::FromStr;

use forest_core::SettingError;
use serde::{Deserialize, Serialize};

use crate::{FeatureWeights, MemberScaling, Window};

/// The scalings by name.
const SCALINGS: [(&str, MemberScaling); 3] = [
    ("none", MemberScaling::None),
    ("minmax", MemberScaling::MinMax),
    ("quantile", MemberScaling::Quantile),
];

/// The word for all rows since the last change.
const CHANGE: &str = "change";

/// A base learner on a window, with a scaling and weights of features.
///
/// As text it is `base@window@scaling`, or `base@window@scaling@labels` if labels weigh its features. Parameters of the base are separated by `;`, so that the text can
/// stand in a list of parameters.
///
/// ```
/// use adaptive::{MemberScaling, MemberSettings, Window};
///
/// let member: MemberSettings = "mondrian:budget=5;pause=never@250@quantile".parse()?;
/// assert_eq!(member.base, "mondrian:budget=5;pause=never");
/// assert_eq!(member.window, Window::Latest(250));
/// assert_eq!(member.scaling, MemberScaling::Quantile);
/// assert_eq!(member.to_string(), "mondrian:budget=5;pause=never@250@quantile");
/// assert!("mondrian@250".parse::<MemberSettings>().is_err());
/// # Ok::<(), forest_core::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberSettings {
    /// An algorithm's name, or `name:key=value;key=value`.
    pub base: String,
    /// The rows it follows.
    pub window: Window,
    /// How its features are scaled.
    pub scaling: MemberScaling,
    /// How much each of them counts.
    pub weights: FeatureWeights,
}

impl MemberSettings {
    /// Returns whether something is fitted to the rows that a copy is built from, and so becomes outdated.
    pub(crate) fn is_fitted(&self) -> bool {
        self.scaling != MemberScaling::None || self.weights != FeatureWeights::Equal
    }

    /// Returns how many rows it remembers, if it differs from `other` only in having a window.
    pub(crate) fn window_beside(&self, other: &Self) -> Option<u64> {
        let Window::Latest(rows) = self.window else {
            return None;
        };
        let same = (self.scaling, self.weights) == (other.scaling, other.weights)
            && self.base == other.base;
        same.then_some(u64::from(rows))
    }

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        let long_enough = !matches!(self.window, Window::Latest(0 | 1));
        let rule = "must be at least 2, all, or change";
        SettingError::require(long_enough, "windows", rule, self.window)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::SinceChange => f.write_str(CHANGE),
            Self::Latest(rows) => write!(f, "{rows}"),
        }
    }
}

impl FromStr for Window {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let window = match text {
            "all" => Some(Self::All),
            CHANGE => Some(Self::SinceChange),
            rows => rows.parse().ok().map(Self::Latest),
        };
        let rule = "must be a number of rows, all, or change";
        window.ok_or_else(|| SettingError::new("windows", rule, text))
    }
}

impl fmt::Display for MemberSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut scalings = SCALINGS.iter().filter(|(_, known)| *known == self.scaling);
        let scaling = scalings.next().map_or("", |(word, _)| word);
        write!(f, "{}@{}@{scaling}", self.base, self.window)?;
        match self.weights {
            FeatureWeights::Equal => Ok(()),
            FeatureWeights::Labels => f.write_str("@labels"),
        }
    }
}

impl FromStr for MemberSettings {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let rule = "must be base@window@scaling, with a scaling of none, minmax or quantile, and \
                    perhaps @labels behind it";
        let wrong = || SettingError::new("members", rule, text);
        let parts: Vec<&str> = text.split('@').map(str::trim).collect();
        let (base, window, scaling, weights) = match parts[..] {
            [base, window, scaling] => (base, window, scaling, FeatureWeights::Equal),
            [base, window, scaling, "labels"] => (base, window, scaling, FeatureWeights::Labels),
            [base, window, scaling, "equal"] => (base, window, scaling, FeatureWeights::Equal),
            _ => return Err(wrong()),
        };
        let scaling = SCALINGS.iter().find(|(word, _)| *word == scaling);
        let &(_, scaling) = scaling.filter(|_| !base.is_empty()).ok_or_else(wrong)?;
        Ok(Self {
            base: base.to_owned(),
            window: window.parse()?,
            scaling,
            weights,
        })
    }
}
