//! When a copy of a member is built again, and from which rows.

use serde::{Deserialize, Serialize};

use crate::{MemberSettings, Update, Window};

/// The rows after which a copy is built again.
///
/// Until its window is full: after 1, 2, 4, 8, … rows, and when it is full. Afterwards: every `period`
/// rows, where the two copies of a member are half a period apart. A member without a window goes on
/// with 1, 2, 4, … up to the rows that are kept, if it has a scaling or weights to be fitted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    follows: Follows,
    /// Rows of a window, or rows kept for a member without one.
    full: u64,
    /// Rows between two rebuilds once the window is full.
    period: Option<u64>,
    /// Where in the period this copy is built.
    offset: u64,
}

impl Schedule {
    /// The schedule of copy 0 or 1 of a member, whose learner can forget or not.
    pub(crate) fn new(
        member: &MemberSettings,
        copy: u64,
        follows: Follows,
        (rebuild, history): (u32, u32),
    ) -> Self {
        let ages = member.is_fitted();
        match member.window {
            Window::All => Self {
                follows,
                full: if ages { u64::from(history) } else { 1 },
                period: None,
                offset: 0,
            },
            Window::Latest(rows) => {
                let period = u64::from(rows) * u64::from(rebuild);
                let needed = ages || follows == Follows::ByTurns;
                Self {
                    follows,
                    full: u64::from(rows),
                    period: needed.then_some(period),
                    offset: copy * (period / 2),
                }
            }
        }
    }

    pub(crate) fn follows(self) -> Follows {
        self.follows
    }

    /// The first number of rows above `seen` after which the copy is built.
    pub(crate) fn next(self, seen: u64) -> Option<u64> {
        if seen < self.full {
            return Some((seen + 1).next_power_of_two().min(self.full));
        }
        let period = self.period?;
        let into = (seen + period - self.offset) % period;
        Some(seen + (period - into))
    }

    /// The last number of rows, at most `seen`, after which it was built; 0 if it was not yet.
    pub(crate) fn last(self, seen: u64) -> u64 {
        if seen < self.full {
            return if seen == 0 { 0 } else { 1 << seen.ilog2() };
        }
        let Some(period) = self.period else {
            return self.full;
        };
        let into = (seen + period - self.offset) % period;
        self.full.max(seen.saturating_sub(into))
    }
}

/// How a copy with a window follows the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Follows {
    /// It forgets the oldest row for each new one.
    Exactly,
    /// It forgets nothing until it is built again.
    ByTurns,
}

impl Follows {
    pub(crate) fn new(update: Update, window: Window, can_forget: bool) -> Self {
        let exactly = update == Update::Forget && window != Window::All && can_forget;
        match exactly {
            true => Self::Exactly,
            false => Self::ByTurns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FeatureWeights, MemberScaling};

    fn builds(schedule: Schedule, until: u64) -> Vec<u64> {
        let next = |seen: &u64| schedule.next(*seen).filter(|&next| next <= until);
        std::iter::successors(Some(0), next).skip(1).collect()
    }

    fn member(window: Window, scaling: MemberScaling) -> MemberSettings {
        let (base, weights) = ("mondrian".to_owned(), FeatureWeights::Equal);
        MemberSettings {
            base,
            window,
            scaling,
            weights,
        }
    }

    fn schedule(window: Window, copy: u64, follows: Follows, scaling: MemberScaling) -> Schedule {
        Schedule::new(&member(window, scaling), copy, follows, (1, 20))
    }

    #[test]
    fn the_two_copies_of_a_window_are_built_in_turns() {
        let of = |copy| {
            schedule(
                Window::Latest(10),
                copy,
                Follows::ByTurns,
                MemberScaling::None,
            )
        };
        assert_eq!(builds(of(0), 50), [1, 2, 4, 8, 10, 20, 30, 40, 50]);
        assert_eq!(builds(of(1), 50), [1, 2, 4, 8, 10, 15, 25, 35, 45]);
    }

    #[test]
    fn nothing_is_built_again_without_a_reason() {
        let exact = |scaling| schedule(Window::Latest(10), 1, Follows::Exactly, scaling);
        assert_eq!(builds(exact(MemberScaling::None), 50), [1, 2, 4, 8, 10]);
        let scaled = builds(exact(MemberScaling::MinMax), 50);
        assert_eq!(scaled, [1, 2, 4, 8, 10, 15, 25, 35, 45]);
        let all = |scaling| schedule(Window::All, 1, Follows::ByTurns, scaling);
        assert_eq!(builds(all(MemberScaling::None), 100), [1]);
        assert_eq!(
            builds(all(MemberScaling::Quantile), 100),
            [1, 2, 4, 8, 16, 20]
        );
    }

    #[test]
    fn the_last_build_is_the_one_before_the_next() {
        for (window, copy) in [2, 3, 10, 11].iter().flat_map(|w| [(*w, 0), (*w, 1)]) {
            let window = Window::Latest(window);
            let schedule = schedule(window, copy, Follows::ByTurns, MemberScaling::None);
            let all = builds(schedule, 200);
            for seen in 0..150 {
                let last = all.iter().rev().find(|&&built| built <= seen);
                assert_eq!(
                    schedule.last(seen),
                    last.copied().unwrap_or(0),
                    "{window:?} {seen}"
                );
            }
        }
    }
}
