//! The aggregated models against the mixture over all prunings, written out.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod means;

use forest_core::{Forest, ForestSettings, OnlineLearner, SampleId, Schema, TreeRng};
use mondrian::{AxisCuts, MondrianTree, TessellationSettings};
use tessellation_tree::{
    Budget, LabelModel, LabelSettings, NodeView, Pause, Side, Subtree, Update,
};

use crate::{AggregatedClasses, AggregatedMeans, FAST_BUDGET, TargetOf};

type View<'a> = NodeView<'a, AxisCuts>;

/// A pruning of a subtree: the logarithm of its prior, and its leaves.
type Pruning<'a> = (f64, Vec<View<'a>>);

fn prunings(node: View<'_>) -> Vec<Pruning<'_>> {
    let [Some(left), Some(right)] = [Side::Left, Side::Right].map(|side| node.child(side)) else {
        return vec![(0.0, vec![node])];
    };
    let mut all = vec![(0.5f64.ln(), vec![node])];
    let rights = prunings(right);
    for (prior, leaves) in prunings(left) {
        for (other, others) in &rights {
            all.push((0.5f64.ln() + prior + other, [&leaves[..], others].concat()));
        }
    }
    all
}

/// How a leaf of samples predicts, and what it pays: the loss, before it is multiplied by the step.
trait Reference: LabelModel {
    fn target(rng: &mut TreeRng) -> TargetOf<Self>;
    fn prediction(targets: &[TargetOf<Self>]) -> Vec<f64>;
    fn loss(before: &[TargetOf<Self>], target: TargetOf<Self>) -> f64;
}

const STEP: f64 = 0.3;

/// Settings of κ, and what they are for points with two features.
const FIRST_LOSSES: [(Option<f64>, f64); 3] = [(Some(0.0), 0.0), (None, 0.5), (Some(1.0), 1.0)];

impl Reference for AggregatedMeans {
    /// Now and then equal, so that leaves pause.
    fn target(rng: &mut TreeRng) -> f64 {
        1.3 * rng.below(4) as f64
    }

    fn prediction(targets: &[f64]) -> Vec<f64> {
        vec![targets.iter().sum::<f64>() / targets.len() as f64]
    }

    fn loss(before: &[f64], target: f64) -> f64 {
        (target - Self::prediction(before)[0]).powi(2) / 2.0
    }
}

const DELTA: f64 = 0.2;
const CLASSES: u32 = 3;

impl Reference for AggregatedClasses {
    fn target(rng: &mut TreeRng) -> u32 {
        rng.below(CLASSES as usize) as u32
    }

    fn prediction(targets: &[u32]) -> Vec<f64> {
        let total = targets.len() as f64 + DELTA * f64::from(CLASSES);
        let count = |class| targets.iter().filter(|target| **target == class).count();
        let probability = |class| (count(class) as f64 + DELTA) / total;
        (0..CLASSES).map(probability).collect()
    }

    fn loss(before: &[u32], target: u32) -> f64 {
        -Self::prediction(before)[target as usize].ln()
    }
}

/// Returns the targets of a node in the order of arrival, of the samples before `end`.
fn targets<L: LabelModel>(
    forest: &Forest<MondrianTree<L>>,
    node: &View<'_>,
    end: SampleId,
) -> Vec<TargetOf<L>> {
    let ids = arrivals(node).into_iter().filter(|&id| id < end);
    ids.map(|id| forest.samples().target(id)).collect()
}

fn arrivals(node: &View<'_>) -> Vec<SampleId> {
    let mut ids: Vec<_> = node.samples().collect();
    ids.sort_unstable();
    ids
}

/// The step of every sample, and at the end that of the next one; and the nodes that were made by cutting a leaf, with
/// the number of samples at that time.
#[derive(Default)]
struct History {
    steps: Vec<f64>,
    cut: Vec<(Subtree, usize)>,
}

impl History {
    /// Returns the factor by which what a child of `node` loses more or less than the node on a sample is multiplied.
    fn step(&self, node: Subtree, id: SampleId) -> f64 {
        let cut = self.cut.iter().find(|(cut, _)| *cut == node);
        self.steps[cut.map_or(0, |(_, samples)| *samples).max(id.index())]
    }
}

/// Returns the losses of a node on its samples, as a difference from node to node down to it.
fn loss<L: Reference>(
    forest: &Forest<MondrianTree<L>>,
    node: &View<'_>,
    first_loss: f64,
    history: &History,
) -> f64 {
    let tree = forest.trees().next().unwrap();
    let of_sample = |id: SampleId| {
        let x = forest.samples().features(id);
        let mut sum = 0.0;
        let mut above = 0.0;
        let mut factor = history.steps[id.index()];
        for place in tree.nodes_above(x).take(node.depth + 1) {
            let own = unweighted::<L>(forest, &place, id, first_loss);
            sum += factor * (own - above);
            above = own;
            factor = history.step(place.subtree, id);
        }
        sum
    };
    arrivals(node).into_iter().map(of_sample).sum()
}

/// Returns the loss of a node on a sample. It predicts with what it has seen, or else as the nearest node above it
/// that has seen something, and then pays a share of the loss; the very first sample of the tree is free.
fn unweighted<L: Reference>(
    forest: &Forest<MondrianTree<L>>,
    node: &View<'_>,
    id: SampleId,
    first_loss: f64,
) -> f64 {
    let tree = forest.trees().next().unwrap();
    let x = forest.samples().features(id);
    let down_to_node = tree.nodes_above(x).take(node.depth + 1);
    let seen = down_to_node.map(|above| targets(forest, &above, id));
    let Some(seen) = seen.filter(|targets| !targets.is_empty()).last() else {
        return 0.0;
    };
    let loss = L::loss(&seen, forest.samples().target(id));
    if targets(forest, node, id).is_empty() {
        first_loss * loss
    } else {
        loss
    }
}

/// Returns the prediction of the mixture at `x`, from the samples of the nodes alone.
fn expected<L: Reference>(
    forest: &Forest<MondrianTree<L>>,
    x: &[f32],
    first_loss: f64,
    history: &History,
) -> Vec<f64> {
    let tree = forest.trees().next().unwrap();
    let all = SampleId::new(1 << 20);
    let on_path: Vec<_> = tree.nodes_above(x).map(|node| node.subtree).collect();
    let mut total = 0.0;
    let mut sums = vec![0.0; CLASSES as usize];
    for (prior, leaves) in prunings(tree.root().unwrap()) {
        let loss = |leaf| loss(forest, leaf, first_loss, history);
        let weight = (prior - leaves.iter().map(loss).sum::<f64>()).exp();
        let mut leaves = leaves.iter();
        let leaf = leaves.find(|leaf| on_path.contains(&leaf.subtree));
        total += weight;
        let prediction = L::prediction(&targets(forest, leaf.unwrap(), all));
        for (sum, value) in sums.iter_mut().zip(prediction) {
            *sum += weight * value;
        }
    }
    sums.into_iter().map(|sum| sum / total).collect()
}

fn point(rng: &mut TreeRng) -> [f32; 2] {
    [(); 2].map(|()| rng.below(6) as f32 / 6.0)
}

/// Learns few points, with duplicates, and compares predictions with `expected` after each.
fn is_the_mixture<L: Reference>(
    (budget, pause, update, max_uncut): (Budget, Pause, Update, u32),
    (first_loss, share): (Option<f64>, f64),
    first: TargetOf<L>,
) {
    let settings = TessellationSettings {
        labels: LabelSettings {
            step: Some(STEP),
            first_loss,
            dirichlet: Some(DELTA),
            ..LabelSettings::default()
        },
        budget,
        pause,
        update,
        max_uncut,
        ..TessellationSettings::default()
    };
    for seed in 0..30 {
        let trees = ForestSettings::default().with_trees(1).with_seed(seed);
        let schema = Schema::new(2).unwrap();
        let mut forest = Forest::<MondrianTree<L>>::new(schema, settings.clone(), trees).unwrap();
        let mut rng = TreeRng::new(seed, 1);
        let history = History {
            steps: vec![STEP; 10],
            ..History::default()
        };
        for round in 0..9 {
            let target = if round == 0 {
                first
            } else {
                L::target(&mut rng)
            };
            forest.learn_one(&point(&mut rng), target).unwrap();
            forest.check_invariants().unwrap();
            if round == 6 {
                forest.refine().unwrap();
            }
            for _ in 0..5 {
                let x = point(&mut rng);
                let own = forest.predict_one(&x).unwrap();
                for (own, expected) in own.iter().zip(expected(&forest, &x, share, &history)) {
                    let near = (own - expected).abs() < 1e-12;
                    assert!(near, "seed {seed}, round {round}: {own} {expected}");
                }
            }
        }
    }
}

/// The highest class comes first, so that all classes are known from the start.
fn is_the_mixture_of_both(budget: Budget, pause: Pause, update: Update, max_uncut: u32) {
    for first_loss in FIRST_LOSSES {
        let growth = (budget, pause, update, max_uncut);
        is_the_mixture::<AggregatedMeans>(growth, first_loss, 1.0);
        is_the_mixture::<AggregatedClasses>(growth, first_loss, CLASSES - 1);
    }
}

/// Leaves that stay together have the weights of all their losses, and those that are cut later the weights they would
/// have had.
#[test]
fn predictions_are_the_mixture_over_all_prunings() {
    const UNLIMITED: Budget = Budget::Fixed(f64::INFINITY);
    use Pause::{Never, WhileLabelsAgree};
    for budget in [UNLIMITED, Budget::Fixed(2.0), FAST_BUDGET] {
        for pause in [WhileLabelsAgree, Never] {
            is_the_mixture_of_both(budget, pause, Update::NewPointOnly, 1);
        }
    }
    is_the_mixture_of_both(UNLIMITED, WhileLabelsAgree, Update::NewPointOnly, 3);
    for (budget, pause, max_uncut) in [
        (UNLIMITED, Never, 1),
        (UNLIMITED, WhileLabelsAgree, 1),
        (Budget::Fixed(2.0), Never, 3),
        (Budget::minimax(0.7, 2), Never, 2),
        (FAST_BUDGET, Never, 1),
    ] {
        is_the_mixture_of_both(budget, pause, Update::Conditional, max_uncut);
    }
}

fn survives<L: Reference>(labels: &LabelSettings, is_prediction: impl Fn(&[f64]) -> bool) {
    let settings = TessellationSettings {
        budget: FAST_BUDGET,
        labels: labels.clone(),
        ..TessellationSettings::default()
    };
    let forest = ForestSettings::default().with_trees(1);
    let mut forest = Forest::<MondrianTree<L>>::new(Schema::new(2).unwrap(), settings, forest);
    let forest = forest.as_mut().unwrap();
    let mut rng = TreeRng::new(7, 0);
    for _ in 0..60 {
        let x = point(&mut rng);
        forest.learn_one(&x, L::target(&mut rng)).unwrap();
        let prediction = forest.predict_one(&x).unwrap();
        assert!(is_prediction(&prediction), "{labels:?}: {prediction:?}");
    }
}

/// Products of likelihoods neither vanish nor overflow, although leaves are cut again and again.
#[test]
fn parameters_of_any_size_leave_predictions_well_formed() {
    for size in [1e-300, 1e300, f64::MAX] {
        for (step, dirichlet) in [(Some(size), None), (None, Some(size))] {
            let labels = LabelSettings {
                step,
                dirichlet,
                first_loss: Some(0.0),
                ..LabelSettings::default()
            };
            survives::<AggregatedMeans>(&labels, |p| (0.0..=3.91).contains(&p[0]));
            survives::<AggregatedClasses>(&labels, |p| (p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
