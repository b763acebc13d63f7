//! All tests in one program, which compiles what they share once.
//!
//! What counts the memory of a whole process is a program of its own.

mod giving_up;
mod independence;
mod naive;
mod paper;
mod rules;
mod saffari;
mod settings;

use forest_core::Vote;
use stream_rf::{Growth, StreamSettings};

/// The settings of section 5 of the paper by name: λ, τ in nats, α, and β as a multiple of α; m = 10, and trees vote for one class.
fn of_the_paper(lambda: f64, nats: f64, alpha: Growth, ratio: f64) -> StreamSettings {
    StreamSettings {
        lambda,
        m: 10,
        tau: nats * std::f64::consts::LOG2_E,
        alpha,
        beta: Growth {
            scale: ratio * alpha.scale,
            ..alpha
        },
        vote: Vote::Majority,
        ..StreamSettings::default()
    }
}

/// Section 5.1.
fn mixture_of_gaussians() -> StreamSettings {
    of_the_paper(1.0, 0.001, growth(1.0, 1.1), 1000.0)
}

/// Section 5.2.
fn usps() -> StreamSettings {
    of_the_paper(10.0, 0.1, growth(10.0, 1.00001), 1e4)
}

fn growth(scale: f64, base: f64) -> Growth {
    Growth { scale, base }
}
