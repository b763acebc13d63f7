//! How often what a node knows changes: the argument of docs/papers/dynamic-forest.md, counted.

use forest_core::ndarray::Array2;
use forest_core::{Regression, SampleId, SampleStore, Schema, TreeRng};

use super::*;
use crate::DynamicSettings;
use crate::labels::Samples;
use crate::samples::SampleSet;
use crate::unit::Unit;

const FIRST: usize = 64;
const OCTAVES: usize = 6;
const ROWS: usize = FIRST << OCTAVES;
const NODES: u64 = 60;

/// Samples of Friedman's function, with noise.
fn samples() -> SampleStore<Regression> {
    let mut rng = TreeRng::new(1, 0);
    let rows = Array2::from_shape_fn((ROWS, 5), |_| rng.uniform() as f32);
    let mut targets = Vec::new();
    for row in rows.outer_iter() {
        let x: Vec<f64> = row.iter().map(|&x| f64::from(x)).collect();
        let product = (std::f64::consts::PI * x[0] * x[1]).sin();
        let sum = 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4];
        targets.push(10.0 * product + sum + rng.normal());
    }
    SampleStore::with_samples(rows.view(), &targets, &Schema::new(5).unwrap()).unwrap()
}

fn group<'a>(
    key: NodeKey,
    store: &'a SampleStore<Regression>,
    samples: Samples<'a, Regression>,
) -> Group<'a, Regression> {
    let rules = DynamicSettings {
        recheck: 0.0,
        ..DynamicSettings::default()
    }
    .rules(5);
    Group {
        key,
        samples,
        store,
        rules,
    }
}

/// Counts changes of the best split, and of thresholds, as the samples of a root go from [`FIRST`] to [`ROWS`], by
/// octave.
fn count(
    key: NodeKey,
    store: &SampleStore<Regression>,
    unit: &Unit,
    changes: &mut [[f64; OCTAVES]; 2],
) {
    let (mut set, mut search) = (SampleSet::<Regression>::default(), Search::default());
    search.order.fit(5);
    let coded = |id| {
        let code = Regression::code(store.target(id), unit);
        Coded { code, units: 1 }
    };
    let ids = |range: std::ops::Range<usize>| range.map(SampleId::new);
    ids(0..FIRST).for_each(|id| set.push(id, coded(id), false));
    let first = group(key, store, set.part(0, FIRST));
    let (mut node, rules) = (Statistics::new(first, &mut search), first.rules);
    for id in ids(FIRST..ROWS) {
        let octave = (id.index() / FIRST).ilog2() as usize;
        let best = node.best(rules);
        set.push(id, coded(id), false);
        if node.change(key, store.features(id), coded(id), 1, rules) == Outcome::Recount {
            changes[1][octave] += 1.0 / NODES as f64;
            assert!(node.recount(group(key, store, set.part(0, set.active)), &mut search));
        }
        changes[0][octave] += f64::from(u8::from(node.best(rules) != best)) / NODES as f64;
    }
    let built = Statistics::new(group(key, store, set.part(0, ROWS)), &mut search);
    let bits = |node: &Statistics<Regression>| {
        let candidates = node.candidates.iter();
        let counts = candidates.map(|one| (one.range(), one.least.count, one.largest.count));
        counts.collect::<Vec<_>>()
    };
    assert!(node.sides == built.sides && bits(&node) == bits(&built));
    assert!(
        node.candidates
            .iter()
            .zip(&built.candidates)
            .all(|(a, b)| a.split == b.split)
    );
}

/// An octave has as many samples as all before it. If changes come with probability c / n, each has c·ln 2 of them.
#[test]
fn the_best_split_and_the_thresholds_change_a_few_times_an_octave() {
    let (store, mut unit, mut changes) = (samples(), Unit::default(), [[0.0; OCTAVES]; 2]);
    for id in store.ids() {
        Regression::count_target(&mut unit, store.target(id), 1);
    }
    (0..NODES).for_each(|seed| count(NodeKey::root(seed), &store, &unit, &mut changes));
    let [best, thresholds] = changes;
    assert!(best.iter().all(|&count| count < 5.0), "{best:?}");
    assert!(
        thresholds.iter().all(|&count| count < 0.5),
        "{thresholds:?}"
    );
    let (first, last) = (best[..3].iter().sum::<f64>(), best[3..].iter().sum::<f64>());
    assert!(last < 2.0 * first, "{best:?}");
}
