//! A learner of a crate that nothing here knows is compared once it is submitted.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use comparison::protocol::Design;
use comparison::record::{Protocol, Record};
use comparison::{Runner, comparisons, report};
use datasets::OpenOptions;

forest_core::submit!(&[histogram_forest::HISTOGRAM]);

#[test]
fn a_submitted_learner_is_compared_and_reported() {
    let data = [datasets::open("friedman:n=300,test=100", &OpenOptions::default()).unwrap()];
    let algorithms = ["histogram:bins=20", "mean"].map(|name| name.parse().unwrap());
    let protocols = [Protocol::Holdout];
    let comparisons = comparisons(&data, &algorithms, &protocols, &Design::default()).unwrap();
    let records = Runner::new(5, 2).records(&comparisons);
    assert!(!records.iter().any(Record::failed));
    let tables = report::tables(&report::sections(&records));
    assert!(tables.contains("histogram:bins=20"), "{tables}");
}
