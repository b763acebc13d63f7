//! Settings and samples that are refused, and what is said.

use forest_core::ndarray::array;
use forest_core::{ForestSettings, Retention};
use random_tessellation::batch::{BatchError, BatchForest, BatchSettings, Inference};
use random_tessellation::{CutNormals, FeatureWeights, LinearCuts};

use crate::{schema, trees};

fn refused(settings: &BatchSettings<CutNormals>, forest: ForestSettings) -> String {
    let rows = array![[0.0, 1.0], [1.0, 0.0]];
    BatchForest::<LinearCuts>::fit(schema(2), rows.view(), &[0, 1], settings, forest)
        .unwrap_err()
        .to_string()
}

#[test]
fn settings_that_break_a_rule_are_refused() {
    let usual = BatchSettings::<CutNormals>::default();
    let inference = Inference::MonteCarlo { particles: 0 };
    let settings = BatchSettings {
        inference,
        ..usual.clone()
    };
    assert_eq!(
        refused(&settings, trees(1)),
        "particles must be at least 1, but is 0"
    );
    for (budget, text) in [(-1.0, "-1"), (f64::NAN, "NaN")] {
        let settings = BatchSettings {
            budget,
            ..usual.clone()
        };
        let expected = format!("budget must be at least 0 (inf is allowed), but is {text}");
        assert_eq!(refused(&settings, trees(1)), expected);
    }
    for concentration in [0.0, f64::INFINITY, f64::NAN] {
        let settings = BatchSettings {
            concentration,
            ..usual.clone()
        };
        let expected = format!("concentration must be above 0 and finite, but is {concentration}");
        assert_eq!(refused(&settings, trees(1)), expected);
    }
    assert_eq!(
        refused(&usual, trees(0)),
        "trees must be at least 1, but is 0"
    );
    let retention = Retention::Latest(1);
    let forest = trees(1).with_retention(retention);
    assert!(refused(&usual, forest).starts_with("retention must be everything"));
}

#[test]
fn weights_of_another_number_are_refused() {
    let rows = array![[0.0, 1.0], [1.0, 0.0]];
    let settings = BatchSettings {
        cuts: CutNormals::Weighted(FeatureWeights(vec![1.0])),
        ..BatchSettings::default()
    };
    let refused =
        BatchForest::<LinearCuts>::fit(schema(2), rows.view(), &[0, 1], &settings, trees(1));
    assert!(matches!(refused.unwrap_err(), BatchError::Setting(_)));
}

#[test]
fn samples_are_checked_once_at_the_door() {
    let settings = BatchSettings::default();
    let (rows, bad) = (array![[0.0, 1.0], [1.0, 0.0]], array![[0.0, f32::NAN]]);
    let fit = |rows: &forest_core::ndarray::Array2<f32>, targets: &[u32]| {
        let forest =
            BatchForest::<LinearCuts>::fit(schema(2), rows.view(), targets, &settings, trees(1));
        forest.unwrap_err().to_string()
    };
    assert_eq!(
        fit(&rows, &[0]),
        "1 target for 2 rows: each row needs exactly one"
    );
    let not_finite = "row 0, feature 1: NaN is not a finite number; replace or drop it first, \
        or use a learner that takes missing values";
    assert_eq!(fit(&bad, &[0]), not_finite);
    assert!(fit(&array![[0.0]], &[0]).contains("made for 2"));
    assert!(fit(&rows, &[0, 5000]).contains("beyond the cap"));
    let tested = BatchForest::<LinearCuts>::transductive(
        schema(2),
        rows.view(),
        &[0, 1],
        bad.view(),
        &settings,
        trees(1),
    );
    assert_eq!(
        tested.unwrap_err().to_string(),
        format!("test rows: {not_finite}")
    );
    let forest =
        BatchForest::<LinearCuts>::fit(schema(2), rows.view(), &[0, 1], &settings, trees(1));
    assert!(forest.unwrap().predict(bad.view()).is_err());
}
