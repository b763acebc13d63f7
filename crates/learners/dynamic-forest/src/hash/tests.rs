//! The draws are pinned, and follow their distributions.

use forest_testing::statistics::{has_distribution, is_uniform};

use super::*;

/// Probability with which a test fails by chance.
const LEVEL: f64 = 1e-3;

#[test]
fn golden_draws_are_pinned() {
    let root = NodeKey::root(7);
    let left = root.child(0);
    let right = root.child(1);
    let streams = [left.order().next(), right.threshold(3, 0).next()];
    assert_eq!([root.0, left.0, right.0, streams[0], streams[1]], GOLDEN);
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
    let published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ];
    assert_eq!([draws.next(), draws.next(), draws.next()], published);
}

#[test]
fn draws_of_neighbouring_keys_features_and_nodes_are_uniform() {
    const COUNT: usize = 50_000;
    let uniform = |key: NodeKey, feature| key.threshold(feature, 0).uniform();
    let by_seed = (0..COUNT as u64).map(|seed| uniform(NodeKey::root(seed), 0));
    assert!(has_distribution(by_seed.collect(), |u| u) > LEVEL);
    let by_feature = (0..COUNT as u32).map(|feature| uniform(NodeKey::root(1), feature));
    assert!(has_distribution(by_feature.collect(), |u| u) > LEVEL);
    let next = |key: &NodeKey| Some(key.child(key.0 as usize & 1));
    let path = std::iter::successors(Some(NodeKey::root(2)), next);
    let by_node = path.take(COUNT).map(|key| uniform(key, 1));
    assert!(has_distribution(by_node.collect(), |u| u) > LEVEL);
}

/// Pairs (feature, next feature), (left, right), (order, threshold), and of thresholds of one feature, fall into a
/// table of 64 equally likely cells; a number and its copy do not.
#[test]
fn draws_of_one_node_are_independent() {
    type Pair = fn(NodeKey) -> [Draws; 2];
    let pairs: [(Pair, bool); 7] = [
        (|key| [key.threshold(0, 0), key.threshold(1, 0)], true),
        (|key| [key.child(0).order(), key.child(1).order()], true),
        (|key| [key.order(), key.threshold(0, 0)], true),
        (|key| [0, 1].map(|number| key.threshold(3, number)), true),
        (|key| [1, 2].map(|number| key.threshold(3, number)), true),
        (|key| [3, 4].map(|feature| key.threshold(feature, 1)), true),
        (|key| [key.order(), key.order()], false),
    ];
    for (pair, are_independent) in pairs {
        let mut counts = [0; 64];
        for seed in 0..100_000 {
            let [a, b] =
                pair(NodeKey::root(seed)).map(|mut draws| (draws.uniform() * 8.0) as usize);
            counts[a * 8 + b] += 1;
        }
        assert_eq!(is_uniform(&counts) > LEVEL, are_independent);
    }
}

#[test]
fn streams_of_a_node_have_nothing_in_common() {
    let key = NodeKey::root(5);
    let mut all = Vec::new();
    for mut draws in (0..200).map(|number| key.stream(number)) {
        all.extend((0..200).map(|_| draws.next()));
    }
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

/// Every permutation is equally likely, whatever nodes were before.
#[test]
fn features_are_in_a_random_order() {
    let mut order = FeatureOrder::default();
    order.fit(3);
    let mut counts = [0; 27];
    for seed in 0..60_000 {
        let all = permutation(&mut order, seed);
        counts[(all[0] * 9 + all[1] * 3 + all[2]) as usize] += 1;
    }
    let seen: Vec<usize> = counts.into_iter().filter(|&count| count > 0).collect();
    assert_eq!(seen.len(), 6);
    assert!(is_uniform(&seen) > LEVEL);

    let mut fresh = FeatureOrder::default();
    fresh.fit(10);
    let mut used = fresh.clone();
    let mut draws = NodeKey::root(1).order();
    (0..4).for_each(|_| assert!(used.next(&mut draws).is_some()));
    used.restart();
    assert_eq!(permutation(&mut used, 2), permutation(&mut fresh, 2));
}
