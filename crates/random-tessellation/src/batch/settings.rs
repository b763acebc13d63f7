//! The settings of the batch forest.

use forest_core::SettingError;
use tessellation_tree::{CutSettings, Pause};

/// Settings of the trees of a batch forest: those of Ge et al. (2019), section 3, by default.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSettings<C> {
    /// Parameters of the distribution of cuts.
    pub cuts: C,
    /// τ, the time up to which cuts are drawn, at least 0. Infinite by default: the tree is complete
    /// when nothing is left that may be cut.
    pub budget: f64,
    /// Whether labels choose among partitions.
    pub inference: Inference,
    /// α_k/n_k, above 0: the Dirichlet prior of a leaf has α_k = `concentration`·n_k, where n_k is the number of
    /// training samples of class k. 1/1000 by default.
    pub concentration: f64,
    /// Whether leaves of one class are cut; not by default.
    pub pause: Pause,
    /// The rates at which leaves are cut.
    pub rates: Rates,
}

/// Whether labels choose among partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference {
    /// Sequential Monte Carlo (Algorithm 2): time and memory are proportional to the particles.
    MonteCarlo {
        /// M, at least 1.
        particles: usize,
    },
    /// A draw from the prior: the label-free forests, uRTF.i and MRTF.i of the paper. Labels still
    /// pause leaves, where [`Pause`] says so.
    Prior,
}

/// The rates at which leaves are cut, and in proportion to which they are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rates {
    /// Λ of the leaf's convex hull, exact for every distribution.
    Exact,
    /// Λ of a ball around the leaf's points (section 2.2.2): too high, by factors that differ between leaves.
    /// Trees have another distribution than the tessellation process has; kept to reproduce the paper.
    /// A ball costs a hundred passes over the points of a leaf.
    BallAsPrinted,
}

impl Inference {
    pub(super) fn particles(self) -> usize {
        match self {
            Self::MonteCarlo { particles } => particles,
            Self::Prior => 1,
        }
    }
}

impl<C: CutSettings> Default for BatchSettings<C> {
    fn default() -> Self {
        Self {
            cuts: C::default(),
            budget: f64::INFINITY,
            inference: Inference::MonteCarlo { particles: 100 },
            concentration: 1e-3,
            pause: Pause::WhileLabelsAgree,
            rates: Rates::Exact,
        }
    }
}

impl<C: CutSettings> BatchSettings<C> {
    /// Checks every rule for points of `features` numbers.
    ///
    /// # Errors
    /// The first parameter that breaks its rule.
    pub fn check(&self, features: usize) -> Result<(), SettingError> {
        let (budget, concentration) = (self.budget, self.concentration);
        let rule = "must be at least 0 (inf is allowed)";
        SettingError::require(budget >= 0.0, "budget", rule, budget)?;
        let particles = self.inference.particles();
        SettingError::require(particles > 0, "particles", "must be at least 1", particles)?;
        let holds = concentration.is_finite() && concentration > 0.0;
        let rule = "must be above 0 and finite";
        SettingError::require(holds, "concentration", rule, concentration)?;
        self.cuts.check(features)
    }
}
