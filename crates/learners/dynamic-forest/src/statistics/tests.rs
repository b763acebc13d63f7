//! How often what a node knows changes: the argument of docs/papers/dynamic-forest.md, counted.

use forest_core::ndarray::Array2;
use forest_core::{Regression, SampleId, SampleStore, Schema, TreeRng};

use super::*;
use crate::DynamicSettings;
use crate::labels::{Coded, Samples};
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
    let settings = DynamicSettings {
        recheck: 0.0,
        ..DynamicSettings::default()
    };
    Group {
        key,
        samples,
        store,
        rules: settings.rules(5),
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
    let mut set = SampleSet::default();
    let mut search = Search::default();
    search.order.fit(5);
    let coded = |id| {
        let code = Regression::code(store.target(id), unit);
        Coded { code, units: 1 }
    };
    let ids = |range: std::ops::Range<usize>| range.map(SampleId::new);
    ids(0..FIRST).for_each(|id| set.push(id, coded(id), false));
    let first = group(key, store, set.part(0, FIRST));
    let rules = first.rules;
    let mut node = Statistics::new(first, &mut search);
    for id in ids(FIRST..ROWS) {
        let octave = (id.index() / FIRST).ilog2() as usize;
        let best = node.best(rules);
        let sample = coded(id);
        set.push(id, sample, false);
        let change = Change {
            id,
            sample,
            is_silent: false,
            step: 1,
        };
        if node.change(key, store.features(id), change, rules) == Outcome::Recount {
            changes[1][octave] += 1.0 / NODES as f64;
            assert!(node.recount(group(key, store, set.part(0, set.active)), &mut search));
        }
        changes[0][octave] += f64::from(u8::from(node.best(rules) != best)) / NODES as f64;
    }
    let built = Statistics::new(group(key, store, set.part(0, ROWS)), &mut search);
    let bits = |node: &Statistics<Regression>| {
        let candidates = node.candidates.iter();
        let all = candidates.map(|one| {
            let counts = [one.least.count, one.largest.count];
            let threshold = one.split.threshold.to_bits();
            (one.split.feature, threshold, one.range(), counts)
        });
        all.collect::<Vec<_>>()
    };
    assert!(node.sides == built.sides && bits(&node) == bits(&built));
}

/// An octave has as many samples as all before it. If changes come with probability c / n, each has c·ln 2 of them.
#[test]
fn the_best_split_and_the_thresholds_change_a_few_times_an_octave() {
    let store = samples();
    let mut unit = Unit::default();
    for id in store.ids() {
        Regression::count_target(&mut unit, store.target(id), 1);
    }
    let mut changes = [[0.0; OCTAVES]; 2];
    (0..NODES).for_each(|seed| count(NodeKey::root(seed), &store, &unit, &mut changes));
    let [best, thresholds] = changes;
    assert!(best.iter().all(|&count| count < 5.0), "{best:?}");
    let are_few = thresholds.iter().all(|&count| count < 0.5);
    assert!(are_few, "{thresholds:?}");
    let first: f64 = best[..3].iter().sum();
    let last: f64 = best[3..].iter().sum();
    assert!(last < 2.0 * first, "{best:?}");
}
