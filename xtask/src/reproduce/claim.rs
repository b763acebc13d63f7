//! What a paper claims, the rule that decides it, and the verdict, computed from the results.

use std::fmt;

use serde::Deserialize;

use super::metric;
use super::results::{Cell, Results, power, power_against_logarithm};

/// A sentence of the paper, and when it holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    pub text: String,
    pub rule: Rule,
    /// What it is about; the item's first metric unless told.
    pub metric: Option<String>,
    /// The panels it is about; all unless told.
    pub on: Option<Vec<String>>,
    /// The values of `x` it is about; all unless told.
    #[serde(default)]
    pub at: At,
}

/// When a claim holds. Rules about lines of several points look at all of them at once, the others at each place
/// (panel and `x`) on its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The first is better than the second; undecided where the 95 % interval of the paired difference has 0.
    Better([String; 2]),
    /// The first is worse than the second by no more than this.
    NoWorse {
        first: String,
        than: String,
        by: Margin,
    },
    /// The two differ by no more than this.
    Near {
        first: String,
        to: String,
        by: Margin,
    },
    /// The means differ from the paper's numbers by no more than this.
    NearPaper { series: Vec<String>, by: Margin },
    /// The mean differs from a number by no more than this.
    Within { series: String, of: f64, by: Margin },
    /// The mean is at least this.
    AtLeast { series: String, value: f64 },
    /// The mean is at most this.
    AtMost { series: String, value: f64 },
    /// The first is at least so many times the second.
    Times {
        first: String,
        of: String,
        at_least: f64,
    },
    /// The power of `x` that the mean grows with differs from `at` by no more than `by`.
    Slope { series: String, at: f64, by: f64 },
    /// Growth in the second half of the points fits a logarithm better than a power.
    Logarithmic(String),
    /// The means rise from each `x` to the next.
    Increases(String),
    /// The means fall from each `x` to the next.
    Decreases(String),
    /// The largest mean is above the smallest by no more than this.
    Flat { series: String, by: Margin },
    /// It is not tested here, and why.
    Untestable(String),
}

/// A difference: a number, or a share of what is compared with (`"10 %"`).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "MarginText")]
pub enum Margin {
    Absolute(f64),
    Share(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum MarginText {
    Number(f64),
    Text(String),
}

/// Which values of `x`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum At {
    #[default]
    All,
    First,
    Last,
    /// From this one on.
    From(f64),
    /// Up to this one.
    To(f64),
    Only(Vec<f64>),
}

/// What is seen at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Yes,
    /// The interval of the difference has 0.
    Undecided,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Holds,
    InPart,
    DoesNotHold,
    Untested,
}

/// The verdict of a claim, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub detail: String,
}

/// Places with their outcomes, and how many could not be looked at.
#[derive(Default)]
struct Places {
    outcomes: Vec<(String, Outcome)>,
    missing: usize,
    /// A number that says more than the outcome.
    numbers: Vec<String>,
}

/// What a claim is judged by.
struct Judge<'a> {
    claim: &'a Claim,
    results: &'a Results,
    metric: &'a str,
    paper: &'a dyn Fn(&Cell, &str) -> Option<f64>,
}

impl Claim {
    /// `paper` knows the published number of a cell and metric; `panels` and `metric` are the item's.
    pub fn judge(
        &self,
        results: &Results,
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
        places.judgement()
    }
}

impl Judge<'_> {
    fn panel(&self, panel: &str, places: &mut Places) {
        let line = |series: &str| -> Vec<(f64, f64)> {
            let line = self.results.line(panel, series, self.metric).into_iter();
            let line = line.map(|(x, mean)| (x, mean.mean));
            let all: Vec<_> = line.collect();
            let chosen = self.claim.at.choose(all.iter().map(|p| p.0).collect());
            all.into_iter().filter(|p| chosen.contains(&p.0)).collect()
        };
        match &self.claim.rule {
            Rule::Slope { series, at, by } => {
                let line = line(series);
                let slope = (line.len() >= 2).then(|| power(&line));
                let place = format!("{panel} slope");
                places.number(&place, slope, |slope| (slope - at).abs() <= *by);
            }
            Rule::Logarithmic(series) => {
                let line = line(series);
                let half = &line[line.len() / 2..];
                let ratio = (half.len() >= 3).then(|| power_against_logarithm(half));
                let place = format!("{panel} error of the power over that of the logarithm");
                places.number(&place, ratio, |ratio| ratio > 1.0);
            }
            Rule::Increases(series) => steps(panel, &line(series), places, |step| step > 0.0),
            Rule::Decreases(series) => steps(panel, &line(series), places, |step| step < 0.0),
            Rule::Flat { series, by } => {
                let values: Vec<f64> = line(series).into_iter().map(|p| p.1).collect();
                let low = values.iter().copied().fold(f64::INFINITY, f64::min);
                let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let range = (values.len() >= 2).then_some(high - low);
                let place = format!("{panel} range");
                places.number(&place, range, |range| range <= by.of(low));
            }
            rule => self.each_x(panel, rule, places),
        }
    }

    /// Rules about each place on its own.
    fn each_x(&self, panel: &str, rule: &Rule, places: &mut Places) {
        let xs = self.claim.at.choose(self.results.xs(panel));
        let xs: Vec<Option<f64>> = match xs.is_empty() {
            true => vec![None],
            false => xs.into_iter().map(Some).collect(),
        };
        for x in xs {
            let place = match x {
                Some(x) if panel.is_empty() => x.to_string(),
                Some(x) => format!("{panel}, {x}"),
                None => panel.to_owned(),
            };
            if let Rule::NearPaper { series, by } = rule {
                series
                    .iter()
                    .for_each(|series| self.near_paper(panel, series, x, *by, places));
                continue;
            }
            match self.outcome(panel, x, rule) {
                Some(outcome) => places.outcomes.push((place.trim().to_owned(), outcome)),
                None => places.missing += 1,
            }
        }
    }

    /// Places without a published number are not counted.
    fn near_paper(
        &self,
        panel: &str,
        series: &str,
        x: Option<f64>,
        by: Margin,
        places: &mut Places,
    ) {
        let Some(cell) = self.results.cell(panel, series, x) else {
            places.missing += 1;
            return;
        };
        let Some(published) = (self.paper)(cell, self.metric) else {
            return;
        };
        let ours = cell.mean(self.metric).map(|mean| mean.mean);
        let place = format!("{panel} {series} minus the paper's");
        let difference = ours.map(|ours| ours - published);
        places.number(&place, difference, |difference| {
            difference.abs() <= by.of(published)
        });
    }

    fn outcome(&self, panel: &str, x: Option<f64>, rule: &Rule) -> Option<Outcome> {
        let cell = |series: &str| self.results.cell(panel, series, x);
        let mean = |series: &str| Some(cell(series)?.mean(self.metric)?.mean);
        let worse = |first: &str, than: &str| -> Option<f64> {
            let difference = mean(first)? - mean(than)?;
            Some(-metric::sign(self.metric) * difference)
        };
        let yes = |holds: bool| Some(if holds { Outcome::Yes } else { Outcome::No });
        match rule {
            Rule::Better([first, second]) => {
                let difference = cell(first)?.difference(cell(second)?, self.metric)?;
                let gain = metric::sign(self.metric) * difference.mean;
                let interval = difference.t_interval();
                match gain {
                    gain if gain > interval => Some(Outcome::Yes),
                    gain if gain >= -interval => Some(Outcome::Undecided),
                    _ => Some(Outcome::No),
                }
            }
            Rule::NoWorse { first, than, by } => yes(worse(first, than)? <= by.of(mean(than)?)),
            Rule::Near { first, to, by } => yes(worse(first, to)?.abs() <= by.of(mean(to)?)),
            Rule::Within { series, of, by } => yes((mean(series)? - of).abs() <= by.of(*of)),
            Rule::AtLeast { series, value } => yes(mean(series)? >= *value),
            Rule::AtMost { series, value } => yes(mean(series)? <= *value),
            Rule::Times {
                first,
                of,
                at_least,
            } => yes(mean(first)? >= at_least * mean(of)?),
            _ => None,
        }
    }
}

fn steps(panel: &str, line: &[(f64, f64)], places: &mut Places, right: impl Fn(f64) -> bool) {
    if line.len() < 2 {
        places.missing += 1;
    }
    for pair in line.windows(2) {
        let holds = right(pair[1].1 - pair[0].1);
        let outcome = if holds { Outcome::Yes } else { Outcome::No };
        let place = format!("{panel} {} to {}", pair[0].0, pair[1].0);
        places.outcomes.push((place.trim().to_owned(), outcome));
    }
}

impl Places {
    /// A place that is decided by a number, which the detail shows.
    fn number(&mut self, place: &str, value: Option<f64>, holds: impl Fn(f64) -> bool) {
        let place = place.trim();
        match value.filter(|value| !value.is_nan()) {
            None => self.missing += 1,
            Some(value) => {
                let outcome = if holds(value) {
                    Outcome::Yes
                } else {
                    Outcome::No
                };
                self.outcomes.push((place.to_owned(), outcome));
                self.numbers
                    .push(format!("{place} {}", metric::number(value)));
            }
        }
    }

    fn judgement(&self) -> Judgement {
        let count = |wanted| self.outcomes.iter().filter(|(_, o)| *o == wanted).count();
        let (yes, no, all) = (count(Outcome::Yes), count(Outcome::No), self.outcomes.len());
        let verdict = match (yes, self.missing) {
            _ if all == 0 => Verdict::Untested,
            (0, _) => Verdict::DoesNotHold,
            (yes, 0) if yes == all => Verdict::Holds,
            _ => Verdict::InPart,
        };
        Judgement {
            verdict,
            detail: self.detail(yes, no, all),
        }
    }

    fn detail(&self, yes: usize, no: usize, all: usize) -> String {
        if all == 0 {
            return "there are no records".to_owned();
        }
        let mut parts = vec![match self.numbers.len() == all && all <= 4 {
            true => self.numbers.join("; "),
            false => format!("{yes} of {all}"),
        }];
        let against = self.outcomes.iter().filter(|(_, o)| *o == Outcome::No);
        let against: Vec<&str> = against.map(|(place, _)| place.as_str()).collect();
        if self.numbers.len() != all && no > 0 && no <= 4 && !against.concat().is_empty() {
            parts.push(format!("against: {}", against.join(", ")));
        }
        if all > yes + no {
            parts.push(format!("undecided: {}", all - yes - no));
        }
        if self.missing > 0 {
            parts.push(format!("without records: {}", self.missing));
        }
        parts.join("; ")
    }
}

impl At {
    /// Those of `xs`, ascending, that are meant.
    fn choose(&self, xs: Vec<f64>) -> Vec<f64> {
        let ends = (xs.first().copied(), xs.last().copied());
        let chosen = xs.into_iter().filter(|x| match self {
            Self::All => true,
            Self::First => Some(*x) == ends.0,
            Self::Last => Some(*x) == ends.1,
            Self::From(least) => x >= least,
            Self::To(most) => x <= most,
            Self::Only(wanted) => wanted.contains(x),
        });
        chosen.collect()
    }
}

impl Margin {
    /// In the units of `value`.
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Absolute(by) => by,
            Self::Share(share) => share * value.abs(),
        }
    }
}

impl TryFrom<MarginText> for Margin {
    type Error = String;

    fn try_from(text: MarginText) -> Result<Self, String> {
        let text = match text {
            MarginText::Number(by) => return Ok(Self::Absolute(by)),
            MarginText::Text(text) => text,
        };
        let percent = text.strip_suffix('%').map(str::trim).map(str::parse::<f64>);
        match percent {
            Some(Ok(percent)) => Ok(Self::Share(percent / 100.0)),
            _ => Err(format!(
                "`{text}` is no margin; write a number such as 0.01, or a share such as \"10 %\""
            )),
        }
    }
}

impl Rule {
    /// The lines it is about.
    pub fn series(&self) -> Vec<&str> {
        match self {
            Self::Better(pair) => pair.iter().map(String::as_str).collect(),
            Self::NoWorse {
                first, than: other, ..
            }
            | Self::Near {
                first, to: other, ..
            }
            | Self::Times {
                first, of: other, ..
            } => vec![first, other],
            Self::NearPaper { series, .. } => series.iter().map(String::as_str).collect(),
            Self::Within { series, .. }
            | Self::AtLeast { series, .. }
            | Self::AtMost { series, .. }
            | Self::Slope { series, .. }
            | Self::Flat { series, .. }
            | Self::Logarithmic(series)
            | Self::Increases(series)
            | Self::Decreases(series) => vec![series],
            Self::Untestable(_) => Vec::new(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Better([first, second]) => write!(f, "{first} better than {second}"),
            Self::NoWorse { first, than, by } => {
                write!(f, "{first} no worse than {than} by more than {by}")
            }
            Self::Near { first, to, by } => write!(f, "{first} within {by} of {to}"),
            Self::NearPaper { series, by } => {
                write!(
                    f,
                    "{} within {by} of the paper's numbers",
                    series.join(", ")
                )
            }
            Self::Within { series, of, by } => write!(f, "{series} within {by} of {of}"),
            Self::AtLeast { series, value } => write!(f, "{series} at least {value}"),
            Self::AtMost { series, value } => write!(f, "{series} at most {value}"),
            Self::Times {
                first,
                of,
                at_least,
            } => {
                write!(f, "{first} at least {at_least} times {of}")
            }
            Self::Slope { series, at, by } => {
                write!(f, "power of x that {series} grows with: {at} ± {by}")
            }
            Self::Logarithmic(series) => {
                write!(f, "{series}: a logarithm fits better than a power")
            }
            Self::Increases(series) => write!(f, "{series} increases"),
            Self::Decreases(series) => write!(f, "{series} decreases"),
            Self::Flat { series, by } => write!(f, "{series} within a range of {by}"),
            Self::Untestable(_) => f.write_str("–"),
        }
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(by) => write!(f, "{by}"),
            Self::Share(share) => write!(f, "{} %", (1e4 * share).round() / 100.0),
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::First => f.write_str(" at the first x"),
            Self::Last => f.write_str(" at the last x"),
            Self::From(x) => write!(f, " from {x} on"),
            Self::To(x) => write!(f, " up to {x}"),
            Self::Only(xs) => {
                let xs: Vec<String> = xs.iter().map(f64::to_string).collect();
                write!(f, " at {}", xs.join(", "))
            }
        }
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
