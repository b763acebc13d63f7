//! Whether codes rule out enough to be worth computing: judged by the queries that use them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many candidates were compared by their codes, and how many of them had to be compared by
/// their points as well.
///
/// It changes no answer, so it does not matter in which order threads count.
#[derive(Debug, Default)]
pub(crate) struct Usefulness {
    compared: AtomicU64,
    undecided: AtomicU64,
}

impl Usefulness {
    /// Candidates after which there is a judgement.
    const ENOUGH: u64 = 1 << 14;

    /// Codes are worth computing if fewer than one candidate in this many is undecided. They break
    /// even at one in ten for 16 features, and at one in five for 100.
    const SHARE: u64 = 8;

    pub(crate) fn record(&self, compared: usize, undecided: usize) {
        self.compared.fetch_add(compared as u64, Relaxed);
        self.undecided.fetch_add(undecided as u64, Relaxed);
    }

    /// Whether codes are worth computing, as far as is known.
    pub(crate) fn is_enough(&self) -> bool {
        let (compared, undecided) = (self.compared.load(Relaxed), self.undecided.load(Relaxed));
        compared < Self::ENOUGH || Self::SHARE * undecided < compared
    }
}

/// A copy has seen no queries.
impl Clone for Usefulness {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_decide_little_are_given_up_once_that_is_known() {
        let (useful, useless) = (Usefulness::default(), Usefulness::default());
        for _ in 0..Usefulness::ENOUGH / 16 {
            assert!(useless.is_enough());
            useful.record(16, 1);
            useless.record(16, 2);
        }
        assert!(useful.is_enough() && !useless.is_enough());
        assert!(useless.clone().is_enough());
    }
}
