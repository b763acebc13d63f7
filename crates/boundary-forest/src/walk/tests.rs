//! The law of the ties, and where a walk may end.

use forest_core::{SampleId, TreeRng};

use super::*;

/// An arena with its root, sample 0.
fn planted() -> Arena {
    let mut arena = Arena::default();
    arena.plant_root(SampleId::new(0));
    arena
}

/// Adds sample `id` where the walk ends; the answer is its parent.
fn grow(
    arena: &mut Arena,
    limit: ChildLimit,
    id: usize,
    proxy: impl Fn(SampleId) -> f64,
    chance: &mut impl Chance,
) -> NodeId {
    let parent = walk(arena, limit, NodeId::ROOT, proxy, chance).item;
    arena.add_child(parent, SampleId::new(id));
    parent
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
        let mut arena = planted();
        let parents = [1, 2, 3]
            .map(|id| grow(&mut arena, ChildLimit::Unlimited, id, |_| 1.0, chance).index());
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

/// A planted bug: some other rule for whether a tie replaces the candidate held (it does on 0).
struct Biased<F>(F);

impl<F: FnMut(usize) -> usize> Chance for Biased<F> {
    fn below(&mut self, n: usize) -> usize {
        (self.0)(n)
    }
}

#[test]
fn the_law_test_rejects_biased_ties() {
    let mut rng = TreeRng::new(11, 0);
    let coin = equidistant_chi2(&mut Biased(|_| rng.below(2)));
    let off_by_one = equidistant_chi2(&mut Biased(|n| rng.below(n + 1)));
    let last_wins = equidistant_chi2(&mut Biased(|_| 0));
    let first_wins = equidistant_chi2(&mut Biased(|_| 1));
    for chi2 in [coin, off_by_one, last_wins, first_wins] {
        assert!(chi2 > CRITICAL, "χ² = {chi2}");
    }
}

#[test]
fn no_draw_is_made_without_a_tie() {
    let mut never = Biased(|_| panic!("a draw"));
    let mut arena = planted();
    let place = |id: usize| ((id * 7919) % 1009) as f64;
    for id in 1..500 {
        let proxy = |sample: SampleId| {
            (place(sample.index()) - place(id)).abs() + 1e-9 * sample.index() as f64
        };
        grow(&mut arena, ChildLimit::AtMost(3), id, proxy, &mut never);
    }
}

#[test]
fn a_full_node_is_never_the_answer_and_never_overfull() {
    for limit in [2, 3, 7] {
        let mut rng = TreeRng::new(u64::from(limit), 0);
        let place: Vec<f64> = (0..2000).map(|_| rng.below(300) as f64).collect();
        let mut arena = planted();
        for id in 1..place.len() {
            let proxy = |sample: SampleId| (place[sample.index()] - place[id]).abs();
            let parent = grow(&mut arena, ChildLimit::AtMost(limit), id, proxy, &mut rng);
            assert!(arena.child_count(parent) <= limit);
        }
    }
}

#[test]
fn a_full_root_with_equal_points_passes_the_query_on() {
    let (mut arena, mut rng) = (planted(), TreeRng::new(1, 0));
    for id in 1..100 {
        grow(&mut arena, ChildLimit::AtMost(2), id, |_| 0.0, &mut rng);
    }
    assert_eq!(arena.child_count(NodeId::ROOT), 2);
    assert_eq!(arena.len(), 100);
}
