//! Hierarchical label models: what they predict equals what is computed directly from the samples of every node.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod gaussian;
mod kneser_ney;

use forest_core::{Forest, ForestSettings, OnlineLearner, Schema, Task, TreeRng};
use mondrian::{AxisCuts, MondrianTree, TessellationSettings};
use tessellation_tree::{Budget, LabelModel, LabelSettings, NodeView, Pause};

use crate::FAST_BUDGET;

/// A forest of one tree.
type One<L> = Forest<MondrianTree<L>>;

type View<'a> = NodeView<'a, AxisCuts>;

/// Returns the settings that make trees with all kinds of leaves and updates.
fn all_settings(labels: &LabelSettings) -> Vec<TessellationSettings> {
    let settings = |max_uncut, budget, pause| TessellationSettings {
        labels: labels.clone(),
        max_uncut,
        budget,
        pause,
        ..TessellationSettings::default()
    };
    vec![
        settings(1, Budget::Fixed(f64::INFINITY), Pause::Never),
        settings(1, Budget::Fixed(f64::INFINITY), Pause::WhileLabelsAgree),
        settings(3, Budget::Fixed(3.0), Pause::Never),
        settings(1, Budget::minimax(0.8, 2), Pause::Never),
        settings(1, FAST_BUDGET, Pause::Never),
    ]
}

fn one_tree<L: LabelModel>(settings: TessellationSettings, seed: u64) -> One<L> {
    let forest = ForestSettings::default().with_trees(1).with_seed(seed);
    Forest::new(Schema::new(2).unwrap(), settings, forest).unwrap()
}

/// Points of a grid, so that many coincide.
fn point(rng: &mut TreeRng) -> [f32; 2] {
    [(); 2].map(|()| rng.below(8) as f32 / 8.0)
}

/// Inserts, removes and refines at random, with up to `most` samples; compares after each.
fn change_at_random<L: LabelModel>(
    mut forest: One<L>,
    (most, rounds): (usize, usize),
    target: impl Fn(&mut TreeRng) -> <L::Task as Task>::Target,
    compare: impl Fn(&One<L>, &[f32]),
) {
    let mut rng = TreeRng::new(4, 0);
    let mut held = Vec::new();
    for round in 0..rounds {
        if held.len() < 2 || rng.below(most) >= held.len() {
            held.push(forest.samples_seen());
            let target = target(&mut rng);
            forest.learn_one(&point(&mut rng), target).unwrap();
        } else {
            let arrival = held.swap_remove(rng.below(held.len()));
            forest.forget(arrival).unwrap();
        }
        if round % 20 == 0 {
            forest.refine().unwrap();
        }
        forest.check_invariants().unwrap();
        let inside = point(&mut rng);
        compare(&forest, &inside);
        compare(&forest, &inside.map(|x| 1.3 * x - 0.2));
    }
}

/// Where a point may branch off: the node, its birth, the end of its life, and the mass of the cuts between its
/// samples and the point, all from the samples.
struct Way<'a> {
    node: View<'a>,
    end: f64,
    mass: f64,
}

fn way<'a, L: LabelModel>(forest: &'a One<L>, x: &'a [f32]) -> Vec<Way<'a>> {
    let tree = forest.trees().next().unwrap();
    let budget = tree.with_path(x, |path| path.end).unwrap();
    let one = |node: View<'a>| {
        let excess = |feature: usize| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for id in node.samples() {
                let own = f64::from(forest.samples().features(id)[feature]);
                low = low.min(own);
                high = high.max(own);
            }
            let x = f64::from(x[feature]);
            (x - high).max(0.0) + (low - x).max(0.0)
        };
        Way {
            end: node.cut().map_or(budget, |(_, time)| time),
            mass: excess(0) + excess(1),
            node,
        }
    };
    tree.nodes_above(x).map(one).collect()
}

impl Way<'_> {
    fn life(&self) -> f64 {
        self.end.max(self.node.birth) - self.node.birth
    }

    /// Returns the probability to branch off here, if not before.
    fn leaves(&self) -> f64 {
        if self.mass == 0.0 {
            0.0
        } else {
            1.0 - (-self.mass * self.life()).exp()
        }
    }

    /// Returns the mean of a function of the time from birth to branching off, by a fine sum over quantiles.
    fn mean(&self, f: impl Fn(f64) -> f64) -> f64 {
        let n = 20_000;
        let quantile = |k: usize| {
            let u = (k as f64 + 0.5) / f64::from(n);
            -(1.0 - u * self.leaves()).ln() / self.mass
        };
        (0..n as usize).map(|k| f(quantile(k))).sum::<f64>() / f64::from(n)
    }
}
