//! Mixes the predictions of members row by row and updates their weights by their losses.

use std::ops::Range;

use crate::copy::COPIES;
use crate::{Adaptive, AdaptiveTask, MemberSettings};

impl<T: AdaptiveTask> Adaptive<T> {
    /// Mixes the predictions of the copies row by row; each row's losses count from the next row on.
    pub(crate) fn mix_block(&mut self, targets: &[T::Target], each: &mut impl FnMut(&[f64])) {
        let mut first = 0;
        for (row, &target) in (self.seen..).zip(targets) {
            let width = self.schema.width();
            self.mix_row(first..first + width, target);
            each(&self.scratch.prediction);
            self.look_for_changes(row);
            let Scratch { losses, errors, .. } = &self.scratch;
            let rules = self.settings.weight_rules();
            self.weights.update(losses, errors, rules);
            T::observe(&mut self.scale, &self.scratch.prediction, target);
            self.schema.admit(target);
            first += width;
        }
    }

    /// Computes the mixture's prediction, the members' losses and the rules' errors on one row, whose predictions are those `cells`.
    fn mix_row(&mut self, cells: Range<usize>, target: T::Target) {
        let Scratch {
            prediction,
            of_member,
            of_rules,
            losses,
            errors,
        } = &mut self.scratch;
        let (width, rules) = (cells.len(), self.weights.member_weights());
        zeros(prediction, width);
        zeros(of_rules, rules.len() * width);
        losses.clear();
        let members = self.copies.chunks_exact(COPIES).enumerate();
        for ((member, copies), &share) in members.zip(self.weights.shares()) {
            zeros(of_member, width);
            for copy in copies {
                add(
                    &copy.predictions()[cells.clone()],
                    1.0 / COPIES as f64,
                    of_member,
                );
            }
            add(of_member, share, prediction);
            for (weights, of_rule) in rules.iter().zip(of_rules.chunks_mut(width.max(1))) {
                add(of_member, weights.shares()[member], of_rule);
            }
            losses.push(T::loss(&self.scale, of_member, target));
        }
        T::complete(prediction);
        let of_rule = |rule: usize| &of_rules[rule * width..][..width];
        errors.clear();
        errors.extend((0..rules.len()).map(|rule| T::error(&self.scale, of_rule(rule), target)));
    }

    /// Compares the losses of members since the last change on row `row` with those of members that remember half or less.
    fn look_for_changes(&mut self, row: u64) {
        let largest = T::largest_loss();
        for member in 0..self.scratch.losses.len() {
            let copy = &self.copies[COPIES * member];
            let Some(test) = copy.change() else {
                continue;
            };
            let others = self.mean_loss_beside(copy.member(), row - test.first());
            let Some(others) = others else {
                continue;
            };
            let difference = (self.scratch.losses[member] - others) / largest;
            for copy in &mut self.copies[COPIES * member..COPIES * (member + 1)] {
                copy.change_mut()
                    .expect("both copies follow changes")
                    .observe(difference, row);
            }
        }
    }

    /// Returns the weighted loss of the members that equal `member` except for a window of half of `rows` or less.
    fn mean_loss_beside(&self, member: &MemberSettings, rows: u64) -> Option<f64> {
        let (mut sum, mut of_weights) = (0.0, 0.0);
        let weighted = self.weights.shares().iter().zip(&self.scratch.losses);
        for (other, (weight, loss)) in self.members().zip(weighted) {
            if other
                .window_beside(member)
                .is_some_and(|window| 2 * window <= rows)
            {
                sum += weight * loss;
                of_weights += weight;
            }
        }
        (of_weights > 0.0).then(|| sum / of_weights)
    }
}

/// Working memory for one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) prediction: Vec<f64>,
    pub(crate) of_member: Vec<f64>,
    /// The prediction of each rule, one after the other.
    pub(crate) of_rules: Vec<f64>,
    pub(crate) losses: Vec<f64>,
    pub(crate) errors: Vec<f64>,
}

impl Scratch {
    pub(crate) fn bytes(&self) -> usize {
        let Self {
            prediction,
            of_member,
            of_rules,
            losses,
            errors,
        } = self;
        let lists = [prediction, of_member, of_rules, losses, errors];
        let cells: usize = lists.map(Vec::capacity).iter().sum();
        cells * size_of::<f64>()
    }
}

pub(crate) fn zeros(cells: &mut Vec<f64>, count: usize) {
    cells.clear();
    cells.resize(count, 0.0);
}

pub(crate) fn add(values: &[f64], factor: f64, sum: &mut [f64]) {
    for (cell, value) in sum.iter_mut().zip(values) {
        *cell += factor * value;
    }
}
