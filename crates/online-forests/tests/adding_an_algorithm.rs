//! A toy algorithm, added as `docs/adding-an-algorithm.md` says: a type and a row in a file, and a line that adds the
//! row.

use crate::common::checks::conforms;
use crate::histogram;
use forest_core::OnlineLearner;
use forest_core::registry::{Algorithm, AnyLearner};
use online_forests::{ForestSettings, Regression, Schema, snapshot};

forest_core::submit!(&[histogram::HISTOGRAM]);

const GUIDE: &str = include_str!("../../../docs/adding-an-algorithm.md");

#[test]
fn the_guide_shows_what_is_compiled() {
    let first = include_str!("../../programs/online-forests-cli/examples/own_program.rs");
    let lines = first.lines().filter(|line| !line.is_empty()).count();
    assert_eq!(lines, 31, "the guide states the number of lines");
    let block = format!("```rust\n{first}```");
    assert!(GUIDE.contains(&block), "the guide has another program");
    let line = "forest_core::submit!(&[histogram::HISTOGRAM]);";
    assert!(include_str!("adding_an_algorithm.rs").contains(line) && GUIDE.contains(line));
}

#[test]
fn the_toy_conforms() {
    for text in ["histogram", "histogram:bins=40"] {
        let algorithm: Algorithm = text.parse().unwrap();
        conforms::<Regression>(&algorithm).unwrap();
    }
}

#[test]
fn the_toy_has_a_name_parameters_errors_and_snapshots() {
    let algorithm: Algorithm = "histogram: bins = 3".parse().unwrap();
    let toy = algorithm.build::<Regression>(Schema::new(1).unwrap(), ForestSettings::default());
    let mut toy = toy.unwrap();
    assert_eq!(toy.algorithm().to_string(), "histogram:bins=3");
    toy.learn_one(&[0.5], 7.0).unwrap();
    let bytes = snapshot::to_bytes(&toy).unwrap();
    let loaded: AnyLearner<Regression> = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(loaded.predict_one(&[0.5]).unwrap(), [7.0]);
    for (text, said) in [
        ("histogramm", "did you mean `histogram`"),
        ("histogram:bins=0", "at least 1"),
    ] {
        let error = text.parse::<Algorithm>().unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
