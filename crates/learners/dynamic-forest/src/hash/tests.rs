//! The draws are pinned, and follow their distributions.

use forest_testing::statistics::{has_distribution, is_uniform};

use super::*;

/// Probability with which a test fails by chance.
const LEVEL: f64 = 1e-3;

#[test]
fn golden_draws_are_pinned() {
    let root = NodeKey::root(7);
    let (left, right) = (root.child(0), root.child(1));
    let draws = [
        root.0,
        left.0,
        right.0,
        left.order().next(),
        right.threshold(3).next(),
    ];
    assert_eq!(draws, GOLDEN);
}

const GOLDEN: [u64; 5] = [
    1346066267577507604,
    9672475392221035855,
    5573481420429128725,
    6962581141904625850,
    11863639838473580129,
];

/// The first numbers of SplitMix64 with seed 1234567, as its authors' code prints them.
#[test]
fn it_is_splitmix64() {
    let mut draws = Draws(1_234_567);
    let first = [draws.next(), draws.next(), draws.next()];
    let published = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
    ];
    assert_eq!(first, published);
}

#[test]
fn draws_of_neighbouring_keys_features_and_nodes_are_uniform() {
    let keys = |seed| NodeKey::root(seed);
    let by_seed = (0..50_000)
        .map(|seed| keys(seed).threshold(0).uniform())
        .collect();
    assert!(has_distribution(by_seed, |u| u) > LEVEL);
    let by_feature = (0..50_000)
        .map(|feature| keys(1).threshold(feature).uniform())
        .collect();
    assert!(has_distribution(by_feature, |u| u) > LEVEL);
    let path = std::iter::successors(Some(keys(2)), |key| Some(key.child(key.0 as usize & 1)));
    let by_node = path
        .take(50_000)
        .map(|key| key.threshold(1).uniform())
        .collect();
    assert!(has_distribution(by_node, |u| u) > LEVEL);
}

/// Pairs (feature, next feature), (left, right), (order, threshold), and of thresholds of one feature, fall into a table of 64 equally likely cells.
#[test]
fn draws_of_one_node_are_independent() {
    let cell = |a: f64, b: f64| (a * 8.0) as usize * 8 + (b * 8.0) as usize;
    let pairs: [fn(NodeKey) -> [f64; 2]; 6] = [
        |key| [key.threshold(0).uniform(), key.threshold(1).uniform()],
        |key| {
            [
                key.child(0).order().uniform(),
                key.child(1).order().uniform(),
            ]
        },
        |key| [key.order().uniform(), key.threshold(0).uniform()],
        |key| [0, 1].map(|number| key.threshold_number(3, number).uniform()),
        |key| [1, 2].map(|number| key.threshold_number(3, number).uniform()),
        |key| [3, 4].map(|feature| key.threshold_number(feature, 1).uniform()),
    ];
    for pair in pairs {
        let mut counts = [0; 64];
        for seed in 0..100_000 {
            let [a, b] = pair(NodeKey::root(seed));
            counts[cell(a, b)] += 1;
        }
        assert!(is_uniform(&counts) > LEVEL);
    }
    let mut copied = [0; 64];
    for seed in 0..100_000 {
        let draw = NodeKey::root(seed).order().uniform();
        copied[cell(draw, draw)] += 1;
    }
    assert!(is_uniform(&copied) < LEVEL);
}

#[test]
fn streams_of_a_node_have_nothing_in_common() {
    let key = NodeKey::root(5);
    let streams = (0..200).map(|number| key.stream(number));
    let mut all: Vec<u64> = streams
        .flat_map(|mut draws| (0..200).map(move |_| draws.next()).collect::<Vec<_>>())
        .collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 200 * 200);
}

fn permutation(order: &mut FeatureOrder, seed: u64) -> Vec<u32> {
    let mut draws = NodeKey::root(seed).order();
    let all = std::iter::from_fn(|| order.next(&mut draws)).collect();
    order.restart();
    all
}

#[test]
fn every_permutation_is_equally_likely() {
    let (mut order, mut counts) = (FeatureOrder::default(), [0; 27]);
    order.fit(3);
    for seed in 0..60_000 {
        let all = permutation(&mut order, seed);
        counts[(all[0] * 9 + all[1] * 3 + all[2]) as usize] += 1;
    }
    let seen: Vec<usize> = counts.into_iter().filter(|&count| count > 0).collect();
    assert_eq!(seen.len(), 6);
    assert!(is_uniform(&seen) > 1e-3);
}

#[test]
fn a_node_does_not_depend_on_the_nodes_before() {
    let (mut used, mut fresh) = (FeatureOrder::default(), FeatureOrder::default());
    used.fit(10);
    fresh.fit(10);
    let mut draws = NodeKey::root(1).order();
    (0..4).for_each(|_| assert!(used.next(&mut draws).is_some()));
    used.restart();
    assert_eq!(permutation(&mut used, 2), permutation(&mut fresh, 2));
}
