//! Simulations of what the papers prove: cuts along a line, separation of two points, hulls of nodes in the plane.

use anyhow::{Context, Result};
use comparison::planar;
use forest_core::{ForestSettings, OnlineLearner, Regression, Schema, TreeRng};
use ndarray::Array2;
use online_forests::planar::DrawnNode;
use online_forests::{Algorithm, AnyLearner};
use serde::Deserialize;

use super::{forest, mean};
use crate::learn::Library;
use crate::runs::Row;

/// Counts cuts of a segment of length 1 that runs from the middle of the unit cube's first axis towards the second at the
/// angle `x` (degrees), against their expectation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObliqueLine {
    panel: String,
    algorithm: String,
    features: usize,
    budget: f64,
    points: usize,
    trees: usize,
}

impl ObliqueLine {
    /// Counts leaves: a tree of dense points on the segment has one leaf more than there are cuts across it.
    pub(super) fn rows(&self, seed: u64, x: Option<f64>) -> Result<Vec<Row>> {
        let (points, features) = (self.points, self.features);
        let angle = x.context("`x` holds the angle")?.to_radians();
        let along = |row: usize| row as f64 / (points - 1) as f64;
        let segment = Array2::from_shape_fn((points, features), |(row, column)| match column {
            0 => (along(row) * angle.cos()) as f32,
            1 => (along(row) * angle.sin()) as f32,
            _ => 0.0,
        });
        let mut order: Vec<usize> = (0..points).collect();
        TreeRng::new(seed, usize::MAX).shuffle(&mut order);
        let segment = segment.select(ndarray::Axis(0), &order);
        // A forest reports the nodes of all its trees together; growing one tree at a time shows their spread, too.
        let text = format!("{},budget={}", self.algorithm, self.budget);
        let mut cuts = Vec::with_capacity(self.trees);
        for tree in 0..self.trees {
            let seed = seed * self.trees as u64 + tree as u64;
            let mut learner = learner(&text, features, forest(1, seed))?;
            learner.learn(segment.view(), &vec![0.0; points])?;
            cuts.push((learner.footprint().nodes as f64 - 1.0) / 2.0);
        }
        let mean_cuts = mean(cuts.iter().copied());
        let variance = mean(cuts.iter().map(|cuts| (cuts - mean_cuts).powi(2)));
        let row = Row::new(&self.panel, "tree", x).with("cuts", mean_cuts);
        let row = row.with("cuts_per_budget", mean_cuts / self.budget);
        Ok(vec![row.with("dispersion", variance / mean_cuts)])
    }
}

/// Measures how often pairs of points share a leaf of a tree of fixed budget, among `n` points, against
/// exp(−τΛ) with Λ the mass of the cuts between them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Separation {
    series: String,
    algorithm: String,
    mass: Mass,
    budget: f64,
    features: usize,
    n: usize,
    pairs: usize,
    trees: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mass {
    SumOfAxes,
    SumOfPairs,
}

impl Separation {
    pub(super) fn rows(&self, seed: u64) -> Result<Vec<Row>> {
        let mut random = TreeRng::new(seed, usize::MAX);
        let shape = (self.n.max(2 * self.pairs), self.features);
        let points = Array2::from_shape_simple_fn(shape, || random.uniform() as f32);
        let text = format!("{},budget={}", self.algorithm, self.budget);
        let mut learner = learner(&text, self.features, forest(self.trees, seed))?;
        learner.learn(points.view(), &vec![0.0; points.nrows()])?;
        let (mut shared, mut expected) = (0.0, 0.0);
        for pair in 0..self.pairs {
            let [a, b] = [2 * pair, 2 * pair + 1].map(|row| points.row(row).to_vec());
            let together = learner.share_a_leaf(&a, &b)?;
            let probability = (-self.budget * self.mass.between(&a, &b)).exp();
            shared += together / self.pairs as f64;
            expected += probability / self.pairs as f64;
        }
        let row = Row::new("mean", &self.series, Some(self.n as f64));
        let row = row.with("share_a_leaf", shared).with("law", expected);
        Ok(vec![row.with("over_law", shared / expected)])
    }
}

impl Mass {
    /// Returns the mass of the cuts between two points.
    fn between(&self, a: &[f32], b: &[f32]) -> f64 {
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| f64::from(a - b)).collect();
        match self {
            Self::SumOfAxes => differences.iter().map(|d| d.abs()).sum(),
            Self::SumOfPairs => {
                let later = |i: usize| differences[i + 1..].iter().map(move |d| (i, *d));
                let pairs = (0..differences.len()).flat_map(later);
                pairs.map(|(i, d)| differences[i].hypot(d)).sum()
            }
        }
    }
}

/// Makes a learner of rows of this width.
fn learner(text: &str, width: usize, forest: ForestSettings) -> Result<AnyLearner<Regression>> {
    Ok(text
        .parse::<Algorithm>()?
        .build(Schema::new(width)?, forest)?)
}

/// Counts leaves of one tree in the plane, and measures the mean perimeters of all nodes' hulls, of the boxes around the same points, and of
/// what the tree `keeps`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hulls {
    series: String,
    algorithm: String,
    data: String,
    n: usize,
    keeps: Keeps,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Keeps {
    Hulls,
    Boxes,
}

impl Hulls {
    pub(super) fn rows(&self, seed: u64, x: Option<f64>, library: &Library) -> Result<Vec<Row>> {
        let data = library.open(&self.data)?;
        let (rows, n) = (planar::unit_square(&data)?, self.n.min(data.rows()));
        let nodes = planar::partitions(&self.algorithm.parse()?, &rows, &data.target, seed, &[n])?
            .remove(0);
        let leaves = nodes.iter().filter(|node| node.is_leaf).count();
        let hulls = mean(nodes.iter().map(|node| perimeter(&node.hull)));
        let of_box = |node: &DrawnNode| perimeter(&bounding_box(&node.hull));
        let boxes = mean(nodes.iter().map(of_box));
        let kept = if let Keeps::Hulls = self.keeps {
            hulls
        } else {
            boxes
        };
        let row = Row::new("", &self.series, x).with("leaves", leaves as f64);
        let row = row
            .with("hull_perimeter", hulls)
            .with("box_perimeter", boxes);
        Ok(vec![row.with("kept_perimeter", kept)])
    }
}

/// Returns the perimeter of a hull; of two points, twice their distance.
fn perimeter(hull: &[[f64; 2]]) -> f64 {
    let next = hull.iter().cycle().skip(1);
    let length = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).hypot(a[1] - b[1]);
    hull.iter().zip(next).map(length).sum()
}

fn bounding_box(hull: &[[f64; 2]]) -> [[f64; 2]; 4] {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in hull {
        low = [0, 1].map(|axis| low[axis].min(point[axis]));
        high = [0, 1].map(|axis| high[axis].max(point[axis]));
    }
    [low, [high[0], low[1]], high, [low[0], high[1]]]
}
