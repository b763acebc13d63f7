//! The paper's bookkeeping, to the letter and as slow as it is: Algorithms 1 to 10 and section 3.6.

pub(crate) mod histogram;

use crate::nodes::Node as Fast;
use crate::stream::LeafState;
use crate::{StreamSettings, StreamTree};
use forest_core::TreeRng;
use histogram::Histogram;

/// A candidate split: what each stream has shown of its two children (left, right).
pub(crate) struct Split<H> {
    pub dimension: usize,
    pub threshold: f32,
    pub structure: [H; 2],
    pub estimation: [H; 2],
}

impl<H: Histogram> Split<H> {
    pub(crate) fn side(&self, x: &[f32]) -> usize {
        usize::from(x[self.dimension] > self.threshold)
    }

    /// Algorithm 4.
    pub(crate) fn is_valid(&self, alpha: f64) -> bool {
        self.estimation.iter().all(|child| child.points() >= alpha)
    }
}

/// The dimensions and splits of an active leaf.
pub(crate) struct Fringe<H: Histogram> {
    /// The label of the first structure point.
    first: Option<H::Label>,
    dimensions: Vec<usize>,
    points: u8,
    /// Estimation points that all candidate splits have counted.
    settled: u64,
    pub splits: Vec<Split<H>>,
}

#[derive(Default)]
pub(crate) struct Leaf<H: Histogram> {
    pub depth: u32,
    pub votes: H,
    structure_labels: H,
    created: f64,
    failed: i32,
    pub fringe: Option<Fringe<H>>,
}

#[derive(Clone, Copy)]
pub(crate) enum Node {
    Leaf(usize),
    Split(usize, f32, [usize; 2]),
}

pub(crate) struct PaperTree<H: Histogram> {
    pub settings: StreamSettings,
    rng: TreeRng,
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf<H>>,
    clock: u64,
    /// How often a leaf has been given up.
    pub given_up: usize,
}

/// Returns the arrivals of a process of rate 1 before `mean`.
pub(crate) fn poisson(mean: f64, rng: &mut TreeRng) -> usize {
    let mut count = 0;
    let mut time = rng.exponential();
    while time < mean {
        count += 1;
        time += rng.exponential();
    }
    count
}

/// Returns the node that holds `x`, and its leaf.
pub(crate) fn find(nodes: &[Node], x: &[f32]) -> (usize, usize) {
    let mut here = 0;
    loop {
        match nodes[here] {
            Node::Leaf(leaf) => return (here, leaf),
            Node::Split(d, threshold, children) => {
                here = children[usize::from(x[d] > threshold)];
            }
        }
    }
}

impl<H: Histogram> PaperTree<H> {
    pub(crate) fn new(settings: StreamSettings, rng: TreeRng) -> Self {
        Self {
            settings,
            rng,
            nodes: vec![Node::Leaf(0)],
            leaves: vec![Leaf::default()],
            clock: 0,
            given_up: 0,
        }
    }

    /// Algorithm 1. For a structure point, returns whether its leaf was split.
    pub(crate) fn learn(&mut self, x: &[f32], y: H::Label) -> Option<bool> {
        let u = self.rng.uniform();
        if self.leaves[0].fringe.is_none() && self.nodes.len() == 1 {
            self.activate(x.len());
        }
        if u < self.settings.structure {
            return Some(self.shape(x, y));
        }
        let leaf = find(&self.nodes, x).1;
        self.clock += 1;
        let leaf = &mut self.leaves[leaf];
        leaf.votes.add(y);
        let m = self.settings.m;
        let fringe = leaf.fringe.iter_mut();
        fringe.for_each(|fringe| fringe.settled += u64::from(u32::from(fringe.points) == m));
        for split in leaf.fringe.iter_mut().flat_map(|fringe| &mut fringe.splits) {
            split.estimation[split.side(x)].add(y);
        }
        None
    }

    fn shape(&mut self, x: &[f32], y: H::Label) -> bool {
        let (node, index) = find(&self.nodes, x);
        let leaf = &mut self.leaves[index];
        leaf.structure_labels.add(y);
        let Some(fringe) = &mut leaf.fringe else {
            return false;
        };
        fringe.create_until(self.settings.m, x, y);
        for split in &mut fringe.splits {
            split.structure[split.side(x)].add(y);
        }
        if self.leaves[index].is_to_be_given_up(&self.settings) {
            self.leaves[index].fringe = None;
            self.leaves[index].failed += 1;
            self.given_up += 1;
            self.activate(x.len());
            return false;
        }
        let Some(split) = self.choose(index) else {
            return false;
        };
        self.split(node, index, split);
        self.activate(x.len());
        true
    }

    /// Returns the end of Algorithm 1: the split to take, if the leaf can be split and should or must be.
    fn choose(&self, leaf: usize) -> Option<usize> {
        let leaf = &self.leaves[leaf];
        let fringe = leaf.fringe.as_ref()?;
        let alpha = self.settings.alpha.at(leaf.depth);
        if !leaf.can_split(alpha) {
            return None;
        }
        let must = leaf.votes.points() >= self.settings.beta.at(leaf.depth);
        let take = must || fringe.should_split(alpha, self.settings.tau);
        take.then(|| fringe.best_split(alpha))
    }

    /// Algorithm 2; the right child gets a new number, the left one keeps its parent's.
    fn split(&mut self, node: usize, index: usize, split: usize) {
        let next = self.leaves.len();
        let leaf = &mut self.leaves[index];
        let split = leaf.fringe.take().unwrap().splits.swap_remove(split);
        let first = self.nodes.len();
        self.nodes.extend([Node::Leaf(index), Node::Leaf(next)]);
        self.nodes[node] = Node::Split(split.dimension, split.threshold, [first, first + 1]);
        let counted: f64 = split.estimation.iter().map(Histogram::points).sum();
        let share = counted / leaf.votes.points();
        let lifetime = self.clock as f64 - leaf.created;
        let depth = leaf.depth + 1;
        let [left, right] = [0, 1].map(|side| Leaf {
            depth,
            votes: split.estimation[side].clone(),
            structure_labels: split.structure[side].clone(),
            created: self.clock as f64 - share * lifetime,
            ..Leaf::default()
        });
        self.leaves[index] = left;
        self.leaves.push(right);
    }

    /// Section 3.6, by looking at every leaf.
    fn activate(&mut self, width: usize) {
        let most = self.settings.fringe;
        let limit = most.map_or(usize::MAX, |most| most as usize);
        loop {
            let waiting = (0..self.leaves.len()).filter(|&leaf| self.leaves[leaf].fringe.is_none());
            let waiting: Vec<usize> = waiting.collect();
            let bound = |leaf: usize| self.leaves[leaf].improvement_bound(self.clock);
            // `max_by` takes the last of equals: from the back, that is the smallest number.
            let by_bound = |a: &&usize, b: &&usize| bound(**a).total_cmp(&bound(**b));
            let best = waiting.iter().rev().max_by(by_bound);
            let Some(&leaf) = best.filter(|_| self.leaves.len() - waiting.len() < limit) else {
                return;
            };
            let count = 1 + poisson(self.settings.lambda, &mut self.rng);
            self.leaves[leaf].fringe = Some(Fringe::new(count, width, &mut self.rng));
        }
    }

    /// Asserts that a tree of the crate is this tree.
    pub(crate) fn assert_same(&self, tree: &StreamTree<H::Task>) {
        assert_eq!(tree.nodes.nodes.len(), self.nodes.len());
        for (node, slow) in tree.nodes.nodes.iter().zip(&self.nodes) {
            match (*slow, *node) {
                (
                    Node::Split(dimension, t, [first, _]),
                    Fast::Split {
                        feature,
                        threshold,
                        left,
                    },
                ) => {
                    assert_eq!((dimension, t), (feature as usize, threshold));
                    assert_eq!(first, left as usize);
                }
                (Node::Split(..), leaf) => panic!("{leaf:?} is not split"),
                (Node::Leaf(index), node) => {
                    assert_eq!(node, Fast::Leaf(index as u32));
                    let leaf = &tree.leaves[index];
                    let slow = &self.leaves[index];
                    assert_eq!(leaf.depth, slow.depth);
                    assert_eq!(leaf.estimation_points as f64, slow.votes.points());
                    let is_active = matches!(leaf.state, LeafState::Active(_));
                    assert_eq!(is_active, slow.fringe.is_some());
                }
            }
        }
    }
}

impl<H: Histogram> Leaf<H> {
    /// `CanSplit` (Algorithm 3).
    pub(crate) fn can_split(&self, alpha: f64) -> bool {
        let splits = self.fringe.iter().flat_map(|fringe| &fringe.splits);
        splits.into_iter().any(|split| split.is_valid(alpha))
    }

    /// Our addition: every split has counted β(d) and 4·α(d) estimation points, and none is valid.
    fn is_to_be_given_up(&self, settings: &StreamSettings) -> bool {
        let settled = self.fringe.as_ref().map_or(0, |fringe| fringe.settled) as f64;
        let [alpha, beta] = [settings.alpha, settings.beta].map(|rule| rule.at(self.depth).ceil());
        settled >= beta && settled >= 4.0 * alpha && !self.can_split(alpha)
    }

    /// ŝ = p̂·ê, divided by how often the leaf has been tried.
    fn improvement_bound(&self, clock: u64) -> f64 {
        let points = self.votes.points();
        if points == 0.0 {
            return 0.0;
        }
        let bound = points / (clock as f64 - self.created) * self.structure_labels.error();
        bound / (1.0 + f64::from(self.failed))
    }
}

impl<H: Histogram> Fringe<H> {
    /// `count` distinct dimensions, or all, and no candidate splits yet.
    pub(crate) fn new(count: usize, width: usize, rng: &mut TreeRng) -> Self {
        let mut dimensions: Vec<usize> = (0..width).collect();
        for place in 0..count.min(width) {
            dimensions.swap(place, place + rng.below(width - place));
        }
        dimensions.truncate(count);
        Self {
            first: None,
            dimensions,
            points: 0,
            settled: 0,
            splits: Vec::new(),
        }
    }

    /// While there are fewer than `m` candidate points, this becomes one.
    pub(crate) fn create_until(&mut self, m: u32, x: &[f32], y: H::Label) {
        if u32::from(self.points) < m {
            self.create(x);
            self.first.get_or_insert(y);
        }
    }

    fn gain(&self, split: &Split<H>) -> f64 {
        let first = self.first.expect("a split comes from a structure point");
        H::gain(&split.structure, first)
    }

    /// Algorithm 6.
    pub(crate) fn should_split(&self, alpha: f64, tau: f64) -> bool {
        let mut splits = self.splits.iter();
        splits.any(|split| self.gain(split) > tau && split.is_valid(alpha))
    }

    /// Algorithm 7, if there is a valid split.
    pub(crate) fn best_split(&self, alpha: f64) -> usize {
        let mut best = None;
        for (index, split) in self.splits.iter().enumerate() {
            let gain = self.gain(split);
            let held = best.map_or(f64::NEG_INFINITY, |best| self.gain(&self.splits[best]));
            if gain >= held && split.is_valid(alpha) {
                best = Some(index);
            }
        }
        best.expect("a leaf is split if it can be")
    }

    /// `CreateCandidateSplit` in every dimension. Splits are kept dimension by dimension, by their thresholds, equal
    /// ones in the order of their creation.
    fn create(&mut self, x: &[f32]) {
        for (rank, &dimension) in self.dimensions.iter().enumerate() {
            let start = rank * usize::from(self.points + 1);
            let old = &self.splits[start..start + usize::from(self.points)];
            let place = start + old.partition_point(|split| split.threshold <= x[dimension]);
            let split = Split {
                dimension,
                threshold: x[dimension],
                structure: [H::default(), H::default()],
                estimation: [H::default(), H::default()],
            };
            self.splits.insert(place, split);
        }
        self.points += 1;
    }
}
