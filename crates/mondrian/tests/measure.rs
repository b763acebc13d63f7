//! The axis measure alone: closed forms of its masses, and of the cells it makes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::TreeRng;
use mondrian::AxisMeasure;
use tessellation_tree::laws::statistics;
use tessellation_tree::{Chance, CutMeasure, NodeId, Side, Span};

fn hull(points: &[&[f32]]) -> AxisMeasure {
    let mut measure = AxisMeasure::new(points[0].len(), &());
    measure.push_empty();
    points.iter().for_each(|x| measure.extend(ROOT, x));
    measure
}

const ROOT: NodeId = NodeId::FIRST;
const FOREVER: Span = Span {
    from: 0.0,
    until: f64::INFINITY,
};

#[test]
fn masses_add_up() {
    let mut rng = TreeRng::new(1, 0);
    let mut draw = |scale: f64| {
        (0..4)
            .map(|_| (rng.uniform() * scale) as f32)
            .collect::<Vec<_>>()
    };
    for scale in [1e-30, 1.0, 1e30] {
        let (a, b, x) = (draw(scale), draw(scale), draw(3.0 * scale));
        let (before, after) = (hull(&[&a, &b]), hull(&[&a, &b, &x]));
        let growth = before.growth(ROOT, &x);
        assert!(growth >= 0.0);
        assert!((before.mass(ROOT) + growth - after.mass(ROOT)).abs() <= 1e-12 * after.mass(ROOT));
        assert_eq!(growth == 0.0, before.contains(ROOT, &x));
        assert_eq!(after.growth(ROOT, &x), 0.0);
    }
}

/// Cells of the box `(low, high)` at time `t`: cut, and cut again.
fn cells(low: &[f32], high: &[f32], t: f64, chance: &mut Chance<'_>) -> usize {
    let mut waiting = vec![(low.to_vec(), high.to_vec(), 0.0)];
    let mut cells = 0;
    while let Some((low, high, from)) = waiting.pop() {
        let cell = hull(&[&low, &high]);
        let Some((time, cut)) = cell.first_hitting(ROOT, Span { from, until: t }, chance) else {
            cells += 1;
            continue;
        };
        let (mut corner, mut other) = (high.clone(), low.clone());
        corner[cut.dimension as usize] = cut.threshold;
        other[cut.dimension as usize] = cut.threshold;
        waiting.push((low, corner, time));
        waiting.push((other, high, time));
    }
    cells
}

#[test]
fn a_box_has_as_many_cells_as_the_product_says() {
    let mut rng = TreeRng::new(2, 0);
    let mut chance = Chance::new(&mut rng);
    for (high, t) in [
        (vec![1.0], 3.0),
        (vec![1.0, 0.5], 2.0),
        (vec![1.0, 0.5, 0.2], 2.0),
    ] {
        let low = vec![0.0; high.len()];
        let counts: Vec<_> = (0..20_000)
            .map(|_| cells(&low, &high, t, &mut chance) as f64)
            .collect();
        let mean: f64 = high.iter().map(|side| 1.0 + t * f64::from(*side)).product();
        assert!(statistics::same_mean(&counts, mean) > 1e-3, "{high:?}");
        assert!(
            statistics::same_mean(&counts, 1.05 * mean) < 1e-4,
            "the test can fail"
        );
    }
}

#[test]
fn separating_cuts_are_uniform_on_the_gaps() {
    let mut measure = hull(&[&[0.0, 0.0], &[1.0, 1.0]]);
    let x = [1.5, -0.25];
    let mut rng = TreeRng::new(3, 0);
    let mut chance = Chance::new(&mut rng);
    let draws: Vec<_> = (0..30_000)
        .map(|_| {
            measure
                .first_separating(ROOT, &x, FOREVER, &mut chance)
                .unwrap()
        })
        .collect();
    let across_first = draws.iter().filter(|(_, cut)| cut.dimension == 0).count();
    assert!(statistics::same_probability(across_first, draws.len(), 0.5 / 0.75) > 1e-3);
    let times: Vec<_> = draws.iter().map(|(time, _)| *time).collect();
    assert!(statistics::same_mean(&times, 1.0 / 0.75) > 1e-3);
    for (_, cut) in draws {
        let right = cut.dimension == 0;
        let side = if right { Side::Right } else { Side::Left };
        assert_eq!(AxisMeasure::side(&cut, &x), side);
        assert!(measure.is_beside(&cut, ROOT, side.opposite()), "{cut:?}");
    }
}

#[test]
fn cuts_separate_neighbouring_numbers() {
    let mut rng = TreeRng::new(4, 0);
    let mut chance = Chance::new(&mut rng);
    for low in [1.0f32, -1.0, 0.0, 1e30, 1e-40, f32::MAX.next_down()] {
        let (a, b) = ([low], [low.next_up()]);
        let (_, cut) = hull(&[&a, &b])
            .first_hitting(ROOT, FOREVER, &mut chance)
            .unwrap();
        assert_eq!(AxisMeasure::side(&cut, &a), Side::Left);
        assert_eq!(AxisMeasure::side(&cut, &b), Side::Right);
    }
}

#[test]
fn golden_draws_are_pinned() {
    let mut measure = hull(&[&[0.0, 0.0], &[1.0, 2.0]]);
    let mut rng = TreeRng::new(5, 0);
    let mut chance = Chance::new(&mut rng);
    let (time, cut) = measure.first_hitting(ROOT, FOREVER, &mut chance).unwrap();
    assert_eq!(
        (time, cut.dimension, cut.threshold),
        (0.07490230063163683, 1, 1.1455415)
    );
    let (time, cut) = measure
        .first_separating(ROOT, &[3.0, 3.0], FOREVER, &mut chance)
        .unwrap();
    assert_eq!(
        (time, cut.dimension, cut.threshold),
        (0.5652511899723415, 1, 2.6018684)
    );
}
