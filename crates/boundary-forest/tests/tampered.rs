//! A forest decoded from altered bytes is refused, or harmless.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{BoundaryClassifier, ChildLimit, ClassifierSettings, Euclidean};
use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, TreeRng};
use forest_testing::conformance::{Stream, altered};

/// Wide enough for codes to be used.
const WIDTH: usize = 12;

const QUERY: [f32; WIDTH] = [0.4; WIDTH];

fn forest(rows: usize) -> BoundaryClassifier {
    let settings = ClassifierSettings {
        max_children: ChildLimit::AtMost(3),
        ..ClassifierSettings::default()
    };
    let schema = Schema::new(WIDTH).unwrap();
    let mut forest = BoundaryClassifier::<Euclidean>::new(
        schema,
        settings,
        ForestSettings::default().with_trees(3).with_seed(1),
    )
    .unwrap();
    let stream = Stream::<Classification>::uniform(rows, WIDTH, 31);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest
}

/// Returns whether the forest in `bytes` passes its check; if so, asks it and teaches it.
fn survives(bytes: &[u8]) -> bool {
    let Ok(mut forest) = registry::snapshot::decode_value::<BoundaryClassifier>(bytes) else {
        return false;
    };
    if forest.check_invariants().is_err() {
        return false;
    }
    let prediction = forest.predict_one(&QUERY).unwrap();
    assert!(prediction.iter().all(|p| p.is_finite()));
    forest.learn_one(&QUERY, 1).unwrap();
    forest.check_invariants().unwrap();
    true
}

#[test]
fn altered_forests_are_refused_or_harmless() {
    for rows in [2, 3, 60] {
        let original = registry::snapshot::encode_value(&forest(rows)).unwrap();
        assert!(survives(&original));
        let (mut rng, mut refused) = (TreeRng::new(9, 0), 0);
        for _ in 0..20_000 {
            refused += usize::from(!survives(&altered(&original, &mut rng)));
        }
        assert!(
            (1_000..19_000).contains(&refused),
            "{rows} rows: {refused} refused"
        );
    }
}
