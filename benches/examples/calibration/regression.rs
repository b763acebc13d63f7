//! Means, variances and intervals.

use datasets::Target;
use forest_core::{Forest, ForestSettings, OnlineLearner, Schema};
use mondrian::{MondrianSettings, MondrianTree};
use tessellation_tree::{
    Belief, Boxes, GaussianHierarchy, GaussianSettings, HyperparameterRule, LabelContext,
};

use crate::{Parts, parts};

type Regressor = Forest<MondrianTree<GaussianHierarchy<Boxes>>>;

const SETS: [&str; 7] = [
    "friedman:d=5,n=16000",
    "friedman:d=10,n=16000",
    "friedman:d=5,n=1000",
    "sine-product:n=10000",
    "california_housing",
    "king_county_housing",
    "airline",
];

/// z of a central interval of 90 %.
const Z: f64 = 1.644_853_626_951_472_2;

pub fn run() {
    println!("data,rule,min_points,rmse,nlpd,mixture,moments,ambiguity,one_tree,noise,slope");
    let only = std::env::args().nth(2);
    for set in SETS
        .into_iter()
        .filter(|set| only.as_deref().is_none_or(|only| set.starts_with(only)))
    {
        let data = parts(set, 30_000, |data| match &data.target {
            Target::Values { values, .. } => values.clone(),
            Target::Classes { .. } => unreachable!("a regression set"),
        });
        for rule in [
            HyperparameterRule::Paper,
            HyperparameterRule::Evidence,
            HyperparameterRule::LeaveOneOut,
        ] {
            for min_points in [1, 9] {
                one(set, &data, rule, min_points);
            }
        }
    }
}

fn one(set: &str, data: &Parts<f64>, rule: HyperparameterRule, min_points: u32) {
    let settings = MondrianSettings {
        labels: GaussianSettings {
            hyperparameters: rule,
            ..GaussianSettings::default()
        },
        max_uncut: min_points,
        ..MondrianSettings::default()
    };
    let trees = ForestSettings {
        trees: 50,
        seed: 1,
        ..ForestSettings::default()
    };
    let schema = Schema::new(data.learn.0.ncols()).expect("features");
    let mut forest = Regressor::new(schema, settings, trees).expect("sound settings");
    forest
        .learn(data.learn.0.view(), &data.learn.1)
        .expect("sound data");
    let mut tally = [0.0; 6];
    let rows = data.ask.0.rows().into_iter().zip(&data.ask.1);
    let n = data.ask.1.len() as f64;
    for (row, &y) in rows {
        let beliefs = beliefs(&forest, row.as_slice().expect("rows in standard layout"));
        let t = beliefs.len() as f64;
        let mean = beliefs.iter().map(|b| b.mean).sum::<f64>() / t;
        let within = beliefs.iter().map(|b| b.variance).sum::<f64>() / t;
        let between = beliefs.iter().map(|b| (b.mean - mean).powi(2)).sum::<f64>() / t;
        let density = beliefs.iter().map(|b| {
            let z = (y - b.mean).powi(2) / b.variance;
            (-0.5 * z).exp() / (std::f64::consts::TAU * b.variance).sqrt()
        });
        let below = beliefs
            .iter()
            .map(|b| normal((y - b.mean) / b.variance.sqrt()))
            .sum::<f64>()
            / t;
        let covers = |variance: f64| {
            f64::from(u8::from(
                (y - mean).abs() <= Z * variance.max(1e-300).sqrt(),
            ))
        };
        tally[0] += (y - mean).powi(2);
        tally[1] -= (density.sum::<f64>() / t).max(1e-300).ln();
        tally[2] += f64::from(u8::from((0.05..=0.95).contains(&below)));
        tally[3] += covers(within + between);
        tally[4] += covers(within - between);
        tally[5] += f64::from(u8::from(
            (y - beliefs[0].mean).abs() <= Z * beliefs[0].variance.sqrt(),
        ));
    }
    let [square, nlpd, mixture, moments, ambiguity, one] = tally.map(|sum| sum / n);
    let hyper = forest
        .trees()
        .next()
        .expect("a tree")
        .labels()
        .hyperparameters();
    println!(
        "{set},{rule:?},{min_points},{:.4},{nlpd:.4},{mixture:.4},{moments:.4},{ambiguity:.4},{one:.4},{:.3e},{:.3e}",
        square.sqrt(),
        hyper.noise / (0.5 * hyper.scale + hyper.noise),
        hyper.slope
    );
}

/// What each tree answers.
fn beliefs(forest: &Regressor, x: &[f32]) -> Vec<Belief> {
    let context = LabelContext {
        settings: &forest.settings().labels,
        samples: forest.samples(),
    };
    let trees = forest.trees();
    trees
        .map(|tree| tree.labels().at(tree.path(x).expect("samples"), context))
        .collect()
}

/// The distribution function of the normal distribution.
fn normal(z: f64) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    Normal::standard().cdf(z)
}
