//! A bounded fringe on MNIST: memory and accuracy over ten passes.
//!
//! `cargo run --release -p stream-rf --example fringe`

mod common;

use std::io;

use common::{Split, Table};
use forest_core::{ForestSettings, OnlineLearner, Schema};
use forest_testing::accuracy;
use stream_rf::{Axes, FringeLimit, NodeView, StreamClassifier, StreamSettings};

const TREES: usize = 25;
const PASSES: usize = 10;

fn main() -> io::Result<()> {
    let data = Split::open("mnist");
    let mut table = Table::create(
        "fringe.csv",
        "what,pass,accuracy,megabytes,active_megabytes,active_leaves,leaves",
    )?;
    for fringe in [
        FringeLimit::AtMost(100),
        FringeLimit::AtMost(1000),
        FringeLimit::Unlimited,
    ] {
        run(&data, fringe, &mut table)?;
    }
    Ok(())
}

fn run(data: &Split, fringe: FringeLimit, table: &mut Table) -> io::Result<()> {
    let settings = StreamSettings {
        fringe,
        ..StreamSettings::<Axes>::default()
    };
    let schema = Schema::new(784).and_then(|schema| schema.with_classes(10));
    let schema = schema.expect("784 features, ten classes");
    let forest = StreamClassifier::new(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed: 1,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("the settings are sound");
    let rows = data.train().1.len();
    for pass in 1..=PASSES {
        let (features, labels) = data.pass(rows, 1, pass);
        forest
            .learn(features.view(), &labels)
            .expect("the rows are finite");
        let (test, truth) = data.test();
        let answers = forest.predict(test).expect("the rows are finite");
        let (accuracy, sizes) = (accuracy(&answers, truth), sizes(&forest));
        table.row(format!("{},{pass},{accuracy:.4},{sizes}", name(fringe)))?;
    }
    Ok(())
}

fn name(fringe: FringeLimit) -> String {
    match fringe {
        FringeLimit::AtMost(limit) => format!("F = {limit}"),
        FringeLimit::Unlimited => "unlimited".to_string(),
    }
}

/// Megabytes in all and of active leaves; active leaves and leaves of a tree.
fn sizes(forest: &StreamClassifier) -> String {
    let leaves = || {
        forest
            .trees()
            .flat_map(|tree| tree.nodes())
            .filter_map(active_bytes)
    };
    let active: Vec<usize> = leaves().flatten().collect();
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    format!(
        "{:.1},{:.1},{},{}",
        megabytes(forest.footprint().bytes),
        megabytes(active.iter().sum()),
        active.len() / TREES,
        leaves().count() / TREES
    )
}

/// For a leaf: the bytes of its statistics, if it is active.
fn active_bytes(node: NodeView<u32>) -> Option<Option<usize>> {
    match node {
        NodeView::Leaf { active_bytes, .. } => Some(active_bytes),
        NodeView::Split { .. } => None,
    }
}
