//! The weight of each member: exponential weights of discounted losses.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

/// How weights follow losses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightRule {
    /// η: how much a unit of loss lowers the logarithm of a weight; above 0.
    pub eta: f64,
    /// γ: the factor of a loss one row later; above 0 and at most 1.
    pub discount: f64,
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
/// (Chernov and Zhdanov 2010, Theorem 1, for the weighted mean as substitution: by induction with
/// Jensen's inequality for x ↦ x^γ.) The logarithmic loss of classes is 1-exp-concave, and so the
/// bound holds for it where η ≤ 1; γ = 1 is the forecaster of Vovk 1990. Squared errors of numbers are divided by a mean that
/// changes with the stream and are capped: no bound is claimed there.
///
/// ```
/// use adaptive::{WeightRule, Weights};
///
/// let rule = WeightRule { eta: 1.0, discount: 1.0 };
/// let mut weights = Weights::equal(2);
/// weights.update(&[(0.9_f64).ln().abs(), (0.3_f64).ln().abs()], &rule);
/// let shares = weights.shares(); // Bayes' rule
/// assert!((shares[0] - 0.75).abs() < 1e-12 && (shares[1] - 0.25).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Logarithms of the weights, up to a constant; the largest is 0.
    logarithms: Vec<f64>,
    shares: Vec<f64>,
}

impl Weights {
    /// Returns equal weights of n members, 1 or more.
    pub fn equal(members: usize) -> Self {
        Self {
            logarithms: vec![0.0; members],
            shares: vec![1.0 / members as f64; members],
        }
    }

    /// Returns the weights, which sum to 1.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Updates the weights by the loss of each member on one row.
    ///
    /// # Panics
    /// Panics if there are not as many losses as members.
    pub fn update(&mut self, losses: &[f64], rule: &WeightRule) {
        assert_eq!(losses.len(), self.logarithms.len(), "one loss a member");
        for (logarithm, loss) in self.logarithms.iter_mut().zip(losses) {
            *logarithm = rule.discount * (*logarithm - rule.eta * loss);
        }
        self.normalise();
    }

    /// Shifts the largest logarithm to 0 and computes the shares.
    fn normalise(&mut self) {
        let largest = self
            .logarithms
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for (logarithm, share) in self.logarithms.iter_mut().zip(&mut self.shares) {
            *logarithm -= largest;
            *share = libm::exp(*logarithm);
            sum += *share;
        }
        self.shares.iter_mut().for_each(|share| *share /= sum);
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.logarithms.capacity() + self.shares.capacity()) * size_of::<f64>()
    }

    /// Checks that they can be the weights of n members.
    pub(crate) fn check(&self, members: usize) -> Result<(), InvariantError> {
        let all = (self.logarithms.len(), self.shares.len()) == (members, members);
        let logarithms = self.logarithms.iter();
        let largest = logarithms
            .clone()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let finite = logarithms.clone().all(|value| value.is_finite()) && largest == 0.0;
        let follow = || {
            let mut again = self.clone();
            again.normalise();
            // Files of earlier versions have exponentials of other libraries.
            let same = |(again, own): (&f64, &f64)| (again - own).abs() < 1e-12;
            again.shares.iter().zip(&self.shares).all(same)
        };
        let what = "they are not valid weights of the members";
        InvariantError::require(all && finite && follow(), "weights", what)
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
            let (mut own, mut of_members) = (0.0, [0.0; MEMBERS]);
            for p in probabilities(seed) {
                let mixed: f64 = weights.shares().iter().zip(p).map(|(w, p)| w * p).sum();
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
            for (member, share) in weights.shares().iter().enumerate() {
                assert!((share - power(member) / all).abs() < 1e-12);
            }
            assert_eq!(weights.check(MEMBERS), Ok(()));
        }
    }
}
