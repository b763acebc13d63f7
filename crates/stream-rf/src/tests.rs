//! The forests beside the paper's bookkeeping, and what must hold of them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod giving_up;
mod independence;
mod naive;
mod paper;
mod saffari;
mod settings;

use forest_core::{Forest, OnlineTree, Schema, Vote};
use forest_testing::conformance::{self, ConformanceTask, Stream};

use crate::{Growth, StreamSettings};

/// Returns a forest that has learned the first `rows` of a stream, and keeps its invariants.
fn taught<K: OnlineTree<Task: ConformanceTask>>(
    trees: usize,
    seed: u64,
    settings: &K::Settings,
    stream: &Stream<K::Task>,
    rows: usize,
) -> Forest<K> {
    let schema = Schema::new(stream.features.ncols()).unwrap();
    let mut forest = conformance::forests::<K>(trees, settings.clone())(schema, seed);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest_core::OnlineLearner::check_invariants(&forest).unwrap();
    forest
}

fn growth(scale: f64, base: f64) -> Growth {
    Growth { scale, base }
}

fn with_fringe(limit: u32, settings: &StreamSettings) -> StreamSettings {
    let mut settings = settings.clone();
    settings.fringe = Some(limit);
    settings
}

/// The settings of section 5 of the paper by name: λ, τ in nats, α, and β as a multiple of α; m = 10, and trees vote
/// for one class.
fn of_the_paper(lambda: f64, nats: f64, alpha: Growth, ratio: f64) -> StreamSettings {
    StreamSettings {
        lambda,
        m: 10,
        tau: nats * std::f64::consts::LOG2_E,
        alpha,
        beta: growth(ratio * alpha.scale, alpha.base),
        vote: Vote::Majority,
        ..StreamSettings::default()
    }
}

/// Sections 5.1 and 5.2: a mixture of Gaussians, and USPS.
fn settings_of_the_paper() -> [StreamSettings; 2] {
    let mixture = of_the_paper(1.0, 0.001, growth(1.0, 1.1), 1000.0);
    [mixture, of_the_paper(10.0, 0.1, growth(10.0, 1.00001), 1e4)]
}
