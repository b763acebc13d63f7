//! What features add to a prediction: Shapley values of a tree.
//!
//! A leaf counts for a set of known players (features, or oblique cuts) by a product of a factor for each player on the way to it: 1 or 0 if the
//! player is known, by where the point lies, and else the share of the samples that go this way. The Shapley value of player i in a product
//! of factors oⱼ (known) and zⱼ (not known) is (oᵢ − zᵢ) ∫₀¹ ∏ⱼ≠ᵢ (t·oⱼ + (1 − t)·zⱼ) dt: each player is known with probability t. The
//! integrand is a polynomial, which Gauss–Legendre quadrature integrates exactly, and every term is positive, so that
//! nothing cancels on a long way.

use std::f64::consts::PI;

use ndarray::{Array3, ArrayViewMut2, Axis};

use super::{ExportedNode, ExportedTree, share_of};
use crate::Rows;

/// Adds the contributions of features to what the tree predicts for each row, times its share, to `sums`: `[row, feature, output]`.
pub(super) fn add(tree: &ExportedTree, rows: &Rows<'_>, sums: &mut Array3<f64>) {
    let mut shapley = Shapley::new(tree);
    for (x, sums) in rows.iter().zip(sums.axis_iter_mut(Axis(0))) {
        shapley.add(x, sums);
    }
}

/// What is known or not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    /// The feature of axis-aligned cuts.
    Feature(usize),
    /// The side of an oblique cut, by the place of its node.
    Cut(usize),
}

/// A player on the way to a node.
#[derive(Clone, Copy, Debug)]
struct Player {
    who: Who,
    /// The factor if it is not known.
    unknown: f64,
    /// The factor if it is known.
    known: f64,
}

impl Player {
    /// Returns the factor if it is known with probability `t`.
    fn at(self, t: f64) -> f64 {
        t * self.known + (1.0 - t) * self.unknown
    }
}

/// The way to a node.
#[derive(Clone)]
struct Way {
    players: Vec<Player>,
    /// The product of their factors at each point of the quadrature.
    products: Vec<f64>,
}

struct Shapley<'a> {
    tree: &'a ExportedTree,
    quadrature: Vec<(f64, f64)>,
    /// By depth; memory is used again.
    ways: Vec<Way>,
}

impl<'a> Shapley<'a> {
    fn new(tree: &'a ExportedTree) -> Self {
        let deepest = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let mut cuts = tree.nodes.iter().filter_map(|node| node.cut.as_ref());
        let is_oblique = cuts.any(|cut| cut.normal.len() != 1);
        // An upper bound of the players on any way.
        let most = if is_oblique {
            deepest
        } else {
            deepest.min(tree.features.len())
        };
        let quadrature = gauss_legendre(most.div_ceil(2).max(1));
        let (players, products) = (Vec::new(), vec![1.0; quadrature.len()]);
        let ways = vec![Way { players, products }; deepest + 1];
        Self {
            tree,
            quadrature,
            ways,
        }
    }

    fn add(&mut self, x: &[f32], mut sums: ArrayViewMut2<'_, f64>) {
        // Nodes to visit, each with the last player on the way, but for the root.
        let mut waiting: Vec<(usize, Option<Player>)> = vec![(0, None)];
        while let Some((place, step)) = waiting.pop() {
            let Some(node) = self.tree.nodes.get(place) else {
                return;
            };
            if let Some(step) = step {
                self.enter(node.depth, step);
            }
            let (Some(cut), Some(children)) = (&node.cut, node.children) else {
                self.add_leaf(node, &mut sums);
                continue;
            };
            let who = match cut.normal[..] {
                [(feature, _)] => Who::Feature(feature),
                _ => Who::Cut(place),
            };
            let own = usize::from(!cut.holds(x));
            let samples = children.map(|child| self.tree.nodes[child].samples);
            for side in [0, 1] {
                let unknown = share_of(samples[side], samples[1 - side]);
                let known = f64::from(u8::from(side == own));
                // Otherwise no set of known players leads there.
                if known > 0.0 || unknown > 0.0 {
                    let player = Player {
                        who,
                        unknown,
                        known,
                    };
                    waiting.push((children[side], Some(player)));
                }
            }
        }
    }

    /// Makes the way to a node of this depth, by a last step from its parent, whose way is there. The step's player may have been met before.
    fn enter(&mut self, depth: usize, step: Player) {
        let (above, below) = self.ways.split_at_mut(depth);
        let (above, way) = (&above[depth - 1], &mut below[0]);
        way.players.clone_from(&above.players);
        way.products.clone_from(&above.products);
        let met = way.players.iter().position(|player| player.who == step.who);
        let before = met.map(|place| way.players.swap_remove(place));
        let now = before.map_or(step, |before| Player {
            who: step.who,
            unknown: before.unknown * step.unknown,
            known: before.known * step.known,
        });
        for (product, &(t, _)) in way.products.iter_mut().zip(&self.quadrature) {
            *product *= now.at(t) / before.map_or(1.0, |before| before.at(t));
        }
        way.players.push(now);
    }

    fn add_leaf(&self, leaf: &ExportedNode, sums: &mut ArrayViewMut2<'_, f64>) {
        let (way, tree) = (&self.ways[leaf.depth], self.tree);
        let mut add = |feature: usize, share: f64| {
            for (sum, value) in sums.row_mut(feature).iter_mut().zip(&leaf.prediction) {
                *sum += tree.share * share * value;
            }
        };
        for player in &way.players {
            let points = way.products.iter().zip(&self.quadrature);
            let integral: f64 = points
                .map(|(product, &(t, weight))| weight * product / player.at(t))
                .sum();
            let share = (player.known - player.unknown) * integral;
            match player.who {
                Who::Feature(feature) => add(feature, share),
                Who::Cut(place) => {
                    for (feature, of_it) in
                        tree.nodes[place].cut.iter().flat_map(|cut| cut.shares())
                    {
                        add(feature, share * of_it);
                    }
                }
            }
        }
        add(
            tree.features.len(),
            way.players.iter().map(|player| player.unknown).product(),
        );
    }
}

/// Returns points and weights on (0, 1), by which a polynomial of a degree below 2·`points` is integrated exactly.
fn gauss_legendre(points: usize) -> Vec<(f64, f64)> {
    let on_unit = |index| {
        // A root of the Legendre polynomial by Newton's method, which converges quadratically from the known approximation.
        let mut x = (PI * (index as f64 + 0.75) / (points as f64 + 0.5)).cos();
        for _ in 0..8 {
            let (value, slope) = legendre(points, x);
            x -= value / slope;
        }
        let slope = legendre(points, x).1;
        (0.5 - 0.5 * x, 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..points).map(on_unit).collect()
}

/// Returns the Legendre polynomial of degree `n` and its slope, by Bonnet's recursion.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=n {
        let k = k as f64;
        (before, value) = (
            value,
            ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k,
        );
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests;
