//! Settings and samples that are refused, and what is said.

use forest_core::ndarray::array;
use forest_core::{ForestSettings, Retention};
use random_tessellation::batch::{BatchForest, BatchSettings, Training};
use random_tessellation::{CutSettings, LinearCuts};

use crate::{schema, training, trees};

/// Returns what is said of these settings, samples and test rows.
fn said(settings: &BatchSettings, forest: ForestSettings, training: Training<'_>) -> String {
    let forest = BatchForest::<LinearCuts>::fit(schema(2), training, settings, forest, |_| ());
    forest.unwrap_err().to_string()
}

#[test]
fn settings_that_break_a_rule_are_refused() {
    let rows = array![[0.0, 1.0], [1.0, 0.0]];
    let refused =
        |settings: &BatchSettings, forest| said(settings, forest, training(&rows, &[0, 1]));
    let usual = BatchSettings::default;
    let mut settings = usual();
    settings.particles = 0;
    let expected = "particles must be at least 1, but is 0";
    assert_eq!(refused(&settings, trees(1)), expected);
    for (budget, text) in [(-1.0, "-1"), (f64::NAN, "NaN")] {
        let mut settings = usual();
        settings.budget = budget;
        let expected = format!("budget must be at least 0 (inf is allowed), but is {text}");
        assert_eq!(refused(&settings, trees(1)), expected);
    }
    for concentration in [0.0, f64::INFINITY, f64::NAN] {
        let mut settings = usual();
        settings.concentration = concentration;
        let expected = format!("concentration must be above 0 and finite, but is {concentration}");
        assert_eq!(refused(&settings, trees(1)), expected);
    }
    let mut settings = usual();
    settings.cuts = CutSettings::weighted(&[1.0]);
    assert!(refused(&settings, trees(1)).starts_with("weights must be one a feature"));
    let expected = "trees must be at least 1, but is 0";
    assert_eq!(refused(&usual(), trees(0)), expected);
    let forest = trees(1).with_retention(Retention::Latest(1));
    assert!(refused(&usual(), forest).starts_with("retention must be everything"));
}

#[test]
fn samples_are_checked_once_at_the_door() {
    let rows = array![[0.0, 1.0], [1.0, 0.0]];
    let narrow = array![[0.0]];
    let bad = array![[0.0, f32::NAN]];
    let settings = BatchSettings::default();
    let said = |training| said(&settings, trees(1), training);
    let expected = "1 target for 2 rows: each row needs exactly one";
    assert_eq!(said(training(&rows, &[0])), expected);
    let not_finite = "row 0, feature 1: NaN is not a finite number; replace or drop it first, \
        or use a learner that takes missing values";
    assert_eq!(said(training(&bad, &[0])), not_finite);
    assert!(said(training(&narrow, &[0])).contains("made for 2"));
    assert!(said(training(&rows, &[0, 5000])).contains("beyond the cap"));
    let mut tested = training(&rows, &[0, 1]);
    tested.test_rows = Some(bad.view());
    assert_eq!(said(tested), format!("test rows: {not_finite}"));
    let training = training(&rows, &[0, 1]);
    let forest = BatchForest::<LinearCuts>::fit(schema(2), training, &settings, trees(1), |_| ());
    assert!(forest.unwrap().predict(bad.view()).is_err());
}
