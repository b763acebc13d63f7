//! A label model that looks at the whole path: what the engine reports to it is enough, and right.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::ArrayView2;
use forest_core::registry::{Labels as _, NumberLabels};
use forest_core::{
    Forest, ForestSettings, Forgetting, OnlineLearner, Regression, SampleId, Schema, TreeRng,
};
use mondrian::{AxisCuts, MondrianSettings, MondrianTree};
use serde::{Deserialize, Serialize};
use tessellation_tree::{
    CutDistribution, ForgetLabels, Joined, LabelContext, LabelModel, LabelSettings, LeafId,
    MadeNode, NodeId, NodeView, Partition, Path, Place, Step, Subtree, TessellationTree,
};

/// Sum and number of targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sum {
    sum: f64,
    count: f64,
}

impl Sum {
    fn of(targets: impl Iterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        targets.for_each(|target| sum.change(target, 1.0));
        sum
    }

    fn change(&mut self, target: f64, by: f64) {
        self.sum += by * target;
        self.count += by;
    }

    fn mean(self) -> f64 {
        self.sum / self.count
    }
}

/// The mean and mean square over the nodes of a path, each weighted by the probability that a point
/// beyond all others parts from the path within the node's life at this rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct PathMeans {
    leaves: Vec<Sum>,
    nodes: Vec<Sum>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rate(f64);

impl Default for Rate {
    fn default() -> Self {
        Self(1.0)
    }
}

impl LabelSettings for Rate {}

/// Returns the share of a node that lives from `birth` to `time`.
fn share(rate: f64, birth: f64, time: f64) -> f64 {
    (-rate * birth).exp() - (-rate * time).exp()
}

fn add(accumulator: &mut [f64], share: f64, mean: f64) {
    accumulator[0] += share * mean;
    accumulator[1] += share * mean * mean;
}

fn set(sums: &mut Vec<Sum>, index: usize, sum: Sum) {
    sums.resize(sums.len().max(index + 1), Sum::default());
    sums[index] = sum;
}

impl LabelModel for PathMeans {
    type Task = Regression;
    type Settings = Rate;

    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        let sum = Sum::of(samples.map(|id| context.samples.target(id)));
        set(&mut self.leaves, leaf.index(), sum);
    }

    fn removed(&mut self, place: Subtree) {
        match place {
            Subtree::Leaf(leaf) => self.leaves[leaf.index()] = Sum::default(),
            Subtree::Inner(node) => self.nodes[node.index()] = Sum::default(),
            Subtree::Sample(_) => {}
        }
    }

    fn joined(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        let target = context.samples.target(id);
        match end {
            Joined::Leaf(leaf) => self.leaves[leaf.index()].change(target, 1.0),
            Joined::Alone { node, sibling, .. } => {
                let mut sum = match sibling {
                    Subtree::Inner(child) => self.nodes[child.index()],
                    Subtree::Leaf(leaf) => self.leaves[leaf.index()],
                    Subtree::Sample(id) => Sum::of([context.samples.target(id)].into_iter()),
                };
                sum.change(target, 1.0);
                set(&mut self.nodes, node.index(), sum);
            }
        }
        for step in path {
            self.nodes[step.node.index()].change(target, 1.0);
        }
    }

    fn node_made(&mut self, made: MadeNode<'_>, context: LabelContext<'_, Self>) {
        let ids = made.samples.iter();
        let sum = Sum::of(ids.map(|&id| context.samples.target(id)));
        set(&mut self.nodes, made.node.index(), sum);
    }

    fn width((): &()) -> usize {
        2
    }

    fn full_width((): &()) -> usize {
        2
    }

    /// The mean, and the variance of the nodes' means if it is asked for.
    fn finish(sum: &[f64], trees: usize, prediction: &mut [f64]) {
        let [mean, square] = [0, 1].map(|cell| sum[cell] / trees as f64);
        prediction[0] = mean;
        if let Some(variance) = prediction.get_mut(1) {
            *variance = square - mean * mean;
        }
    }

    fn predict<D: CutDistribution>(
        &self,
        mut path: Path<'_, D>,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        let way: Vec<Step> = path.by_ref().collect();
        self.predict_in(&way, path.place(), context, accumulator);
    }

    fn bytes(&self) -> usize {
        (self.leaves.capacity() + self.nodes.capacity()) * size_of::<Sum>()
    }

    fn is_shaped(
        &self,
        mut leaves: impl Iterator<Item = LeafId> + Clone,
        mut nodes: impl Iterator<Item = NodeId> + Clone,
        _: usize,
        (): &(),
    ) -> bool {
        leaves.all(|leaf| leaf.index() < self.leaves.len())
            && nodes.all(|node| node.index() < self.nodes.len())
    }

    fn forgetting<D: CutDistribution>() -> Option<Forgetting<TessellationTree<D, Self>>> {
        Some(Forgetting::by_trees())
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut NumberLabels) {
        let own = &self.leaves[leaf.index()];
        sum.add(own.mean(), own.count as u64);
    }

    fn predict_in(
        &self,
        way: &[Step],
        leaf: Place,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        accumulator.fill(0.0);
        for step in way {
            let share = share(context.settings.0, step.birth, step.time);
            add(accumulator, share, self.nodes[step.node.index()].mean());
        }
        let mean = match leaf.subtree {
            Subtree::Sample(id) => context.samples.target(id),
            Subtree::Leaf(leaf) => self.leaves[leaf.index()].mean(),
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        };
        let share = share(context.settings.0, leaf.birth, f64::INFINITY);
        add(accumulator, share, mean);
    }
}

impl ForgetLabels for PathMeans {
    fn leaf_left(
        &mut self,
        leaf: LeafId,
        left: SampleId,
        _: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        self.leaves[leaf.index()].change(context.samples.target(left), -1.0);
    }

    fn path_left(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        _: Subtree,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        for step in path {
            self.nodes[step.node.index()].change(context.samples.target(id), -1.0);
        }
    }
}

/// Returns the expected prediction of [`PathMeans`], computed from the samples of every node on the path: the mean and
/// the variance.
fn expected(forest: &Forest<MondrianTree<PathMeans>>, x: &[f32], rate: f64) -> [f64; 2] {
    let tree = forest.trees().next().unwrap();
    let share = |node: &NodeView<'_, AxisCuts>| {
        let end = node.cut().map_or(f64::INFINITY, |cut| cut.time);
        share(rate, node.birth(), end)
    };
    let targets = |id| forest.samples().target(id);
    let nodes: Vec<_> = tree.nodes_above(x).collect();
    let moment = |power| {
        let mean =
            |node: &NodeView<'_, AxisCuts>| Sum::of(node.samples().map(targets)).mean().powi(power);
        nodes
            .iter()
            .map(|node| share(node) * mean(node))
            .sum::<f64>()
    };
    [moment(1), moment(2) - moment(1).powi(2)]
}

/// Inserts, removes and refines at random; compares predictions with `expected` after each.
fn mixes_along_the_path(max_uncut: u32, budget: tessellation_tree::Budget) {
    let settings = MondrianSettings {
        labels: Rate(0.7),
        max_uncut,
        budget,
        ..MondrianSettings::default()
    };
    let schema = Schema::new(2).unwrap();
    let mut forest = Forest::<MondrianTree<PathMeans>>::new(
        schema,
        settings,
        ForestSettings::default().with_trees(1).with_seed(3),
    )
    .unwrap();
    let (mut rng, mut held) = (TreeRng::new(4, 0), Vec::new());
    let point = |rng: &mut TreeRng| [(); 2].map(|()| rng.below(8) as f32 / 8.0);
    for round in 0..3000 {
        if held.len() < 2 || rng.below(30) >= held.len() {
            held.push(forest.samples_seen());
            // Sums of small integers are exact, whatever their order.
            let target = rng.below(100) as f64;
            forest.learn_one(&point(&mut rng), target).unwrap();
        } else {
            let arrival = held.swap_remove(rng.below(held.len()));
            forest.forget(arrival).unwrap();
        }
        if round % 50 == 0 {
            forest.refine();
        }
        forest.check_invariants().unwrap();
        let x = point(&mut rng);
        let prediction = forest.predict_full(ArrayView2::from(&[x])).unwrap();
        assert_eq!(forest.predict_one(&x).unwrap(), [prediction[[0, 0]]]);
        let expected = expected(&forest, &x, 0.7);
        for (prediction, expected) in prediction.iter().zip(expected) {
            assert!(
                (prediction - expected).abs() < 1e-6,
                "{prediction} {expected}"
            );
        }
    }
}

#[test]
fn a_label_model_may_mix_along_the_path() {
    use tessellation_tree::Budget;
    mixes_along_the_path(1, Budget::Fixed(f64::INFINITY));
    mixes_along_the_path(3, Budget::Fixed(5.0));
    mixes_along_the_path(1, Budget::minimax(0.5, 2));
}

#[test]
fn settings_of_a_label_model_are_checked() {
    let settings = MondrianSettings {
        labels: Rate(0.0),
        ..MondrianSettings::default()
    };
    let schema = Schema::new(2).unwrap();
    let error = Forest::<MondrianTree<PathMeans>>::new(
        schema,
        settings,
        ForestSettings::default().with_trees(1).with_seed(3),
    )
    .unwrap_err();
    assert!(error.to_string().contains("rate"), "{error}");
}
