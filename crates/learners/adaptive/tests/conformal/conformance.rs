//! Predictions are those of the base; the bases that are refused.

use adaptive::conformal::Conformal;
use forest_core::registry::{AnyLearner, deserialize_inside, snapshot};
use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::Stream;
use serde::Deserialize;

use super::{BASES, forest, learner};

#[test]
fn predictions_are_those_of_the_base() {
    let stream = Stream::<Regression>::uniform(200, 2, 3);
    for base in BASES {
        let schema = Schema::new(2).unwrap();
        let mut wrapped = learner(schema, base, 50, 4);
        let mut alone = AnyLearner::inside(2, base, schema, forest(4)).unwrap();
        let rows = stream.features.view();
        let predictions = wrapped.predict_then_learn(rows, &stream.targets).unwrap();
        let expected = alone.predict_then_learn(rows, &stream.targets).unwrap();
        assert_eq!(predictions, expected, "{base}");
        assert_eq!(wrapped.predict(rows).unwrap(), alone.predict(rows).unwrap());
    }
}

#[test]
fn a_base_that_cannot_be_is_refused() {
    let refused = |base: &str, scores| {
        let schema = Schema::new(2).unwrap();
        let built = Conformal::new(schema, base, scores, ForestSettings::default());
        built.unwrap_err().to_string()
    };
    assert!(refused("mondrain", 9).contains("did you mean `mondrian`"));
    assert!(refused("majority", 9).contains("does not support regression"));
    assert!(refused("conformal", 9).contains("must be an algorithm that this one can hold"));
    assert_eq!(
        refused("mean", 0),
        "scores must be a whole number of at least 1, but is 0"
    );
}

/// What a learner holds whose nesting is that of this one.
#[derive(Debug, Deserialize)]
struct Held(
    #[serde(deserialize_with = "deserialize_inside::<_, _, 2>")]
    #[expect(dead_code, reason = "it is never read")]
    AnyLearner<Regression>,
);

/// A snapshot whose base is the learner itself is refused before the inner one is read.
#[test]
fn snapshots_do_not_nest() {
    let inner = learner(Schema::new(1).unwrap(), "mean", 3, 0);
    let payload = snapshot::encode_value(&inner).unwrap();
    let forged = snapshot::encode_value(&("conformal:base=mean".to_owned(), payload)).unwrap();
    let said = snapshot::decode_value::<Held>(&forged)
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("must be an algorithm that this one can hold"),
        "{said}"
    );
}

#[test]
fn levels_are_checked_and_few_scores_bound_nothing() {
    let mut learner = learner(Schema::new(1).unwrap(), "mean", 100, 0);
    let point = ndarray::array![[0.5]];
    for row in 0..9 {
        let bounds = learner.central_intervals(point.view(), 0.9).unwrap();
        assert_eq!(bounds[[0, 1]], f64::INFINITY, "{row}");
        let moments = learner.means_and_variances(point.view()).unwrap();
        assert_eq!(moments[[0, 1]].is_finite(), row > 1, "{row}");
        learner.learn_one(&[0.5], f64::from(row % 2)).unwrap();
    }
    learner.learn_one(&[0.5], 1.0).unwrap();
    let rows = ndarray::array![[0.5], [0.1]];
    let bounds = learner.central_intervals(rows.view(), 0.9).unwrap();
    assert!(bounds.iter().all(|bound| bound.is_finite()));
    for level in [0.0, 1.0, f64::NAN] {
        let refused = learner.central_intervals(rows.view(), level);
        assert!(matches!(refused, Err(forest_core::Refused::Argument(_))));
    }
}
