//! Where the default settings come from: accuracy of forests that differ in one or two settings.
//!
//! `cargo run --release -p stream-rf --example settings`

mod common;

use std::io;

use common::{Split, Table};
use forest_core::{ForestSettings, OnlineLearner, Schema};
use forest_testing::accuracy;
use stream_rf::{Axes, Growth, StreamClassifier, StreamSettings, Streams};

const TREES: usize = 25;
const PASSES: usize = 5;
const SETS: [&str; 6] = [
    "letter",
    "pendigits",
    "satimage",
    "usps",
    "dna",
    "gaussian-mixture",
];

/// The default, what differs from it in one setting, and the settings of the paper.
fn all() -> Vec<(&'static str, StreamSettings)> {
    let default = StreamSettings::<Axes>::default;
    let growth = |scale, base| Growth { scale, base };
    let with = |change: &dyn Fn(&mut StreamSettings)| {
        let mut settings = default();
        change(&mut settings);
        settings
    };
    let share = |structure| Streams {
        structure,
        estimation: 1.0 - structure,
        ..Streams::default()
    };
    vec![
        ("default", default()),
        ("λ = 4", with(&|s| s.lambda = 4.0)),
        ("λ = 10, m = 10", with(&|s| (s.lambda, s.m) = (10.0, 10))),
        ("λ = 40", with(&|s| s.lambda = 40.0)),
        ("m = 1", with(&|s| s.m = 1)),
        ("m = 20", with(&|s| s.m = 20)),
        ("τ = 0.01", with(&|s| s.tau = 0.01)),
        ("τ = 0.1", with(&|s| s.tau = 0.1)),
        ("τ = 0.6", with(&|s| s.tau = 0.6)),
        ("α = 2·1.05ᵈ", with(&|s| s.alpha = growth(2.0, 1.05))),
        ("α = 5·1.05ᵈ", with(&|s| s.alpha = growth(5.0, 1.05))),
        ("α = 1.01ᵈ", with(&|s| s.alpha = growth(1.0, 1.01))),
        ("β = 1000·1.05ᵈ", with(&|s| s.beta = growth(1000.0, 1.05))),
        ("structure 0.3", with(&|s| s.streams = share(0.3))),
        ("structure 0.7", with(&|s| s.streams = share(0.7))),
        ("section 5.1", StreamSettings::mixture_of_gaussians()),
        ("section 5.2", StreamSettings::usps()),
    ]
}

fn main() -> io::Result<()> {
    let mut table = Table::create("settings.csv", "set,settings,passes,accuracy,megabytes")?;
    for set in SETS {
        let data = Split::open(set);
        for (name, settings) in all() {
            run(set, &data, name, settings, &mut table)?;
        }
    }
    Ok(())
}

fn run(
    set: &str,
    data: &Split,
    name: &str,
    settings: StreamSettings,
    table: &mut Table,
) -> io::Result<()> {
    let (rows, labels) = data.train();
    let schema = Schema::new(rows.ncols()).expect("sets have features");
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
    for pass in 1..=PASSES {
        let (rows, labels) = data.pass(labels.len(), 1, pass);
        let learned = forest.learn(rows.view(), &labels);
        learned.expect("the rows are finite");
        if pass == 1 || pass == PASSES {
            let (test, truth) = data.test();
            let answers = forest.predict(test).expect("the rows are finite");
            let (accuracy, bytes) = (accuracy(&answers, truth), forest.footprint().bytes);
            let megabytes = bytes as f64 / 1e6;
            table.row(format!(
                "{set},\"{name}\",{pass},{accuracy:.4},{megabytes:.1}"
            ))?;
        }
    }
    Ok(())
}
