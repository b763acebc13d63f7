//! The batch random tessellation forest: partitions that are chosen by labels.
//!
//! Ge, Wang, Teh, Wang, Elliott: *Random tessellation forests*, NeurIPS 2019. A tree is the heaviest of M particles of
//! sequential Monte Carlo (Algorithm 2), with cuts of any distribution: [`LinearCuts`] make uRTF and, with weights,
//! wuRTF, [`AxisCuts`] MRTF and wMRTF.
//!
//! [`LinearCuts`]: crate::LinearCuts
//! [`AxisCuts`]: mondrian::AxisCuts
//!
//! # The algorithm
//!
//! Every particle starts as one leaf with all points, at time 0. In each round the particles are resampled in
//! proportion to their weights; then each moves to its next cut, and is weighted by the ratio of the likelihoods after
//! and before it. A particle whose next cut comes after τ, or that has nothing left to cut, is finished. When all are,
//! the heaviest is the tree: particles are not resampled after the last round.
//!
//! The next cut comes after an exponential time with the rate of all leaves together, to a leaf in proportion to its
//! rate. Rates are exact, by thinning: each leaf draws candidates that hit the bounding box of its points.
//!
//! # Prediction
//!
//! With [`Training::test_rows`] the test points are cut along with the others, without labels, as the paper does.
//! Otherwise they follow the cuts afterwards (inductive). A leaf predicts with the posterior mean (m_jk + α_k)/Σ of its
//! class probabilities, a tree with its most probable class, the forest with the shares of votes; ties go to the
//! smaller class.
//!
//! # Deviations
//!
//! - Rates are exact unless [`Rates::BallAsPrinted`] is set (section 2.2.2); then the ball is almost the smallest one,
//!   and only leaves that are not paused count in the sum of rates.
//! - The paper states that pausing does not affect inference. It changes the posterior: if a leaf of one class is
//!   cut, the likelihood (3) falls, since the first label of the second part counts α_k/Σα again.
//! - Weights are made equal at each resampling, and a particle's last round cuts nothing if the budget ends it. So with
//!   a finite budget all particles of Algorithm 2 weigh the same at the end: the tree is the first of them, a fair
//!   draw. With an infinite one the heaviest is one that was cut in the last round and gained most by it, not the most
//!   probable partition. Both are kept as printed.
//!
//! # Cost
//!
//! A cut of a leaf takes a pass over its points, `O(d)` each, to draw it, one to carry it out, and one for each
//! candidate that separates nothing: a few for large leaves, up to d for small ones. Time is proportional to the
//! particles, which share the leaves and cuts that they have in common: about n + M·log M cuts in all.
//!
//! # Example
//!
//! ```
//! use forest_core::ndarray::Array2;
//! use random_tessellation::batch::{BatchForest, BatchSettings, Training};
//! use random_tessellation::{ForestSettings, LinearCuts, Schema};
//!
//! let rows = Array2::from_shape_fn((100, 2), |(i, j)| ((i * (7 + 4 * j)) % 100) as f32 / 100.0);
//! let targets: Vec<u32> = rows.outer_iter().map(|x| u32::from(x[0] > x[1])).collect();
//! let settings = BatchSettings {
//!     particles: 20,
//!     ..BatchSettings::default()
//! };
//! let trees = ForestSettings::default().with_trees(15).with_seed(42);
//! let schema = Schema::new(2)?;
//! let mut training = Training { rows: rows.view(), targets: &targets, test_rows: None };
//! let forest = BatchForest::<LinearCuts>::fit(schema, training, &settings, trees, |_| ())?;
//! let test = Array2::from_shape_vec((2, 2), vec![0.9, 0.1, 0.2, 0.8])?;
//! assert_eq!(forest.classify(test.view())?, [1, 0]);
//!
//! training.test_rows = Some(test.view());
//! let forest = BatchForest::<LinearCuts>::fit(schema, training, &settings, trees, |_| ())?;
//! assert!(forest.predict(test.view())?[[0, 1]] > 0.5); // the share of votes for class 1
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use forest_core::SettingError;
use tessellation_tree::{CutSettings, Pause};

mod forest;
mod leaf;
mod model;
mod particle;
mod sampler;
#[cfg(test)]
mod tests;
mod tree;

pub use forest::{BatchError, BatchForest, Training};
pub use tree::BatchTree;

/// Settings of the trees of a batch forest: those of Ge et al. (2019), section 3, by default.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSettings {
    /// Parameters of the distribution of cuts.
    pub cuts: CutSettings,
    /// τ, the time up to which cuts are drawn, at least 0; infinite by default.
    pub budget: f64,
    /// M, the particles of a tree among which labels choose, at least 1; time and memory are proportional to it. A
    /// single one is a draw from the prior, as in the forests that the paper marks with `.i`: labels only
    /// [pause](Pause) leaves.
    pub particles: usize,
    /// α_k/n_k, above 0, of the Dirichlet prior, where n_k is the number of samples of class k; 1/1000 by default.
    pub concentration: f64,
    /// Whether leaves of one class are cut; not by default.
    pub pause: Pause,
    /// The rates at which leaves are cut.
    pub rates: Rates,
}

/// The rates at which leaves are cut, and in proportion to which they are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rates {
    /// Λ of the leaf's convex hull, exact for every distribution.
    Exact,
    /// Λ of a ball around the leaf's points (section 2.2.2): too high, by factors that differ between leaves, so that
    /// trees have another distribution; kept to reproduce the paper. A ball costs a hundred passes over the points.
    BallAsPrinted,
}

impl Default for BatchSettings {
    fn default() -> Self {
        Self {
            cuts: CutSettings::default(),
            budget: f64::INFINITY,
            particles: 100,
            concentration: 1e-3,
            pause: Pause::WhileLabelsAgree,
            rates: Rates::Exact,
        }
    }
}

impl BatchSettings {
    /// Checks every rule for points of `features` numbers.
    ///
    /// # Errors
    /// Returns the first parameter that breaks its rule.
    pub fn check(&self, features: usize) -> Result<(), SettingError> {
        let rule = "must be at least 0 (inf is allowed)";
        SettingError::require(self.budget >= 0.0, "budget", rule, self.budget)?;
        let rule = "must be at least 1";
        SettingError::require(self.particles > 0, "particles", rule, self.particles)?;
        let rule = "must be above 0 and finite";
        let holds = self.concentration.is_finite() && self.concentration > 0.0;
        SettingError::require(holds, "concentration", rule, self.concentration)?;
        self.cuts.check(features)
    }
}
