//! Seconds with codes beside seconds without, on values that codes of 8 bits tell well or badly.

use std::fmt::Write;

use boundary_forest::{Euclidean, Metric, PointSchema, Retriever, RetrieverSettings};
use forest_core::{ForestSettings, TreeRng, threads};
use ndarray::Array2;

use crate::common::processor_seconds;

/// The Euclidean distance without codes.
#[derive(Clone, Copy, Debug, Default)]
struct Plain;

impl Metric for Plain {
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        Euclidean::proxy(x, y)
    }

    fn distance(proxy: f64) -> f64 {
        Euclidean::distance(proxy)
    }
}

const ROWS: usize = 10_000;

/// Rounds, in each of which both forests are measured once, one after the other.
const ROUNDS: usize = 7;

/// Seconds to learn the first half of `points` and to find the nearest to each of the second.
fn seconds<M: Metric>(points: &Array2<f32>) -> [f64; 2] {
    let schema = PointSchema::new(points.ncols()).expect("there are features");
    let forest = Retriever::<M>::new(
        schema,
        RetrieverSettings::default(),
        ForestSettings {
            trees: 20,
            seed: 1,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("settings are valid");
    let (points, queries) = points.view().split_at(ndarray::Axis(0), ROWS);
    let start = processor_seconds();
    forest.learn(points).expect("points are acceptable");
    let learned = processor_seconds();
    forest.retrieve(queries, 1).expect("queries are acceptable");
    [learned - start, processor_seconds() - learned]
}

fn uniform(width: usize) -> Array2<f32> {
    let mut rng = TreeRng::new(1, width);
    Array2::from_shape_simple_fn((2 * ROWS, width), || rng.uniform() as f32)
}

/// Uniform points with some value in place of one feature of every `every`-th point from `first` on.
fn with(width: usize, value: f32, first: usize, every: usize) -> Array2<f32> {
    let mut points = uniform(width);
    for row in (first..2 * ROWS).step_by(every) {
        points[[row, row / every % width]] = value;
    }
    points
}

fn streams(width: usize) -> [(&'static str, Array2<f32>); 7] {
    let tails = |u: f32| (-(1.0 - 0.999_999 * u).ln()).powi(3);
    [
        ("uniform", uniform(width)),
        (
            "1e6 once, in the first point",
            with(width, 1e6, 0, 2 * ROWS),
        ),
        (
            "1e6 once, in the 100th point",
            with(width, 1e6, 99, 2 * ROWS),
        ),
        (
            "1e6 once, in the 5000th point",
            with(width, 1e6, 4999, 2 * ROWS),
        ),
        ("-9999 in every 20th point", with(width, -9999.0, 0, 20)),
        ("-9999 in every 5th point", with(width, -9999.0, 0, 5)),
        ("heavy tails", uniform(width).mapv(tails)),
    ]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The table, as Markdown.
pub fn table() -> Result<String, Box<dyn std::error::Error>> {
    let mut table = TITLE.to_string();
    for width in [16, 100] {
        for (name, points) in streams(width) {
            let round = |_| [seconds::<Euclidean>(&points), seconds::<Plain>(&points)];
            let rounds: Vec<_> = threads::with_threads(1, || (0..ROUNDS).map(round).collect())?;
            let of =
                |f: &dyn Fn([[f64; 2]; 2]) -> f64| median(rounds.iter().copied().map(f).collect());
            let row = format!(
                "| {width} | {name} | {:.2} | {:.2} | {:.2} | {:.2} |",
                of(&|[coded, _]| coded[0]),
                of(&|[coded, _]| coded[1]),
                of(&|[coded, plain]| coded[0] / plain[0]),
                of(&|[coded, plain]| coded[1] / plain[1]),
            );
            println!("{row}");
            writeln!(table, "{row}")?;
        }
    }
    Ok(table)
}

const TITLE: &str = "\
Retrieval from 10000 points, 10000 queries, 20 trees, `k` = 50, one thread: seconds of processor time
with codes, and how many times as long as without; medians of seven rounds, in each of which both
are measured. Made by `cargo run --release -p boundary-forest --example boundary_streams`.

| features | values | seconds to learn | to answer | coded / plain, to learn | to answer |
|---|---|---|---|---|---|
";
