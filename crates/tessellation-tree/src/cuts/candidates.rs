//! The Poisson processes that a tree thins: when the next candidate comes, and which cut it is.

use forest_core::TreeRng;

use crate::CutDistribution;

/// After this number of cuts in a row that should separate two points and, as stored, do not, the points
/// count as inseparable: only rounding distinguishes them.
pub(crate) const UNREALISED: usize = 64;

/// Returns the time until the next point of a Poisson process; infinite if it has none.
#[inline]
#[must_use]
pub fn waiting_time(rate: f64, rng: &mut TreeRng) -> f64 {
    if rate > 0.0 {
        rng.exponential() / rate
    } else {
        f64::INFINITY
    }
}

/// The cuts that separate two points, as a Poisson process in time.
pub(crate) struct CutsBetween<'a> {
    a: &'a [f32],
    b: &'a [f32],
    rate: f64,
    time: f64,
    unrealised: usize,
}

impl<'a> CutsBetween<'a> {
    /// Creates the process from time `from` on.
    #[inline]
    pub(crate) fn new<D: CutDistribution>(cuts: &D, a: &'a [f32], b: &'a [f32], from: f64) -> Self {
        Self {
            a,
            b,
            rate: cuts.rate_between(a, b),
            time: from,
            unrealised: 0,
        }
    }

    /// Returns the next cut and its time, if it comes before `until`.
    #[inline]
    pub(crate) fn next<D: CutDistribution>(
        &mut self,
        cuts: &mut D,
        until: f64,
        rng: &mut TreeRng,
    ) -> Option<(f64, D::Cut)> {
        while self.time < until && self.unrealised < UNREALISED {
            self.time += waiting_time(self.rate, rng);
            if self.time >= until {
                break;
            }
            if let Some(cut) = cuts.draw_between(self.a, self.b, self.rate, rng) {
                if cuts.side(&cut, self.a) != cuts.side(&cut, self.b) {
                    self.unrealised = 0;
                    return Some((self.time, cut));
                }
                cuts.release(&cut);
                self.unrealised += 1;
            }
        }
        None
    }
}
