//! A tree: the partition of one particle.

use forest_core::{InvariantError, argmax};
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
    pub(super) fn new(cuts: D, events: &[&Event<D::Cut>], model: &Model<'_, D>) -> Self {
        let leaf = Node::Leaf {
            number: 0,
            class: 0,
        };
        let mut nodes = vec![leaf];
        for event in events {
            let left = nodes.len() as u32;
            nodes[event.node as usize] = Node::Inner {
                cut: event.cut,
                time: event.time,
                left,
            };
            nodes.extend([leaf; 2]);
        }
        let classes = model.likelihood.classes();
        let mut tree = Self {
            cuts,
            nodes,
            classes,
            means: vec![0.0; classes * (events.len() + 1)],
        };
        tree.number_leaves();
        tree.fit_leaves(model);
        tree
    }

    fn number_leaves(&mut self) {
        let leaves = self.nodes.iter_mut().filter_map(|node| match node {
            Node::Leaf { number, .. } => Some(number),
            Node::Inner { .. } => None,
        });
        leaves.zip(0..).for_each(|(number, next)| *number = next);
    }

    /// Counts the labels of leaves, and turns counts into posterior means.
    fn fit_leaves(&mut self, model: &Model<'_, D>) {
        if self.classes == 0 {
            return;
        }
        for point in (0..).take(model.points.len()) {
            let leaf = self.leaf_at(model.points.row(point));
            let label = model.points.labels(&[point]).next();
            label
                .into_iter()
                .for_each(|label| self.means[leaf * self.classes + label as usize] += 1.0);
        }
        let leaves = self.means.chunks_exact_mut(self.classes);
        leaves.for_each(|counts| model.likelihood.posterior_mean(counts));
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
    /// If `x` has fewer features than the tree's points, or a value is missing.
    pub fn leaf_at(&self, x: &[f32]) -> usize {
        self.find(x).0
    }

    /// Returns the class for which the tree votes at `x`: that with the largest posterior mean, the smallest of several.
    ///
    /// # Panics
    /// As [`BatchTree::leaf_at`].
    pub fn vote(&self, x: &[f32]) -> usize {
        self.find(x).1
    }

    /// Leaf number and class.
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

    /// Returns the posterior mean of the class probabilities of a leaf, (m_jk + α_k) / Σ.
    ///
    /// # Panics
    /// If the leaf does not exist.
    pub fn posterior_mean(&self, leaf: usize) -> &[f64] {
        &self.means[leaf * self.classes..][..self.classes]
    }

    /// Returns the number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    /// Returns the times of the cuts, from first to last.
    pub fn cut_times(&self) -> Vec<f64> {
        let times = self.nodes.iter().filter_map(|node| match node {
            Node::Inner { time, .. } => Some(*time),
            Node::Leaf { .. } => None,
        });
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Returns the cuts, parents before children.
    fn cuts(&self) -> impl Iterator<Item = &D::Cut> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Inner { cut, .. } => Some(cut),
            Node::Leaf { .. } => None,
        })
    }

    /// Checks that cuts come after those above them, that the distribution holds their normals and no others, and
    /// that the means of each leaf are probabilities.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check_invariants(&self, features: usize) -> Result<(), InvariantError> {
        self.cuts.check(features, self.cuts())?;
        let time = |node: u32| match self.nodes[node as usize] {
            Node::Inner { time, .. } => time,
            Node::Leaf { .. } => f64::INFINITY,
        };
        let in_order = self.nodes.iter().all(|node| match *node {
            Node::Inner { time: t, left, .. } => t <= time(left) && t <= time(left + 1),
            Node::Leaf { .. } => true,
        });
        let place = "nodes";
        InvariantError::require(in_order, place, "a cut comes before one above it")?;
        let mut leaves = self.means.chunks_exact(self.classes.max(1));
        let sound = leaves.all(|means| (means.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        InvariantError::require(sound, "leaves", "class probabilities do not add up to 1")
    }
}
