//! n·log₂ n.

use std::sync::LazyLock;

/// φ(n) = n·log₂ n, with small values from a table: the same numbers, computed once.
pub(super) struct Phi(&'static [f64]);

static SMALL: LazyLock<Vec<f64>> = LazyLock::new(|| (0..4096).map(phi).collect());

fn phi(n: u64) -> f64 {
    if n == 0 {
        0.0
    } else {
        n as f64 * (n as f64).log2()
    }
}

impl Phi {
    pub(super) fn new() -> Self {
        Self(&SMALL)
    }

    #[inline]
    pub(super) fn of(&self, n: u64) -> f64 {
        self.0.get(n as usize).copied().unwrap_or_else(|| phi(n))
    }
}
