//! The vocabulary of rules.

use std::fmt;

use serde::Deserialize;

/// When a claim holds. Rules about lines of several points look at all of them at once, the others at each place
/// (panel and `x`) on its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rule {
    /// The first is better than the second; undecided where the 95 % interval of the paired difference contains 0.
    Better([String; 2]),
    /// The first is worse than the second by at most this margin.
    NoWorse {
        first: String,
        than: String,
        by: Margin,
    },
    /// The mean of the first is at least as good as that of each other that has records, over the seeds that both have.
    Best { first: String, of: Vec<String> },
    /// The first is not worse than the best of the others: the 95 % interval of the paired difference reaches 0.
    Level { first: String, with: Vec<String> },
    /// The two differ by at most this margin.
    Near {
        first: String,
        to: String,
        by: Margin,
    },
    /// The means differ from the reference values by at most this margin.
    NearPaper { series: Vec<String>, by: Margin },
    /// The mean differs from a number by at most this margin.
    Within { series: String, of: f64, by: Margin },
    /// The 95 % interval of the mean is at or above this; undecided where it contains it.
    AtLeast { series: String, value: f64 },
    /// The 95 % interval of the mean is at or below this; undecided where it contains it.
    AtMost { series: String, value: f64 },
    /// The first is at least `at_least` times the second.
    Times {
        first: String,
        of: String,
        at_least: f64,
    },
    /// The power of `x` that the mean grows with differs from `at` by at most `by`.
    Slope { series: String, at: f64, by: f64 },
    /// Growth in the second half of the points fits a logarithm better than a power.
    Logarithmic(String),
    /// The means rise from each `x` to the next.
    Increases(String),
    /// The means fall from each `x` to the next.
    Decreases(String),
    /// The largest mean exceeds the smallest by at most this margin.
    Flat { series: String, by: Margin },
    /// The claim is not tested here, for this reason.
    Untestable(String),
}

/// A difference: a number, or a percentage of the value compared with (`"10 %"`).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "MarginText")]
pub(crate) enum Margin {
    Absolute(f64),
    Share(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum MarginText {
    Number(f64),
    Text(String),
}

/// A selection of values of `x`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum At {
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

impl At {
    /// Returns the selected ones of the ascending `xs`.
    pub(crate) fn choose(&self, xs: Vec<f64>) -> Vec<f64> {
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
    /// Returns the margin in the units of `value`.
    pub(crate) fn of(self, value: f64) -> f64 {
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
                "`{text}` is not a margin; write a number such as 0.01, or a percentage such as \"10 %\""
            )),
        }
    }
}

impl Rule {
    /// Returns the lines it is about.
    pub(crate) fn series(&self) -> Vec<&str> {
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
            Self::Best { first, of: others }
            | Self::Level {
                first,
                with: others,
            } => {
                let all = std::iter::once(first).chain(others);
                all.map(String::as_str).collect()
            }
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
            Self::Best { first, of } => write!(f, "{first} the best of {}", of.join(", ")),
            Self::Level { first, with } => {
                write!(f, "{first} level with the best of {}", with.join(", "))
            }
            Self::Near { first, to, by } => write!(f, "{first} within {by} of {to}"),
            Self::NearPaper { series, by } => {
                write!(
                    f,
                    "{} within {by} of the reference values",
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
