//! Draws that stay as they are, and what is known of them by hand.

use std::f64::consts::PI;

use approx::assert_abs_diff_eq;
use forest_testing::statistics::{has_distribution, has_frequencies, is_uniform, same_probability};
use ndarray::s;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use statrs::statistics::Statistics;

use super::changing::{Centre, Centres, DIGITS, Hyperplane, SEGMENTS};
use super::classes::{COMPONENTS, Component, Node, PEAKS, Shape, triangle, turn};
use super::rows::Streams;
use super::{ALL, Generator, find};
use crate::{Dataset, Target};

/// The data set of an address.
fn generate(address: &str) -> Dataset {
    find(address).unwrap().generate(address).unwrap()
}

/// The data set of an address with classes, and its labels.
pub(super) fn labelled(address: &str) -> (Dataset, Vec<u32>) {
    let data = generate(address);
    let Target::Classes { labels, .. } = data.target.clone() else {
        panic!("{address} has classes")
    };
    (data, labels)
}

/// The targets of an address with numbers: observed, and without noise.
fn numbers(address: &str) -> (Dataset, Vec<f64>, Vec<f64>) {
    let data = generate(address);
    let Target::Values { values, noise_free } = data.target.clone() else {
        panic!("{address} has numbers")
    };
    (data, values, noise_free.unwrap())
}

const GOLDEN: [&str; 17] = [
    "friedman cf8edd33fd6a03bb",
    "sine-product 1df205f8b919b224",
    "gaussian-mixture 3741a98de9ecdc29",
    "mondrian-cube 5c6a2da2ea7376f2",
    "hypercube eb211571a282a64d",
    "agrawal bbca04b3a511f715",
    "random-tree 0942ef33acd10d60",
    "waveform b32ddb81ea1633f8",
    "planes-2d 2c8866365a91c0e0",
    "mv 8e705260a2c75d9d",
    "sea e878681b501a6546",
    "led 93561f8859b92ff1",
    "stagger e7ee72c680e1c606",
    "sine a0402b91fc979951",
    "mixed 7ef1fdd889ce5208",
    "hyperplane 6bae48aa78a31ca0",
    "random-rbf f8504eae8881221e",
];

/// The beginning of the SHA-256 of features and targets; the latter as `f32`, since sine is the platform's.
#[test]
fn golden_draws() {
    let mut found = Vec::new();
    for generator in &ALL {
        let name = generator.name;
        let mut address = format!("{name}:n=60,seed=7");
        for (parameter, given) in [("test", ",test=9"), ("every", ",every=20")] {
            if generator.takes().any(|taken| taken.name == parameter) {
                address += given;
            }
        }
        let data = generate(&address);
        let target = match data.target {
            Target::Values { values, .. } => Target::Values {
                values: values.iter().map(|y| f64::from(*y as f32)).collect(),
                noise_free: None,
            },
            classes => classes,
        };
        let digest = Dataset::new("", data.features, Vec::new(), target).rows_sha256();
        found.push(format!("{name} {}", &digest[..16]));
    }
    assert_eq!(found, GOLDEN, "{found:#?}");
}

#[test]
fn bad_addresses_say_what_is_possible() {
    for case in [
        "friedman:m=3|has no parameter `m`; it takes: d=5, noise=1, n=10000",
        "friedman:nois=3|did you mean `noise`",
        "friedman:d=4|d must be a whole number from 5 to 1000000, but is `4`",
        "friedman:noise=-1|noise must be a number from 0 to 1000000000",
        "friedman:n=0|n must be a whole number from 1",
        "friedman:n=ten|but is `ten`",
        "friedman:n|`n` is not `key=value`",
        "friedman:n=1,n=2|given twice",
        "friedman:n=999999999|do not fit in memory",
        "hypercube:d=1000000,classes=1000,n=1|do not fit in memory",
        "friedman:n=18446744073709551615|from 1 to 1000000000",
        "mondrian-cube:rotated=maybe|rotated must be one of yes, no",
    ] {
        let (address, says) = case.split_once('|').unwrap();
        let generated = find(address).unwrap().generate(address);
        let error = generated.unwrap_err().to_string();
        assert!(error.contains(says), "{address}: {error}");
    }
}

#[test]
fn the_address_decides_everything_and_the_seed_counts() {
    for Generator { name, .. } in &ALL {
        let digest = |text: &str| generate(&format!("{name}:{text}")).sha256;
        assert_eq!(digest("seed=5,n=9"), digest(" n = 9 , seed=5,"), "{name}");
        assert_ne!(digest("seed=5,n=9"), digest("seed=6,n=9"), "{name}");
    }
}

#[test]
fn test_rows_stay_when_the_training_part_grows() {
    for generator in ALL
        .iter()
        .filter(|one| one.takes().any(|taken| taken.name == "test"))
    {
        let rows = |n: usize| generate(&format!("{}:n={n},test=4", generator.name)).features;
        let short = rows(5);
        let long = rows(9);
        assert_eq!(short.slice(s![5.., ..]), long.slice(s![9.., ..]));
        assert_eq!(short.slice(s![..5, ..]), long.slice(s![..5, ..]));
    }
}

/// Of every concept, how many rows are of which class, computed by hand; and the best possible accuracy.
#[test]
fn classes_have_the_shares_that_the_definitions_imply() {
    let two = |share: f64| vec![1.0 - share, share];
    // Below x₁ + x₂ = θ ≤ 10 lies a triangle; a fifth of the rows are flipped.
    let sea = |threshold: f64| {
        let inside = threshold * threshold / 200.0;
        two(0.8 * inside + 0.2 * (1.0 - inside))
    };
    // ∫ sin x over [0, 1] is 1 − cos 1; the area below the wave is .5 + .3 · 2 / (3π).
    let sine = 1.0 - 1f64.cos();
    let wave = 0.5 + 0.2 / PI;
    // Of v and w both hold in a quarter of the rows, one in a half, where the point decides.
    let mixed = 0.25 + 0.5 * wave;
    let stagger = [1.0 / 9.0, 5.0 / 9.0, 2.0 / 3.0].map(two);
    let turning = |share: f64| [share, 1.0 - share].map(two).to_vec();
    let thresholds = [8.0, 9.0, 7.0, 9.5, 8.0];
    for (case, best, concepts) in [
        ("sea:noise=20", Some(0.8), thresholds.map(sea).to_vec()),
        ("stagger:", Some(1.0), [stagger.clone(), stagger].concat()),
        ("sine:", Some(1.0), turning(sine)),
        ("sine:curve=2", Some(1.0), turning(wave)),
        ("mixed:", Some(1.0), turning(mixed)),
        ("led:", None, vec![vec![0.1; 10]; 3]),
        ("hyperplane:magnitude=2", Some(0.95), vec![two(0.5)]),
        ("mondrian-cube:", Some(1.0), vec![two(36.0 / 64.0)]),
        ("waveform:", Some(0.86), vec![vec![1.0 / 3.0; 3]]),
    ] {
        let every = 10_000;
        let changes = concepts.len() - 1;
        let mut address = format!("{case},n={}", every * concepts.len());
        if changes > 0 {
            address += &format!(",every={every}");
        }
        let (data, labels) = labelled(&address);
        let expected: Vec<usize> = (1..=changes).map(|change| change * every).collect();
        assert_eq!(data.changes, expected, "{address}");
        assert!(best.is_none() || data.best_accuracy == best, "{address}");
        for (shares, labels) in concepts.iter().zip(labels.chunks(every)) {
            let mut counts = vec![0; shares.len()];
            labels.iter().for_each(|label| counts[*label as usize] += 1);
            let p = has_frequencies(&counts, shares);
            assert!(p > 1e-5, "{address} {counts:?}");
        }
    }
}

#[test]
fn mean_and_variance_of_friedman_are_the_analytical_ones() {
    let (_, values, truths) = numbers("friedman:n=200000,test=0,noise=2");
    // ∫∫ g(π x y) over the unit square by the midpoint rule.
    let integral = |g: fn(f64) -> f64| {
        let mid = |i: i32| (f64::from(i) + 0.5) / 1000.0;
        let cell = |k: i32| g(PI * mid(k / 1000) * mid(k % 1000));
        (0..1_000_000).map(cell).sum::<f64>() / 1e6
    };
    let first = integral(f64::sin);
    let second = integral(|t| t.sin().powi(2));
    // E 20(x-½)² = 20/12, its variance 400 (1/80 - 1/144); 10x and 5x have variance 100/12 and 25/12.
    let mean = 10.0 * first + 20.0 / 12.0 + 5.0 + 2.5;
    let variance =
        100.0 * (second - first * first) + 400.0 * (1.0 / 80.0 - 1.0 / 144.0) + 125.0 / 12.0;
    let noise = values.iter().zip(&truths).map(|(y, truth)| y - truth);
    let noise: Vec<f64> = noise.collect();
    // Five standard errors of 200 000 values.
    let epsilon = 5.0 * (variance / 2e5).sqrt();
    assert_abs_diff_eq!((&truths).mean(), mean, epsilon = epsilon);
    let epsilon = 5.0 * variance * (2.0_f64 / 2e5).sqrt();
    assert_abs_diff_eq!((&truths).variance(), variance, epsilon = epsilon);
    assert_abs_diff_eq!((&noise).std_dev(), 2.0, epsilon = 10.0 / 4e5_f64.sqrt());
    // ∫₀¹ (1 - cos πx) / (πx) dx = Cin(π) / π, Cin(π) = 1.6483…; ten times that is the mean of the other.
    let (_, _, truths) = numbers("sine-product:n=200000,test=0");
    let error = 5.0 * (&truths).std_dev() / 2e5_f64.sqrt();
    assert_abs_diff_eq!((&truths).mean(), 5.246_63, epsilon = error);
}

#[test]
fn planes_are_linear_on_either_side_and_mv_depends_as_defined() {
    let (data, _, truths) = numbers("planes-2d:n=5000,test=0");
    for (row, truth) in data.features.rows().into_iter().zip(truths) {
        let at = if row[0] > 0.0 { [1, 2, 3] } else { [4, 5, 6] };
        let [a, b, c] = at.map(|index| f64::from(row[index]));
        assert_eq!(truth, f64::from(3.0 * row[0]) + 3.0 * a + 2.0 * b + c);
    }
    let (data, values, truths) = numbers("mv:n=5000,test=0");
    assert_eq!(values, truths);
    for (row, value) in data.features.rows().into_iter().zip(values) {
        let x: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
        let [x1, x2, green, red, brown, x4, x5, x6, yes, large, ..] = x[..] else {
            panic!("twelve features")
        };
        let expected = match (green, red, brown) {
            (1.0, 0.0, 0.0) if x1 > 0.0 => x1 + 2.0 * x2,
            (0.0, 1.0, 0.0) if x1 <= 0.0 => x1 / 2.0,
            (0.0, 0.0, 1.0) if x1 <= 0.0 => x2 / 2.0,
            other => panic!("{other:?} for {x1}"),
        };
        assert_abs_diff_eq!(x4, expected, epsilon = 1e-5);
        assert!(x6 == 0.0 || (0.0..=5.0).contains(&(x6 / x4)));
        assert_eq!(large == 1.0, x5 >= 0.5);
        let target = if x4.abs() <= 2.0 {
            10.0 - 2.0 * x1
        } else if yes == 1.0 {
            3.0 - x1 / x4
        } else if x5 < 0.5 {
            x6 + x1
        } else {
            x1 / 2.0
        };
        assert_eq!(value, target);
    }
}

/// Weighted density of a class at a point.
fn density(class: &Component, x: [f64; 2]) -> f64 {
    let &Component(weight, mean, variance, correlation) = class;
    let [a, b] = [0, 1].map(|i| (x[i] - mean[i]) / variance.sqrt());
    let rest = 1.0 - correlation.powi(2);
    let square = (a * a - 2.0 * correlation * a * b + b * b) / rest;
    weight * (-square / 2.0).exp() / (2.0 * PI * variance * rest.sqrt())
}

#[test]
fn best_possible_accuracy_of_the_mixture_is_the_published_one() {
    let best = |x: [f64; 2]| {
        let densities = COMPONENTS.each_ref().map(|class| density(class, x));
        let class = forest_core::argmax(&densities);
        (class, densities[class])
    };
    // The largest weighted density, integrated on a grid far beyond the means.
    let at = |i: i32| -8.0 + 0.02 * (f64::from(i) + 0.5);
    let column = |i: i32| (0..900).map(|j| best([at(i), at(j)]).1).sum::<f64>();
    let bayes = (0..1200).map(column).sum::<f64>() * 0.02 * 0.02;
    let (data, labels) = labelled("gaussian-mixture:n=100000,test=0");
    assert_abs_diff_eq!(bayes, data.best_accuracy.unwrap(), epsilon = 0.00006);
    let rows = data.features.rows().into_iter().zip(&labels);
    let right = rows.filter(|(x, label)| best([x[0].into(), x[1].into()]).0 == **label as usize);
    assert!(same_probability(right.count(), 100_000, bayes) > 1e-6);
}

#[test]
fn axes_of_the_cube_turn_where_the_paper_says() {
    let half = 0.5_f64.sqrt();
    let expected = [[half, 0.0, half], [-0.5, half, 0.5], [-0.5, -half, 0.5]];
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (axis, image) in axes.into_iter().zip(expected) {
        assert_abs_diff_eq!(turn(axis).as_slice(), image.as_slice(), epsilon = 1e-12);
    }
}

#[test]
fn in_one_dimension_cells_are_intervals() {
    for (address, cells) in [
        ("hypercube:n=2000,d=1,classes=4,test=0", 4),
        ("random-tree:d=1,depth=1,first=1,n=500,seed=3,test=0", 2),
    ] {
        let (data, labels) = labelled(address);
        let mut points: Vec<(f32, u32)> = data.features.iter().copied().zip(labels).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let changes = points.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        assert_eq!(changes.count() + 1, cells, "{address}");
    }
}

/// The Bayes rule, by integrating over u, is right on about 86 % of the rows.
#[test]
fn the_best_possible_accuracy_of_waveforms_is_that_of_the_bayes_rule() {
    let (data, labels) = labelled("waveform:n=20000,test=0");
    let likelihood = |row: &[f32], [first, second]: [f64; 2]| -> f64 {
        let mut sum = 0.0;
        for share in (0..=40).map(|step| f64::from(step) / 40.0) {
            let squares = (1..).zip(row).map(|(i, x)| {
                let wave = share * triangle(first, i) + (1.0 - share) * triangle(second, i);
                (f64::from(*x) - wave).powi(2)
            });
            sum += (-0.5 * squares.sum::<f64>()).exp();
        }
        sum
    };
    let rows = data.features.rows().into_iter().zip(&labels);
    let right = rows.filter(|(row, label)| {
        let shares = PEAKS.map(|peaks| likelihood(&row.to_vec(), peaks));
        forest_core::argmax(&shares) == **label as usize
    });
    assert_abs_diff_eq!(right.count() as f64 / 20_000.0, 0.86, epsilon = 0.01);
}

/// Returns depth and class of every leaf.
fn visit(node: &Node, depth: usize, leaves: &mut Vec<(usize, u32)>) {
    match node {
        Node::Leaf(class) => leaves.push((depth, *class)),
        Node::Split { children, .. } => {
            for child in &**children {
                visit(child, depth + 1, leaves);
            }
        }
    }
}

#[test]
fn leaves_have_the_depths_and_classes_that_were_asked_for() {
    let shape = Shape {
        classes: 4,
        depth: 5,
        first: 3,
        leaves: 0.15,
    };
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut leaves = Vec::new();
    let mut places = Vec::new();
    for _ in 0..2000 {
        let mut cell = [[0.0, 1.0]; 3];
        let root = Node::draw(&shape, 0, &mut cell, &mut random);
        assert_eq!(cell, [[0.0, 1.0]; 3]);
        if let Node::Split { at, .. } = &root {
            places.push(f64::from(*at));
        }
        visit(&root, 0, &mut leaves);
    }
    assert!(has_distribution(places, |x| x.clamp(0.0, 1.0)) > 1e-4);
    let at = |depth: usize| leaves.iter().filter(|(found, _)| *found == depth).count();
    assert_eq!((0..3).map(at).sum::<usize>(), 0);
    // Eight nodes a tree have depth 3.
    assert!(same_probability(at(3), 16_000, 0.15) > 1e-4);
    assert!(same_probability(at(4), 2 * (16_000 - at(3)), 0.15) > 1e-4);
    assert_eq!(at(5), 2 * (2 * (16_000 - at(3)) - at(4)));
    let mut counts = [0; 4];
    for (_, class) in &leaves {
        counts[*class as usize] += 1;
    }
    assert!(is_uniform(&counts) > 1e-4, "{counts:?}");
}

/// Where the segments of LED are: columns, after 0, 1 and 2 changes.
const PLACES: [[usize; SEGMENTS]; 3] = [
    [0, 1, 2, 3, 4, 5, 6],
    [7, 8, 9, 3, 4, 5, 6],
    [10, 11, 12, 3, 4, 5, 6],
];

#[test]
fn the_nearest_digit_has_the_best_possible_accuracy() {
    let (data, labels) = labelled("led:n=60000,every=20000");
    let best = data.best_accuracy.unwrap();
    assert_abs_diff_eq!(best, 0.74, epsilon = 0.0005); // Breiman et al.: a Bayes rate of 0.26
    let is_lit = |row: usize, column: usize| data.features[[row, column]] == 1.0;
    let guess = |row: usize| {
        let places = PLACES[row / 20_000];
        let differs = |digit: &usize| {
            let lights = DIGITS[*digit].iter().zip(places);
            let wrong = lights.filter(|(lit, place)| (**lit == b'1') != is_lit(row, *place));
            wrong.count()
        };
        (0..10).min_by_key(differs).unwrap()
    };
    let right = (0..60_000).filter(|&row| guess(row) == labels[row] as usize);
    assert!(same_probability(right.count(), 60_000, best) > 1e-4);
    for (concept, places) in PLACES.iter().enumerate() {
        for column in 0..24 {
            // A light that shows a segment is right in nine rows of ten, another one is lit in every second row.
            let segment = places.iter().position(|place| *place == column);
            let is_expected = |row: &usize| match segment {
                Some(at) => (DIGITS[labels[*row] as usize][at] == b'1') == is_lit(*row, column),
                None => is_lit(*row, column),
            };
            let rows = concept * 20_000..(concept + 1) * 20_000;
            let share = if segment.is_some() { 0.9 } else { 0.5 };
            let p = same_probability(rows.filter(is_expected).count(), 20_000, share);
            assert!(p > 1e-5, "{concept} {column}");
        }
    }
}

#[test]
fn a_hyperplane_moves_by_the_stated_magnitude_and_reverses_with_probability_one_tenth() {
    let random = ChaCha8Rng::seed_from_u64(3);
    let mut plane = Hyperplane {
        weights: vec![1.0, 2.0],
        steps: vec![-0.004],
        turns: 0,
        random,
    };
    // The plane through the middle, before and after.
    let points = [[0.9, 0.4], [0.4, 0.5], [0.1, 0.6]];
    assert_eq!(points.map(|x| plane.is_above(&x)), [true, false, false]);
    (0..750).for_each(|_| plane.turn());
    let turned = [-2.0, 2.0];
    assert_abs_diff_eq!(plane.weights.as_slice(), turned.as_slice(), epsilon = 1e-9);
    assert_eq!(points.map(|x| plane.is_above(&x)), [false, true, true]);
    plane = Hyperplane {
        weights: vec![0.0; 20_000],
        steps: vec![1.0; 20_000],
        turns: 998,
        ..plane
    };
    plane.turn();
    assert!(plane.steps.iter().all(|step| *step == 1.0));
    plane.turn();
    let reversed = plane.steps.iter().filter(|step| **step == -1.0).count();
    assert!(same_probability(reversed, 20_000, 0.1) > 1e-4, "{reversed}");
}

fn centre(class: u32, deviation: f64, weight: f64, step: [f64; 2]) -> Centre {
    Centre {
        place: vec![0.3, 0.6],
        step: step.to_vec(),
        class,
        deviation,
        weight,
    }
}

#[test]
fn centres_are_chosen_by_weight_and_directions_are_uniform() {
    let of = |(class, weight)| centre(class, 0.4, weight, [0.0; 2]);
    let mut centres = Centres {
        all: [(0, 0.2), (1, 0.5), (2, 0.3)].map(of).into(),
        moving: 0,
    };
    let mut streams = Streams::of(1, false);
    let mut counts = [0; 3];
    let mut distances = Vec::new();
    let mut angles = Vec::new();
    for _ in 0..30_000 {
        let mut row = [0.0; 2];
        counts[centres.draw(&mut streams, &mut row) as usize] += 1;
        let [x, y] = [f64::from(row[0]) - 0.3, f64::from(row[1]) - 0.6];
        distances.push(x.hypot(y));
        angles.push(y.atan2(x));
    }
    assert!(has_frequencies(&counts, &[0.2, 0.5, 0.3]) > 1e-4);
    // Half-normal: the error function of x / (√2 · 0.4).
    let half_normal = |x: f64| statrs::function::erf::erf(x.max(0.0) / 0.4 / 2f64.sqrt());
    assert!(has_distribution(distances, half_normal) > 1e-4);
    assert!(has_distribution(angles, |angle| (angle / PI / 2.0 + 0.5).clamp(0.0, 1.0)) > 1e-4);
}

#[test]
fn centres_move_straight_and_turn_at_the_ends() {
    let of = |class| centre(class, 0.0, 1.0, [0.05, -0.125]);
    let mut centres = Centres {
        all: vec![of(0), of(1)],
        moving: 1,
    };
    let mut streams = Streams::of(3, false);
    for at in 0..13 {
        let mut row = [0.0; 2];
        if centres.draw(&mut streams, &mut row) == 1 {
            assert_eq!(row, [0.3, 0.6], "does not move");
            continue;
        }
        let moves = f64::from(at + 1);
        // 0.6, 0.475, …, 0.1, then 0, then up again.
        let second = f64::max(0.6 - 0.125 * moves, 0.125 * (moves - 5.0));
        assert_abs_diff_eq!(f64::from(row[0]), 0.3 + 0.05 * moves, epsilon = 1e-6);
        assert_abs_diff_eq!(f64::from(row[1]), second, epsilon = 1e-6);
    }
}
