//! Claims of papers: a sentence that decides each, and the verdict computed from the results.

use std::fmt;

use comparison::number::significant;
use comparison::statistics::Estimate;
use serde::Deserialize;

use crate::cells::{Cell, Cells, better, power, power_against_logarithm};

/// A claim of the paper, and the sentence that decides it, such as `log_loss: smoothed better than leaf alone · on letter; satimage · at last`.
///
/// A sentence has a metric and a colon (else it is about the first metric of the item), a rule, and what the rule is about: `on` panels, `at`
/// values of x (`at first`, `at last`, `at 3; 5`, `from 3`, `to 3`), and the share of the places at which it has to hold
/// (`at 75 % of the places`).
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "[String; 2]")]
pub(crate) struct Claim {
    pub text: String,
    pub sentence: String,
    rule: Rule,
    /// The lines that it is about, the main one first.
    pub lines: Vec<String>,
    metric: Option<String>,
    /// The panels; all of the item by default.
    pub on: Option<Vec<String>>,
    at: At,
    /// The share of places at which the rule has to hold.
    share: f64,
}

/// The first four are about a line along x, the others about places.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Increases with the sign 1, decreases with −1.
    Monotone(f64),
    Logarithm,
    Power(f64, Margin),
    Range(Margin),
    Better,
    NoWorse(Margin),
    LevelWithBest,
    Best,
    NearReference(Margin),
    WithinOf(f64, Margin),
    WithinOfLine(Margin),
    AtLeast(f64),
    AtLeastTimes(f64),
    AtMost(f64),
    Untestable,
}

/// The words of rules, in the order in which they are looked for: what is before them is a line, or several.
const WORDS: [&str; 13] = [
    "increases",
    "decreases",
    LOGARITHM,
    "grows as x to the power",
    "within a range of",
    "better than",
    "no worse than",
    "level with the best of",
    "the best of",
    "near the reference values within",
    "within",
    "at least",
    "at most",
];
const LOGARITHM: &str = "a logarithm fits better than a power";
const UNTESTABLE: &str = "untestable: ";

#[derive(Clone, Copy, Debug)]
enum Margin {
    Absolute(f64),
    Share(f64),
}

/// The values of x.
#[derive(Clone, Debug)]
enum At {
    First,
    Last,
    Between(f64, f64),
    Only(Vec<f64>),
}

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The rule holds at every place.
    Holds,
    /// At some, or some places have no records.
    InPart,
    /// At none.
    DoesNotHold,
    /// There are no records.
    Untested,
}

/// A verdict, and what it is seen by.
pub(crate) struct Judgement {
    pub verdict: Verdict,
    pub detail: String,
}

impl TryFrom<[String; 2]> for Claim {
    type Error = String;

    fn try_from([text, sentence]: [String; 2]) -> Result<Self, String> {
        let mut claim = Self {
            text,
            sentence: sentence.clone(),
            rule: Rule::Untestable,
            lines: Vec::new(),
            metric: None,
            on: None,
            at: At::Between(f64::NEG_INFINITY, f64::INFINITY),
            share: 1.0,
        };
        if sentence.starts_with(UNTESTABLE) {
            return Ok(claim);
        }
        let mut parts = sentence.split(" · ");
        let mut words = parts.next().unwrap_or_default();
        if let Some((name, rest)) = words.split_once(": ") {
            let is_name = name.bytes().all(|c| c == b'_' || c.is_ascii_alphanumeric());
            if is_name && !rest.starts_with(LOGARITHM) {
                (claim.metric, words) = (Some(name.to_owned()), rest);
            }
        }
        let table = "see the table of rules in xtask/experiments/README.md";
        let unknown = |part: &str| format!("`{part}` is not a rule of claims; {table}");
        (claim.rule, claim.lines) = Rule::read(words).ok_or_else(|| unknown(words))?;
        for part in parts {
            let number = |text: &str| text.parse::<f64>().map_err(|_| unknown(part));
            claim.at = match part.split_once(' ').ok_or_else(|| unknown(part))? {
                ("on", panels) => {
                    claim.on = Some(list(panels));
                    continue;
                }
                ("at", "first") => At::First,
                ("at", "last") => At::Last,
                ("from", x) => At::Between(number(x)?, f64::INFINITY),
                ("to", x) => At::Between(f64::NEG_INFINITY, number(x)?),
                ("at", rest) => match rest.strip_suffix(" % of the places") {
                    Some(percent) => {
                        claim.share = number(percent)? / 100.0;
                        continue;
                    }
                    None => At::Only(rest.split("; ").map(number).collect::<Result<_, _>>()?),
                },
                _ => return Err(unknown(part)),
            };
        }
        Ok(claim)
    }
}

fn list(text: &str) -> Vec<String> {
    text.split("; ").map(str::to_owned).collect()
}

impl Rule {
    /// Reads a rule with its lines.
    fn read(text: &str) -> Option<(Self, Vec<String>)> {
        let find = |words: &&'static str| Some((*words, text.split_once(*words)?));
        let (words, (first, rest)) = WORDS.iter().find_map(find)?;
        let (mut lines, rest) = (list(first.trim_end_matches([' ', ':'])), rest.trim_start());
        let rule = match words {
            "better than" | "the best of" | "level with the best of" => {
                lines.extend(list(rest));
                match words {
                    "better than" => Self::Better,
                    "the best of" => Self::Best,
                    _ => Self::LevelWithBest,
                }
            }
            "no worse than" => {
                let (line, margin) = rest.split_once(" by more than ")?;
                lines.push(line.to_owned());
                Self::NoWorse(Margin::read(margin)?)
            }
            "grows as x to the power" => {
                let (power, margin) = rest.split_once(" ± ")?;
                Self::Power(power.parse().ok()?, Margin::read(margin)?)
            }
            "within a range of" => Self::Range(Margin::read(rest)?),
            "near the reference values within" => Self::NearReference(Margin::read(rest)?),
            "within" => {
                let (margin, of) = rest.split_once(" of ")?;
                let margin = Margin::read(margin)?;
                match of.parse() {
                    Ok(number) => Self::WithinOf(number, margin),
                    Err(_) => {
                        lines.push(of.to_owned());
                        Self::WithinOfLine(margin)
                    }
                }
            }
            "at most" => Self::AtMost(rest.parse().ok()?),
            "at least" => match rest.split_once(" times ") {
                Some((times, line)) => {
                    lines.push(line.to_owned());
                    Self::AtLeastTimes(times.parse().ok()?)
                }
                None => Self::AtLeast(rest.parse().ok()?),
            },
            _ if !rest.is_empty() => return None,
            "increases" => Self::Monotone(1.0),
            "decreases" => Self::Monotone(-1.0),
            _ => Self::Logarithm,
        };
        Some((rule, lines))
    }

    /// Judges a line along x.
    fn follow(self, panel: &str, line: &[(f64, f64)], places: &mut Places) {
        let is_line = line.len() >= 2;
        match self {
            Self::Power(value, by) => {
                let slope = is_line.then(|| power(line));
                let holds = |slope: f64| (slope - value).abs() <= by.of(0.0);
                places.add_number(&format!("{panel} slope"), slope, holds);
            }
            Self::Logarithm => {
                let half = &line[line.len() / 2..];
                let ratio = (half.len() >= 3).then(|| power_against_logarithm(half));
                let place = format!("{panel} error of the power over that of the logarithm");
                places.add_number(&place, ratio, |ratio| ratio > 1.0);
            }
            Self::Range(by) => {
                let values = line.iter().map(|point| point.1);
                let low = values.clone().fold(f64::INFINITY, f64::min);
                let range = is_line.then(|| values.fold(f64::NEG_INFINITY, f64::max) - low);
                places.add_number(&format!("{panel} range"), range, |range| {
                    range <= by.of(low)
                });
            }
            Self::Monotone(sign) if is_line => {
                for pair in line.windows(2) {
                    let place = format!("{panel} {} to {}", pair[0].0, pair[1].0);
                    let step = sign * (pair[1].1 - pair[0].1);
                    places.add(&place, Some((step > 0.0).into()));
                }
            }
            _ => places.missing += 1,
        }
    }

    /// Returns what comes of the lines at one place; `None` without records.
    fn outcome(self, cells: &[Option<&Cell>], metric: &str) -> Option<Outcome> {
        let estimate = |line: usize| cells[line]?.mean(metric);
        let mean = |line: usize| Some(estimate(line)?.mean);
        let worse = || -> Option<f64> {
            let better = better(metric);
            Some(better.score(mean(1)?) - better.score(mean(0)?))
        };
        // The least gain over the others.
        let gain = || -> Option<Estimate> {
            let others = cells[1..].iter().flatten();
            let gains = others.filter_map(|other| cells[0]?.gain(other, metric));
            gains.min_by(|one, other| one.mean.total_cmp(&other.mean))
        };
        let decided = |holds: bool, fails: bool| match (holds, fails) {
            (true, _) => Outcome::Yes,
            (false, true) => Outcome::No,
            (false, false) => Outcome::Undecided,
        };
        let interval = || Some(estimate(0)?.interval());
        Some(match self {
            Self::Better => {
                let [low, _, high] = gain()?.interval();
                decided(low > 0.0, high < 0.0)
            }
            Self::Best => (gain()?.mean >= 0.0).into(),
            Self::LevelWithBest => (gain()?.interval()[2] >= 0.0).into(),
            Self::NoWorse(by) => (worse()? <= by.of(mean(1)?)).into(),
            Self::WithinOf(value, by) => ((mean(0)? - value).abs() <= by.of(value)).into(),
            Self::WithinOfLine(by) => (worse()?.abs() <= by.of(mean(1)?)).into(),
            Self::AtLeast(value) => decided(interval()?[0] >= value, interval()?[2] < value),
            Self::AtLeastTimes(times) => (mean(0)? >= times * mean(1)?).into(),
            Self::AtMost(value) => decided(interval()?[2] <= value, interval()?[0] > value),
            _ => return None,
        })
    }
}

impl Margin {
    /// Reads a number, or a share such as `10 %`.
    fn read(text: &str) -> Option<Self> {
        match text.strip_suffix(" %") {
            Some(percent) => Some(Self::Share(percent.parse::<f64>().ok()? / 100.0)),
            None => Some(Self::Absolute(text.parse().ok()?)),
        }
    }

    /// Returns the margin around a value.
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Absolute(by) => by,
            Self::Share(share) => share * value.abs(),
        }
    }
}

impl At {
    /// Returns whether one of these ascending values is chosen.
    fn has(&self, x: f64, xs: &[f64]) -> bool {
        match self {
            Self::First => xs.first() == Some(&x),
            Self::Last => xs.last() == Some(&x),
            Self::Between(least, most) => (*least..=*most).contains(&x),
            Self::Only(wanted) => wanted.contains(&x),
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

/// Reference values by panel, line, x and metric.
type Reference<'a> = dyn Fn(&str, &str, Option<f64>, &str) -> Option<f64> + 'a;

impl Claim {
    /// Judges it on panels; the metric is the first of the item unless the claim names one.
    pub(crate) fn judge(
        &self,
        results: &Cells,
        panels: &[String],
        metric: &str,
        reference: &Reference<'_>,
    ) -> Judgement {
        if let Some(reason) = self.sentence.strip_prefix(UNTESTABLE) {
            return Judgement {
                verdict: Verdict::Untested,
                detail: reason.to_owned(),
            };
        }
        let metric = self.metric.as_deref().unwrap_or(metric);
        let mut places = Places::default();
        for panel in self.on.as_deref().unwrap_or(panels) {
            use Rule::{Logarithm, Monotone, Power, Range};
            if matches!(self.rule, Monotone(_) | Logarithm | Power(..) | Range(_)) {
                let line = results.line(panel, &self.lines[0], metric);
                let mut line: Vec<_> = line.into_iter().map(|(x, mean)| (x, mean.mean)).collect();
                let all: Vec<f64> = line.iter().map(|point| point.0).collect();
                line.retain(|point| self.at.has(point.0, &all));
                self.rule.follow(panel, &line, &mut places);
                continue;
            }
            let xs = results.xs(panel);
            let mut chosen: Vec<_> = xs.iter().copied().map(Some).collect();
            chosen.retain(|x| x.is_some_and(|x| self.at.has(x, &xs)));
            if chosen.is_empty() {
                chosen.push(None);
            }
            for x in chosen {
                let cells: Vec<_> = self
                    .lines
                    .iter()
                    .map(|line| results.cell(panel, line, x))
                    .collect();
                let Rule::NearReference(by) = self.rule else {
                    let place = match x {
                        Some(x) if panel.is_empty() => x.to_string(),
                        Some(x) => format!("{panel} at {x}"),
                        None => panel.to_owned(),
                    };
                    places.add(&place, self.rule.outcome(&cells, metric));
                    continue;
                };
                for (line, cell) in self.lines.iter().zip(cells) {
                    let Some(cell) = cell else {
                        places.missing += 1;
                        continue;
                    };
                    if let Some(published) = reference(panel, line, x, metric) {
                        let difference = cell.mean(metric).map(|mean| mean.mean - published);
                        let place = format!("{panel} {line} minus the reference");
                        places.add_number(&place, difference, |it| it.abs() <= by.of(published));
                    }
                }
            }
        }
        places.judgement(self.share)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Yes,
    Undecided,
    No,
}

impl From<bool> for Outcome {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// Outcomes by place, numbers that decided them, and places without records.
#[derive(Default)]
struct Places {
    outcomes: Vec<(String, Outcome)>,
    numbers: Vec<String>,
    missing: usize,
}

impl Places {
    fn add(&mut self, place: &str, outcome: Option<Outcome>) {
        match outcome {
            Some(outcome) => self.outcomes.push((place.trim().to_owned(), outcome)),
            None => self.missing += 1,
        }
    }

    fn add_number(&mut self, place: &str, value: Option<f64>, holds: impl Fn(f64) -> bool) {
        let value = value.filter(|value| !value.is_nan());
        self.add(place, value.map(|value| holds(value).into()));
        let number = value.map(|value| format!("{} {}", place.trim(), significant(value, 4)));
        self.numbers.extend(number);
    }

    fn judgement(&self, share: f64) -> Judgement {
        let (all, missing) = (self.outcomes.len(), self.missing);
        let (mut yes, mut against) = (0, Vec::new());
        for (place, outcome) in &self.outcomes {
            match outcome {
                Outcome::Yes => yes += 1,
                Outcome::No => against.push(place.as_str()),
                Outcome::Undecided => {}
            }
        }
        let no = against.len();
        let verdict = match yes {
            _ if all == 0 => Verdict::Untested,
            0 => Verdict::DoesNotHold,
            yes if yes as f64 >= share * (all + missing) as f64 => Verdict::Holds,
            _ if missing == 0 && share < 1.0 => Verdict::DoesNotHold,
            _ => Verdict::InPart,
        };
        if all == 0 {
            return Judgement {
                verdict,
                detail: "no records".to_owned(),
            };
        }
        let has_numbers = self.numbers.len() == all;
        let mut detail = if has_numbers && all <= 4 {
            self.numbers.join("; ")
        } else {
            format!("{yes} of {all}")
        };
        if !has_numbers && no > 0 {
            detail += "; against: ";
            let is_short = no <= 4 && !against.concat().is_empty();
            detail += &if is_short {
                against.join(", ")
            } else {
                no.to_string()
            };
        }
        if all > yes + no {
            detail += &format!("; undecided: {}", all - yes - no);
        }
        if missing > 0 {
            detail += &format!("; without records: {missing}");
        }
        Judgement { verdict, detail }
    }
}

#[cfg(test)]
mod tests;
