//! The process on a window has as many cells as theory says, and so have points as dense as one likes.

use std::f64::consts::PI;

use forest_core::{Point, TreeRng};
use forest_testing::{laws, statistics};
use obsp::PairCuts;
use tessellation_tree::{CutDistribution, CutSettings};

fn area(polygon: &[Point]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let cross = |(a, b): (&Point, &Point)| a[0] * b[1] - a[1] * b[0];
    polygon.iter().zip(next).map(cross).sum::<f64>() / 2.0
}

pub(crate) fn perimeter(polygon: &[Point]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let length = |(a, b): (&Point, &Point)| (a[0] - b[0]).hypot(a[1] - b[1]);
    polygon.iter().zip(next).map(length).sum()
}

fn windows() -> [Vec<Point>; 3] {
    [
        vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        vec![[0.0, 0.0], [2.0, 0.0], [0.0, 0.5]],
        vec![[0.0, 0.0], [3.0, 0.0], [3.0, 0.1], [0.0, 0.1]],
    ]
}

fn cells(window: &[Point], rate: f64, budget: f64, rng: &mut TreeRng) -> Vec<Vec<Point>> {
    let settings = CutSettings {
        rate: Some(rate),
        ..CutSettings::default()
    };
    let mut cuts = PairCuts::new(2, &settings);
    laws::cells(&mut cuts, window, budget, rng)
}

#[test]
fn the_mean_number_of_cells_is_1_plus_slt_plus_pi_ssatt() {
    let mut rng = TreeRng::new(1, 0);
    for (rate, t) in [(0.5, 1.0), (0.5, 3.0), (1.0, 1.0)] {
        for window in windows() {
            let mut count = || cells(&window, rate, t, &mut rng).len() as f64;
            let counts: Vec<f64> = (0..20_000).map(|_| count()).collect();
            let mean = |length: f64, area: f64| {
                let st = rate * t;
                1.0 + st * length + PI * st * st * area
            };
            let length = perimeter(&window);
            let area = area(&window);
            assert!(statistics::same_mean(&counts, mean(length, area)) > 1e-3);
            let off = mean(1.05 * length, 1.05 * area);
            assert!(
                statistics::same_mean(&counts, off) < 1e-4,
                "the test can fail"
            );
        }
    }
}

#[test]
fn cells_fill_the_window() {
    let mut rng = TreeRng::new(2, 0);
    for window in windows() {
        let cells = cells(&window, 0.5, 5.0, &mut rng);
        let areas: Vec<f64> = cells.iter().map(|cell| area(cell)).collect();
        assert!((areas.iter().sum::<f64>() - area(&window)).abs() < 1e-12 && cells.len() > 5);
        assert!(areas.iter().all(|area| *area >= 0.0));
    }
}
