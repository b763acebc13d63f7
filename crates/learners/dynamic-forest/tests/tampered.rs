//! A tree decoded from altered bytes is refused, or predicts nonsense: it does not panic or loop.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner as _, OnlineTree, Regression, SampleId,
    SampleStore, Schema, TreeRng,
};
use forest_testing::conformance::{ConformanceTask, Stream, altered};

use forest_core::registry::snapshot::{decode_value, encode_value};

use crate::streams::settings;

const ROWS: usize = 160;
const LATER: usize = 40;

/// A tree that has learned a part of the samples that are stored, with all of them.
struct Case<T: Labels> {
    forest: Forest<DynamicTree<T>>,
    all: SampleStore<T>,
}

/// Of samples that weigh `weight`.
fn case<T: Labels + ConformanceTask>(settings: &DynamicSettings, weight: f64) -> Case<T> {
    let trees = ForestSettings::default().with_trees(1).with_seed(1);
    let schema = Schema::new(2).unwrap();
    let mut forest = Forest::<DynamicTree<T>>::new(schema, settings.clone(), trees).unwrap();
    let stream = Stream::<T>::uniform(ROWS + LATER, 2, 31);
    let teach = |forest: &mut Forest<DynamicTree<T>>, start, end| {
        let (features, targets) = stream.part(start, end);
        let weights = vec![weight; end - start];
        forest.learn_weighted(features, targets, &weights).unwrap();
    };
    teach(&mut forest, 0, ROWS);
    let mut more = forest.clone();
    teach(&mut more, ROWS, ROWS + LATER);
    let all = more.context().samples.clone();
    Case { forest, all }
}

impl<T: Labels + ConformanceTask> Case<T> {
    /// Returns whether a tree passes its check; if so, lets it predict, learn more samples and forget some.
    fn survives(&self, mut tree: DynamicTree<T>) -> bool {
        let mut context = self.forest.context();
        if tree.check(&context).is_err() {
            return false;
        }
        context.samples = &self.all;
        let mut rng = TreeRng::new(2, 0);
        let mut accumulator = vec![0.0; tree.accumulator_width(&context.outputs)];
        for id in (ROWS..ROWS + LATER).map(SampleId::new) {
            tree.vote(self.all.features(id), &context, &mut accumulator);
            tree.learn(id, &context, &mut rng);
            tree.forget(SampleId::new(id.index() - ROWS), &context, &mut rng);
        }
        true
    }
}

fn check<T: Labels + ConformanceTask>(settings: &DynamicSettings, weight: f64) {
    let case = case::<T>(settings, weight);
    let original = encode_value(case.forest.trees().next().unwrap()).unwrap();
    assert!(case.survives(decode_value(&original).unwrap()));
    let mut rng = TreeRng::new(9, 0);
    let mut refused = 0;
    for _ in 0..2_000 {
        let tree = decode_value(&altered(&original, &mut rng));
        refused += usize::from(!tree.is_ok_and(|tree| case.survives(tree)));
    }
    assert!(refused > 400, "{refused}");
}

#[test]
fn altered_trees_are_refused_or_harmless() {
    for (recheck, min_samples_split) in [(0.0, 2), (0.0, 8), (0.5, 2), (0.5, 8)] {
        let settings = settings((None, min_samples_split, 1, 1), recheck);
        for weight in [1.0, 0.7] {
            check::<Classification>(&settings, weight);
            check::<Regression>(&settings, weight);
        }
    }
}
