//! Claims of papers: a sentence that decides each, and the verdict computed from the results.

use anyhow::{Result, anyhow};
use comparison::number::significant;
use comparison::statistics::Estimate;
use indexmap::IndexSet;

use Rule::{Along, At, NearReference, Step};

use crate::reproduce::record::Place;
use crate::reproduce::results::{Results, better, power, power_against_logarithm};

#[derive(Clone, Copy)]
enum Rule {
    /// About lines at a place; `None` without records.
    At(fn(&Lines, Limit) -> Option<Outcome>),
    /// About a line along x: what is measured of it, the value, and whether that holds.
    Along(&'static str, Measure),
    /// About each step of it.
    Step(fn(f64) -> bool),
    /// Each line differs from its reference value by no more than the margin.
    NearReference,
}

type Measure = fn(&[(f64, f64)], Limit) -> Option<(f64, bool)>;

/// Whether a rule holds, and whether it fails; it does neither while it is undecided.
type Outcome = [bool; 2];

/// What is known of the lines of a claim at one place.
struct Lines {
    first: Option<Estimate>,
    /// The mean of the second line, and how much worse the first is.
    second: Option<f64>,
    worse: Option<f64>,
    /// The least gain of the first line over the others, seed by seed.
    gain: Option<Estimate>,
}

/// The number of a rule, and its margin: a number, or a share such as `10 %` of what is compared.
#[derive(Clone, Copy, Default)]
struct Limit {
    value: f64,
    by: f64,
    share: f64,
}

/// The rules, in the order of look-up: `_` stands for a line, or several, `#` for a number, and `~` for a margin.
const RULES: [(&str, Rule); 15] = [
    ("_ increases", Step(|step| step > 0.0)),
    ("_ decreases", Step(|step| step < 0.0)),
    ("_: a logarithm fits better than a power", LOGARITHM),
    ("_ grows as x to the power # ± ~", POWER),
    ("_ within a range of ~", RANGE),
    ("_ better than _", BETTER),
    ("_ no worse than _ by more than ~", NO_WORSE),
    ("_ level with the best of _", LEVEL),
    ("_ the best of _", At(|at, _| sure(at.gain?.mean >= 0.0))),
    ("_ near the reference values within ~", NearReference),
    ("_ within ~ of #", WITHIN_OF_NUMBER),
    ("_ within ~ of _", WITHIN_OF_LINE),
    ("_ at least # times _", TIMES),
    ("_ at least #", AT_LEAST),
    ("_ at most #", AT_MOST),
];
const LOGARITHM: Rule = Along(
    "error of the power over that of the logarithm",
    |line, _| {
        let half = &line[line.len() / 2..];
        let ratio = (half.len() >= 3).then(|| power_against_logarithm(half))?;
        Some((ratio, ratio > 1.0))
    },
);
const POWER: Rule = Along("slope", |line, of| {
    let slope = (line.len() >= 2).then(|| power(line))?;
    Some((slope, (slope - of.value).abs() <= of.margin(0.0)))
});
const RANGE: Rule = Along("range", |line, by| {
    let values = line.iter().map(|point| point.1);
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let range = values.fold(f64::NEG_INFINITY, f64::max) - low;
    (line.len() >= 2).then_some((range, range <= by.margin(low)))
});
const BETTER: Rule = At(|at, _| {
    let [low, _, high] = at.gain?.interval();
    Some([low > 0.0, high < 0.0])
});
const NO_WORSE: Rule = At(|at, by| sure(at.worse? <= by.margin(at.second?)));
const LEVEL: Rule = At(|at, _| sure(at.gain?.interval()[2] >= 0.0));
const WITHIN_OF_NUMBER: Rule =
    At(|at, of| sure((at.first?.mean - of.value).abs() <= of.margin(of.value)));
const WITHIN_OF_LINE: Rule = At(|at, by| sure(at.worse?.abs() <= by.margin(at.second?)));
const TIMES: Rule = At(|at, of| sure(at.first?.mean >= of.value * at.second?));
const AT_LEAST: Rule = At(|at, of| {
    let [low, _, high] = at.first?.interval();
    Some([low >= of.value, high < of.value])
});
const AT_MOST: Rule = At(|at, of| {
    let [low, _, high] = at.first?.interval();
    Some([high <= of.value, low > of.value])
});

fn sure(holds: bool) -> Option<Outcome> {
    Some([holds, !holds])
}

impl Limit {
    fn margin(self, of: f64) -> f64 {
        self.by + self.share * of.abs()
    }
}

/// Reads a rule by its pattern: its lines, its number and its margin.
fn read<'a>(pattern: &str, mut text: &'a str) -> Option<(Vec<&'a str>, Limit)> {
    let mut lines = Vec::new();
    let mut limit = Limit::default();
    let mut literals = pattern.split(['_', '#', '~']);
    text = text.strip_prefix(literals.next()?)?;
    for (slot, literal) in pattern.matches(['_', '#', '~']).zip(literals) {
        let (part, rest) = match literal {
            "" => (text, ""),
            _ => text.split_once(literal)?,
        };
        match (slot, part.strip_suffix(" %")) {
            ("_", _) => lines.extend(part.split("; ")),
            ("#", _) => limit.value = part.parse().ok()?,
            (_, Some(percent)) => limit.share = percent.parse::<f64>().ok()? / 100.0,
            (_, None) => limit.by = part.parse().ok()?,
        }
        text = rest;
    }
    text.is_empty().then_some((lines, limit))
}

/// The verdicts: the rule holds at every place; at some, or some places lack records; at none; records are missing.
pub(crate) const VERDICTS: [&str; 4] = [
    "holds",
    "holds in part",
    "does not hold",
    "cannot be tested here",
];

const UNKNOWN: &str = "is not a rule; see the table of rules in xtask/experiments/README.md";

/// Judges a claim by its sentence, such as `log_loss: smoothed better than leaf alone · on letter; satimage · at last`.
/// Returns the verdict, and the numbers or places behind it.
///
/// A sentence has a metric and a colon (else it is about the first), a rule, `on` panels (else all), `at` values of x
/// (`at last`, `at 3`, `from 3`), and the share of them at which the rule has to hold (`at 75 % of the places`).
pub(crate) fn judge(
    sentence: &str,
    metrics: &[String],
    panels: &IndexSet<&str>,
    results: &Results<'_>,
    reference: &dyn Fn(&str, &str, &str) -> Option<f64>,
) -> Result<(&'static str, String)> {
    if let Some(reason) = sentence.strip_prefix("untestable: ") {
        return Ok((VERDICTS[3], reason.to_owned()));
    }
    let unknown = |part: &str| anyhow!("`{part}` {UNKNOWN}");
    let mut abouts = sentence.split(" · ");
    let words = abouts.next().unwrap_or_default();
    let named = words.split_once(": ");
    let named = named.filter(|(name, _)| metrics.iter().any(|one| one == name));
    let (metric, words) = named.unwrap_or((&metrics[0], words));
    let read = |(pattern, rule): &(&str, Rule)| Some((*rule, read(pattern, words)?));
    let found = RULES.iter().find_map(read);
    let (rule, (lines, limit)) = found.ok_or_else(|| unknown(words))?;
    let mut on: Vec<&str> = panels.iter().copied().collect();
    let mut range = f64::NEG_INFINITY..=f64::INFINITY;
    let mut is_last = false;
    let mut share = 1.0;
    for about in abouts {
        let number = |text: &str| text.parse::<f64>().map_err(|_| unknown(about));
        match about.split_once(' ').ok_or_else(|| unknown(about))? {
            ("on", panels) => on = panels.split("; ").collect(),
            ("at", "last") => is_last = true,
            ("at", rest) => match rest.strip_suffix(" % of the places") {
                Some(percent) => share = number(percent)? / 100.0,
                None => range = number(rest)?..=number(rest)?,
            },
            ("from", least) => range = number(least)?..=f64::INFINITY,
            _ => return Err(unknown(about)),
        }
    }
    let mut places = Places::default();
    for panel in on {
        let mut xs = results.xs(panel);
        xs.retain(|x| range.contains(x));
        if is_last {
            xs.drain(..xs.len().saturating_sub(1));
        }
        let mut line = results.along(panel, lines[0], metric);
        line.retain(|(x, _)| xs.contains(x));
        match rule {
            Along(what, measure) => {
                places.add_number(&format!("{panel} {what}"), measure(&line, limit));
            }
            Step(holds) => {
                places.missing += usize::from(line.len() < 2);
                for pair in line.windows(2) {
                    let place = format!("{panel} {} to {}", pair[0].0, pair[1].0);
                    places.add(&place, sure(holds(pair[1].1 - pair[0].1)));
                }
            }
            At(decide) => {
                let none = xs.is_empty().then_some(None);
                for x in xs.into_iter().map(Some).chain(none) {
                    let place = match x {
                        Some(x) if panel.is_empty() => x.to_string(),
                        Some(x) => format!("{panel} at {x}"),
                        None => panel.to_owned(),
                    };
                    let lines: Vec<_> = lines.iter().map(|line| (panel, *line, x)).collect();
                    places.add(&place, decide(&Lines::new(results, &lines, metric), limit));
                }
            }
            NearReference => {
                for line in &lines {
                    let mean = results.mean((panel, line, None), metric);
                    places.missing += usize::from(mean.is_none());
                    if let (Some(mean), Some(value)) = (mean, reference(panel, line, metric)) {
                        let by = mean.mean - value;
                        let number = Some((by, by.abs() <= limit.margin(value)));
                        places.add_number(&format!("{panel} {line} minus the reference"), number);
                    }
                }
            }
        }
    }
    Ok(places.judgement(share))
}

impl Lines {
    fn new(results: &Results<'_>, lines: &[Place<'_>], metric: &str) -> Self {
        let mean = |line: usize| results.mean(*lines.get(line)?, metric);
        let first = mean(0);
        let second = mean(1).map(|it| it.mean);
        let better = better(metric);
        let pair = first.zip(second);
        let worse = pair.map(|(one, other)| better.score(other) - better.score(one.mean));
        let others = lines[1..].iter();
        let gains = others.filter_map(|it| results.gain(lines[0], *it, metric));
        let gain = gains.min_by(|one, other| one.mean.total_cmp(&other.mean));
        Self {
            first,
            second,
            worse,
            gain,
        }
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

    /// Adds what was measured, and whether that holds.
    fn add_number(&mut self, place: &str, number: Option<(f64, bool)>) {
        let number = number.filter(|(value, _)| !value.is_nan());
        self.add(place, number.and_then(|(_, holds)| sure(holds)));
        let words = number.map(|(value, _)| format!("{} {}", place.trim(), significant(value, 4)));
        self.numbers.extend(words);
    }

    fn judgement(self, share: f64) -> (&'static str, String) {
        let all = self.outcomes.len();
        let mut yes = 0;
        let mut against = Vec::new();
        for (place, [holds, fails]) in self.outcomes {
            yes += usize::from(holds);
            against.extend(fails.then_some(place));
        }
        let no = against.len();
        let [holds, in_part, fails, untested] = VERDICTS;
        let verdict = match yes {
            _ if all == 0 => return (untested, "no records".to_owned()),
            0 => fails,
            yes if yes as f64 >= share * (all + self.missing) as f64 => holds,
            _ if self.missing == 0 && share < 1.0 => fails,
            _ => in_part,
        };
        let has_numbers = self.numbers.len() == all;
        let mut detail = format!("{yes} of {all}");
        if has_numbers && all <= 4 {
            detail = self.numbers.join("; ");
        } else if !has_numbers && (1..=4).contains(&no) && against != [""] {
            detail += &format!("; against: {}", against.join(", "));
        } else if !has_numbers && no > 0 {
            detail += &format!("; against: {no}");
        }
        if all > yes + no {
            detail += &format!("; undecided: {}", all - yes - no);
        }
        if self.missing > 0 {
            detail += &format!("; without records: {}", self.missing);
        }
        (verdict, detail)
    }
}

#[cfg(test)]
mod tests;
