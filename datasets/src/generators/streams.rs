//! Named random streams: one per part of the data and purpose of the draw.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Training or test rows: neither's draws depend on the length of the other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Train = 0,
    Test = 1,
}

/// The streams a row is drawn from.
pub(super) struct Streams {
    /// Coordinates of the points.
    pub(super) inputs: ChaCha8Rng,
    /// Classes, where they are drawn before the points.
    pub(super) labels: ChaCha8Rng,
    /// Disturbance of the targets.
    pub(super) noise: ChaCha8Rng,
}

impl Streams {
    pub(super) fn of(seed: u64, part: Part) -> Self {
        let named = |purpose: u64| stream(seed, 2 * purpose + part as u64);
        Self {
            inputs: named(1),
            labels: named(2),
            noise: named(3),
        }
    }
}

/// Returns the stream of what is drawn once, before any row (centres).
pub(super) fn setup(seed: u64) -> ChaCha8Rng {
    stream(seed, 0)
}

/// ChaCha8 with the seed as key and the stream as nonce: streams of one seed never overlap.
fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}
