//! Distances between one query and the stored points: all that a walk needs to know of them.

mod coded;
mod plain;

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

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;
    use crate::Euclidean;
    use crate::nodes::NodeId;

    /// The closest of the first 100 points.
    struct Closest;

    impl Query for Closest {
        type Answer = SampleId;

        fn run(self, mut distances: impl DistanceSource) -> SampleId {
            let place = |sample| Place {
                sample: SampleId::new(sample),
                node: NodeId::ROOT,
            };
            let all: Vec<_> = (0..100).map(place).collect();
            let closest = distances.closest(&all, None, &mut TreeRng::new(1, 0));
            closest.place.sample
        }
    }

    fn points(rows: usize, at: impl Fn(usize) -> f32) -> Points<Euclidean> {
        let cells: Vec<_> = (0..rows * 12).map(at).collect();
        let mut points = Points::new(12);
        points.append(rows, &cells);
        points
    }

    fn ask(points: &Points<Euclidean>) {
        let mut scratch = Scratch::default();
        for query in 0..400 {
            let y = [(query as f32).cos(); 12];
            let proxy = |&id: &SampleId| Euclidean::proxy(points.at(id), &y);
            let ids = (0..100).map(SampleId::new);
            let expected = ids.min_by(|a, b| proxy(a).total_cmp(&proxy(b)));
            assert_eq!(Some(run_query(points, &y, &mut scratch, Closest)), expected);
        }
    }

    #[test]
    fn codes_that_decide_nothing_are_not_used_until_the_grid_is_chosen_anew() {
        let near = |i: usize| (i as f32).sin();
        // Every fourth point is far away, so the grid has to cover them.
        let far = |i: usize| if i.is_multiple_of(48) { 1e6 } else { near(i) };
        let [mut far, near] = [points(100, far), points(100, near)];
        [&far, &near].into_iter().for_each(ask);
        assert!(far.codes().is_none() && near.codes().is_some());
        far.append(100, &[0.5; 1200]);
        assert!(far.codes().is_some());
    }
}
