//! The time that the latest requests took.

use std::collections::VecDeque;
use std::time::Duration;

/// The number of requests that quantiles are taken over.
const MOST: usize = 2048;

/// The latest requests of a kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies {
    seconds: VecDeque<f64>,
}

impl Latencies {
    /// Records the time of a request.
    pub(crate) fn add(&mut self, time: Duration) {
        if self.seconds.len() == MOST {
            self.seconds.pop_front();
        }
        self.seconds.push_back(time.as_secs_f64());
    }

    /// Returns the median and the 99th percentile, in seconds; `None` before the first request.
    pub(crate) fn p50_and_p99(&self) -> Option<[f64; 2]> {
        let mut sorted: Vec<f64> = self.seconds.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        Some([0.5, 0.99].map(|share| sorted[(last as f64 * share).round() as usize]))
    }
}
