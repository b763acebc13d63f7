//! The weights of the members: exponential weights of discounted losses, by several rules.

use serde::{Deserialize, Serialize};

/// How weights follow losses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WeightRule {
    /// η: how much a unit of loss lowers the logarithm of a weight; above 0.
    pub(crate) eta: f64,
    /// γ: the factor of a loss one row later; above 0 and at most 1.
    pub(crate) discount: f64,
}

/// Weights of members, which sum to 1.
///
/// After each row, with ℓᵢ the loss of member i on it,
///
/// ```text
/// wᵢ ← (wᵢ · exp(−η ℓᵢ))^γ, divided by the sum of all
/// ```
///
/// so that before row t, wᵢ ∝ exp(−η Σₛ γ^(t−s) ℓᵢ(s)) over the rows s < t.
///
/// # What is guaranteed
///
/// Write L(t) = Σₛ γ^(t−s) ℓ(s) over s ≤ t for a discounted loss. If a loss is η-exp-concave (exp(−ηℓ) is concave in
/// the prediction), the mixture of N members loses, after every row and on every stream,
///
/// ```text
/// L(t) ≤ minᵢ Lᵢ(t) + ln N / η
/// ```
///
/// (Chernov and Zhdanov 2010, Theorem 1, for the weighted mean as substitution; their α is γ). The logarithmic loss of
/// classes is 1-exp-concave, so the bound holds for it where η ≤ 1; γ = 1 is the forecaster of Vovk 1990. Squared
/// errors are divided by a mean that changes with the stream and are capped: no bound is claimed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weights {
    /// Logarithms of the weights, up to a constant; the largest is 0.
    logarithms: Vec<f64>,
    pub(crate) shares: Vec<f64>,
}

impl Weights {
    /// Returns equal weights of n members, 1 or more.
    pub(crate) fn equal(members: usize) -> Self {
        Self {
            logarithms: vec![0.0; members],
            shares: vec![1.0 / members as f64; members],
        }
    }

    /// Updates the weights by the loss of each member on one row.
    pub(crate) fn update(&mut self, losses: &[f64], rule: &WeightRule) {
        for (logarithm, loss) in self.logarithms.iter_mut().zip(losses) {
            *logarithm = rule.discount * (*logarithm - rule.eta * loss);
        }
        let logarithms = self.logarithms.iter().copied();
        let largest = logarithms.fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for (logarithm, share) in self.logarithms.iter_mut().zip(&mut self.shares) {
            *logarithm -= largest;
            *share = libm::exp(*logarithm);
            sum += *share;
        }
        self.shares.iter_mut().for_each(|share| *share /= sum);
    }

    /// Returns whether they can be the weights of n members.
    fn is_sound(&self, members: usize) -> bool {
        let mut both = self.logarithms.iter().chain(&self.shares);
        self.logarithms.len() == members
            && self.shares.len() == members
            && both.all(|number| number.is_finite())
    }
}

/// The rule by which the weights of rules follow the errors of their predictions.
///
/// The errors are 0 and 1 for classes. Losses of probabilities would choose other rules: they are least for the largest
/// η, which follows the best member, while errors are fewest if more members count.
const OF_RULES: WeightRule = WeightRule {
    eta: 1.0,
    discount: 0.998,
};

/// Weights of members under each of several rules, and of the rules.
///
/// No single η and γ suit every stream. So each [`WeightRule`] k has weights wₖᵢ of its own, which follow the losses of
/// the members, and would predict Σᵢ wₖᵢ pᵢ. The rules have weights vₖ, which follow the errors of these predictions by
/// the same update, with η = 1 and γ = 0.998. A member weighs Σₖ vₖ wₖᵢ. With a single rule this is its own weight.
///
/// # What is guaranteed
///
/// For each rule by itself, what [`Weights`] states. For the rules, with errors eₖ of 0 or 1, for γ = 0.998, after
/// every row and on every stream: a follower of one rule on each row, drawn by the weights, errs
///
/// ```text
/// Σₛ γ^(t−s) Σₖ vₖ(s) eₖ(s) ≤ minₖ Σₛ γ^(t−s) eₖ(s) + ln K / η + η / (8 (1 − γ))
/// ```
///
/// on average (by the same theorem and Hoeffding's lemma): with four rules at most 64 errors more than the best of
/// them, where the sums amount to 500 rows. For the mean of the rules' predictions no bound is claimed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WeightsByRule {
    pub(crate) member_weights: Vec<Weights>,
    pub(crate) rule_weights: Weights,
    /// The weights of the members, which sum to 1.
    pub(crate) shares: Vec<f64>,
}

impl WeightsByRule {
    /// Returns equal weights of `members` members under `rules` rules, 1 or more of each.
    pub(crate) fn equal(members: usize, rules: usize) -> Self {
        Self {
            member_weights: vec![Weights::equal(members); rules],
            rule_weights: Weights::equal(rules),
            shares: Weights::equal(members).shares,
        }
    }

    /// Updates the weights by the loss of each member and the error of each rule on one row; `rules` never change.
    pub(crate) fn update(
        &mut self,
        losses: &[f64],
        errors: &[f64],
        rules: impl Iterator<Item = WeightRule>,
    ) {
        for (weights, rule) in self.member_weights.iter_mut().zip(rules) {
            weights.update(losses, &rule);
        }
        self.rule_weights.update(errors, &OF_RULES);
        self.shares.fill(0.0);
        for (weights, rule) in self.member_weights.iter().zip(&self.rule_weights.shares) {
            for (share, weight) in self.shares.iter_mut().zip(&weights.shares) {
                *share += rule * weight;
            }
        }
    }

    /// Returns whether they can be the weights of `members` members under `rules` rules.
    pub(crate) fn is_sound(&self, members: usize, rules: usize) -> bool {
        self.shares.len() == members
            && self.member_weights.len() == rules
            && self.shares.iter().all(|share| share.is_finite())
            && self.member_weights.iter().all(|one| one.is_sound(members))
            && self.rule_weights.is_sound(rules)
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    const ROWS: usize = 400;
    const MEMBERS: usize = 5;

    /// Probabilities that members give to the class that came; who is good changes on the way.
    fn probabilities(seed: u64) -> Vec<[f64; MEMBERS]> {
        let mut rng = TreeRng::new(seed, 0);
        let row = |row| {
            std::array::from_fn(|member| {
                let good = member == (row / 50) % MEMBERS;
                let p = rng.uniform();
                if good { p.sqrt() } else { p * p }
            })
        };
        (0..ROWS).map(row).collect()
    }

    fn log_loss(p: f64) -> f64 {
        -(0.99 * p + 0.01).ln()
    }

    /// `L(t) ≤ min Lᵢ(t) + ln N / η`, after every row: it is a theorem, so it always holds.
    #[test]
    fn the_discounted_loss_is_within_the_bound_after_every_row() {
        for (seed, discount) in [(1, 1.0), (2, 0.99), (3, 0.9), (4, 0.5)] {
            let rule = WeightRule { eta: 1.0, discount };
            let mut weights = Weights::equal(MEMBERS);
            let mut own = 0.0;
            let mut of_members = [0.0; MEMBERS];
            for p in probabilities(seed) {
                let mixed: f64 = weights.shares.iter().zip(p).map(|(w, p)| w * p).sum();
                own = discount * own + log_loss(mixed);
                let losses = p.map(log_loss);
                for (sum, loss) in of_members.iter_mut().zip(losses) {
                    *sum = discount * *sum + loss;
                }
                let best = of_members.iter().copied().fold(f64::INFINITY, f64::min);
                assert!(
                    own <= best + (MEMBERS as f64).ln() + 1e-9,
                    "{discount}: {own} {best}"
                );
                weights.update(&losses, &rule);
            }
        }
    }

    #[test]
    fn weights_are_the_exponentials_of_discounted_losses() {
        let rule = WeightRule {
            eta: 0.7,
            discount: 0.9,
        };
        let mut weights = Weights::equal(MEMBERS);
        let mut seen: Vec<[f64; MEMBERS]> = Vec::new();
        for p in probabilities(6).into_iter().take(60) {
            let losses = p.map(log_loss);
            weights.update(&losses, &rule);
            seen.push(losses);
            let power = |member: usize| {
                let rows = seen.iter().rev().zip(1..);
                let sum: f64 = rows.map(|(l, age)| 0.9f64.powi(age) * l[member]).sum();
                (-0.7 * sum).exp()
            };
            let all: f64 = (0..MEMBERS).map(power).sum();
            for (member, share) in weights.shares.iter().enumerate() {
                assert!((share - power(member) / all).abs() < 1e-12);
            }
            assert!(weights.is_sound(MEMBERS));
        }
    }

    fn rule(eta: f64, discount: f64) -> WeightRule {
        WeightRule { eta, discount }
    }

    /// The bound on rules drawn by their weights, after every row: a theorem, so without exceptions.
    #[test]
    fn drawn_rules_err_within_the_bound_after_every_row() {
        let rules = [rule(0.1, 0.9), rule(1.0, 0.9), rule(1.0, 0.99)];
        let mut weights = WeightsByRule::equal(2, rules.len());
        let WeightRule { eta, discount, .. } = OF_RULES;
        let slack = (rules.len() as f64).ln() / eta + eta / (8.0 * (1.0 - discount));
        let mut own = 0.0;
        let mut of_rules = [0.0; 3];
        let mut rng = TreeRng::new(2, 0);
        for row in 0..3000 {
            let errors: [f64; 3] = std::array::from_fn(|k| {
                let often = if k == row / 1000 { 0.1 } else { 0.6 };
                f64::from(u8::from(rng.uniform() < often))
            });
            let pairs = weights.rule_weights.shares.iter().zip(errors);
            let mixed: f64 = pairs.map(|(v, e)| v * e).sum();
            own = discount * own + mixed;
            for (sum, error) in of_rules.iter_mut().zip(errors) {
                *sum = discount * *sum + error;
            }
            let least = of_rules.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(own <= least + slack, "row {row}: {own} {least}");
            weights.update(&[0.0, 0.0], &errors, rules.into_iter());
        }
        // Rules that are right for a thousand rows have the weight by their end.
        let at_the_end = &weights.rule_weights.shares;
        assert!(at_the_end[2] > 0.99, "{at_the_end:?}");
    }
}
