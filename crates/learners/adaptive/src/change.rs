//! The test of whether old rows that a member remembers have become misleading.

use serde::{Deserialize, Serialize};

/// The number of rows between two checks of the evidence; batches are split there.
pub(crate) const ROWS_PER_CHECK: u64 = 32;

/// The evidence at which a change is accepted, and a lower bound of the mean number of rows before a false alarm.
const ACCEPTED: f64 = 1e6;

/// The fraction of the evidence that is staked on each row.
const STAKE: f64 = 0.5;

/// The first row that a member since the last change remembers, and the evidence of a later change.
///
/// Let dₜ be the loss of the member on row t minus the loss of members that remember less, divided by the largest
/// possible loss, so that |dₜ| ≤ 1. The evidence is
///
/// ```text
/// Eₜ = max(1, Eₜ₋₁) · (1 + dₜ / 2)
/// ```
///
/// and a change is accepted where Eₜ ≥ 10⁶. It is dated to the row after the last one with Eₜ ≤ 1.
///
/// As long as a longer memory does no harm, E[dₜ | rows before] ≤ 0, for any distribution of the losses. Then Sₜ =
/// (Sₜ₋₁ + 1)(1 + dₜ / 2), S₀ = 0, makes Sₜ − t a supermartingale, Eₜ ≤ Sₜ, and so the expected number of rows until a
/// change is accepted, E\[N\] ≥ E\[S at N\], is at least 10⁶ (Shin, Ramdas and Rinaldo, *E-detectors*, New England
/// Journal of Statistics in Data Science 2023, where E is the e-CUSUM and S the e-SR). If the mean of dₜ is μ from some
/// row on and its values are small, about ln 10⁶ / (μ/2 − E\[dₜ²\]/8) rows pass until it is accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChangeTest {
    /// The first row of the stream that the member has seen, counted from 0.
    pub(crate) first: u64,
    /// The number of rows that had been seen when it restarted there; 0 before the first change.
    pub(crate) begun: u64,
    /// 0 before the first row.
    evidence: f64,
    /// The row from which the evidence has grown.
    since: u64,
}

impl ChangeTest {
    /// Updates the evidence by dₜ of row `row`, counted from 0.
    pub(crate) fn observe(&mut self, difference: f64, row: u64) {
        if self.evidence <= 1.0 {
            self.evidence = 1.0;
            self.since = row;
        }
        self.evidence *= 1.0 + STAKE * difference;
    }

    /// Returns whether a change is accepted after `seen` rows.
    pub(crate) fn is_due(self, seen: u64) -> bool {
        seen.is_multiple_of(ROWS_PER_CHECK) && self.evidence >= ACCEPTED
    }

    /// Restarts at the row to which the change is dated, or the first of the `kept` latest of `seen` rows.
    pub(crate) fn restart(&mut self, seen: u64, kept: u64) {
        self.first = self.since.max(seen.saturating_sub(kept));
        self.begun = seen;
        self.since = seen;
        self.evidence = 1.0;
    }

    /// Returns whether `seen` rows can have led to this state.
    pub(crate) fn is_sound(self, seen: u64) -> bool {
        let has_not_restarted = self.first == 0 && self.begun == 0;
        (has_not_restarted || self.first < self.begun)
            && self.begun <= self.since
            && self.since <= seen
            && self.evidence.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, TreeRng};

    use super::*;
    use crate::{Adaptive, AdaptiveSettings};

    /// Rows until the evidence of differences from `draw` reaches `enough`.
    fn rows_until(enough: f64, mut draw: impl FnMut() -> f64) -> u64 {
        let mut test = ChangeTest::default();
        for row in 0.. {
            test.observe(draw(), row);
            if test.evidence >= enough {
                return row + 1;
            }
        }
        unreachable!("the stream does not end")
    }

    /// Where remembering is neither harmful nor useful, it takes at least `enough` rows on average until there is that
    /// much evidence of a change: over 1,000 streams, less 3.3 standard errors (one in 2,000 for a mean that is the
    /// bound itself).
    fn a_false_change_takes_long(seed: u64, draw: impl Fn(&mut TreeRng) -> f64) {
        for enough in [20.0, 1000.0] {
            let mut rng = TreeRng::new(seed, 60);
            let rows = (0..1000).map(|_| rows_until(enough, || draw(&mut rng)) as f64);
            let mean = rows.sum::<f64>() / 1000.0;
            // Runs are close to geometric: their standard deviation is about their mean.
            assert!(mean * (1.0 + 3.3 / 1000f64.sqrt()) >= enough, "{mean}");
        }
    }

    #[test]
    fn a_false_change_takes_long_whatever_the_differences_are() {
        a_false_change_takes_long(0, |rng| if rng.uniform() < 0.5 { 1.0 } else { -1.0 });
        a_false_change_takes_long(1, |rng| 0.2 * (2.0 * rng.uniform() - 1.0));
        a_false_change_takes_long(2, |rng| if rng.uniform() < 0.1 { 0.9 } else { -0.1 });
    }

    /// The delay after a change is the one that the mean logarithm predicts, and the change is dated to within a few
    /// rows.
    #[test]
    fn a_change_is_accepted_in_time_and_dated() {
        let before = 500;
        let mut rng = TreeRng::new(3, 61);
        for _ in 0..100 {
            let mut test = ChangeTest::default();
            let mut row = 0;
            while test.evidence < ACCEPTED {
                let mean = if row < before { -0.2 } else { 0.3 };
                test.observe(mean + 0.4 * (2.0 * rng.uniform() - 1.0), row);
                row += 1;
            }
            // E ln(1 + d / 2) is 0.136 after the change: 102 rows.
            assert!((before + 70..before + 140).contains(&row), "{row}");
            test.restart(row, 1000);
            assert!((before - 25..before + 25).contains(&test.first), "{test:?}");
            assert_eq!(test.begun, row);
        }
    }

    /// Returns the evidence of a member since the change, beside members with these windows, after each row of a stream
    /// that changes at row 300.
    fn evidence_beside(windows: &[&str]) -> Vec<ChangeTest> {
        let members = ["change"].iter().chain(windows);
        let settings = AdaptiveSettings {
            members: members
                .map(|rows| format!("majority@{rows}@none"))
                .collect(),
            eta: vec![0.1],
            discount: vec![0.99],
        };
        let schema = Schema::<Classification>::new(1).unwrap();
        let mut learner = Adaptive::<_>::new(schema, settings, ForestSettings::default()).unwrap();
        let mut rng = TreeRng::new(4, 62);
        let learn = |row| {
            let class = u32::from((rng.uniform() < 0.98) == (row < 300));
            learner.learn_one(&[0.0], class).unwrap();
            learner.copies()[0].change.unwrap()
        };
        (0..800).map(learn).collect()
    }

    /// A window counts against a member from the row on at which the member remembers twice as much, and leaves the
    /// evidence unchanged before that: before the change, while evidence grows and after the member has restarted.
    /// Windows that are compared earlier or later are detected. Exact but for the rounding of weights.
    #[test]
    fn a_window_longer_than_half_of_the_memory_is_not_evidence() {
        let alone = evidence_beside(&["20"]);
        let beside = evidence_beside(&["20", "200"]);
        let begun = alone.iter().find(|test| test.begun > 0).unwrap();
        assert!(begun.first > 290 && begun.begun < 400, "{begun:?}");
        let differs = |(one, other): (&ChangeTest, &ChangeTest)| {
            one.first != other.first
                || one.begun != other.begun
                || one.since != other.since
                || (one.evidence / other.evidence - 1.0).abs() > 1e-9
        };
        let first = alone.iter().zip(&beside).position(differs);
        assert_eq!(first, Some(begun.first as usize + 400));
    }

    #[test]
    fn what_is_not_held_is_not_begun_from() {
        let mut test = ChangeTest::default();
        (0..200).for_each(|row| test.observe(1.0, row));
        assert!(test.is_due(224) && !test.is_due(225));
        test.restart(224, 10);
        assert_eq!((test.first, test.begun), (214, 224));
        assert!(!test.is_due(256));
        assert!(test.is_sound(224) && !test.is_sound(223));
    }

    /// The numbers of rows after which a copy is built, up to one, of a member since the last change from row 91 on,
    /// found after 96.
    fn builds(member: &str, copy: usize, until: u64) -> Vec<u64> {
        let members = vec![member.to_owned(), member.replace("change", "9")];
        let settings = AdaptiveSettings {
            members,
            ..AdaptiveSettings::default()
        };
        let schema = Schema::<Classification>::new(1).unwrap();
        let learner = Adaptive::new(schema, settings, ForestSettings::default()).unwrap();
        let mut copy = learner.copies()[copy].clone();
        if let Some(test) = &mut copy.change {
            (90..96).for_each(|row| test.observe(1.0, row));
            test.restart(96, 5);
        }
        let first = copy.change.map_or(0, |test| test.begun);
        let next = |seen: &u64| copy.next_build(*seen).filter(|&next| next <= until);
        std::iter::successors(Some(first), next).skip(1).collect()
    }

    #[test]
    fn copies_are_built_in_turns_and_never_without_a_reason() {
        assert_eq!(
            builds("majority@10@none", 0, 50),
            [1, 2, 4, 8, 10, 20, 30, 40, 50]
        );
        assert_eq!(
            builds("majority@10@none", 1, 50),
            [1, 2, 4, 8, 10, 15, 25, 35, 45]
        );
        assert_eq!(builds("majority@all@none", 1, 100), [1]);
        let powers: Vec<u64> = (0..=14).map(|power| 1 << power).collect();
        assert_eq!(builds("majority@all@quantile", 1, 100_000), powers);
        // When a member restarts it is built, and then follows the schedule as if the stream had begun there.
        assert!(builds("majority@change@none", 0, 1000).is_empty());
        assert_eq!(
            builds("majority@change@quantile", 0, 200),
            [99, 107, 123, 155]
        );
    }
}
