//! When the next cut comes: one exponential clock for all cuts of a tree.

use forest_core::TreeRng;
use serde::{Deserialize, Serialize};

/// A stretch of time, from `from` up to but not including `until` (which may be infinite).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Start, finite.
    pub from: f64,
    /// End; a stretch that ends before it starts is empty.
    pub until: f64,
}

/// What is left of a unit exponential between two uses; `None`: it has rung and is not drawn anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock(Option<f64>);

impl Clock {
    pub(crate) fn is_sound(self) -> bool {
        self.0.is_none_or(|left| left.is_finite() && left >= 0.0)
    }
}

/// The random stream of a tree, with an exponential clock running on it.
///
/// A Poisson process of rate λ is watched over a stretch of length ℓ by letting the clock run for
/// λℓ: it rings with probability 1 − exp(−λℓ). If it does not, what is left is again exponential
/// with mean 1, whatever was asked before, and serves the next question. So a tree draws from its
/// stream only when a cut happens.
#[derive(Debug)]
pub struct Chance<'a> {
    left: Option<f64>,
    rng: &'a mut TreeRng,
}

impl<'a> Chance<'a> {
    /// A fresh clock on `rng`.
    pub fn new(rng: &'a mut TreeRng) -> Self {
        Self::resume(Clock::default(), rng)
    }

    pub(crate) fn resume(clock: Clock, rng: &'a mut TreeRng) -> Self {
        Self { left: clock.0, rng }
    }

    pub(crate) fn pause(self) -> Clock {
        Clock(self.left)
    }

    /// The first time in `span` at which a Poisson process of this `rate` has a point, if any.
    #[inline]
    pub fn first(&mut self, rate: f64, span: Span) -> Option<f64> {
        if rate > 0.0 && span.from < span.until {
            self.run(rate, span)
        } else {
            None
        }
    }

    fn run(&mut self, rate: f64, span: Span) -> Option<f64> {
        let left = *self.left.get_or_insert_with(|| self.rng.exponential());
        let length = rate * (span.until - span.from);
        if left >= length {
            self.left = Some(left - length);
            return None;
        }
        self.left = None;
        let time = span.from + left / rate;
        (time < span.until).then_some(time)
    }

    /// The tree's random stream, for draws other than times.
    pub fn rng(&mut self) -> &mut TreeRng {
        self.rng
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_stretch_or_no_rate_never_rings() {
        let mut rng = TreeRng::new(1, 0);
        let mut chance = Chance::new(&mut rng);
        let forever = Span {
            from: 0.0,
            until: f64::INFINITY,
        };
        assert_eq!(chance.first(0.0, forever), None);
        assert_eq!(
            chance.first(
                1.0,
                Span {
                    from: 2.0,
                    until: 2.0
                }
            ),
            None
        );
        assert_eq!(
            chance.first(
                1.0,
                Span {
                    from: 3.0,
                    until: 2.0
                }
            ),
            None
        );
        assert!(chance.first(1e-300, forever).is_some());
        assert_eq!(rng, {
            let mut other = TreeRng::new(1, 0);
            other.exponential();
            other
        });
    }

    /// Points of a Poisson process found by asking for one stretch after another.
    fn counts(stretches: usize, rate: impl Fn(usize) -> f64, n: usize) -> Vec<f64> {
        let mut rng = TreeRng::new(2, 0);
        let mut chance = Chance::new(&mut rng);
        let mut counts = vec![0.0; 6];
        for _ in 0..n {
            let mut count = 0;
            for stretch in 0..stretches {
                let until = (stretch + 1) as f64 / stretches as f64;
                let mut from = stretch as f64 / stretches as f64;
                while let Some(time) = chance.first(rate(stretch), Span { from, until }) {
                    (count, from) = (count + 1, time);
                }
            }
            counts[count.min(5)] += 1.0;
        }
        counts
    }

    #[test]
    fn a_carried_clock_still_rings_as_poisson() {
        let n = 200_000;
        let seen = counts(10, |_| 1.0, n);
        let mut expected = (-1.0f64).exp() * n as f64;
        let mut chi2 = 0.0;
        for (k, count) in seen.iter().enumerate().take(5) {
            chi2 += (count - expected).powi(2) / expected;
            expected /= (k + 1) as f64;
        }
        assert!(chi2 < 20.5, "χ² with 5 cells, level 0.001: {chi2}");
    }
}
