//! Settings for USPS, chosen on training rows alone: random settings are compared on a quarter of the
//! training rows that they have not learned; the best few once more, with more trees and other
//! quarters; and the best of these is tested by the example `usps`.
//!
//! `cargo run --release -p stream-rf --example usps_settings`

mod common;

use std::io;

use common::{Split, Table};
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng};
use forest_testing::accuracy;
use ndarray::Axis;
use stream_rf::{Axes, Growth, StreamChoice, StreamClassifier, StreamSettings, Streams};

const SETTINGS: usize = 60;
const FINALISTS: usize = 6;
const PASSES: usize = 15;

/// One of the values, all equally likely.
fn any(values: &[f64], rng: &mut TreeRng) -> f64 {
    values[rng.below(values.len())]
}

fn random(choice: StreamChoice, rng: &mut TreeRng) -> StreamSettings {
    let structure = any(&[0.5, 0.6, 0.7, 0.8, 0.9], rng);
    let (alpha, base) = (
        any(&[1.0, 2.0, 5.0, 10.0], rng),
        any(&[1.01, 1.05, 1.1], rng),
    );
    let growth = |scale| Growth { scale, base };
    StreamSettings::<Axes> {
        lambda: any(&[10.0, 20.0, 40.0, 80.0], rng),
        m: any(&[1.0, 2.0, 5.0, 10.0], rng) as u32,
        tau: any(&[0.05, 0.15, 0.3, 0.5], rng),
        alpha: growth(alpha),
        beta: growth(alpha * any(&[30.0, 100.0, 1000.0], rng)),
        streams: Streams {
            structure,
            estimation: 1.0 - structure,
            choice,
        },
        ..StreamSettings::default()
    }
}

/// The accuracy at a quarter of the training rows after 15 passes over the others.
fn held_out(data: &Split, settings: &StreamSettings, trees: usize, run: u64) -> f64 {
    let (rows, labels) = data.train();
    let mut order: Vec<usize> = (0..labels.len()).collect();
    let mut rng = TreeRng::new(run, 1 << 33);
    rng.shuffle(&mut order);
    let (test, train) = order.split_at_mut(labels.len() / 4);
    let part = |order: &[usize]| {
        let labels: Vec<u32> = order.iter().map(|&row| labels[row]).collect();
        (rows.select(Axis(0), order), labels)
    };
    let schema = Schema::new(rows.ncols()).expect("256 features");
    let forest = StreamClassifier::new(
        schema,
        settings.clone(),
        ForestSettings {
            trees,
            seed: run,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("the settings are sound");
    for _ in 0..PASSES {
        rng.shuffle(train);
        let (rows, labels) = part(train);
        let learned = forest.learn(rows.view(), &labels);
        learned.expect("the rows are finite");
    }
    let (rows, truth) = part(test);
    let answers = forest.predict(rows.view());
    accuracy(&answers.expect("the rows are finite"), &truth)
}

fn main() -> io::Result<()> {
    let data = Split::open("usps");
    let header = "choice,trees,accuracy,structure,lambda,m,tau_bits,alpha,beta,base";
    let mut table = Table::create("usps-settings.csv", header)?;
    for choice in [StreamChoice::PerArrival, StreamChoice::PerRow] {
        let mut rng = TreeRng::new(2013, 0);
        let all = (0..SETTINGS).map(|_| random(choice, &mut rng)).collect();
        let mut ranked = rank(&data, all, 25, 0..2, &mut table)?;
        ranked.truncate(FINALISTS);
        rank(&data, ranked, 100, 2..5, &mut table)?;
    }
    Ok(())
}

/// The settings, the best first.
fn rank(
    data: &Split,
    all: Vec<StreamSettings>,
    trees: usize,
    runs: std::ops::Range<u64>,
    table: &mut Table,
) -> io::Result<Vec<StreamSettings>> {
    let mut ranked = Vec::new();
    for settings in all {
        let accuracies = runs
            .clone()
            .map(|run| held_out(data, &settings, trees, run));
        let mean = accuracies.sum::<f64>() / runs.clone().count() as f64;
        table.row(line(&settings, trees, mean))?;
        ranked.push((mean, settings));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(ranked.into_iter().map(|(_, settings)| settings).collect())
}

fn line(settings: &StreamSettings, trees: usize, accuracy: f64) -> String {
    let StreamSettings {
        lambda,
        m,
        tau,
        alpha,
        beta,
        ..
    } = settings;
    let (choice, structure) = (settings.streams.choice, settings.streams.structure);
    let (scales, base) = (format!("{},{}", alpha.scale, beta.scale), alpha.base);
    format!("{choice:?},{trees},{accuracy:.4},{structure},{lambda},{m},{tau},{scales},{base}")
}
