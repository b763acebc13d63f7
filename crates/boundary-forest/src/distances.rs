//! Distances between one query and the stored points: all that a walk needs to know of them.

mod coded;
mod plain;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use forest_core::SampleId;

use crate::Metric;
use crate::chance::Chance;
use crate::memo::Memo;
use crate::nodes::Place;
use crate::points::Points;

use coded::Coded;
use plain::Plain;

/// Compares one query with stored points, for all trees that answer it.
///
/// There are two, [`Plain`] and [`Coded`], which give the same answers and make the same draws.
pub(crate) trait DistanceSource {
    /// What is known of a point's distance.
    type Estimate: Copy;

    /// What is known of the distance of `point`.
    fn estimate(&mut self, point: SampleId) -> Self::Estimate;

    /// The closest of `children` and of `here`, chosen at random among equals. There is at least
    /// one of them.
    fn closest(
        &mut self,
        children: &[Place],
        here: Option<Candidate<Self::Estimate>>,
        chance: &mut impl Chance,
    ) -> Candidate<Self::Estimate>;

    /// The metric's proxy of a point whose distance was estimated.
    fn proxy(&mut self, candidate: Candidate<Self::Estimate>) -> f64;
}

/// A place in a tree, and what is known of the distance of its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate<E> {
    pub(crate) place: Place,
    pub(crate) estimate: E,
}

/// Candidate `index`: children first, then `here`.
fn nth_candidate<E: Copy>(
    children: &[Place],
    here: Option<Candidate<E>>,
    index: usize,
    estimates: &[E],
) -> Candidate<E> {
    match (children.get(index), here) {
        (None, Some(here)) => here,
        _ => Candidate {
            place: children[index],
            estimate: estimates[index],
        },
    }
}

/// Working memory for queries, one after another.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    code: Vec<u8>,
    differences: Memo<u32>,
    differences_here: Vec<u32>,
    rivals: Vec<usize>,
    proxies: Memo<f64>,
    proxies_here: Vec<f64>,
    /// Candidates of a query that were compared by their codes, and those that were undecided.
    compared: usize,
    undecided: usize,
}

thread_local! {
    static SCRATCH: Cell<Scratch> = Cell::default();
}

impl Scratch {
    /// Lends working memory that the thread keeps for the next time (at most half a megabyte for
    /// points of a few features), so that answering a query allocates nothing.
    pub(crate) fn with<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
        let mut scratch = SCRATCH.take();
        let result = work(&mut scratch);
        SCRATCH.set(scratch);
        result
    }
}

/// A query that works with any [`DistanceSource`].
pub(crate) trait Query {
    /// What the query finds.
    type Answer;

    /// Answers the query.
    fn run(self, distances: impl DistanceSource) -> Self::Answer;
}

/// Runs `query` at `y`, with the distance source that the stored points allow.
pub(crate) fn run_query<M: Metric, Q: Query>(
    points: &Points<M>,
    y: &[f32],
    scratch: &mut Scratch,
    query: Q,
) -> Q::Answer {
    match points.codes() {
        None => query.run(Plain::at(points, y, scratch)),
        Some(codes) => {
            let answer = query.run(Coded::at(points, codes, y, scratch));
            let Scratch {
                compared,
                undecided,
                ..
            } = scratch;
            codes.usefulness().record(*compared, *undecided);
            answer
        }
    }
}
