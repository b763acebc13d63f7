//! The axis-aligned distribution alone: its draws, and the cells it makes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::TreeRng;
use forest_testing::laws::cells;
use forest_testing::statistics;
use mondrian::{AxisCut, AxisCuts};
use tessellation_tree::{CutDistribution, CutSettings, Side};

const DRAWS: usize = 30_000;

fn equal(features: usize) -> AxisCuts {
    AxisCuts::new(features, &CutSettings::default())
}

fn draw(cuts: &mut AxisCuts, a: &[f32], b: &[f32], rng: &mut TreeRng) -> Option<AxisCut> {
    cuts.draw_between([a, b], cuts.rate_between(a, b), rng)
}

fn draws(cuts: &mut AxisCuts, a: &[f32], b: &[f32]) -> Vec<AxisCut> {
    let mut rng = TreeRng::new(3, 0);
    (0..DRAWS)
        .map(|_| draw(cuts, a, b, &mut rng).unwrap())
        .collect()
}

#[test]
fn a_cut_falls_anywhere_between_two_points_alike() {
    let a = [0.0, 1.0];
    let b = [0.5, 0.75];
    let drawn = draws(&mut equal(2), &a, &b);
    assert_eq!(equal(2).rate_between(&a, &b), 0.75);
    let first: Vec<_> = drawn.iter().filter(|cut| cut.dimension == 0).collect();
    assert!(statistics::same_probability(first.len(), DRAWS, 2.0 / 3.0) > 1e-3);
    let places = |dimension: u32, low: f64, length: f64| {
        let of = drawn.iter().filter(move |cut| cut.dimension == dimension);
        of.map(move |cut| (f64::from(cut.threshold) - low) / length)
    };
    let mut rng = TreeRng::new(4, 0);
    for places in [places(0, 0.0, 0.5), places(1, 0.75, 0.25)] {
        let uniform = (0..DRAWS).map(|_| rng.uniform()).collect();
        assert!(statistics::same_distribution(places.collect(), uniform) > 1e-3);
    }
}

#[test]
fn weights_scale_features() {
    let mut cuts = AxisCuts::new(3, &CutSettings::weighted(&[3.0, 0.0, 1.0]));
    let a = [0.0, 0.0, 0.0];
    let b = [0.5, 9.0, 0.5];
    assert_eq!(cuts.rate_between(&a, &b), 2.0);
    let drawn = draws(&mut cuts, &a, &b);
    let of = |axis| drawn.iter().filter(|cut| cut.dimension == axis).count();
    assert!(statistics::same_probability(of(0), DRAWS, 0.75) > 1e-3);
    let places = drawn.iter().filter(|cut| cut.dimension == 0);
    let places = places.map(|cut| 2.0 * f64::from(cut.threshold)).collect();
    assert!(statistics::has_distribution(places, |place| place) > 1e-3);
    assert_eq!(cuts.bytes(), 3 * size_of::<f64>());
    assert_eq!(of(1), 0);
    let mut rng = TreeRng::new(1, 0);
    assert_eq!(draw(&mut cuts, &[0.0; 3], &[0.0, 1.0, 0.0], &mut rng), None);
}

#[test]
fn weights_that_break_a_rule_are_refused() {
    for (weights, rule) in [
        (&[1.0][..], "must be one a feature"),
        (&[1.0, -1.0], "must be at least 0 and finite"),
        (&[f64::NAN, 1.0], "must be at least 0 and finite"),
        (&[0.0, 0.0], "must not all be 0"),
    ] {
        let error = CutSettings::weighted(weights).check(2).unwrap_err();
        assert_eq!((error.parameter, &*error.rule), ("weights", rule));
    }
    assert!(CutSettings::weighted(&[0.0, 1.0]).check(2).is_ok());
}

#[test]
fn the_mean_number_of_cells_is_the_product_of_one_plus_time_times_side() {
    let mut rng = TreeRng::new(2, 0);
    for ([width, height], t) in [([1.0, 1.0], 1.5), ([1.0, 0.2], 3.0)] {
        let window = [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]];
        let mut count = || cells(&mut equal(2), &window, t, &mut rng).len() as f64;
        let counts: Vec<_> = (0..20_000).map(|_| count()).collect();
        let mean = (1.0 + t * width) * (1.0 + t * height);
        let [same, off] = [mean, 1.05 * mean].map(|mean| statistics::same_mean(&counts, mean));
        assert!(
            same > 1e-3 && off < 1e-4,
            "{same}; the test can fail: {off}"
        );
    }
}

#[test]
fn cuts_separate_neighbouring_numbers() {
    let mut rng = TreeRng::new(4, 0);
    for low in [1.0f32, -1.0, 0.0, 1e30, 1e-40, f32::MAX.next_down()] {
        let high = low.next_up();
        let cut = draw(&mut equal(1), &[high], &[low], &mut rng).unwrap();
        assert_eq!(equal(1).side(&cut, &[low]), Side::Left);
        assert_eq!(equal(1).side(&cut, &[high]), Side::Right);
    }
}

#[test]
fn of_two_cuts_across_a_feature_the_sides_away_from_each_other_are_known() {
    use Side::{Left, Right};
    let at = |dimension, threshold| AxisCut {
        dimension,
        threshold,
    };
    let cut = at(0, 0.5);
    for (other, left, right) in [
        (at(0, 0.4), Some(Left), None),
        (at(0, 0.5), Some(Left), Some(Right)),
        (at(0, 0.6), None, Some(Right)),
        (at(1, 0.5), None, None),
    ] {
        let reported = [Left, Right].map(|side| equal(2).side_of_all(&cut, &other, side));
        assert_eq!(reported, [left, right], "{other:?}");
    }
}

#[test]
fn broken_cuts_are_refused() {
    let cut = |dimension, threshold| AxisCut {
        dimension,
        threshold,
    };
    let sound = |cuts: AxisCuts, stored: &[AxisCut]| cuts.check(2, stored.iter()).is_ok();
    assert!(sound(equal(2), &[cut(0, -1.0), cut(1, 0.5)]) && !sound(equal(3), &[]));
    for broken in [cut(2, 0.5), cut(1, f32::NAN), cut(0, f32::INFINITY)] {
        assert!(!sound(equal(2), &[cut(0, 0.5), broken]), "{broken:?}");
    }
}

#[test]
fn golden_draws_are_pinned() {
    let mut rng = TreeRng::new(5, 0);
    let mut cuts = equal(2);
    let between = draw(&mut cuts, &[0.0, 0.0], &[1.0, -2.0], &mut rng).unwrap();
    let within = cuts
        .draw_within([&[0.0, 0.0], &[1.0, 2.0]], 3.0, &mut rng)
        .unwrap();
    assert_eq!(
        [between, within].map(|cut| (cut.dimension, cut.threshold)),
        [(0, 0.6037491), (1, 1.1455415)]
    );
}
