//! Simulations of lemmas: the number of cuts along a line, and the probability that two points are separated.

use anyhow::{Context, Result};
use forest_core::{ForestSettings, OnlineLearner, Regression, Schema, TreeRng};
use ndarray::Array2;
use online_forests::{Algorithm, AnyLearner};

use super::{Arguments, Function, mean};
use crate::runs::Row;

/// Counts cuts of a segment of length 1 that runs from the middle of the unit cube's first axis towards the second at the
/// angle `x` (degrees), against their expectation.
pub(super) const OBLIQUE_LINE: Function = Function {
    name: "oblique-line",
    parameters: &[
        "algorithm",
        "panel",
        "features",
        "budget",
        "points",
        "trees",
    ],
    run: oblique_line,
};

/// Measures how often pairs of points share a leaf of a tree of fixed budget, among `n` points, against
/// exp(−τΛ) with Λ the mass of the cuts between them.
pub(super) const SEPARATION: Function = Function {
    name: "separation",
    parameters: &[
        "series",
        "algorithm",
        "mass",
        "budget",
        "features",
        "n",
        "pairs",
        "trees",
    ],
    run: separation,
};

/// Counts leaves: a tree of dense points on the segment has one leaf more than there are cuts across it.
fn oblique_line(arguments: &Arguments<'_>) -> Result<Vec<Row>> {
    let (features, points) = (arguments.count("features")?, arguments.count("points")?);
    let trees = arguments.count("trees")?;
    let angle = arguments.x.context("`x` holds the angle")?.to_radians();
    let along = |row: usize| row as f64 / (points - 1) as f64;
    let segment = Array2::from_shape_fn((points, features), |(row, column)| match column {
        0 => (along(row) * angle.cos()) as f32,
        1 => (along(row) * angle.sin()) as f32,
        _ => 0.0,
    });
    let mut order: Vec<usize> = (0..points).collect();
    TreeRng::new(arguments.seed, usize::MAX).shuffle(&mut order);
    let segment = segment.select(ndarray::Axis(0), &order);
    // A forest reports the nodes of all its trees together; growing one tree at a time shows their spread, too.
    let mut cuts = Vec::with_capacity(trees);
    for tree in 0..trees {
        let seed = arguments.seed * trees as u64 + tree as u64;
        let mut learner = learner(arguments, features, 1, seed)?;
        learner.learn(segment.view(), &vec![0.0; points])?;
        cuts.push((learner.footprint().nodes as f64 - 1.0) / 2.0);
    }
    let mean_cuts = mean(cuts.iter().copied());
    let variance = mean(cuts.iter().map(|cuts| (cuts - mean_cuts).powi(2)));
    let row = Row::new(&arguments.text("panel")?, "tree", arguments.x)
        .with("cuts", mean_cuts)
        .with("cuts_per_budget", mean_cuts / arguments.number("budget")?)
        .with("dispersion", variance / mean_cuts);
    Ok(vec![row])
}

fn separation(arguments: &Arguments<'_>) -> Result<Vec<Row>> {
    let (features, pairs) = (arguments.count("features")?, arguments.count("pairs")?);
    let n = arguments.count("n")?;
    let (trees, budget) = (arguments.count("trees")?, arguments.number("budget")?);
    let mut random = TreeRng::new(arguments.seed, usize::MAX);
    let points =
        Array2::from_shape_simple_fn((n.max(2 * pairs), features), || random.uniform() as f32);
    let mut learner = learner(arguments, features, trees, arguments.seed)?;
    learner.learn(points.view(), &vec![0.0; points.nrows()])?;
    let (mut shared, mut expected) = (0.0, 0.0);
    let series = arguments.text("series")?;
    for pair in 0..pairs {
        let [a, b] = [2 * pair, 2 * pair + 1].map(|row| points.row(row).to_vec());
        let together = learner.share_a_leaf(&a, &b)?;
        let probability = (-budget * mass(arguments, &a, &b)?).exp();
        shared += together / pairs as f64;
        expected += probability / pairs as f64;
    }
    let row = Row::new("mean", &series, Some(n as f64));
    let row = row.with("share_a_leaf", shared).with("law", expected);
    Ok(vec![row.with("over_law", shared / expected)])
}

/// Returns the mass of the cuts between two points.
fn mass(arguments: &Arguments<'_>, a: &[f32], b: &[f32]) -> Result<f64> {
    let differences = a.iter().zip(b).map(|(a, b)| f64::from(a - b));
    let differences: Vec<f64> = differences.collect();
    Ok(match arguments.text("mass")?.as_str() {
        "sum-of-axes" => differences.iter().map(|d| d.abs()).sum(),
        "sum-of-pairs" => {
            let later = |i: usize| differences[i + 1..].iter().map(move |d| (i, *d));
            let pairs = (0..differences.len()).flat_map(later);
            pairs.map(|(i, d)| differences[i].hypot(d)).sum()
        }
        other => anyhow::bail!("`mass`: `{other}` is neither `sum-of-axes` nor `sum-of-pairs`"),
    })
}

fn learner(
    arguments: &Arguments<'_>,
    features: usize,
    trees: usize,
    seed: u64,
) -> Result<AnyLearner<Regression>> {
    let algorithm = arguments.text("algorithm")?;
    let text = format!("{algorithm},budget={}", arguments.number("budget")?);
    let settings = ForestSettings::default().with_trees(trees).with_seed(seed);
    let schema = Schema::new(features)?;
    Ok(text
        .parse::<Algorithm>()?
        .build::<Regression>(schema, settings)?)
}
