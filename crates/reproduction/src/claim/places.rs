//! From outcomes at places to a verdict.

use super::{Judgement, Verdict};
use comparison::number;

/// The outcome at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Yes,
    /// The interval lies on both sides of the limit.
    Undecided,
    No,
}

/// Places with their outcomes, and the number of places without records.
#[derive(Default)]
pub(super) struct Places {
    pub outcomes: Vec<(String, Outcome)>,
    pub missing: usize,
    /// Numbers to show in place of outcomes.
    numbers: Vec<String>,
}

impl Places {
    /// Adds a place that is decided by a number, which the detail shows.
    pub(super) fn number(&mut self, place: &str, value: Option<f64>, holds: impl Fn(f64) -> bool) {
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
                    .push(format!("{place} {}", number::significant(value, 4)));
            }
        }
    }

    /// Returns the verdict of a rule that has to hold at this share of the places.
    pub(super) fn judgement(&self, share: f64) -> Judgement {
        let count = |wanted| self.outcomes.iter().filter(|(_, o)| *o == wanted).count();
        let (yes, no, all) = (count(Outcome::Yes), count(Outcome::No), self.outcomes.len());
        let verdict = match (yes, self.missing) {
            _ if all == 0 => Verdict::Untested,
            (0, _) => Verdict::DoesNotHold,
            (yes, missing) if yes as f64 >= share * (all + missing) as f64 => Verdict::Holds,
            (_, 0) if share < 1.0 => Verdict::DoesNotHold,
            _ => Verdict::InPart,
        };
        Judgement {
            verdict,
            detail: self.detail(yes, no, all),
        }
    }

    fn detail(&self, yes: usize, no: usize, all: usize) -> String {
        if all == 0 {
            return "no records".to_owned();
        }
        let mut parts = vec![if self.numbers.len() == all && all <= 4 {
            self.numbers.join("; ")
        } else {
            format!("{yes} of {all}")
        }];
        let against = self.outcomes.iter().filter(|(_, o)| *o == Outcome::No);
        let against: Vec<&str> = against.map(|(place, _)| place.as_str()).collect();
        if self.numbers.len() != all && no > 0 {
            parts.push(if no <= 4 && !against.concat().is_empty() {
                format!("against: {}", against.join(", "))
            } else {
                format!("against: {no}")
            });
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
