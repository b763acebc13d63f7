//! Nodes are samples and are never removed, so a boundary forest holds all that it needs, or is refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use forest_core::{ForestSettings, Retention, Schema};

#[test]
fn a_retention_other_than_everything_is_refused() {
    let build = |retention| {
        let forest = ForestSettings::default().with_retention(retention);
        let (schema, settings) = (Schema::new(2).unwrap(), ClassifierSettings::default());
        BoundaryClassifier::<Euclidean>::new(schema, settings, forest)
    };
    assert!(build(Retention::Everything).is_ok());
    let refused = build(Retention::Latest(10)).unwrap_err();
    assert_eq!(refused.parameter, "retention");
}
