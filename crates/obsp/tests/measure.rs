//! The pair measure alone: settings, masses in closed form, cuts that separate as stored.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::TreeRng;
use obsp::{Axes, PairMeasure, PairSettings, PairWeights};
use tessellation_tree::laws::statistics;
use tessellation_tree::{Chance, CutMeasure, MeasureSettings, NodeId, Side, Span};

const ROOT: NodeId = NodeId::FIRST;
const FOREVER: Span = Span {
    from: 0.0,
    until: f64::INFINITY,
};

fn hull_with(settings: &PairSettings, points: &[&[f32]]) -> PairMeasure {
    let mut measure = PairMeasure::new(points[0].len(), settings);
    measure.push_empty();
    points.iter().for_each(|x| measure.extend(ROOT, x));
    measure
}

fn hull(points: &[&[f32]]) -> PairMeasure {
    hull_with(&PairSettings::default(), points)
}

fn weighted(rate: f64, weights: &[f64]) -> PairSettings {
    let weights = PairWeights::Given(weights.to_vec());
    PairSettings { rate, weights }
}

#[test]
fn settings_that_make_no_measure_are_refused() {
    let refused = |settings: PairSettings| settings.check(3).unwrap_err().to_string();
    let rate = |rate| PairSettings {
        rate,
        ..PairSettings::default()
    };
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(rate(odd)).contains("rate"), "{odd}");
    }
    for odd in [
        &[1.0, 1.0][..],
        &[1.0, -1.0, 1.0],
        &[0.0; 3],
        &[1.0, f64::NAN, 1.0],
    ] {
        assert!(refused(weighted(1.0, odd)).contains("weights"), "{odd:?}");
    }
    weighted(1.0, &[0.0, 1.0, 2.0]).check(3).unwrap();
    weighted(1.0, &[2.0]).check(1).unwrap();
}

#[test]
fn one_feature_is_the_mondrian_process_on_a_line() {
    let line = hull(&[&[1.0], &[3.0], &[2.0]]);
    assert_eq!((line.mass(ROOT), line.growth(ROOT, &[6.0])), (2.0, 3.0));
    assert_eq!(line.pairs().collect::<Vec<_>>(), [Axes(0, 1)]);
}

#[test]
fn pairs_count_by_their_weights() {
    let points: [&[f32]; 2] = [&[0.0, 0.0, 0.0], &[3.0, 4.0, 0.0]];
    let twice_lengths = [10.0, 6.0, 8.0];
    for (pair, length) in twice_lengths.into_iter().enumerate() {
        let mut weights = [0.0; 3];
        weights[pair] = 2.0;
        let measure = hull_with(&weighted(0.25, &weights), &points);
        assert_eq!(measure.mass(ROOT), 0.5 * length);
        assert_eq!(measure.perimeter(ROOT, pair), length);
        let mut rng = TreeRng::new(1, 0);
        let (_, cut) = measure
            .first_hitting(ROOT, FOREVER, &mut Chance::new(&mut rng))
            .unwrap();
        assert_eq!(Some(cut.axes), measure.pairs().nth(pair));
    }
}

#[test]
fn a_polygon_of_a_few_points_or_many_is_the_hull() {
    let corners: [&[f32]; 4] = [&[1.0, 1.0], &[0.0, 1.0], &[0.0, 0.0], &[1.0, 0.0]];
    assert_eq!(hull(&corners[..1]).polygon(ROOT, 0), [[1.0, 1.0]]);
    assert_eq!(
        hull(&corners[..2]).polygon(ROOT, 0),
        [[0.0, 1.0], [1.0, 1.0]]
    );
    assert_eq!(
        hull(&corners[..3]).polygon(ROOT, 0),
        [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    );
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert_eq!(hull(&corners).polygon(ROOT, 0), square);
}

#[test]
fn times_are_exponential_with_the_mass_as_rate() {
    let mut measure = hull(&[&[0.0, 0.0], &[1.0, 0.0], &[1.0, 1.0], &[0.0, 1.0]]);
    let (x, mut rng) = ([2.0, 1.0], TreeRng::new(2, 0));
    let mut chance = Chance::new(&mut rng);
    let mut separate = || {
        measure
            .first_separating(ROOT, &x, FOREVER, &mut chance)
            .unwrap()
            .0
    };
    let times: Vec<_> = (0..20_000).map(|_| separate()).collect();
    let growth = 0.5 * (1.0 + 2f64.sqrt() - 1.0);
    assert!(statistics::same_mean(&times, 1.0 / growth) > 1e-3);
    assert!(
        statistics::same_mean(&times, 1.05 / growth) < 1e-4,
        "the test can fail"
    );
}

/// A name, points, and a point outside.
type Scene = (&'static str, Vec<Vec<f32>>, Vec<f32>);

fn awkward() -> Vec<Scene> {
    let cloud = |scale: f32, shift: f32| {
        let mut rng = TreeRng::new(7, 0);
        let mut at = || shift + scale * rng.uniform() as f32;
        let points = (0..30).map(|_| vec![at(), at(), at()]).collect::<Vec<_>>();
        (points, vec![shift + 2.0 * scale; 3])
    };
    let named = |name, (points, x)| (name, points, x);
    let neighbour = 1f32.next_up();
    vec![
        named("in the unit cube", cloud(1.0, 0.0)),
        named("tiny", cloud(1e-30, 0.0)),
        named("huge", cloud(1e30, -5e29)),
        named("far from the origin", cloud(0.125, 4096.0)),
        (
            "the next number",
            vec![vec![1.0, 1.0, 1.0]],
            vec![neighbour, 1.0, 1.0],
        ),
        (
            "a huge constant",
            vec![vec![1e30, 0.0, 0.5]; 4],
            vec![1e30, 1e-3, 0.5],
        ),
        (
            "subnormal",
            vec![vec![0.0, 0.0, 0.0]; 4],
            vec![1e-45, 0.0, 0.0],
        ),
        (
            "the ends of the numbers",
            vec![vec![f32::MIN; 3]; 5],
            vec![f32::MAX; 3],
        ),
        (
            "in line",
            vec![vec![0.0, 0.0, 0.0], vec![1.0, 2.0, 3.0]],
            vec![2.0, 4.0, 6.0],
        ),
    ]
}

#[test]
fn cuts_separate_as_stored() {
    let mut rng = TreeRng::new(3, 0);
    let mut chance = Chance::new(&mut rng);
    for (name, points, x) in awkward() {
        let points: Vec<&[f32]> = points.iter().map(Vec::as_slice).collect();
        let mut measure = hull(&points);
        for _ in 0..500 {
            let separating = measure.first_separating(ROOT, &x, FOREVER, &mut chance);
            let (_, cut) = separating.expect(name);
            let side = PairMeasure::side(&cut, &x).opposite();
            assert!(
                measure.is_cut(&cut) && measure.is_beside(&cut, ROOT, side),
                "{name}: {cut:?}"
            );
            let all_on_side = points.iter().all(|p| PairMeasure::side(&cut, p) == side);
            assert!(all_on_side, "{name}: {cut:?}");
        }
    }
}

#[test]
fn cuts_that_hit_have_points_on_both_sides() {
    let mut rng = TreeRng::new(4, 0);
    let mut chance = Chance::new(&mut rng);
    for (name, mut points, x) in awkward() {
        points.push(x);
        let points: Vec<&[f32]> = points.iter().map(Vec::as_slice).collect();
        let measure = hull(&points);
        for _ in 0..500 {
            let (_, cut) = measure
                .first_hitting(ROOT, FOREVER, &mut chance)
                .expect(name);
            for side in [Side::Left, Side::Right] {
                let found = points.iter().any(|p| PairMeasure::side(&cut, p) == side);
                assert!(
                    found && !measure.is_beside(&cut, ROOT, side),
                    "{name}: {cut:?}"
                );
            }
        }
    }
}

#[test]
fn points_that_coincide_or_lie_inside_are_never_cut_off() {
    let mut rng = TreeRng::new(5, 0);
    let mut chance = Chance::new(&mut rng);
    let same: [&[f32]; 5] = [&[0.5, 1e30, -0.0]; 5];
    let mut measure = hull(&same);
    assert_eq!(measure.first_hitting(ROOT, FOREVER, &mut chance), None);
    assert_eq!(
        measure.first_separating(ROOT, &[0.5, 1e30, 0.0], FOREVER, &mut chance),
        None
    );
    let mut square = hull(&[&[0.0, 0.0], &[1.0, 0.0], &[1.0, 1.0], &[0.0, 1.0]]);
    for inside in [[0.5, 0.5], [1.0, 0.5], [0.0, 1.0], [0.25, 0.0]] {
        assert_eq!(
            square.first_separating(ROOT, &inside, FOREVER, &mut chance),
            None
        );
    }
}

#[test]
fn what_was_seen_of_a_node_is_not_used_once_the_node_has_changed() {
    let corners: [&[f32]; 4] = [&[0.0, 0.0], &[1.0, 0.0], &[1.0, 1.0], &[0.0, 1.0]];
    let mut rng = TreeRng::new(6, 0);
    let mut chance = Chance::new(&mut rng);
    for (asked, taken_in) in [([2.0, 0.5], [2.0, 0.5]), ([2.0, 0.5], [-3.0, 4.0])] {
        let mut measure = hull(&corners);
        measure.first_separating(ROOT, &asked, FOREVER, &mut chance);
        measure.push_copy(ROOT);
        let copy = NodeId::new(1);
        measure.extend(copy, &taken_in);
        measure.extend(ROOT, &[0.5, 9.0]);
        let with = |x: &[f32]| hull(&[&corners[..], &[x]].concat());
        assert_eq!(measure.polygon(copy, 0), with(&taken_in).polygon(ROOT, 0));
        assert_eq!(measure.polygon(ROOT, 0), with(&[0.5, 9.0]).polygon(ROOT, 0));
    }
}

#[test]
fn twenty_features_make_190_hulls() {
    let mut rng = TreeRng::new(8, 0);
    let mut point = || (0..20).map(|_| rng.uniform() as f32).collect::<Vec<_>>();
    let points: Vec<_> = (0..50).map(|_| point()).collect();
    let views: Vec<&[f32]> = points.iter().map(Vec::as_slice).collect();
    let measure = hull(&views);
    assert_eq!(measure.pairs().count(), 190);
    assert!(measure.is_hull_of(ROOT, views.into_iter()));
}
