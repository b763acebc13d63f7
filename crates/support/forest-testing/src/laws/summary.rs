//! What is compared of a tree: a joint summary of its shape and its times.

use super::{Experiment, LEVEL, Tree, judge};
use crate::conformance::Broken;
use crate::statistics;
use tessellation_tree::CutDistribution;

/// Points whose company is followed: who of them share a leaf with whom.
const FOLLOWED: usize = 5;

/// The shape of a tree over its points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summary {
    leaves: usize,
    biggest: usize,
    /// For each followed point, the first followed point in the same leaf.
    company: Vec<usize>,
    /// Depths of the leaves of the first and the last point.
    depths: (usize, usize),
    /// Time of the root's cut; infinite if it has none.
    first_cut: f64,
    /// Sum of all cut times: depends on later times too.
    all_cuts: f64,
}

impl Summary {
    pub(super) fn of<D: CutDistribution>(tree: &Tree<D>, points: &[Vec<f32>]) -> Self {
        let cut_times = || {
            tree.walk()
                .filter_map(|node| node.cut())
                .map(|(_, time)| time)
        };
        let depth = |point: &Vec<f32>| tree.nodes_above(point).count();
        Self {
            leaves: tree.leaves().count(),
            biggest: tree.leaves().map(|leaf| leaf.points()).max().unwrap_or(0),
            company: company(points, |a, b| tree.share_a_leaf(a, b)),
            depths: (depth(&points[0]), depth(&points[points.len() - 1])),
            first_cut: cut_times().next().unwrap_or(f64::INFINITY),
            all_cuts: cut_times().sum(),
        }
    }
}

impl Summary {
    /// As if time ran slower by `factor`.
    pub(super) fn with_times_by(self, factor: f64) -> Self {
        Self {
            first_cut: self.first_cut * factor,
            all_cuts: self.all_cuts * factor,
            ..self
        }
    }
}

/// For each of the first few points, the first one that is `together` with it.
pub(super) fn company(
    points: &[Vec<f32>],
    together: impl Fn(&[f32], &[f32]) -> bool,
) -> Vec<usize> {
    let followed = &points[..points.len().min(FOLLOWED)];
    let first = |a: &Vec<f32>| {
        followed
            .iter()
            .position(|b| together(a, b))
            .unwrap_or(FOLLOWED)
    };
    followed.iter().map(first).collect()
}

/// Compares two samples of summaries in every respect; the p-values may each fall below the level
/// with that probability.
pub(super) fn compare<D: CutDistribution>(
    law: &'static str,
    experiment: &Experiment<'_, D>,
    one: &[Summary],
    other: &[Summary],
) -> Result<(), Broken> {
    debug_assert!(LEVEL < 0.01 && experiment.trees == one.len());
    let frequencies = |what: &str, key: fn(&Summary) -> (usize, usize)| {
        let p = statistics::same_frequencies(one.iter().map(key), other.iter().map(key));
        judge(law, what, p)
    };
    frequencies("number of leaves and size of the biggest", |s| {
        (s.leaves, s.biggest)
    })?;
    frequencies("depths of the first and last point", |s| s.depths)?;
    let company = |sample: &[Summary]| sample.iter().map(|s| s.company.clone()).collect::<Vec<_>>();
    let (a, b) = (company(one), company(other));
    let p = statistics::same_frequencies(a.into_iter(), b.into_iter());
    judge(law, "which points share a leaf", p)?;
    let times = |what: &str, time: fn(&Summary) -> f64| {
        let cut = |sample: &[Summary]| {
            sample
                .iter()
                .filter(|s| s.first_cut.is_finite())
                .map(time)
                .collect::<Vec<_>>()
        };
        judge(
            law,
            what,
            statistics::same_distribution(cut(one), cut(other)),
        )
    };
    times("time of the first cut", |s| s.first_cut)?;
    times("sum of all cut times", |s| s.all_cuts)
}
