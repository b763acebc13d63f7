//! Claims of papers: a sentence that decides each, and the verdict computed from the results.

mod judge;

use std::fmt;

use serde::Deserialize;

pub(crate) use judge::Judgement;

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
    pub rule: Rule,
    pub metric: Option<String>,
    /// The panels; all of the item by default.
    pub on: Option<Vec<String>>,
    pub at: At,
    /// The share of places at which the rule has to hold.
    pub share: f64,
}

/// What holds at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rule {
    Better(String, String),
    NoWorse(String, String, Margin),
    Best(String, Vec<String>),
    Level(String, Vec<String>),
    Near(String, String, Margin),
    NearPaper(Vec<String>, Margin),
    Within(String, f64, Margin),
    AtLeast(String, f64),
    AtMost(String, f64),
    Times(String, String, f64),
    Slope(String, f64, f64),
    Logarithmic(String),
    Increases(String),
    Decreases(String),
    Flat(String, Margin),
    Untestable(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Margin {
    Absolute(f64),
    Share(f64),
}

/// The values of x.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum At {
    #[default]
    All,
    First,
    Last,
    From(f64),
    To(f64),
    Only(Vec<f64>),
}

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

impl TryFrom<[String; 2]> for Claim {
    type Error = String;

    fn try_from([text, sentence]: [String; 2]) -> Result<Self, String> {
        let mut parts = sentence.split(" · ");
        let first = parts.next().unwrap_or_default();
        let named = first.split_once(": ").filter(|(name, _)| {
            *name != "untestable" && name.bytes().all(|c| c == b'_' || c.is_ascii_alphanumeric())
        });
        let (metric, rule) = match named {
            Some((metric, rule)) if !rule.starts_with("a logarithm") => {
                (Some(metric.to_owned()), rule)
            }
            _ => (None, first),
        };
        let unknown = |part: &str| {
            format!(
                "`{part}` is not a rule of claims; see the table of rules in xtask/experiments/README.md"
            )
        };
        let mut claim = Self {
            rule: Rule::read(rule).ok_or_else(|| unknown(rule))?,
            metric,
            on: None,
            at: At::All,
            share: 1.0,
            text,
            sentence: sentence.clone(),
        };
        for part in parts {
            let number = |text: &str| text.parse::<f64>().map_err(|_| unknown(part));
            let (word, rest) = part.split_once(' ').ok_or_else(|| unknown(part))?;
            match (word, rest) {
                ("on", panels) => claim.on = Some(list(panels)),
                ("at", "first") => claim.at = At::First,
                ("at", "last") => claim.at = At::Last,
                ("from", x) => claim.at = At::From(number(x)?),
                ("to", x) => claim.at = At::To(number(x)?),
                ("at", rest) => match rest.strip_suffix(" % of the places") {
                    Some(share) => claim.share = number(share)? / 100.0,
                    None => {
                        claim.at =
                            At::Only(rest.split("; ").map(number).collect::<Result<_, _>>()?);
                    }
                },
                _ => return Err(unknown(part)),
            }
        }
        Ok(claim)
    }
}

fn list(text: &str) -> Vec<String> {
    text.split("; ").map(str::to_owned).collect()
}

impl Rule {
    fn read(text: &str) -> Option<Self> {
        let between = |word: &str| {
            let (first, second) = text.split_once(word)?;
            Some((first.to_owned(), second.to_owned()))
        };
        let number = |text: &str| text.parse::<f64>().ok();
        if let Some(reason) = text.strip_prefix("untestable: ") {
            return Some(Self::Untestable(reason.to_owned()));
        }
        if let Some(line) = text.strip_suffix(" increases") {
            return Some(Self::Increases(line.to_owned()));
        }
        if let Some(line) = text.strip_suffix(" decreases") {
            return Some(Self::Decreases(line.to_owned()));
        }
        if let Some(line) = text.strip_suffix(": a logarithm fits better than a power") {
            return Some(Self::Logarithmic(line.to_owned()));
        }
        if let Some((first, second)) = between(" better than ") {
            return Some(Self::Better(first, second));
        }
        if let Some((first, rest)) = between(" no worse than ") {
            let (second, by) = rest.split_once(" by more than ")?;
            return Some(Self::NoWorse(first, second.to_owned(), Margin::read(by)?));
        }
        if let Some((first, others)) = between(" the best of ") {
            return Some(match first.strip_suffix(" level with") {
                Some(first) => Self::Level(first.to_owned(), list(&others)),
                None => Self::Best(first, list(&others)),
            });
        }
        if let Some((line, rest)) = between(" grows as x to the power ") {
            let (power, by) = rest.split_once(" ± ")?;
            return Some(Self::Slope(line, number(power)?, number(by)?));
        }
        if let Some((line, by)) = between(" within a range of ") {
            return Some(Self::Flat(line, Margin::read(&by)?));
        }
        if let Some((lines, by)) = between(" near the reference values within ") {
            return Some(Self::NearPaper(list(&lines), Margin::read(&by)?));
        }
        if let Some((line, rest)) = between(" within ") {
            let (by, of) = rest.split_once(" of ")?;
            let by = Margin::read(by)?;
            return Some(match number(of) {
                Some(value) => Self::Within(line, value, by),
                None => Self::Near(line, of.to_owned(), by),
            });
        }
        if let Some((line, rest)) = between(" at least ") {
            return match rest.split_once(" times ") {
                Some((times, of)) => Some(Self::Times(line, of.to_owned(), number(times)?)),
                None => Some(Self::AtLeast(line, number(&rest)?)),
            };
        }
        let (line, value) = between(" at most ")?;
        Some(Self::AtMost(line, number(&value)?))
    }

    /// Returns the lines that it is about.
    pub(crate) fn lines(&self) -> Vec<&str> {
        match self {
            Self::Better(first, second)
            | Self::NoWorse(first, second, _)
            | Self::Near(first, second, _)
            | Self::Times(first, second, _) => vec![first, second],
            Self::Best(first, others) | Self::Level(first, others) => [first]
                .into_iter()
                .chain(others)
                .map(String::as_str)
                .collect(),
            Self::NearPaper(lines, _) => lines.iter().map(String::as_str).collect(),
            Self::Within(line, ..)
            | Self::AtLeast(line, _)
            | Self::AtMost(line, _)
            | Self::Slope(line, ..)
            | Self::Flat(line, _)
            | Self::Logarithmic(line)
            | Self::Increases(line)
            | Self::Decreases(line) => vec![line],
            Self::Untestable(_) => Vec::new(),
        }
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
    /// Returns those of ascending values that are chosen.
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
