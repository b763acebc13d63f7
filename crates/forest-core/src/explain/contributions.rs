//! What features add to a prediction: Shapley values of a tree.
//!
//! A leaf counts for a set of known players (features, or oblique cuts) by a product of a factor for each player on the
//! way to it: 1 or 0 if the player is known, by where the point lies, and else the share of the samples that go this
//! way. The Shapley value of player i in a product of factors oⱼ (known) and zⱼ (not known) is
//! (oᵢ − zᵢ) ∫₀¹ ∏ⱼ≠ᵢ (t·oⱼ + (1 − t)·zⱼ) dt: each player is known with probability t. Gauss–Legendre quadrature
//! integrates this polynomial exactly, and every term is positive, so that nothing cancels on a long way.

use std::f64::consts::PI;

use ndarray::{Array3, Axis};

use super::{ExportedTree, share_of};
use crate::Rows;

/// What is known or not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    /// The feature of axis-aligned cuts.
    Feature(usize),
    /// The side of an oblique cut, by the place of its node.
    Cut(usize),
}

/// A player on the way to a leaf.
struct Player {
    who: Who,
    /// The factor if it is not known.
    unknown: f64,
    /// The factor if it is known.
    known: f64,
}

impl Player {
    /// Returns the factor if it is known with probability `t`.
    fn at(&self, t: f64) -> f64 {
        t * self.known + (1.0 - t) * self.unknown
    }
}

/// A node on the way to a leaf, the side that the way takes there, and the share of its samples that do.
type Turn = (usize, usize, f64);

/// Returns the leaves, each with the way to it from the root.
fn ways(tree: &ExportedTree) -> Vec<(usize, Vec<Turn>)> {
    let mut ways: Vec<Vec<Turn>> = vec![Vec::new(); tree.nodes.len()];
    let mut leaves = Vec::new();
    for (place, node) in tree.nodes.iter().enumerate() {
        let way = std::mem::take(&mut ways[place]);
        let (Some(_), Some(children)) = (&node.cut, node.children) else {
            leaves.push((place, way));
            continue;
        };
        let samples = children.map(|child| tree.nodes[child].samples);
        for (side, child) in children.into_iter().enumerate() {
            let turn = (place, side, share_of(samples[side], samples[1 - side]));
            ways[child] = [&way[..], &[turn]].concat();
        }
    }
    leaves
}

/// Adds the contributions of features to the tree's predictions, times its share, to `sums`: `[row, feature, output]`.
pub(super) fn add(tree: &ExportedTree, rows: &Rows<'_>, sums: &mut Array3<f64>) {
    let (ways, features) = (ways(tree), tree.features.len());
    let mut cuts = tree.nodes.iter().filter_map(|node| node.cut.as_ref());
    let any_oblique = cuts.any(|cut| cut.normal.len() != 1);
    // An upper bound of the players on any way.
    let deepest = ways.iter().map(|(_, way)| way.len()).max().unwrap_or(0);
    let most = deepest.min(if any_oblique { usize::MAX } else { features });
    let quadrature = gauss_legendre(most.div_ceil(2).max(1));
    let (mut players, mut integrals) = (Vec::<Player>::new(), Vec::new());
    for (x, mut sums) in rows.iter().zip(sums.axis_iter_mut(Axis(0))) {
        for (leaf, way) in &ways {
            let prediction = &tree.nodes[*leaf].prediction;
            let mut add = |feature: usize, share: f64| {
                for (sum, value) in sums.row_mut(feature).iter_mut().zip(prediction) {
                    *sum += tree.share * share * value;
                }
            };
            players.clear();
            for &(place, side, unknown) in way {
                let Some(cut) = &tree.nodes[place].cut else {
                    continue;
                };
                let known = f64::from(u8::from(usize::from(!cut.holds(x)) == side));
                let who = match cut.normal[..] {
                    [(feature, _)] => Who::Feature(feature),
                    _ => Who::Cut(place),
                };
                match players.iter_mut().find(|player| player.who == who) {
                    Some(met) => {
                        (met.unknown, met.known) = (met.unknown * unknown, met.known * known);
                    }
                    None => players.push(Player {
                        who,
                        unknown,
                        known,
                    }),
                }
            }
            // No set of known players leads there.
            if players.iter().any(|p| p.unknown == 0.0 && p.known == 0.0) {
                continue;
            }
            integrals.clear();
            integrals.resize(players.len(), 0.0);
            for &(t, weight) in &quadrature {
                let product: f64 = players.iter().map(|player| player.at(t)).product();
                for (integral, player) in integrals.iter_mut().zip(&players) {
                    *integral += weight * product / player.at(t);
                }
            }
            for (integral, player) in integrals.iter().zip(&players) {
                let share = (player.known - player.unknown) * integral;
                match player.who {
                    Who::Feature(feature) => add(feature, share),
                    Who::Cut(place) => {
                        let shares = tree.nodes[place].cut.iter().flat_map(|cut| cut.shares());
                        shares.for_each(|(feature, of_it)| add(feature, share * of_it));
                    }
                }
            }
            let none = players.iter().map(|player| player.unknown).product();
            add(features, none);
        }
    }
}

/// Returns points and weights on (0, 1), by which a polynomial of a degree below 2·`points` is integrated exactly.
fn gauss_legendre(points: usize) -> Vec<(f64, f64)> {
    let on_unit = |index| {
        // A root of the Legendre polynomial by Newton's method from the known approximation.
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
        let next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
        (before, value) = (value, next);
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests;
