//! Everything from its definition.

use statrs::function::gamma::ln_gamma;
use tessellation_tree::{CutDistribution, Side};

use super::Problem;
use crate::batch::particle::{Particle, Work};

/// Equation (3) in logarithms, by Γ; classes without samples take no part.
pub(super) fn log_likelihood(blocks: &[Vec<u32>], problem: &Problem, concentration: f64) -> f64 {
    let count = |class: u32, of: &[u32]| {
        let labels = of.iter().filter_map(|&i| problem.labels.get(i as usize));
        labels.filter(|label| **label == class).count() as f64
    };
    let all: Vec<u32> = (0..problem.points.len() as u32).collect();
    let classes = (0..problem.classes as u32).filter(|&class| count(class, &all) > 0.0);
    let alpha: Vec<(u32, f64)> = classes
        .map(|class| (class, concentration * count(class, &all)))
        .collect();
    let ln_beta = |block: &[u32]| {
        let of_class = |&(class, alpha): &(u32, f64)| alpha + count(class, block);
        let terms: Vec<f64> = alpha.iter().map(of_class).collect();
        terms.iter().map(|&t| ln_gamma(t)).sum::<f64>() - ln_gamma(terms.iter().sum())
    };
    blocks
        .iter()
        .map(|block| ln_beta(block) - ln_beta(&[]))
        .sum()
}

/// Returns the points of every node of a particle's tree, by number, and whether the node is a leaf.
pub(super) fn nodes<D: CutDistribution>(
    particle: &Particle,
    work: &Work<'_, D>,
    problem: &Problem,
) -> Vec<(Vec<u32>, bool)> {
    let mut nodes = vec![((0..problem.points.len() as u32).collect(), true)];
    for event in work.history.path(particle.last) {
        let (points, leaf): &mut (Vec<u32>, bool) = &mut nodes[event.node as usize];
        *leaf = false;
        let is_left =
            |&i: &u32| work.cuts.side(&event.cut, &problem.points[i as usize]) == Side::Left;
        let (left, right) = points.iter().partition(|i| is_left(i));
        nodes.extend([(left, true), (right, true)]);
    }
    nodes
}

/// Returns the leaves' points.
pub(super) fn blocks<D: CutDistribution>(
    particle: &Particle,
    work: &Work<'_, D>,
    problem: &Problem,
) -> Vec<Vec<u32>> {
    let nodes = nodes(particle, work, problem).into_iter();
    nodes
        .filter_map(|(points, leaf)| leaf.then_some(points))
        .collect()
}
