//! A learner of a crate that nothing here knows is trained, predicts, and is compared once it is submitted.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(feature = "models")]

use std::fs;

use clap::Parser;
use datasets::OpenOptions;
use evaluation::protocol::Design;
use evaluation::record::{Protocol, Record};
use evaluation::{Runner, comparisons, report};
use forest_core::OnlineLearner as _;
use online_forests_cli::{AnyModel, Command};

registry::submit!(&[histogram_forest::HISTOGRAM]);

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[test]
fn a_submitted_learner_is_compared_trained_and_reported() {
    let data = [datasets::open("friedman:n=300,test=100", &OpenOptions::default()).unwrap()];
    let algorithms = ["histogram:bins=20", "mean"].map(|name| name.parse().unwrap());
    let protocols = [Protocol::Holdout];
    let comparisons = comparisons(&data, &algorithms, &protocols, &Design::default()).unwrap();
    let records = Runner::new(5, 2).records(&comparisons);
    assert!(!records.iter().any(Record::failed));
    let tables = report::tables(&report::sections(&records));
    assert!(tables.contains("histogram:bins=20"), "{tables}");

    let folder = tempfile::tempdir().unwrap();
    let [table, model] = ["steps.csv", "model"].map(|name| folder.path().join(name));
    let rows: String = (0..100).map(|i| format!("{},{}\n", i, i / 50)).collect();
    fs::write(&table, format!("x,y\n{rows}")).unwrap();
    let files = format!("--data {} --model {}", table.display(), model.display());
    let line = format!("xtask train --algorithm histogram --target y --task regress {files}");
    let cli = Cli::parse_from(line.split_whitespace());
    cli.command.run().unwrap();
    let AnyModel::Regression(model) = AnyModel::load(&model).unwrap() else {
        panic!("steps are numbers here");
    };
    assert_eq!(model.samples_seen(), 100);
}
