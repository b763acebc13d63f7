//! Points branch off where and when the label models say.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::marker::PhantomData;

use forest_core::TreeRng;
use forest_testing::laws::{Experiment, branching_off_has_its_law};
use mondrian::{AxisCuts, TessellationSettings};
use tessellation_tree::{Budget, CutSettings};

const TREES: usize = 10_000;

/// Points in the unit cube, the last of them elsewhere: that is where trees are asked.
pub(crate) fn points(d: usize, last: f32, seed: u64) -> Vec<Vec<f32>> {
    let mut rng = TreeRng::new(seed, 0);
    let mut point = || (0..d).map(|_| rng.uniform() as f32).collect::<Vec<_>>();
    let mut points: Vec<_> = (0..30).map(|_| point()).collect();
    points.insert(5, points[3].clone());
    points.push(vec![last; d]);
    points
}

fn settings(budget: f64, cuts: CutSettings) -> TessellationSettings {
    TessellationSettings {
        budget: Budget::Fixed(budget),
        cuts,
        ..TessellationSettings::default()
    }
}

fn experiment<'a>(
    points: &'a [Vec<f32>],
    settings: &TessellationSettings,
) -> Experiment<'a, AxisCuts> {
    Experiment {
        points,
        settings: settings.clone(),
        trees: TREES,
        seed: 17,
        cuts: PhantomData,
    }
}

fn everywhere(check: impl Fn(&Experiment<'_, AxisCuts>)) {
    for (d, last, budgets) in [
        (1, 0.45, &[20.0][..]),
        (2, 0.55, &[f64::INFINITY, 8.0]),
        (2, 1.02, &[f64::INFINITY, 2.0]),
        (3, 0.5, &[f64::INFINITY, 4.0]),
        (5, 0.95, &[f64::INFINITY, 1.0]),
    ] {
        let points = points(d, last, d as u64);
        for &budget in budgets {
            let settings = settings(budget, CutSettings::default());
            check(&experiment(&points, &settings));
        }
    }
    let points = points(2, 0.6, 9);
    let weights = CutSettings::weighted(&[3.0, 0.5]);
    check(&experiment(&points, &settings(3.0, weights)));
}

#[test]
fn boxes_say_where_and_when_points_branch_off() {
    everywhere(|experiment| branching_off_has_its_law(experiment).unwrap());
}
