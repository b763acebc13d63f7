//! The hierarchical Gaussian against a dense solve over all samples.

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{
    ForestContext, OnlineLearner, OnlineTree, Regression, SampleId, SampleStore, Schema, TreeRng,
};
use forest_testing::statistics;
use mondrian::{MondrianTree, TessellationSettings};
use tessellation_tree::{
    Belief, Context, Departure, GaussianHierarchy, HyperparameterRule, Hyperparameters,
    LabelSettings,
};

use crate::FAST_BUDGET;

use super::{One, View, all_settings, change_at_random, one_tree, way};

type Model = GaussianHierarchy;

fn rules() -> [LabelSettings; 3] {
    use HyperparameterRule::{Evidence, LeaveOneOut, Paper};
    [Paper, Evidence, LeaveOneOut].map(|hyperparameters| LabelSettings {
        hyperparameters,
        ..LabelSettings::default()
    })
}

fn hyperparameters(forest: &One<Model>) -> Hyperparameters {
    forest.trees().next().unwrap().labels().hyperparameters()
}

fn level(hyper: &Hyperparameters, time: f64) -> f64 {
    1.0 / (1.0 + (-hyper.slope * time).exp())
}

/// Returns the solution of A·x = b for a positive definite matrix, by elimination, and ln det A.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> (Vec<f64>, f64) {
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
    (b, (0..n).map(|i| a[i][i].ln()).sum())
}

/// Returns the variance that two samples share: that of the last node that has both, or of their leaf.
fn shared(forest: &One<Model>, hyper: &Hyperparameters, a: SampleId, b: SampleId) -> f64 {
    let tree = forest.trees().next().unwrap();
    let both = |node: &View<'_>| node.samples().any(|id| id == b);
    let last = tree
        .nodes_above(forest.samples().features(a))
        .take_while(both)
        .last()
        .unwrap();
    let level = last.cut().map_or(1.0, |(_, time)| level(hyper, time));
    hyper.scale * (level - 0.5)
}

/// Returns the covariance of the targets.
fn covariance(forest: &One<Model>, hyper: &Hyperparameters, ids: &[SampleId]) -> Vec<Vec<f64>> {
    let row = |a: &SampleId| {
        let row = ids.iter().map(|b| {
            let noise = if a == b { hyper.noise } else { 0.0 };
            shared(forest, hyper, *a, *b) + noise
        });
        row.collect()
    };
    ids.iter().map(row).collect()
}

/// Returns the targets less the mean above the root.
fn centred(forest: &One<Model>, hyper: &Hyperparameters, ids: &[SampleId]) -> Vec<f64> {
    let target = |&id| forest.samples().target(id) - hyper.mean;
    ids.iter().map(target).collect()
}

/// Returns the mean and variance of a target whose means share these variances with the samples.
fn dense(forest: &One<Model>, ids: &[SampleId], own: f64, shared_with: &[f64]) -> [f64; 2] {
    let hyper = hyperparameters(forest);
    let matrix = covariance(forest, &hyper, ids);
    let targets = centred(forest, &hyper, ids);
    let dot = |v: Vec<f64>| v.iter().zip(shared_with).map(|(a, b)| a * b).sum::<f64>();
    let mean = dot(solve(matrix.clone(), targets).0);
    let known = dot(solve(matrix, shared_with.to_vec()).0);
    [hyper.mean + mean, own + hyper.noise - known]
}

/// Moments of the mixture over all places where `x` may leave, each by a dense solve.
fn expected(forest: &One<Model>, x: &[f32]) -> [f64; 2] {
    let hyper = hyperparameters(forest);
    let ids: Vec<SampleId> = forest.samples().ids().collect();
    let own = 0.5 * hyper.scale;
    let mut moments = [0.0; 2];
    let mut stays = 1.0;
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
            let departure = Departure {
                rate: step.mass,
                limit: step.life(),
                ..Departure::default()
            };
            for (weight, delay) in departure.quantiles() {
                let mut branch = shared_with.clone();
                share(level(&hyper, step.node.birth + delay), &mut branch);
                add(stays * step.leaves() * weight, &branch);
            }
            stays *= 1.0 - step.leaves();
        }
        let end = step.node.cut().map_or(1.0, |(_, time)| level(&hyper, time));
        share(end, &mut shared_with);
    }
    add(stays, &shared_with);
    [moments[0], moments[1] - moments[0] * moments[0]]
}

fn compare(forest: &One<Model>, x: &[f32]) {
    let prediction = forest
        .means_and_variances(ArrayView2::from(&[[x[0], x[1]]]))
        .unwrap();
    for (prediction, expected) in prediction.iter().zip(expected(forest, x)) {
        let scale = expected.abs().max(1.0);
        assert!(
            (prediction - expected).abs() < 1e-9 * scale,
            "{prediction} {expected} {:?} {}",
            hyperparameters(forest),
            forest.samples().len()
        );
    }
}

#[test]
fn predictions_are_those_of_a_dense_solve() {
    for labels in rules() {
        for (seed, settings) in (1..).zip(all_settings(&labels)) {
            let forest = one_tree::<Model>(settings, seed);
            let target = |rng: &mut TreeRng| rng.below(10) as f64 / 4.0;
            change_at_random(forest, (12, 150), target, compare);
        }
    }
}

/// Trees of 64 samples, so that hyper-parameters have just been chosen, with a slope and noise in their targets: leaves
/// of single samples and of several.
fn surveyed(hyperparameters: HyperparameterRule) -> impl Iterator<Item = One<Model>> {
    let labels = LabelSettings {
        hyperparameters,
        ..LabelSettings::default()
    };
    let settings = all_settings(&labels).into_iter();
    settings.flat_map(|settings| (1..4).map(move |seed| surveyed_tree(settings.clone(), seed)))
}

fn surveyed_tree(settings: TessellationSettings, seed: u64) -> One<Model> {
    let mut forest = one_tree::<Model>(settings, seed);
    let mut rng = TreeRng::new(seed, 1);
    for _ in 0..64 {
        let x = [rng.uniform() as f32, rng.uniform() as f32];
        let target = 3.0 * f64::from(x[0]) + 0.3 * rng.normal();
        forest.learn_one(&x, target).unwrap();
    }
    forest
}

/// Hyper-parameters are chosen again when as many samples have come or gone since the last time as there were then.
#[test]
fn hyperparameters_are_chosen_at_doublings() {
    let forgotten = 129..=160;
    for labels in rules() {
        let mut forest = one_tree::<Model>(all_settings(&labels)[0].clone(), 5);
        let mut rng = TreeRng::new(7, 0);
        let mut change_at = |change: u64| {
            let before = hyperparameters(&forest);
            if forgotten.contains(&change) {
                forest.forget(change - forgotten.start()).unwrap();
            } else {
                let x = super::point(&mut rng);
                forest.learn_one(&x, rng.normal()).unwrap();
            }
            hyperparameters(&forest) != before
        };
        let chosen: Vec<u64> = (1..=300).filter(|&change| change_at(change)).collect();
        assert_eq!(chosen, [1, 2, 4, 8, 16, 32, 64, 128, 256]);
    }
}

/// While targets do not differ there is nothing to choose from; the first that does is looked at at once.
#[test]
fn the_first_target_that_differs_changes_hyperparameters() {
    for labels in rules() {
        let mut forest = one_tree::<Model>(all_settings(&labels)[0].clone(), 5);
        let mut rng = TreeRng::new(7, 0);
        for _ in 0..10 {
            forest.learn_one(&super::point(&mut rng), 3.0).unwrap();
        }
        let before = hyperparameters(&forest);
        forest.learn_one(&super::point(&mut rng), 4.0).unwrap();
        assert_ne!(hyperparameters(&forest), before);
    }
}

/// Returns ln of the density of all targets with other hyper-parameters than the tree's.
fn log_density(forest: &One<Model>, hyper: &Hyperparameters) -> f64 {
    let ids: Vec<SampleId> = forest.samples().ids().collect();
    let targets = centred(forest, hyper, &ids);
    let matrix = covariance(forest, hyper, &ids);
    let (solution, determinant) = solve(matrix, targets.clone());
    let square: f64 = solution.iter().zip(&targets).map(|(a, b)| a * b).sum();
    -0.5 * (square + determinant)
}

/// Noise and slope times these factors; φ follows from the share of noise as in the authors' code.
fn moved(hyper: Hyperparameters, [by_noise, by_slope]: [f64; 2], variance: f64) -> Hyperparameters {
    let noise = hyper.noise * by_noise;
    Hyperparameters {
        noise,
        scale: 2.0 * variance / (1.0 + 2.0 * noise / variance),
        slope: hyper.slope * by_slope,
        ..hyper
    }
}

/// With the third settings evidence grows all the way to the least slope: a survey ends before it is there. With the
/// last it grows all the way to a share of noise that is not allowed.
#[test]
fn no_step_from_the_most_evident_hyperparameters_has_more_evidence() {
    for forest in surveyed(HyperparameterRule::Evidence) {
        let hyper = hyperparameters(&forest);
        let variance = variance(&forest, &hyper);
        let share = hyper.noise / variance;
        assert!((1e-4..=0.99).contains(&share), "{hyper:?}, {share}");
        assert!((1e-4..=1e4).contains(&hyper.slope), "{hyper:?}");
        let settings = forest.settings();
        if settings.max_uncut > 1 || settings.budget == FAST_BUDGET {
            continue;
        }
        let most = log_density(&forest, &hyper);
        let same = moved(hyper, [1.0, 1.0], variance);
        assert_eq!(same.scale as f32, hyper.scale as f32);
        for step in [[2.0, 1.0], [0.5, 1.0], [1.0, 2.0], [1.0, 0.5]] {
            let other = log_density(&forest, &moved(hyper, step, variance));
            assert!(other < most, "{hyper:?}, {step:?}: {other} and {most}");
        }
    }
}

/// Returns the variance of all targets, which are 64.
fn variance(forest: &One<Model>, hyper: &Hyperparameters) -> f64 {
    let ids: Vec<SampleId> = forest.samples().ids().collect();
    let targets = centred(forest, hyper, &ids).into_iter();
    targets.map(|y| y * y).sum::<f64>() / 64.0
}

/// Sums over all samples, each left out: its square error, given the others, and what is expected of it.
fn left_out(forest: &One<Model>, hyper: &Hyperparameters) -> [f64; 2] {
    let ids: Vec<SampleId> = forest.samples().ids().collect();
    let matrix = covariance(forest, hyper, &ids);
    let solution = solve(matrix.clone(), centred(forest, hyper, &ids)).0;
    let unit = |i| (0..ids.len()).map(move |j| f64::from(u8::from(i == j)));
    let of_one = |i: usize| {
        let variance = 1.0 / solve(matrix.clone(), unit(i).collect()).0[i];
        [(solution[i] * variance).powi(2), variance]
    };
    let all = (0..ids.len()).map(of_one);
    all.fold([0.0; 2], |sum, [error, variance]| {
        [sum[0] + error, sum[1] + variance]
    })
}

#[test]
fn variances_are_scaled_to_the_errors_of_leaving_one_out() {
    for forest in surveyed(HyperparameterRule::LeaveOneOut) {
        let [found, expected] = left_out(&forest, &hyperparameters(&forest));
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
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
                let prediction = forest.means_and_variances(ArrayView2::from(&[x])).unwrap();
                assert_eq!(prediction[[0, 0]], 1234.567);
                assert!(prediction[[0, 1]] < 1e-9, "{prediction}");
            }
        }
    }
}

/// Thirteen samples in the unit square, a tree of all but the last, and its settings.
struct Trial {
    store: SampleStore<Regression>,
    settings: TessellationSettings,
    tree: MondrianTree<Model>,
}

/// Samples of the tree: the last of the store comes behind them.
const HELD: usize = 12;

/// Insertions of the last sample, in copies of one tree.
const INSERTIONS: usize = 2000;

impl Trial {
    fn new(seed: u64) -> Self {
        let mut rng = TreeRng::new(seed, 0);
        let points = Array2::from_shape_simple_fn((HELD + 1, 2), || rng.uniform() as f32);
        let targets: Vec<f64> = (0..=HELD).map(|_| rng.normal()).collect();
        let store =
            SampleStore::with_samples(points.view(), &targets, &Schema::new(2).unwrap()).unwrap();
        let settings = all_settings(&rules()[0]).remove(0);
        let tree = MondrianTree::new(2, &settings.cuts);
        let mut trial = Self {
            store,
            settings,
            tree,
        };
        for id in 0..HELD {
            trial.tree = trial.with(SampleId::new(id), &mut rng);
        }
        trial
    }

    fn last() -> SampleId {
        SampleId::new(HELD)
    }

    /// Returns a copy of the tree that has learned a further sample.
    fn with(&self, id: SampleId, rng: &mut TreeRng) -> MondrianTree<Model> {
        let context = ForestContext {
            settings: &self.settings,
            samples: &self.store,
            outputs: (),
        };
        let mut tree = self.tree.clone();
        tree.learn(id, &context, rng);
        tree
    }

    /// Returns the prediction of a tree at the last sample.
    fn predict(&self, tree: &MondrianTree<Model>) -> Belief {
        let context = Context {
            settings: &self.settings.labels,
            samples: &self.store,
        };
        let x = self.store.features(Self::last());
        tree.with_path(x, |path| tree.labels().at(path, context))
            .unwrap()
    }

    /// Returns the distribution of the last sample without its target, in a tree in which it is a leaf of its own: the
    /// prediction is the product of this and of the target.
    fn without_its_target(&self, tree: &MondrianTree<Model>) -> Belief {
        let noise = tree.labels().hyperparameters().noise;
        let Belief { mean, variance } = self.predict(tree);
        let known = variance - noise;
        let from_others = 1.0 / (1.0 / known - 1.0 / noise);
        let target = self.store.target(Self::last());
        Belief {
            mean: from_others * (mean / known - target / noise),
            variance: from_others + noise,
        }
    }
}

/// The prediction for a point that may branch off is the mean and the variance of the mixture over the places where
/// insertions put it. Sees a place on the path that is dated wrong, such as from birth 0. Two-sided, level 10⁻⁴ each.
#[test]
fn predictions_are_those_over_the_places_of_insertions() {
    for seed in 1..9 {
        let trial = Trial::new(seed);
        let expected = trial.predict(&trial.tree);
        let inserted = (0..INSERTIONS).map(|index| {
            let tree = trial.with(Trial::last(), &mut TreeRng::new(seed + 100, index));
            let hyper = trial.tree.labels().hyperparameters();
            assert_eq!(tree.labels().hyperparameters(), hyper);
            trial.without_its_target(&tree)
        });
        let inserted: Vec<Belief> = inserted.collect();
        let means: Vec<f64> = inserted.iter().map(|belief| belief.mean).collect();
        let square = |belief: &Belief| (belief.mean - expected.mean).powi(2) + belief.variance;
        let squares: Vec<f64> = inserted.iter().map(square).collect();
        let p = statistics::same_mean(&means, expected.mean);
        assert!(p > 1e-4, "mean, seed {seed}: p = {p}");
        let p = statistics::same_mean(&squares, expected.variance);
        assert!(p > 1e-4, "variance, seed {seed}: p = {p}");
    }
}
