//! Points branch off oblique trees where and when simulated insertions say.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::TreeRng;
use obsp::{BspSettings, PairCuts, fixed};
use tessellation_laws::{Experiment, draws_have_the_law_of_insertions};

#[test]
fn draws_say_where_and_when_points_branch_off() {
    for (d, last, budget) in [
        (1, 1.1, 20.0),
        (2, 0.55, f64::INFINITY),
        (2, 1.05, 4.0),
        (3, 0.5, f64::INFINITY),
        (5, 0.9, 1.0),
    ] {
        let mut rng = TreeRng::new(d as u64, 0);
        let mut point = || (0..d).map(|_| rng.uniform() as f32).collect::<Vec<_>>();
        let mut points: Vec<_> = (0..30).map(|_| point()).collect();
        points.push(vec![last; d]);
        let settings = BspSettings {
            max_uncut: 1,
            ..fixed(budget)
        };
        let experiment = Experiment::<PairCuts> {
            points: &points,
            settings,
            trees: 10_000,
            seed: 19,
        };
        draws_have_the_law_of_insertions(&experiment).unwrap();
    }
}
