//! When a copy of a member is built again, and from which rows.

use serde::{Deserialize, Serialize};

use crate::change::ChangeTest;
use crate::{MemberSettings, Update, Window};

/// The rows after which a copy is built again.
///
/// Until its window is full: after 1, 2, 4, 8, … rows, and when it is full. Afterwards: every `period`
/// rows, where the two copies of a member are half a period apart. A member without a window continues
/// with 1, 2, 4, … up to the rows that are kept, if it has a scaling or weights to be fitted again. One since the last change
/// does the same, with rows counted from where it began, and is built when it restarts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Returns the schedule of copy 0 or 1 of a member, whose learner can forget or not.
    pub(crate) fn new(
        member: &MemberSettings,
        copy: u64,
        follows: Follows,
        rebuild: u32,
        history: u32,
    ) -> Self {
        let ages = member.is_fitted();
        match member.window {
            Window::All | Window::SinceChange => Self {
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

    /// Returns the evidence of a change, if the copy follows changes.
    pub(crate) fn change(self) -> Option<ChangeTest> {
        match self.follows {
            Follows::SinceChange(test) => Some(test),
            _ => None,
        }
    }

    pub(crate) fn change_mut(&mut self) -> Option<&mut ChangeTest> {
        match &mut self.follows {
            Follows::SinceChange(test) => Some(test),
            _ => None,
        }
    }

    /// Returns the same schedule before the first row.
    pub(crate) fn unbuilt(self) -> Self {
        let follows = match self.follows {
            Follows::SinceChange(_) => Follows::SinceChange(ChangeTest::default()),
            same => same,
        };
        Self { follows, ..self }
    }

    /// Returns the first number of rows above `seen` after which the copy is built.
    pub(crate) fn next(self, seen: u64) -> Option<u64> {
        let first = self.change().map_or(0, ChangeTest::first);
        let next = self.next_from_first(seen.saturating_sub(first));
        next.map(|next| first + next)
    }

    /// Returns the last number of rows, at most `seen`, after which it was built; 0 if it has not been built yet.
    pub(crate) fn last(self, seen: u64) -> u64 {
        let test = self.change().unwrap_or_default();
        let last = self.last_from_first(seen - test.first());
        test.begun().max(test.first() + last)
    }

    fn next_from_first(self, seen: u64) -> Option<u64> {
        if seen < self.full {
            return Some((seen + 1).next_power_of_two().min(self.full));
        }
        let period = self.period?;
        let into = (seen + period - self.offset) % period;
        Some(seen + (period - into))
    }

    fn last_from_first(self, seen: u64) -> u64 {
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Follows {
    /// It forgets the oldest row for each new one.
    Exactly,
    /// It forgets nothing until it is built again.
    ByTurns,
    /// It forgets nothing until a change is detected.
    SinceChange(ChangeTest),
}

impl Follows {
    pub(crate) fn new(update: Update, window: Window, can_forget: bool) -> Self {
        match window {
            Window::SinceChange => Self::SinceChange(ChangeTest::default()),
            Window::Latest(_) if update == Update::Forget && can_forget => Self::Exactly,
            Window::Latest(_) | Window::All => Self::ByTurns,
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
        Schedule::new(&member(window, scaling), copy, follows, 1, 20)
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

    /// When a member restarts it is built, and then follows the schedule as if the stream had begun there.
    #[test]
    fn a_copy_since_a_change_is_built_when_it_begins_and_at_doublings() {
        let of = |scaling| {
            let mut schedule = schedule(Window::SinceChange, 0, Follows::ByTurns, scaling);
            let mut test = ChangeTest::default();
            (90..96).for_each(|row| test.observe(1.0, row));
            test.restart(96, 5);
            schedule.follows = Follows::SinceChange(test);
            schedule
        };
        let unfitted = of(MemberScaling::None);
        assert_eq!((unfitted.next(96), unfitted.last(400)), (None, 96));
        let fitted = of(MemberScaling::Quantile);
        let next = |seen: &u64| fitted.next(*seen);
        let builds: Vec<u64> = std::iter::successors(Some(96), next).collect();
        // From row 91 on: 5 rows when it begins, then 8, 16, and the 20 that are kept.
        assert_eq!(builds, [96, 99, 107, 111]);
        for seen in 96..140 {
            let last = builds.iter().rev().find(|&&built| built <= seen);
            assert_eq!(Some(fitted.last(seen)), last.copied(), "{seen}");
        }
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
