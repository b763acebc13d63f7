//! Interpolated Kneser–Ney from the samples of every node.

use forest_core::{OnlineLearner, Vote};
use tessellation_tree::{BranchCounts, KneserNey, LabelSettings, Side};

use super::{One, View, Way, all_settings, change_at_random, one_tree, way};

type Model = KneserNey;

const CLASSES: usize = 4;

/// c_jk: the samples of a leaf, the children of an inner node.
fn customers(forest: &One<Model>, node: View<'_>) -> [f64; CLASSES] {
    let counts = |node: View<'_>| {
        let mut counts = [0.0; CLASSES];
        node.samples()
            .for_each(|id| counts[forest.samples().target(id) as usize] += 1.0);
        counts
    };
    if node.is_leaf() {
        return counts(node);
    }
    let has = |side| counts(node.child(side).unwrap()).map(|n| n.min(1.0));
    let [left, right] = [Side::Left, Side::Right].map(has);
    std::array::from_fn(|class| left[class] + right[class])
}

/// G_jk = (c_jk − d·tab_jk + d·tab_j·G_parent,k) / c_j.
fn smoothed(c: [f64; CLASSES], d: f64, above: [f64; CLASSES]) -> [f64; CLASSES] {
    let tables: f64 = c.iter().map(|c| c.min(1.0)).sum();
    let all: f64 = c.iter().sum();
    std::array::from_fn(|k| (c[k] - d * c[k].min(1.0) + d * tables * above[k]) / all)
}

fn expected(forest: &One<Model>, x: &[f32]) -> [f64; CLASSES] {
    let labels = &forest.settings().labels;
    let gamma = labels.discount.unwrap_or(10.0) * 2.0;
    let mut above = [0.25; CLASSES];
    let mut prediction = [0.0; CLASSES];
    let mut stays = 1.0;
    for step in way(forest, x) {
        let Way { node, .. } = step;
        let c = customers(forest, node);
        if step.leaves() > 0.0 {
            let of_branch = match labels.branch_counts {
                BranchCounts::Tables => c.map(|c| c.min(1.0)),
                BranchCounts::Customers => c,
            };
            let d = step.mean(|delay| (-gamma * delay).exp());
            let here = smoothed(of_branch, d, above);
            (0..CLASSES).for_each(|k| prediction[k] += stays * step.leaves() * here[k]);
            stays *= 1.0 - step.leaves();
        }
        above = smoothed(c, (-gamma * step.life()).exp(), above);
    }
    std::array::from_fn(|k| prediction[k] + stays * above[k])
}

fn compare(forest: &One<Model>, x: &[f32]) {
    let prediction = forest.predict_one(x).unwrap();
    let expected = expected(forest, x);
    assert!((prediction.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    for (k, prediction) in prediction.iter().enumerate() {
        // The mean discount is a sum over 20,000 quantiles here.
        let near = (prediction - expected[k]).abs() < 1e-6;
        assert!(near, "{prediction} {expected:?}");
    }
}

#[test]
fn predictions_are_kneser_ney_of_the_samples_of_every_node() {
    for (discount, branch_counts) in [
        (10.0, BranchCounts::Tables),
        (0.3, BranchCounts::Tables),
        (0.5, BranchCounts::Customers),
    ] {
        let labels = LabelSettings {
            discount: Some(discount),
            branch_counts,
            ..LabelSettings::default()
        };
        for (seed, settings) in (1..).zip(all_settings(&labels)) {
            let mut forest = one_tree::<Model>(settings, seed);
            // All classes are known from the start.
            forest.learn_one(&[0.0, 0.0], CLASSES as u32 - 1).unwrap();
            change_at_random(forest, (15, 100), |rng| rng.below(CLASSES) as u32, compare);
        }
    }
}

#[test]
fn one_sample_votes_for_its_class_where_it_is_and_for_less_elsewhere() {
    let labels = LabelSettings::default();
    let settings = all_settings(&labels).remove(0);
    let mut forest = one_tree::<Model>(settings, 3);
    forest.learn_one(&[0.5, 0.5], 1).unwrap();
    assert_eq!(forest.predict_one(&[0.5, 0.5]).unwrap(), [0.0, 1.0]);
    // η = 1, γ = 20: a branch keeps η/(η + γ) of the uniform distribution above.
    let far = forest.predict_one(&[1.0, 1.0]).unwrap();
    assert!((far[0] - 0.5 / 21.0).abs() < 1e-12, "{far:?}");
    assert_eq!(labels.vote, Vote::Frequencies);
}

/// d = 1: a leaf of one sample has the probabilities of its parent, whose classes come once each, although its life has
/// no end.
#[test]
fn without_a_discount_a_node_forgets_nothing_of_its_parent() {
    let labels = LabelSettings {
        discount: Some(0.0),
        ..LabelSettings::default()
    };
    let settings = all_settings(&labels).remove(0);
    let mut forest = one_tree::<Model>(settings, 3);
    for class in [0, 1] {
        forest.learn_one(&[class as f32; 2], class).unwrap();
    }
    for x in [0.0, 1.0, 3.0] {
        assert_eq!(forest.predict_one(&[x; 2]).unwrap(), [0.5, 0.5]);
    }
}
