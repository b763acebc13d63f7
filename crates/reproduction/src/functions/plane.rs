//! One tree in the plane: its cuts and hulls as line segments, and how large its hulls are.

use anyhow::{Context, Result, bail};
use datasets::{Dataset, Target};
use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use ndarray::{Array2, s};
use online_forests::planar::DrawnNode;
use online_forests::{Algorithm, NamedTask};
use preprocessing::{Pca, Scaling};

use super::{Arguments, Function, mean};
use crate::record::Row;

/// Cuts and hulls of the leaves after `n` samples.
pub const PARTITION: Function = Function {
    name: "partition",
    parameters: &["panel", "algorithm", "data", "n"],
    run: |arguments| {
        let panel = arguments.text("panel")?;
        let nodes = nodes(arguments)?;
        let cuts = nodes.iter().filter_map(|node| node.cut);
        let cuts = cuts.map(|[a, b]| segment(&panel, "cut", a, b));
        let leaves = nodes.iter().filter(|node| node.is_leaf);
        let sides = leaves.flat_map(|node| sides(&node.hull));
        let hulls = sides.map(|[a, b]| segment(&panel, "hull", a, b));
        Ok(numbered(cuts.chain(hulls).collect()))
    },
};

/// Leaves, and the mean perimeters of the hulls of all nodes, of the boxes around the same points, and of what the tree `keeps`.
pub const HULLS: Function = Function {
    name: "hulls",
    parameters: &["series", "algorithm", "data", "n", "keeps"],
    run: |arguments| {
        let nodes = nodes(arguments)?;
        let leaves = nodes.iter().filter(|node| node.is_leaf).count();
        let hulls = mean(nodes.iter().map(|node| perimeter(&node.hull)));
        let boxes = mean(
            nodes
                .iter()
                .map(|node| perimeter(&bounding_box(&node.hull))),
        );
        let kept = match arguments.text("keeps")?.as_str() {
            "hulls" => hulls,
            "boxes" => boxes,
            other => bail!("`keeps`: `{other}` is neither `hulls` nor `boxes`"),
        };
        let row = Row::new("", &arguments.text("series")?, arguments.x)
            .with("leaves", leaves as f64)
            .with("hull_perimeter", hulls)
            .with("box_perimeter", boxes)
            .with("kept_perimeter", kept);
        Ok(vec![row])
    },
};

type Point = [f64; 2];

/// The square that is drawn.
const WINDOW: [Point; 4] = [[-0.03, -0.03], [1.03, -0.03], [1.03, 1.03], [-0.03, 1.03]];

fn nodes(arguments: &Arguments<'_>) -> Result<Vec<DrawnNode>> {
    let data = arguments.library.open(&arguments.text("data")?)?;
    match &data.target {
        Target::Classes { labels, .. } => of_tree::<Classification>(arguments, &data, labels),
        Target::Values { values, .. } => of_tree::<Regression>(arguments, &data, values),
    }
}

fn of_tree<T: NamedTask>(
    arguments: &Arguments<'_>,
    data: &Dataset,
    targets: &[T::Target],
) -> Result<Vec<DrawnNode>> {
    let n = arguments.count("n")?.min(targets.len());
    let settings = ForestSettings {
        trees: 1,
        seed: arguments.seed,
        ..ForestSettings::default()
    };
    let algorithm: Algorithm = arguments.text("algorithm")?.parse()?;
    let mut tree = algorithm.build::<T>(Schema::new(2)?, settings)?;
    let rows = unit_square(data)?;
    tree.learn(rows.slice(s![..n, ..]), &targets[..n])?;
    let planar = tree.as_planar();
    let planar = planar.with_context(|| format!("`{algorithm}` does not cut the plane"))?;
    Ok(planar.nodes_of(0, &WINDOW))
}

/// The data in two dimensions, each scaled to [0, 1].
fn unit_square(data: &Dataset) -> Result<Array2<f32>> {
    let mut rows = data.features.clone();
    if rows.ncols() > 2 {
        rows = Pca::fit(rows.view(), 2)?.transform(rows.view())?;
    }
    Ok(Scaling::MinMax.fit(rows.view())?.transform(rows)?)
}

fn segment(panel: &str, series: &str, [x0, y0]: Point, [x1, y1]: Point) -> Row {
    let short = |value: f64| (value * 1e4).round() / 1e4;
    Row::new(panel, series, None)
        .with("x0", short(x0))
        .with("y0", short(y0))
        .with("x1", short(x1))
        .with("y1", short(y1))
}

/// Each segment is a row, and rows are told apart by `x`.
fn numbered(rows: Vec<Row>) -> Vec<Row> {
    let number = |(index, row): (usize, Row)| Row {
        x: Some(index as f64),
        ..row
    };
    rows.into_iter().enumerate().map(number).collect()
}

fn sides(hull: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    let next = hull.iter().cycle().skip(1);
    hull.iter().zip(next).map(|(a, b)| [*a, *b])
}

/// Of two points: there and back, as the perimeter of a flat hull.
fn perimeter(hull: &[Point]) -> f64 {
    sides(hull)
        .map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1]))
        .sum()
}

fn bounding_box(hull: &[Point]) -> [Point; 4] {
    let end = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
        hull.iter().map(|point| point[axis]).fold(start, pick)
    };
    let low = [0, 1].map(|axis| end(axis, f64::min, f64::INFINITY));
    let high = [0, 1].map(|axis| end(axis, f64::max, f64::NEG_INFINITY));
    [low, [high[0], low[1]], high, [low[0], high[1]]]
}
