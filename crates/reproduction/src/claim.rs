//! Claims of papers: the rule that decides each, and the verdict computed from the results.

mod judge;
mod places;
mod rule;

use std::fmt;

use serde::Deserialize;

use crate::cells::{Cell, Cells};
use judge::Judge;
use places::Places;
pub(crate) use rule::{At, Rule};

/// A sentence of the paper, and the rule by which it holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    pub text: String,
    pub rule: Rule,
    /// The metric it is about; the item's first by default.
    pub metric: Option<String>,
    /// The panels it is about; all by default.
    pub on: Option<Vec<String>>,
    /// The values of `x` it is about; all by default.
    #[serde(default)]
    pub at: At,
    /// The share of the places at which the rule has to hold; 1 by default.
    #[serde(default = "everywhere")]
    pub share: f64,
}

fn everywhere() -> f64 {
    1.0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Holds,
    InPart,
    DoesNotHold,
    Untested,
}

/// The verdict of a claim, and its evidence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judgement {
    pub verdict: Verdict,
    pub detail: String,
}

impl Claim {
    /// Judges the claim. `paper` looks up the published number of a cell and metric; `panels` and `metric` are the item's.
    pub(crate) fn judge(
        &self,
        results: &Cells,
        panels: &[String],
        metric: &str,
        paper: &dyn Fn(&Cell, &str) -> Option<f64>,
    ) -> Judgement {
        if let Rule::Untestable(reason) = &self.rule {
            return Judgement {
                verdict: Verdict::Untested,
                detail: reason.clone(),
            };
        }
        let judge = Judge {
            claim: self,
            results,
            metric: self.metric.as_deref().unwrap_or(metric),
            paper,
        };
        let mut places = Places::default();
        for panel in self.on.as_deref().unwrap_or(panels) {
            judge.panel(panel, &mut places);
        }
        places.judgement(self.share)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::InPart => "holds in part",
            Self::DoesNotHold => "does not hold",
            Self::Untested => "cannot be tested here",
        })
    }
}

#[cfg(test)]
mod tests;
