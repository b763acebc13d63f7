//! The aggregated models against the mixture over all prunings, written out.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod means;

use forest_core::ndarray::ArrayView2;
use forest_core::{
    Forest, ForestSettings, LearnWeighted, OnlineLearner, SampleId, Schema, Supports, TreeRng,
};
use mondrian::{AxisCuts, MondrianSettings, MondrianTree};
use tessellation_tree::{
    AggregatedClasses, AggregatedMeans, ClassAggregation, Dirichlet, FirstLoss, MeanAggregation,
    StepSize,
};
use tessellation_tree::{Budget, LabelModel, NodeView, Partition, Pause, Side, Subtree, Update};

use crate::{FAST_BUDGET, TargetOf};

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

/// A target and its weight.
type Weighted<L> = (TargetOf<L>, f64);

/// How a leaf of samples predicts, and what it pays: the loss, before it is multiplied by the step.
trait Reference: LabelModel + Supports<forest_core::Weights> {
    fn settings(step: StepSize, first_loss: FirstLoss) -> Self::Settings;
    fn target(rng: &mut TreeRng) -> TargetOf<Self>;
    fn prediction(targets: &[Weighted<Self>]) -> Vec<f64>;
    fn loss(before: &[Weighted<Self>], target: TargetOf<Self>) -> f64;
    /// Returns the sum over copies of the target in closed form.
    fn loss_of_part(before: &[Weighted<Self>], copies: Weighted<Self>) -> f64;

    /// Returns the sum over copies of the target, each of which is seen before the next one is predicted.
    fn losses(before: &[Weighted<Self>], (target, copies): Weighted<Self>) -> f64 {
        if copies.fract() != 0.0 {
            return Self::loss_of_part(before, (target, copies));
        }
        let (mut seen, mut sum) = (before.to_vec(), 0.0);
        for _ in 0..copies as usize {
            sum += Self::loss(&seen, target);
            seen.push((target, 1.0));
        }
        sum
    }
}

const STEP: f64 = 0.3;
const FIXED: StepSize = StepSize::Fixed(STEP);

/// Settings of κ, and what they are for points with two features.
const FIRST_LOSSES: [(FirstLoss, f64); 3] = [
    (FirstLoss::Share(0.0), 0.0),
    (FirstLoss::ByFeatures, 0.5),
    (FirstLoss::Share(1.0), 1.0),
];

impl Reference for AggregatedMeans {
    fn settings(step: StepSize, first_loss: FirstLoss) -> MeanAggregation {
        MeanAggregation { step, first_loss }
    }

    /// Now and then equal, so that leaves pause.
    fn target(rng: &mut TreeRng) -> f64 {
        1.3 * rng.below(4) as f64
    }

    fn prediction(targets: &[(f64, f64)]) -> Vec<f64> {
        let sum: f64 = targets.iter().map(|(target, weight)| weight * target).sum();
        vec![sum / weight_of(targets)]
    }

    fn loss(before: &[(f64, f64)], target: f64) -> f64 {
        (target - Self::prediction(before)[0]).powi(2) / 2.0
    }

    fn loss_of_part(before: &[(f64, f64)], (target, copies): (f64, f64)) -> f64 {
        let n = weight_of(before);
        Self::loss(before, target) * n * n * (trigamma(n) - trigamma(n + copies))
    }
}

fn weight_of<T>(targets: &[(T, f64)]) -> f64 {
    targets.iter().map(|(_, weight)| weight).sum()
}

/// Returns Σ 1/(x + j)², with the integral of what is beyond a thousand terms and half of the first of those.
fn trigamma(x: f64) -> f64 {
    let term = |j: f64| 1.0 / (x + j).powi(2);
    let terms: f64 = (0..1000).map(f64::from).map(term).sum();
    terms + 1.0 / (x + 1000.0) + term(1000.0) / 2.0
}

const DELTA: f64 = 0.2;
const CLASSES: u32 = 3;

impl Reference for AggregatedClasses {
    fn settings(_: StepSize, first_loss: FirstLoss) -> ClassAggregation {
        ClassAggregation {
            step: STEP,
            first_loss,
            dirichlet: Dirichlet::Fixed(DELTA),
            ..ClassAggregation::default()
        }
    }

    fn target(rng: &mut TreeRng) -> u32 {
        rng.below(CLASSES as usize) as u32
    }

    fn prediction(targets: &[(u32, f64)]) -> Vec<f64> {
        let total = weight_of(targets) + DELTA * f64::from(CLASSES);
        let probability = |class| (weight_of_class(targets, class) + DELTA) / total;
        (0..CLASSES).map(probability).collect()
    }

    fn loss(before: &[(u32, f64)], target: u32) -> f64 {
        -Self::prediction(before)[target as usize].ln()
    }

    fn loss_of_part(before: &[(u32, f64)], (target, copies): (u32, f64)) -> f64 {
        let of_class = weight_of_class(before, target) + DELTA;
        let of_all = weight_of(before) + DELTA * f64::from(CLASSES);
        let rising = |x| libm::lgamma(x + copies) - libm::lgamma(x);
        rising(of_all) - rising(of_class)
    }
}

fn weight_of_class(targets: &[(u32, f64)], class: u32) -> f64 {
    let of_class = targets.iter().filter(|(target, _)| *target == class);
    of_class.map(|(_, weight)| weight).sum()
}

/// Returns the targets of a node in the order of arrival, of the samples before `end`.
fn targets<L: LabelModel>(
    forest: &Forest<MondrianTree<L>>,
    node: &View<'_>,
    end: SampleId,
) -> Vec<Weighted<L>> {
    let ids = arrivals(node).into_iter().filter(|&id| id < end);
    ids.map(|id| weighted(forest, id)).collect()
}

fn weighted<L: LabelModel>(forest: &Forest<MondrianTree<L>>, id: SampleId) -> Weighted<L> {
    let samples = forest.samples();
    (samples.target(id), samples.weight(id).value())
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
        let (mut sum, mut above, mut factor) = (0.0, 0.0, history.steps[id.index()]);
        for place in tree.nodes_above(x).take(node.depth() + 1) {
            let own = unweighted::<L>(forest, &place, id, first_loss);
            sum += factor * (own - above);
            (above, factor) = (own, history.step(place.subtree(), id));
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
    let down_to_node = tree.nodes_above(x).take(node.depth() + 1);
    let seen = down_to_node.map(|above| targets(forest, &above, id));
    let Some(seen) = seen.filter(|targets| !targets.is_empty()).last() else {
        return 0.0;
    };
    let (target, weight) = weighted(forest, id);
    if !targets(forest, node, id).is_empty() {
        return L::losses(&seen, (target, weight));
    }
    // The node predicts the copies after the first itself.
    let rest = if weight > 1.0 {
        L::losses(&[(target, 1.0)], (target, weight - 1.0))
    } else {
        0.0
    };
    first_loss * L::losses(&seen, (target, weight.min(1.0))) + rest
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
    let on_path: Vec<_> = tree.nodes_above(x).map(|node| node.subtree()).collect();
    let (mut total, mut sums) = (0.0, vec![0.0; CLASSES as usize]);
    for (prior, leaves) in prunings(tree.root().unwrap()) {
        let weight = (prior
            - leaves
                .iter()
                .map(|leaf| loss(forest, leaf, first_loss, history))
                .sum::<f64>())
        .exp();
        let mut leaves = leaves.iter();
        let leaf = leaves.find(|leaf| on_path.contains(&leaf.subtree()));
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
    (first_loss, share): (FirstLoss, f64),
    first: TargetOf<L>,
    Weights {
        of_rows,
        slack,
        seeds,
    }: Weights,
) {
    let settings = MondrianSettings {
        labels: L::settings(FIXED, first_loss),
        budget,
        pause,
        update,
        max_uncut,
        ..MondrianSettings::default()
    };
    for seed in 0..seeds {
        let trees = ForestSettings::default().with_trees(1).with_seed(seed);
        let schema = Schema::new(2).unwrap();
        let mut forest = Forest::<MondrianTree<L>>::new(schema, settings.clone(), trees).unwrap();
        let mut rng = TreeRng::new(seed, 1);
        let history = History {
            steps: vec![STEP; 10],
            ..History::default()
        };
        for round in 0..9 {
            let target = match round {
                0 => first,
                _ => L::target(&mut rng),
            };
            let weight = of_rows[round % of_rows.len()];
            let (x, row) = (point(&mut rng), [weight]);
            let x = ArrayView2::from_shape((1, 2), &x).unwrap();
            forest.learn_weighted(x, &[target], &row).unwrap();
            forest.check_invariants().unwrap();
            if round == 6 {
                forest.refine();
            }
            for _ in 0..5 {
                let x = point(&mut rng);
                let (own, expected) = (
                    forest.predict_one(&x).unwrap(),
                    expected(&forest, &x, share, &history),
                );
                for (own, expected) in own.iter().zip(expected) {
                    assert!(
                        (own - expected).abs() < slack,
                        "seed {seed}, round {round}: {own} {expected}"
                    );
                }
            }
        }
    }
}

/// The highest class comes first, so that all classes are known from the start.
fn is_the_mixture_of_both(budget: Budget, pause: Pause, max_uncut: u32) {
    is_the_mixture_with_updates((budget, pause, Update::Conditional, max_uncut));
}

fn is_the_mixture_with_updates(growth: (Budget, Pause, Update, u32)) {
    for first_loss in FIRST_LOSSES {
        for weights in WEIGHTS {
            is_the_mixture::<AggregatedMeans>(growth, first_loss, 1.0, weights);
            is_the_mixture::<AggregatedClasses>(growth, first_loss, CLASSES - 1, weights);
        }
    }
}

#[derive(Clone, Copy)]
struct Weights {
    /// Of the rows in turn.
    of_rows: &'static [f64],
    /// The largest difference: weights of parts are rounded to multiples of 2⁻³⁰, and their losses in the reference to
    /// as many digits.
    slack: f64,
    seeds: u64,
}

const WEIGHTS: [Weights; 3] = [
    Weights {
        of_rows: &[1.0],
        slack: 1e-12,
        seeds: 30,
    },
    Weights {
        of_rows: &[1.0, 3.0, 2.0, 1.0, 5.0],
        slack: 1e-11,
        seeds: 10,
    },
    Weights {
        of_rows: &[0.3, 1.0, 2.6, 0.8],
        slack: 1e-8,
        seeds: 10,
    },
];

const UNLIMITED: Budget = Budget::Fixed(f64::INFINITY);

#[test]
fn predictions_are_the_mixture_over_all_prunings() {
    is_the_mixture_of_both(UNLIMITED, Pause::Never, 1);
}

#[test]
fn leaves_that_stay_together_have_the_weights_of_all_their_losses() {
    for budget in [UNLIMITED, Budget::Fixed(2.0), FAST_BUDGET] {
        for pause in [Pause::WhileLabelsAgree, Pause::Never] {
            is_the_mixture_with_updates((budget, pause, Update::NewPointOnly, 1));
        }
    }
    is_the_mixture_with_updates((UNLIMITED, Pause::WhileLabelsAgree, Update::NewPointOnly, 3));
}

#[test]
fn leaves_that_are_cut_later_have_the_weights_they_would_have_had() {
    is_the_mixture_of_both(UNLIMITED, Pause::WhileLabelsAgree, 1);
    is_the_mixture_of_both(Budget::Fixed(2.0), Pause::Never, 3);
    is_the_mixture_of_both(Budget::minimax(0.7, 2), Pause::Never, 2);
    is_the_mixture_of_both(FAST_BUDGET, Pause::Never, 1);
}
