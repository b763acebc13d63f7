//! Several rules for the weights of members, weighted by the errors of their predictions.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::{WeightRule, Weights};

/// How the weights of rules follow the errors of their predictions.
///
/// The errors are 0 and 1 for classes. Losses of probabilities would choose other rules: they are least for the largest η,
/// which follows the best member, while errors are fewest where more members count.
const OF_RULES: WeightRule = WeightRule {
    eta: 1.0,
    discount: 0.998,
};

/// Weights of members under each of several rules, and of the rules.
///
/// No single η and γ suit every stream. So each [`WeightRule`] k has weights wₖᵢ of its own, which follow the losses of the
/// members, and would predict Σᵢ wₖᵢ pᵢ. The rules have weights vₖ, which follow the errors of these predictions by the same update, with
/// η = 1 and γ = 0.998. A member weighs Σₖ vₖ wₖᵢ. With a single rule this is its own weight.
///
/// # What is guaranteed
///
/// For each rule by itself, what [`Weights`] states. For the rules, with errors eₖ of 0 or 1, for γ = 0.998, after every row and on every
/// stream: a follower of one rule on each row, drawn by the weights, errs
///
/// ```text
/// Σₛ γ^(t−s) Σₖ vₖ(s) eₖ(s) ≤ minₖ Σₛ γ^(t−s) eₖ(s) + ln K / η + η / (8 (1 − γ))
/// ```
///
/// on average (by the theorem that [`Weights`] cites, and Hoeffding's lemma): 64 errors more than the best of four rules at most, of 500 rows
/// that the sums amount to. The prediction is the mean of those of the rules; for it, and for numbers, no bound is claimed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightsByRule {
    member_weights: Vec<Weights>,
    rule_weights: Weights,
    shares: Vec<f64>,
}

impl WeightsByRule {
    /// Returns equal weights of `members` members under `rules` rules, 1 or more of each.
    pub fn equal(members: usize, rules: usize) -> Self {
        Self {
            member_weights: vec![Weights::equal(members); rules],
            rule_weights: Weights::equal(rules),
            shares: Weights::equal(members).shares().to_vec(),
        }
    }

    /// Returns the weights of the members, which sum to 1.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Returns the weights of the members under each rule.
    pub fn member_weights(&self) -> &[Weights] {
        &self.member_weights
    }

    /// Returns the weights of the rules, which sum to 1.
    pub fn rule_weights(&self) -> &[f64] {
        self.rule_weights.shares()
    }

    /// Updates the weights by the loss of each member on one row and the error of each rule's prediction; `rules` are the same on every row.
    ///
    /// # Panics
    /// Panics if there are not as many losses as members, or not as many errors as rules.
    pub fn update(
        &mut self,
        losses: &[f64],
        errors: &[f64],
        rules: impl Iterator<Item = WeightRule>,
    ) {
        for (weights, rule) in self.member_weights.iter_mut().zip(rules) {
            weights.update(losses, &rule);
        }
        self.rule_weights.update(errors, &OF_RULES);
        mix(&self.member_weights, &self.rule_weights, &mut self.shares);
    }

    pub(crate) fn bytes(&self) -> usize {
        let member_weights: usize = self.member_weights.iter().map(Weights::bytes).sum();
        let lists = self.member_weights.capacity() * size_of::<Weights>();
        member_weights
            + lists
            + self.rule_weights.bytes()
            + self.shares.capacity() * size_of::<f64>()
    }

    /// Checks that they can be the weights of `members` members under `rules` rules.
    pub(crate) fn check(&self, members: usize, rules: usize) -> Result<(), InvariantError> {
        let what = "they are not valid weights of the rules";
        let all = (self.member_weights.len(), self.shares.len()) == (rules, members);
        InvariantError::require(all, "weights", what)?;
        let mut member_weights = self.member_weights.iter();
        member_weights.try_for_each(|weights| weights.check(members))?;
        self.rule_weights.check(rules)?;
        let mut again = vec![0.0; members];
        mix(&self.member_weights, &self.rule_weights, &mut again);
        InvariantError::require(again == self.shares, "weights", what)
    }
}

/// The weights of members under all rules.
fn mix(member_weights: &[Weights], rule_weights: &Weights, shares: &mut [f64]) {
    shares.fill(0.0);
    for (weights, rule) in member_weights.iter().zip(rule_weights.shares()) {
        for (share, weight) in shares.iter_mut().zip(weights.shares()) {
            *share += rule * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    const ROWS: usize = 3000;

    fn rule(eta: f64, discount: f64) -> WeightRule {
        WeightRule { eta, discount }
    }

    #[test]
    fn one_rule_weighs_as_it_would_alone() {
        let rule = rule(0.3, 0.9);
        let (mut both, mut alone) = (WeightsByRule::equal(3, 1), Weights::equal(3));
        let mut rng = TreeRng::new(1, 0);
        for row in 0..200 {
            let losses: [f64; 3] = std::array::from_fn(|_| rng.uniform());
            both.update(&losses, &[f64::from(row % 2)], [rule].into_iter());
            alone.update(&losses, &rule);
            assert_eq!(both.shares(), alone.shares());
            assert_eq!(both.check(3, 1), Ok(()));
        }
        assert!(both.check(3, 2).is_err() && both.check(2, 1).is_err());
    }

    #[test]
    fn a_member_weighs_what_the_rules_give_it() {
        let rules = [rule(0.1, 0.99), rule(2.0, 0.9)];
        let mut weights = WeightsByRule::equal(2, 2);
        for _ in 0..3 {
            weights.update(&[0.2, 0.9], &[1.0, 0.0], rules.into_iter());
        }
        let mut alone = rules.map(|rule| {
            let mut weights = Weights::equal(2);
            (0..3).for_each(|_| weights.update(&[0.2, 0.9], &rule));
            weights
        });
        assert_eq!(weights.member_weights(), alone);
        let odds = f64::exp(0.998 + 0.998_f64.powi(2) + 0.998_f64.powi(3));
        let rule_weights = [1.0 / (1.0 + odds), odds / (1.0 + odds)];
        for member in 0..2 {
            let expected: f64 = alone
                .iter_mut()
                .zip(rule_weights)
                .map(|(w, v)| v * w.shares()[member])
                .sum();
            assert!((weights.shares()[member] - expected).abs() < 1e-12);
        }
        weights.shares.swap(0, 1);
        assert!(weights.check(2, 2).is_err());
    }

    /// The bound on rules drawn by their weights, after every row: a theorem, so without exceptions.
    #[test]
    fn drawn_rules_err_within_the_bound_after_every_row() {
        let rules = [rule(0.1, 0.9), rule(1.0, 0.9), rule(1.0, 0.99)];
        let mut weights = WeightsByRule::equal(2, rules.len());
        let WeightRule { eta, discount, .. } = OF_RULES;
        let slack = (rules.len() as f64).ln() / eta + eta / (8.0 * (1.0 - discount));
        let (mut own, mut rule_weights) = (0.0, [0.0; 3]);
        let mut rng = TreeRng::new(2, 0);
        for row in 0..ROWS {
            let errors: [f64; 3] = std::array::from_fn(|k| {
                let often = if k == row / 1000 { 0.1 } else { 0.6 };
                f64::from(u8::from(rng.uniform() < often))
            });
            let mixed: f64 = weights
                .rule_weights()
                .iter()
                .zip(errors)
                .map(|(v, e)| v * e)
                .sum();
            own = discount * own + mixed;
            for (sum, error) in rule_weights.iter_mut().zip(errors) {
                *sum = discount * *sum + error;
            }
            let least = rule_weights.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(own <= least + slack, "row {row}: {own} {least}");
            weights.update(&[0.0, 0.0], &errors, rules.into_iter());
        }
        // Rules that are right for a thousand rows have the weight by their end.
        assert!(
            weights.rule_weights()[2] > 0.99,
            "{:?}",
            weights.rule_weights()
        );
    }
}
