//! What features add to a prediction: Shapley values of a tree.
//!
//! A leaf counts for a set of known players (features, or oblique cuts) by a product of a factor for each player on the way to it: 1 or 0 if the
//! player is known, by where the point lies, and else the share of the samples that go this way. The Shapley value of player i in a product
//! of factors oⱼ (known) and zⱼ (not known) is (oᵢ − zᵢ) ∫₀¹ ∏ⱼ≠ᵢ (t·oⱼ + (1 − t)·zⱼ) dt: each player is known with probability t. The
//! integrand is a polynomial, which Gauss–Legendre quadrature integrates exactly, and every term is positive, so that
//! nothing cancels on a long way.

use crate::Rows;
use ndarray::{Array3, ArrayViewMut2, Axis};

use super::quadrature::gauss_legendre;
use super::tree::share_of;
use super::{ExportedNode, ExportedTree};

/// Adds the contributions of features to what the tree alone predicts for each row to `sums`: `[row, feature, output]`. `predict` is the tree.
pub(super) fn add(
    tree: &ExportedTree,
    rows: &Rows<'_>,
    predict: impl Fn(&[f32]) -> Vec<f64>,
    sums: &mut Array3<f64>,
) {
    let mut shapley = Shapley::new(tree);
    for (x, sums) in rows.iter().zip(sums.axis_iter_mut(Axis(0))) {
        shapley.add(x, &predict(x), sums);
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
#[derive(Debug, Default)]
struct Way {
    players: Vec<Player>,
    /// The product of their factors at each point of the quadrature.
    products: Vec<f64>,
}

/// A node that is to be visited.
#[derive(Clone, Copy, Debug)]
struct Visit {
    place: usize,
    /// Whether the point comes here.
    is_own: bool,
    /// The last player on the way here, but for the root.
    step: Option<Player>,
}

struct Shapley<'a> {
    tree: &'a ExportedTree,
    quadrature: Vec<(f64, f64)>,
    /// By depth; memory is used again.
    ways: Vec<Way>,
}

impl<'a> Shapley<'a> {
    fn new(tree: &'a ExportedTree) -> Self {
        let points = most_players(tree).div_ceil(2).max(1);
        Self {
            tree,
            quadrature: gauss_legendre(points),
            ways: Vec::new(),
        }
    }

    fn add(&mut self, x: &[f32], prediction: &[f64], mut sums: ArrayViewMut2<'_, f64>) {
        let tree = self.tree;
        let Some(root) = tree.nodes.first() else {
            let mut base = sums.row_mut(tree.features.len());
            base.iter_mut()
                .zip(prediction)
                .for_each(|(sum, value)| *sum += value);
            return;
        };
        let mut waiting = vec![Visit {
            place: 0,
            is_own: true,
            step: None,
        }];
        debug_assert_eq!(root.depth, 0, "the root comes first");
        while let Some(visit) = waiting.pop() {
            let node = &tree.nodes[visit.place];
            self.enter(node.depth, visit.step);
            match self.children(visit, x) {
                Some(children) => waiting.extend(children.into_iter().filter(Visit::counts)),
                None if visit.is_own => self.add_leaf(node.depth, prediction, &mut sums),
                None => self.add_leaf(node.depth, &node.prediction, &mut sums),
            }
        }
    }

    /// Returns the children of an inner node.
    fn children(&self, visit: Visit, x: &[f32]) -> Option<[Visit; 2]> {
        let node = &self.tree.nodes[visit.place];
        let (cut, places) = (node.cut.as_ref()?, node.children?);
        let who = match cut.normal[..] {
            [(feature, _)] => Who::Feature(feature),
            _ => Who::Cut(visit.place),
        };
        let own = usize::from(!cut.holds(x));
        let samples = places.map(|place| self.tree.nodes[place].samples);
        Some([0, 1].map(|side| Visit {
            place: places[side],
            is_own: visit.is_own && side == own,
            step: Some(Player {
                who,
                unknown: share_of(samples[side], samples[1 - side]),
                known: f64::from(u8::from(side == own)),
            }),
        }))
    }

    /// Makes the way to a node of this depth, by a last step from its parent, whose way is there.
    fn enter(&mut self, depth: usize, step: Option<Player>) {
        if self.ways.len() <= depth {
            self.ways.push(Way::default());
        }
        let (above, below) = self.ways.split_at_mut(depth);
        let way = &mut below[0];
        let (Some(above), Some(step)) = (above.last(), step) else {
            way.players.clear();
            way.products.clear();
            way.products.resize(self.quadrature.len(), 1.0);
            return;
        };
        way.players.clone_from(&above.players);
        way.products.clone_from(&above.products);
        way.pass(step, &self.quadrature);
    }

    fn add_leaf(&self, depth: usize, value: &[f64], sums: &mut ArrayViewMut2<'_, f64>) {
        let way = &self.ways[depth];
        for player in &way.players {
            let share = way.shapley(*player, &self.quadrature);
            match player.who {
                Who::Feature(feature) => add_to(sums, feature, share, value),
                Who::Cut(place) => {
                    let cut = self.tree.nodes[place].cut.iter();
                    let shares = cut.flat_map(|cut| cut.shares());
                    shares.for_each(|(feature, of_it)| add_to(sums, feature, share * of_it, value));
                }
            }
        }
        let unknown: f64 = way.players.iter().map(|player| player.unknown).product();
        add_to(sums, self.tree.features.len(), unknown, value);
    }
}

impl Visit {
    /// Returns whether any set of known players leads here.
    fn counts(&self) -> bool {
        self.step
            .is_none_or(|step| step.known > 0.0 || step.unknown > 0.0)
    }
}

impl Way {
    /// Continues by a step, whose player may have been met before.
    fn pass(&mut self, step: Player, quadrature: &[(f64, f64)]) {
        let met = self
            .players
            .iter()
            .position(|player| player.who == step.who);
        let before = met.map(|place| self.players.swap_remove(place));
        let now = match before {
            Some(before) => Player {
                who: step.who,
                unknown: before.unknown * step.unknown,
                known: before.known * step.known,
            },
            None => step,
        };
        for (product, &(t, _)) in self.products.iter_mut().zip(quadrature) {
            *product *= now.at(t) / before.map_or(1.0, |before| before.at(t));
        }
        self.players.push(now);
    }

    /// Returns the Shapley value of a player.
    fn shapley(&self, player: Player, quadrature: &[(f64, f64)]) -> f64 {
        let terms = self.products.iter().zip(quadrature);
        let integral: f64 = terms
            .map(|(product, &(t, weight))| weight * product / player.at(t))
            .sum();
        (player.known - player.unknown) * integral
    }
}

fn add_to(sums: &mut ArrayViewMut2<'_, f64>, feature: usize, share: f64, value: &[f64]) {
    let cells = sums.row_mut(feature);
    cells
        .into_iter()
        .zip(value)
        .for_each(|(sum, value)| *sum += share * value);
}

/// Returns an upper bound of the players on any way.
fn most_players(tree: &ExportedTree) -> usize {
    let deepest = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    let is_oblique =
        |node: &ExportedNode| node.cut.as_ref().is_some_and(|cut| cut.normal.len() != 1);
    if tree.nodes.iter().any(is_oblique) {
        deepest
    } else {
        deepest.min(tree.features.len())
    }
}

#[cfg(test)]
mod tests;
