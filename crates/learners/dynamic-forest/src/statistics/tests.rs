//! How often what a node knows changes: the argument of docs/papers/dynamic-forest.md, counted.

use forest_core::ndarray::Array2;
use forest_core::{Regression, SampleId, SampleStore, Schema, TreeRng};

use super::*;
use crate::labels::CodeUnit;
use crate::numbers::Unit;
use crate::samples::SampleSet;

const FIRST: usize = 64;
const OCTAVES: usize = 6;
const ROWS: usize = FIRST << OCTAVES;
const NODES: u64 = 60;
const CHOICE: Choice = Choice {
    features: 5,
    thresholds: 1,
    side: 1,
};

/// Samples of Friedman's function, with noise.
fn samples() -> SampleStore<Regression> {
    let mut rng = TreeRng::new(1, 0);
    let rows = Array2::from_shape_fn((ROWS, 5), |_| rng.uniform() as f32);
    let target = |x: &[f32]| {
        let x: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
        let product = (std::f64::consts::PI * x[0] * x[1]).sin();
        10.0 * product + 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4]
    };
    let rows_of = rows.outer_iter();
    let targets: Vec<f64> = rows_of
        .map(|x| target(x.as_slice().unwrap()) + rng.normal())
        .collect();
    SampleStore::with_samples(rows.view(), &targets, &Schema::new(5).unwrap()).unwrap()
}

/// Changes of the best cut, and of thresholds, as the samples of a root go from [`FIRST`] to [`ROWS`], by octave.
#[derive(Default)]
struct Changes {
    best: [usize; OCTAVES],
    thresholds: [usize; OCTAVES],
}

impl Changes {
    fn count(&mut self, key: NodeKey, store: &SampleStore<Regression>, unit: &Unit) {
        let (mut set, mut search) = (SampleSet::default(), Search::default());
        search.order.fit(5);
        let coded = |id| {
            let code = unit.code(store.target(id));
            Coded { code, units: 1 }
        };
        let ids = |range: std::ops::Range<usize>| range.map(SampleId::new);
        ids(0..FIRST).for_each(|id| set.push(id, coded(id)));
        let mut node = Statistics::new(key, set.part(0, FIRST), store, CHOICE, &mut search);
        for id in ids(FIRST..ROWS) {
            let octave = (id.index() / FIRST).ilog2() as usize;
            let best = node.best(CHOICE);
            set.push(id, coded(id));
            if node.add(key, store.features(id), coded(id), CHOICE) == Outcome::Recount {
                self.thresholds[octave] += 1;
                assert!(node.recount(key, set.part(0, set.len()), store, CHOICE, &mut search));
            }
            self.best[octave] += usize::from(node.best(CHOICE) != best);
        }
        let built = Statistics::new(key, set.part(0, ROWS), store, CHOICE, &mut search);
        assert!(is_same(&node, &built));
    }
}

/// Returns whether both have the same statistics of the same samples, whose features are numbers that differ.
fn is_same(a: &Statistics<Regression>, b: &Statistics<Regression>) -> bool {
    let mut candidates = a.candidates.iter().zip(&b.candidates);
    let counts = |candidate: &Candidate| [candidate.least.count, candidate.largest.count];
    a.candidates.len() == b.candidates.len()
        && a.sides == b.sides
        && candidates
            .all(|(a, b)| a.cut() == b.cut() && a.range() == b.range() && counts(a) == counts(b))
}

/// An octave has as many samples as all before it. If changes come with probability c / n, each has c·ln 2 of them.
#[test]
fn the_best_cut_and_the_thresholds_change_a_few_times_an_octave() {
    let store = samples();
    let (mut unit, mut changes) = (Unit::default(), Changes::default());
    store.ids().for_each(|id| {
        unit.add(store.target(id));
    });
    (0..NODES).for_each(|seed| changes.count(NodeKey::root(seed), &store, &unit));
    let per_node = |count: usize| count as f64 / NODES as f64;
    for octave in 0..OCTAVES {
        assert!(per_node(changes.best[octave]) < 5.0, "{:?}", changes.best);
        assert!(
            per_node(changes.thresholds[octave]) < 0.5,
            "{:?}",
            changes.thresholds
        );
    }
    let (first, last) = (changes.best[..3].iter(), changes.best[3..].iter());
    assert!(
        last.sum::<usize>() < 2 * first.sum::<usize>(),
        "{:?}",
        changes.best
    );
}
