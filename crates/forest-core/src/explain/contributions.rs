//! What features add to a prediction: Shapley values of a tree.
//!
//! A leaf counts for a set of known players (features, or oblique cuts) by a product of a factor for each player on the
//! path to it: 1 or 0 if the player is known, by where the point lies, and else the share of the samples that take this
//! path. The Shapley value of player i in a product of factors oⱼ (known) and zⱼ (not known) is
//! (oᵢ − zᵢ) ∫₀¹ ∏ⱼ≠ᵢ (t·oⱼ + (1 − t)·zⱼ) dt: each player is known with probability t. Gauss–Legendre quadrature
//! integrates this polynomial exactly, and every term is positive, so that nothing cancels on a long path.

use std::f64::consts::PI;

use ndarray::{Array3, Axis};

use super::{ExportedNode, ExportedTree, Inequality, share_of};
use crate::Rows;

/// What is known or not.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    /// The feature of axis-aligned cuts.
    Feature(usize),
    /// The side of an oblique cut, by the place of its node.
    Cut(usize),
}

/// A player on the path to a leaf.
struct Player<'a> {
    who: Who,
    /// A cut of the player: what the player adds is shared among its features.
    cut: &'a Inequality,
    /// The factor if it is not known.
    unknown: f64,
    /// The factor if it is known.
    known: f64,
}

impl Player<'_> {
    /// Returns the factor if it is known with probability `t`.
    fn at(&self, t: f64) -> f64 {
        t * self.known + (1.0 - t) * self.unknown
    }
}

/// A cut on the path to a leaf.
#[derive(Clone, Copy)]
struct Turn<'a> {
    who: Who,
    cut: &'a Inequality,
    /// The side that the path takes: 0, left, or 1, right.
    side: usize,
    /// The share of the node's samples on that side.
    share: f64,
}

/// The path from the root to a leaf.
struct Path<'a> {
    leaf: &'a ExportedNode,
    turns: Vec<Turn<'a>>,
}

/// Returns the path to each leaf.
fn paths(tree: &ExportedTree) -> Vec<Path<'_>> {
    let mut turns_to: Vec<Vec<Turn<'_>>> = vec![Vec::new(); tree.nodes.len()];
    let mut paths = Vec::new();
    for (place, node) in tree.nodes.iter().enumerate() {
        let turns = std::mem::take(&mut turns_to[place]);
        let (Some(cut), Some(children)) = (&node.cut, node.children) else {
            paths.push(Path { leaf: node, turns });
            continue;
        };
        let who = match cut.normal[..] {
            [(feature, _)] => Who::Feature(feature),
            _ => Who::Cut(place),
        };
        let samples = children.map(|child| tree.nodes[child].samples);
        for (side, child) in children.into_iter().enumerate() {
            let mut turns = turns.clone();
            turns.push(Turn {
                who,
                cut,
                side,
                share: share_of(samples[side], samples[1 - side]),
            });
            turns_to[child] = turns;
        }
    }
    paths
}

/// Adds the contributions of features to the tree's predictions, times its share, to `sums`: `[row, feature, output]`.
pub(super) fn add(tree: &ExportedTree, rows: &Rows<'_>, sums: &mut Array3<f64>) {
    let paths = paths(tree);
    let quadrature = gauss_legendre(most_players(tree, &paths).div_ceil(2).max(1));
    let mut players = Vec::new();
    let mut integrals = Vec::new();
    for (x, mut sums) in rows.iter().zip(sums.axis_iter_mut(Axis(0))) {
        for Path { leaf, turns } in &paths {
            find_players(turns, x, &mut players);
            // No set of known players leads there.
            if players.iter().any(|p| p.unknown == 0.0 && p.known == 0.0) {
                continue;
            }
            let mut add = |feature: usize, share: f64| {
                for (sum, value) in sums.row_mut(feature).iter_mut().zip(&leaf.prediction) {
                    *sum += tree.share * share * value;
                }
            };
            integrate(&players, &quadrature, &mut integrals);
            for (integral, player) in integrals.iter().zip(&players) {
                let share = (player.known - player.unknown) * integral;
                for (feature, of_it) in player.cut.shares() {
                    add(feature, share * of_it);
                }
            }
            let none_known = players.iter().map(|player| player.unknown).product();
            add(tree.features.len(), none_known);
        }
    }
}

/// Returns an upper bound of the number of players on any path.
fn most_players(tree: &ExportedTree, paths: &[Path<'_>]) -> usize {
    let deepest = paths.iter().map(|path| path.turns.len()).max().unwrap_or(0);
    let mut cuts = tree.nodes.iter().filter_map(|node| node.cut.as_ref());
    if cuts.any(|cut| cut.normal.len() != 1) {
        return deepest;
    }
    deepest.min(tree.features.len())
}

/// Overwrites `players` with those on a path, for the point `x`.
fn find_players<'a>(turns: &[Turn<'a>], x: &[f32], players: &mut Vec<Player<'a>>) {
    players.clear();
    for turn in turns {
        let is_taken = usize::from(!turn.cut.holds(x)) == turn.side;
        let known = f64::from(u8::from(is_taken));
        match players.iter_mut().find(|player| player.who == turn.who) {
            Some(met) => {
                met.unknown *= turn.share;
                met.known *= known;
            }
            None => players.push(Player {
                who: turn.who,
                cut: turn.cut,
                unknown: turn.share,
                known,
            }),
        }
    }
}

/// Overwrites `integrals` with ∫₀¹ ∏ⱼ≠ᵢ (t·oⱼ + (1 − t)·zⱼ) dt of each player i.
fn integrate(players: &[Player<'_>], quadrature: &[(f64, f64)], integrals: &mut Vec<f64>) {
    integrals.clear();
    integrals.resize(players.len(), 0.0);
    for &(t, weight) in quadrature {
        let product: f64 = players.iter().map(|player| player.at(t)).product();
        for (integral, player) in integrals.iter_mut().zip(players) {
            *integral += weight * product / player.at(t);
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
    let mut before = 1.0;
    let mut value = x;
    for k in 2..=n {
        let k = k as f64;
        let next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
        (before, value) = (value, next);
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests;
