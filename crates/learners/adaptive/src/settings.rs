//! Settings chosen before the first sample.

use std::ops::Bound;

use forest_core::SettingError;
use forest_core::parameters::{Parameter, Rule, Values, check};
use serde::{Deserialize, Serialize};

use crate::{AdaptiveTask, MemberSettings, WeightRule};

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdaptiveSettings {
    /// Members, as texts of [`MemberSettings`]; the standard ones of the task ([`AdaptiveTask::STANDARD_MEMBERS`]) if there are none.
    pub members: Vec<String>,
    /// How fast weights follow losses (η), above 0: each with each discount is a rule, and rules are weighted, too
    /// ([`WeightsByRule`](crate::WeightsByRule)).
    pub eta: Vec<f64>,
    /// The factor of a loss one row later (γ), above 0 and at most 1.
    pub discount: Vec<f64>,
}

/// Which rows a member follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Window {
    /// The latest n, 2 or more.
    Latest(u32),
    /// All.
    All,
    /// All since the last detected change: while the member loses more than others of the same base, scaling and weights
    /// that have a window, evidence of a change grows, and when there is enough of it the member restarts from the rows
    /// since then.
    SinceChange,
}

/// How a member scales its features. Each copy's scaling is fitted when it is built, on the rows that it
/// is built from, and does not change until it is built again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberScaling {
    /// Not at all.
    None,
    /// To [0, 1]; outside the range it extrapolates linearly ([`tables::preprocessing::FeatureScaling::Minmax`]).
    MinMax,
    /// To the place among the rows; 0 below them and 1 above ([`tables::preprocessing::FeatureScaling::Quantile`]).
    Quantile,
}

/// How much each scaled feature of a member counts. Weights are fitted when scalings are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FeatureWeights {
    /// All the same.
    Equal,
    /// By how informative each is about the targets of the rows ([`tables::preprocessing::label_weights`]).
    Labels,
}

impl AdaptiveSettings {
    /// Returns the members.
    ///
    /// # Errors
    /// Returns an error for a text that is not a member.
    pub fn members<T: AdaptiveTask>(&self) -> Result<Vec<MemberSettings>, SettingError> {
        let own = self.members.iter().map(String::as_str);
        let standard = T::STANDARD_MEMBERS.iter().copied();
        let standard = standard.filter(|_| self.members.is_empty());
        own.chain(standard).map(str::parse).collect()
    }

    /// Returns the rules by which weights follow losses: each η with each discount, listed by η.
    pub fn weight_rules(&self) -> impl Iterator<Item = WeightRule> {
        self.eta.iter().flat_map(|&eta| {
            let discounts = self.discount.iter();
            discounts.map(move |&discount| WeightRule { eta, discount })
        })
    }

    /// Checks everything that does not depend on a table of algorithms.
    ///
    /// # Errors
    /// Names the setting that violates its rule.
    pub fn check<T: AdaptiveTask>(&self) -> Result<(), SettingError> {
        check_members(&self.members::<T>()?)?;
        for (name, list) in [("eta", &self.eta), ("discount", &self.discount)] {
            let rule = "must be at least one number";
            SettingError::require(!list.is_empty(), name, rule, "none")?;
            for number in list {
                check(PARAMETERS, name, number)?;
            }
        }
        Ok(())
    }
}

/// Checks each member, and that those since a change have one to be compared with.
fn check_members(members: &[MemberSettings]) -> Result<(), SettingError> {
    SettingError::require(!members.is_empty(), "members", "must be at least one", 0)?;
    members.iter().try_for_each(MemberSettings::check)?;
    let is_compared = |member: &MemberSettings| {
        let mut others = members.iter();
        others.any(|other| other.window_beside(member).is_some())
    };
    let rule = "must have a number of rows beside change, with the same base, scaling and weights: changes show in \
                what is lost by remembering more";
    let since_change = |member: &&MemberSettings| member.window == Window::SinceChange;
    let mut since_change = members.iter().filter(since_change);
    since_change.try_for_each(|one| SettingError::require(is_compared(one), "windows", rule, one))
}

/// The word for the members that a task has by default.
const STANDARD: &str = "standard";

/// The factor by which a loss counts less one row later.
const DISCOUNT: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Included(1.0));

/// The parameters.
pub(crate) const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "members": Rule::List('+', &Rule::Text), STANDARD,
        "members as base@window@scaling[@labels], separated by +, with ; in place of , between the parameters of a base; windows are a number of latest rows, all, or change (all since the last detected change); or standard";
    "eta": Rule::List('/', &Rule::POSITIVE), "0.02/0.1",
        "how fast weights follow losses (η); of several, those with the fewest prediction errors count most";
    "discount": Rule::List('/', &DISCOUNT), "0.98/0.998",
        "factor of a loss one row later (γ); each with each η";
};

impl AdaptiveSettings {
    /// Returns the settings that these values state.
    pub(crate) fn of(v: &mut Values) -> Self {
        let members = v.text("members");
        let members = members.split('+').filter(|_| members != STANDARD);
        Self {
            members: members.map(str::to_owned).collect(),
            eta: v.list("eta", ""),
            discount: v.list("discount", ""),
        }
    }
}

impl Default for AdaptiveSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(PARAMETERS))
    }
}
