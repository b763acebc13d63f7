//! The hierarchical Gaussian against a dense solve over all samples.

use forest_core::ndarray::ArrayView2;
use forest_core::{OnlineLearner, SampleId, TreeRng};
use tessellation_tree::{
    Boxes, Delay, GaussianHierarchy, GaussianSettings, HyperparameterRule, Hyperparameters,
};

use super::{One, View, all_settings, change_at_random, one_tree, way};

type Model = GaussianHierarchy<Boxes>;

fn rules() -> [GaussianSettings<()>; 3] {
    use HyperparameterRule::{Evidence, LeaveOneOut, Paper};
    [Paper, Evidence, LeaveOneOut].map(|hyperparameters| GaussianSettings {
        hyperparameters,
        ..GaussianSettings::default()
    })
}

fn hyperparameters(forest: &One<Model>) -> Hyperparameters {
    forest.trees().next().unwrap().labels().hyperparameters()
}

fn level(hyper: &Hyperparameters, time: f64) -> f64 {
    1.0 / (1.0 + (-hyper.slope * time).exp())
}

/// The solution of A·x = b for a positive definite matrix, by elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = a[i].clone();
        for j in i + 1..n {
            let factor = a[j][i] / pivot[i];
            for (cell, above) in a[j].iter_mut().zip(&pivot).skip(i) {
                *cell -= factor * above;
            }
            b[j] -= factor * b[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// The variance that two samples share: that of the last node that has both, or of their leaf.
fn shared(forest: &One<Model>, hyper: &Hyperparameters, a: SampleId, b: SampleId) -> f64 {
    let tree = forest.trees().next().unwrap();
    let both = |node: &View<'_, Model>| node.samples().any(|id| id == b);
    let last = tree
        .nodes_above(forest.samples().features(a))
        .take_while(both)
        .last()
        .unwrap();
    let level = last.cut().map_or(1.0, |cut| level(hyper, cut.time));
    hyper.scale * (level - 0.5)
}

/// Mean and variance of a target whose means share these variances with the samples.
fn dense(forest: &One<Model>, ids: &[SampleId], own: f64, shared_with: &[f64]) -> [f64; 2] {
    let hyper = hyperparameters(forest);
    let matrix: Vec<Vec<f64>> = ids
        .iter()
        .map(|&a| {
            let row = ids.iter().map(|&b| {
                let noise = if a == b { hyper.noise } else { 0.0 };
                shared(forest, &hyper, a, b) + noise
            });
            row.collect()
        })
        .collect();
    let targets = ids
        .iter()
        .map(|&id| forest.samples().target(id) - hyper.mean);
    let dot = |v: Vec<f64>| v.iter().zip(shared_with).map(|(a, b)| a * b).sum::<f64>();
    let mean = dot(solve(matrix.clone(), targets.collect()));
    let known = dot(solve(matrix, shared_with.to_vec()));
    [hyper.mean + mean, own + hyper.noise - known]
}

/// Moments of the mixture over all places where `x` may leave, each by a dense solve.
fn expected(forest: &One<Model>, x: &[f32]) -> [f64; 2] {
    let hyper = hyperparameters(forest);
    let ids: Vec<SampleId> = forest.samples().ids().collect();
    let own = 0.5 * hyper.scale;
    let (mut moments, mut stays) = ([0.0; 2], 1.0);
    let mut add = |weight: f64, shared_with: &[f64]| {
        let [mean, variance] = dense(forest, &ids, own, shared_with);
        moments[0] += weight * mean;
        moments[1] += weight * (variance + mean * mean);
    };
    // What x shares with each sample: the level of the last node on its path that has the sample.
    let mut shared_with = vec![0.0; ids.len()];
    for step in way(forest, x) {
        let holds: Vec<bool> = ids
            .iter()
            .map(|id| step.node.samples().any(|held| held == *id))
            .collect();
        let share = |level: f64, shared_with: &mut Vec<f64>| {
            for (shared, holds) in shared_with.iter_mut().zip(&holds) {
                if *holds {
                    *shared = hyper.scale * (level - 0.5);
                }
            }
        };
        if step.leaves() > 0.0 {
            let delay = Delay::Exponential {
                rate: step.mass,
                limit: step.life(),
            };
            for (weight, delay) in delay.quantiles() {
                let mut branch = shared_with.clone();
                share(level(&hyper, step.node.birth() + delay), &mut branch);
                add(stays * step.leaves() * weight, &branch);
            }
            stays *= 1.0 - step.leaves();
        }
        let end = step.node.cut().map_or(1.0, |cut| level(&hyper, cut.time));
        share(end, &mut shared_with);
    }
    add(stays, &shared_with);
    [moments[0], moments[1] - moments[0] * moments[0]]
}

fn compare(forest: &One<Model>, x: &[f32]) {
    let answer = forest.answers(ArrayView2::from(&[[x[0], x[1]]])).unwrap();
    for (answer, expected) in answer.iter().zip(expected(forest, x)) {
        let scale = expected.abs().max(1.0);
        assert!(
            (answer - expected).abs() < 1e-9 * scale,
            "{answer} {expected} {:?} {}",
            hyperparameters(forest),
            forest.samples().len()
        );
    }
}

#[test]
fn answers_are_those_of_a_dense_solve() {
    for labels in rules() {
        for (seed, settings) in (1..).zip(all_settings(&labels)) {
            let forest = one_tree::<Model>(settings, seed);
            let target = |rng: &mut TreeRng| rng.below(10) as f64 / 4.0;
            change_at_random(forest, (12, 150), target, compare);
        }
    }
}

#[test]
fn a_constant_target_is_known_exactly() {
    for labels in rules() {
        for settings in all_settings(&labels) {
            let mut forest = one_tree::<Model>(settings, 5);
            let mut rng = TreeRng::new(6, 0);
            for _ in 0..100 {
                forest.learn_one(&super::point(&mut rng), 1234.567).unwrap();
                let x = super::point(&mut rng);
                let answer = forest.answers(ArrayView2::from(&[x])).unwrap();
                assert_eq!(answer[[0, 0]], 1234.567);
                assert!(answer[[0, 1]] < 1e-9, "{answer}");
            }
        }
    }
}

#[test]
fn a_shift_of_all_targets_shifts_the_mean_and_leaves_the_variance() {
    for labels in rules() {
        for settings in all_settings(&labels) {
            let mut forests =
                [0.0, 100.0].map(|shift| (shift, one_tree::<Model>(settings.clone(), 7)));
            let mut rng = TreeRng::new(8, 0);
            for _ in 0..200 {
                let (x, y) = (super::point(&mut rng), rng.normal());
                let ask = super::point(&mut rng).map(|x| 1.2 * x);
                let answers = forests.each_mut().map(|(shift, forest)| {
                    forest.learn_one(&x, y + *shift).unwrap();
                    let answer = forest.answers(ArrayView2::from(&[ask])).unwrap();
                    [answer[[0, 0]] - *shift, answer[[0, 1]]]
                });
                for k in 0..2 {
                    let off = (answers[0][k] - answers[1][k]).abs();
                    assert!(off < 1e-8, "{answers:?}");
                }
            }
        }
    }
}

/// Each leaf has samples, so that each answer lies within the targets and is never less sure than the prior.
#[test]
fn no_answer_comes_from_nothing() {
    for settings in all_settings(&rules()[0]) {
        let mut forest = one_tree::<Model>(settings, 9);
        let mut rng = TreeRng::new(10, 0);
        for n in 1..200 {
            forest
                .learn_one(&super::point(&mut rng), rng.uniform())
                .unwrap();
            let hyper = hyperparameters(&forest);
            let most = 0.5 * hyper.scale + hyper.noise;
            let answer = forest.answers(ArrayView2::from(&[[3.0, -2.0]])).unwrap();
            assert!((0.0..1.0).contains(&answer[[0, 0]]), "{answer}");
            assert!(
                answer[[0, 1]] >= hyper.noise && answer[[0, 1]] < 1.5 * most + 1e-9,
                "{n}: {answer}"
            );
        }
    }
}
