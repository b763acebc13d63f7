//! The hulls of one tree in the plane.

use anyhow::{Result, bail};
use comparison::planar;
use online_forests::planar::DrawnNode;

use super::{Arguments, Function, mean};
use crate::runs::Row;

/// Counts leaves, and measures the mean perimeters of all nodes' hulls, of the boxes around the same points, and of what the tree `keeps`.
pub(super) const HULLS: Function = Function {
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

fn nodes(arguments: &Arguments<'_>) -> Result<Vec<DrawnNode>> {
    let data = arguments.dataset()?;
    let algorithm = arguments.algorithm()?;
    let n = arguments.count("n")?.min(data.rows());
    let rows = planar::unit_square(&data)?;
    let seed = arguments.seed;
    let mut partitions = planar::partitions(&algorithm, &rows, &data.target, seed, &[n])?;
    Ok(partitions.remove(0))
}

fn sides(hull: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    let next = hull.iter().cycle().skip(1);
    hull.iter().zip(next).map(|(a, b)| [*a, *b])
}

/// Returns the perimeter of a hull; of two points, twice their distance.
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
