//! The law of the ties, and where a walk may end.

use forest_core::{SampleId, TreeRng};

use super::*;
use crate::choice;
use crate::nodes::NodeId;

/// Prescribed distances.
struct Prescribed<F>(F);

impl<F: Fn(SampleId) -> f64> DistanceSource for Prescribed<F> {
    type Estimate = f64;

    fn estimate(&mut self, point: SampleId) -> f64 {
        self.0(point)
    }

    fn closest(
        &mut self,
        children: &[Place],
        here: Option<Candidate<f64>>,
        chance: &mut impl Chance,
    ) -> Candidate<f64> {
        let child = |&place: &Place| Candidate {
            place,
            estimate: self.0(place.sample),
        };
        let candidates: Vec<_> = children.iter().map(child).chain(here).collect();
        let proxies: Vec<_> = candidates
            .iter()
            .map(|candidate| candidate.estimate)
            .collect();
        candidates[choice::least(&proxies, chance)]
    }

    fn proxy(&mut self, candidate: Candidate<f64>) -> f64 {
        candidate.estimate
    }
}

/// A tree of its root, sample 0.
fn rooted() -> Nodes {
    let mut nodes = Nodes::default();
    nodes.add_root(SampleId::new(0));
    nodes
}

/// Adds sample `id` where the walk ends; the answer is its parent.
fn grow(
    nodes: &mut Nodes,
    limit: ChildLimit,
    id: usize,
    distance: impl Fn(SampleId) -> f64,
    chance: &mut impl Chance,
) -> NodeId {
    let root = nodes.root().unwrap();
    let end = walk(nodes, limit, root, &mut Prescribed(distance), chance);
    nodes.add_child(end.place.node, SampleId::new(id));
    end.place.node
}

/// The paper's equidistant tree of four nodes: the parents of the third and the fourth, with their
/// probability. At a node with `q` children, each of the `q` + 1 candidates is as likely.
const EQUIDISTANT: [((usize, usize), f64); 6] = [
    ((0, 0), 1.0 / 6.0),
    ((0, 1), 1.0 / 6.0),
    ((0, 2), 1.0 / 6.0),
    ((1, 0), 1.0 / 4.0),
    ((1, 1), 1.0 / 8.0),
    ((1, 2), 1.0 / 8.0),
];

/// χ² with 5 degrees of freedom exceeds this with probability 0.001.
const CRITICAL: f64 = 20.515;

/// χ² of equidistant trees of four nodes that break their ties with `chance`.
fn equidistant_chi2(chance: &mut impl Chance) -> f64 {
    const TREES: usize = 20_000;
    let mut counts = [0.0; 6];
    for _ in 0..TREES {
        let mut nodes = rooted();
        let parents = [1, 2, 3]
            .map(|id| grow(&mut nodes, ChildLimit::Unlimited, id, |_| 1.0, chance).index());
        let shape = (parents[1], parents[2]);
        let case = EQUIDISTANT.iter().position(|case| case.0 == shape);
        counts[case.unwrap()] += 1.0;
    }
    let cases = counts.iter().zip(EQUIDISTANT);
    let term = |(count, (_, p)): (&f64, (_, f64))| {
        let expected = p * TREES as f64;
        (count - expected).powi(2) / expected
    };
    cases.map(term).sum()
}

#[test]
fn ties_are_broken_uniformly() {
    let chi2 = equidistant_chi2(&mut TreeRng::new(11, 0));
    assert!(chi2 < CRITICAL, "χ² = {chi2}");
}

/// An injected fault: some other rule for which of the equal ones is taken.
struct Biased<F>(F);

impl<F: FnMut(usize) -> usize> Chance for Biased<F> {
    fn below(&mut self, n: usize) -> usize {
        (self.0)(n)
    }
}

#[test]
fn the_law_test_rejects_biased_ties() {
    let mut rng = TreeRng::new(11, 0);
    let coin = equidistant_chi2(&mut Biased(|n| rng.below(2).min(n - 1)));
    let off_by_one = equidistant_chi2(&mut Biased(|n| rng.below(n + 1).min(n - 1)));
    let first_wins = equidistant_chi2(&mut Biased(|_| 0));
    let last_wins = equidistant_chi2(&mut Biased(|n| n - 1));
    for chi2 in [coin, off_by_one, last_wins, first_wins] {
        assert!(chi2 > CRITICAL, "χ² = {chi2}");
    }
}

#[test]
fn no_draw_is_made_without_a_tie() {
    let mut never = Biased(|_| panic!("a draw"));
    let mut nodes = rooted();
    let place = |id: usize| ((id * 7919) % 1009) as f64;
    for id in 1..500 {
        let distance = |sample: SampleId| {
            (place(sample.index()) - place(id)).abs() + 1e-9 * sample.index() as f64
        };
        grow(&mut nodes, ChildLimit::AtMost(3), id, distance, &mut never);
    }
}

#[test]
fn a_full_node_is_never_the_answer_and_never_overfull() {
    for limit in [2, 3, 7] {
        let mut rng = TreeRng::new(u64::from(limit), 0);
        let place: Vec<f64> = (0..2000).map(|_| rng.below(300) as f64).collect();
        let mut nodes = rooted();
        for id in 1..place.len() {
            let distance = |sample: SampleId| (place[sample.index()] - place[id]).abs();
            let limit = ChildLimit::AtMost(limit);
            let parent = grow(&mut nodes, limit, id, distance, &mut rng);
            assert!(limit.allows(nodes.children(parent).len()));
        }
    }
}

#[test]
fn a_full_root_with_equal_points_passes_the_query_on() {
    let (mut nodes, mut rng) = (rooted(), TreeRng::new(1, 0));
    for id in 1..100 {
        grow(&mut nodes, ChildLimit::AtMost(2), id, |_| 0.0, &mut rng);
    }
    assert_eq!(nodes.children(NodeId::ROOT).len(), 2);
    assert_eq!(nodes.len(), 100);
}
