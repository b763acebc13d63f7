//! A tree: the partition of one particle.

use forest_core::argmax;
use tessellation_tree::{CutDistribution, Side};

use super::model::Model;
use super::particle::Event;

/// The partition of the heaviest particle, with the class probabilities of its leaves.
#[derive(Clone, Debug)]
pub struct BatchTree<D: CutDistribution> {
    cuts: D,
    nodes: Vec<Node<D::Cut>>,
    classes: usize,
    /// Posterior means of class probabilities, leaf after leaf.
    means: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Node<C> {
    /// The left child; the right one is next to it.
    Inner { cut: C, time: f64, left: u32 },
    /// Its number, and the class with the largest posterior mean.
    Leaf { number: u32, class: u32 },
}

impl<D: CutDistribution> BatchTree<D> {
    /// Creates the tree with these cuts.
    pub(super) fn new(cuts: D, events: &[&Event<D::Cut>], model: &Model<'_>) -> Self {
        // Numbers and classes follow when all leaves are there.
        let leaf = Node::Leaf {
            number: 0,
            class: 0,
        };
        let mut nodes = vec![leaf];
        for event in events {
            nodes[event.node as usize] = Node::Inner {
                cut: event.cut,
                time: event.time,
                left: nodes.len() as u32,
            };
            nodes.extend([leaf; 2]);
        }
        let mut next = 0;
        for node in &mut nodes {
            if let Node::Leaf { number, .. } = node {
                *number = next;
                next += 1;
            }
        }
        let classes = model.likelihood.classes();
        let mut tree = Self {
            cuts,
            nodes,
            classes,
            means: vec![0.0; classes * (events.len() + 1)],
        };
        if classes > 0 {
            tree.fit_leaves(model);
        }
        tree
    }

    /// Counts the labels of leaves, and turns counts into posterior means.
    fn fit_leaves(&mut self, model: &Model<'_>) {
        for point in (0..).take(model.points.len()) {
            if let Some(label) = model.points.labels(&[point]).next() {
                let leaf = self.leaf_at(model.points.row(point));
                self.means[leaf * self.classes + label as usize] += 1.0;
            }
        }
        for counts in self.means.chunks_exact_mut(self.classes) {
            model.likelihood.posterior_mean(counts);
        }
        for node in &mut self.nodes {
            if let Node::Leaf { number, class } = node {
                let start = *number as usize * self.classes;
                *class = argmax(&self.means[start..][..self.classes]) as u32;
            }
        }
    }

    /// Returns the number of the leaf that `x` falls into, below [`BatchTree::leaves`].
    ///
    /// # Panics
    /// May panic if `x` has another number of features than the tree's points.
    pub fn leaf_at(&self, x: &[f32]) -> usize {
        self.find(x).0
    }

    /// Returns the class with the largest posterior mean at `x`, the smallest of several. Panics as [`Self::leaf_at`].
    pub fn vote(&self, x: &[f32]) -> usize {
        self.find(x).1
    }

    /// Returns the number and the class of the leaf that `x` falls into.
    fn find(&self, x: &[f32]) -> (usize, usize) {
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                Node::Leaf { number, class } => return (*number as usize, *class as usize),
                Node::Inner { cut, left, .. } => {
                    let right = self.cuts.side(cut, x) == Side::Right;
                    // Siblings are neighbours: no branch on the side, which no processor can predict.
                    at = *left as usize + usize::from(right);
                }
            }
        }
    }

    /// Returns the posterior mean of a leaf below [`BatchTree::leaves`], (m_jk + α_k) / Σ: a number for each class.
    pub fn posterior_mean(&self, leaf: usize) -> &[f64] {
        &self.means[leaf * self.classes..][..self.classes]
    }

    /// Returns the number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    /// Returns the times of the cuts, from first to last.
    pub fn cut_times(&self) -> Vec<f64> {
        let time = |node: &Node<D::Cut>| match *node {
            Node::Inner { time, .. } => Some(time),
            Node::Leaf { .. } => None,
        };
        let mut times: Vec<f64> = self.nodes.iter().filter_map(time).collect();
        times.sort_by(f64::total_cmp);
        times
    }
}
