//! When a copy of a member is built again, and from which rows.

use serde::{Deserialize, Serialize};

use crate::change::ChangeTest;
use crate::{MemberSettings, Window};

/// The rows after which a copy is built again.
///
/// Until its window is full: after 1, 2, 4, 8, … rows, and when it is full. Afterwards: every `period`
/// rows, where the two copies of a member are half a period apart. A member without a window continues
/// with 1, 2, 4, … up to the rows that are kept, if it has a scaling or weights to be fitted again. One since the last change
/// does the same, with rows counted from where it began, and is built when it restarts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// The evidence of a change, if the copy follows changes.
    change: Option<ChangeTest>,
    /// Rows of a window, or rows kept for a member without one.
    full: u64,
    /// Rows between two rebuilds once the window is full.
    period: Option<u64>,
    /// Where in the period this copy is built.
    offset: u64,
}

impl Schedule {
    /// Returns the schedule of copy 0 or 1 of a member; `history` rows are kept for one without a window.
    pub(crate) fn new(member: &MemberSettings, copy: u64, history: u64) -> Self {
        let since_change = member.window == Window::SinceChange;
        let change = since_change.then(ChangeTest::default);
        match member.window {
            Window::All | Window::SinceChange => Self {
                change,
                full: if member.is_fitted() { history } else { 1 },
                period: None,
                offset: 0,
            },
            Window::Latest(rows) => Self {
                change,
                full: u64::from(rows),
                period: Some(u64::from(rows)),
                offset: copy * u64::from(rows / 2),
            },
        }
    }

    /// Returns the evidence of a change, if the copy follows changes.
    pub(crate) fn change(self) -> Option<ChangeTest> {
        self.change
    }

    pub(crate) fn change_mut(&mut self) -> Option<&mut ChangeTest> {
        self.change.as_mut()
    }

    /// Returns the same schedule before the first row.
    pub(crate) fn unbuilt(self) -> Self {
        let change = self.change.map(|_| ChangeTest::default());
        Self { change, ..self }
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

    fn schedule(window: Window, copy: u64, scaling: MemberScaling) -> Schedule {
        Schedule::new(&member(window, scaling), copy, 20)
    }

    #[test]
    fn the_two_copies_of_a_window_are_built_in_turns() {
        let of = |copy| schedule(Window::Latest(10), copy, MemberScaling::None);
        assert_eq!(builds(of(0), 50), [1, 2, 4, 8, 10, 20, 30, 40, 50]);
        assert_eq!(builds(of(1), 50), [1, 2, 4, 8, 10, 15, 25, 35, 45]);
    }

    #[test]
    fn nothing_is_built_again_without_a_reason() {
        let all = |scaling| schedule(Window::All, 1, scaling);
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
            let mut schedule = schedule(Window::SinceChange, 0, scaling);
            let mut test = ChangeTest::default();
            (90..96).for_each(|row| test.observe(1.0, row));
            test.restart(96, 5);
            schedule.change = Some(test);
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
            let schedule = schedule(window, copy, MemberScaling::None);
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
