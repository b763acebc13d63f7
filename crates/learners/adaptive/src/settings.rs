//! Settings chosen before the first sample, and members as text: `base@window@scaling`.

use std::fmt;
use std::ops::Bound;
use std::str::FromStr;

use forest_core::SettingError;
use forest_core::parameters::{Parameter, Rule, Values, check};
use serde::{Deserialize, Serialize};
use tables::preprocessing::FeatureScaling;

use crate::AdaptiveTask;
use crate::weights::WeightRule;

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdaptiveSettings {
    /// Members, as texts of [`MemberSettings`]; if empty, [`AdaptiveTask::STANDARD_MEMBERS`].
    pub members: Vec<String>,
    /// How fast weights follow losses (η), above 0. Each η with each discount is a rule, and rules have weights, too.
    pub eta: Vec<f64>,
    /// The factor of a loss one row later (γ), above 0 and at most 1.
    pub discount: Vec<f64>,
}

const STANDARD: &str = "standard";

/// The factor by which a loss counts less one row later.
const DISCOUNT: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Included(1.0));

pub(crate) const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "members": Rule::List('+', &Rule::Text), STANDARD,
        "members as base@window@scaling[@labels], separated by +, with ; in place of , between the \
         parameters of a base; windows are a number of latest rows, all, or change (all since the \
         last detected change); or standard";
    "eta": Rule::List('/', &Rule::POSITIVE), "0.02/0.1",
        "how fast weights follow losses (η); of several, those with the fewest prediction errors count most";
    "discount": Rule::List('/', &DISCOUNT), "0.98/0.998",
        "factor of a loss one row later (γ); each with each η";
};

impl AdaptiveSettings {
    pub(crate) fn of(v: &mut Values) -> Self {
        let members = v.text("members");
        let members = members.split('+').filter(|_| members != STANDARD);
        Self {
            members: members.map(str::to_owned).collect(),
            eta: v.list("eta", ""),
            discount: v.list("discount", ""),
        }
    }

    /// Returns the members, after checking all that does not depend on the table of algorithms.
    pub(crate) fn members<T: AdaptiveTask>(&self) -> Result<Vec<MemberSettings>, SettingError> {
        for (name, list) in [("eta", &self.eta), ("discount", &self.discount)] {
            let rule = "must be at least one number";
            SettingError::require(!list.is_empty(), name, rule, "none")?;
            let mut numbers = list.iter();
            numbers.try_for_each(|number| check(PARAMETERS, name, number))?;
        }
        let mut texts: Vec<&str> = self.members.iter().map(String::as_str).collect();
        if texts.is_empty() {
            texts.extend(T::STANDARD_MEMBERS);
        }
        let texts = texts.into_iter();
        let members: Vec<MemberSettings> = texts.map(str::parse).collect::<Result<_, _>>()?;
        for one in &members {
            let mut others = members.iter().filter_map(|other| other.window_beside(one));
            let is_compared = one.window != Window::SinceChange || others.next().is_some();
            let rule = "must contain a number of rows for the same base, scaling and labels as a \
                        member with `change`: a change is detected by comparing the two";
            SettingError::require(is_compared, "members", rule, one)?;
        }
        Ok(members)
    }

    /// Returns the rules by which weights follow losses: each η with each discount, listed by η.
    pub(crate) fn weight_rules(&self) -> impl Iterator<Item = WeightRule> {
        self.eta.iter().flat_map(|&eta| {
            let discounts = self.discount.iter();
            discounts.map(move |&discount| WeightRule { eta, discount })
        })
    }
}

impl Default for AdaptiveSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(PARAMETERS))
    }
}

/// A base learner on a window, with a scaling and weights of features.
///
/// The text is `base@window@scaling`, or `base@window@scaling@labels` with weights of features that are derived from
/// the labels. Parameters of the base are separated by `;`, so that the text can be a value in a list of parameters.
///
/// ```
/// use adaptive::{MemberSettings, Window};
///
/// let member: MemberSettings = "mondrian:budget=5;pause=never@250@quantile".parse()?;
/// assert_eq!(member.base, "mondrian:budget=5;pause=never");
/// assert_eq!(member.window, Window::Latest(250));
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
    /// The scaling of the features, `minmax` or `quantile`, or none: fitted on the rows that a copy is built from.
    pub scaling: Option<FeatureScaling>,
    /// Whether scaled features are weighted by the labels ([`tables::preprocessing::label_weights`]).
    pub uses_labels: bool,
}

/// Which rows a member follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Window {
    /// The latest n, 2 or more.
    Latest(u32),
    /// All.
    All,
    /// All since the last detected change (see the [crate](crate)).
    SinceChange,
}

const SCALINGS: [(&str, Option<FeatureScaling>); 3] = [
    ("none", None),
    ("minmax", Some(FeatureScaling::Minmax)),
    ("quantile", Some(FeatureScaling::Quantile)),
];

impl MemberSettings {
    /// Returns the number of rows of the window, if there is one, and the member equals `other` in everything else.
    pub(crate) fn window_beside(&self, other: &Self) -> Option<u64> {
        let is_alike = self.base == other.base
            && self.scaling == other.scaling
            && self.uses_labels == other.uses_labels;
        match self.window {
            Window::Latest(rows) if is_alike => Some(rows.into()),
            _ => None,
        }
    }
}

impl fmt::Display for MemberSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scaling = SCALINGS.iter().find(|(_, known)| *known == self.scaling);
        let scaling = scaling.map_or("", |(word, _)| word);
        let labels = if self.uses_labels { "@labels" } else { "" };
        write!(f, "{}@", self.base)?;
        match self.window {
            Window::All => f.write_str("all"),
            Window::SinceChange => f.write_str("change"),
            Window::Latest(rows) => write!(f, "{rows}"),
        }?;
        write!(f, "@{scaling}{labels}")
    }
}

impl FromStr for MemberSettings {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let rule = "must be base@window@scaling or base@window@scaling@labels, with a scaling of \
                    none, minmax or quantile";
        let wrong = || SettingError::new("members", rule, text);
        let mut parts: Vec<&str> = text.split('@').map(str::trim).collect();
        let last = parts.pop_if(|last| ["labels", "equal"].contains(last));
        let [base, window, scaling] = parts[..] else {
            return Err(wrong());
        };
        let scaling = SCALINGS.iter().find(|(word, _)| *word == scaling);
        let &(_, scaling) = scaling.filter(|_| !base.is_empty()).ok_or_else(wrong)?;
        let rule = "must have a window of at least 2 rows, all or change";
        let window = match window {
            "all" => Window::All,
            "change" => Window::SinceChange,
            rows => match rows.parse() {
                Ok(rows @ 2..) => Window::Latest(rows),
                _ => return Err(SettingError::new("members", rule, text)),
            },
        };
        Ok(Self {
            base: base.to_owned(),
            window,
            scaling,
            uses_labels: last == Some("labels"),
        })
    }
}
