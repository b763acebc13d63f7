//! n·log₂ n.

use std::sync::LazyLock;

/// φ(n) = n·log₂ n. With it the entropy of N points of which Yₖ are of class k, times N, is
/// `φ(N) − Σₖ φ(Yₖ)`.
///
/// Small values are read from a table; without it, letter and USPS are learned in 1.2 to 1.4 times the time.
pub(super) struct Phi(&'static [f64]);

static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| (0..4096).map(phi).collect());

fn phi(n: u64) -> f64 {
    if n == 0 {
        0.0
    } else {
        n as f64 * libm::log2(n as f64)
    }
}

impl Phi {
    pub(super) fn new() -> Self {
        Self(&TABLE)
    }

    #[inline]
    pub(super) fn of(&self, n: u64) -> f64 {
        // The table is computed by `phi` itself: both ways give the same bits.
        self.0.get(n as usize).copied().unwrap_or_else(|| phi(n))
    }
}
