//! The paper's Figure 4: comparisons to learn and to answer, against the number of points of the
//! hypercube, of a boundary forest (`n_T` = 50, `k` = 50, retrieval) and of a cover tree.
//!
//! `cargo run --release -p boundary-forest --example boundary_cover_tree` writes `cover-tree.csv`, `cover-tree.md` and the
//! pictures into `docs/results/boundary-forest/`. The cover tree is smartcore's, which is built at once and
//! searched exactly; the paper's was filled online and searched approximately.

#[path = "../common/mod.rs"]
mod common;
#[path = "../boundary_scaling/fit.rs"]
#[allow(dead_code, reason = "the scaling experiment uses the rest")]
mod fit;
#[path = "../boundary_scaling/picture.rs"]
mod picture;

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use boundary_forest::{Euclidean, Metric, PointSchema, Retriever, RetrieverSettings};
use fit::{milestones, power};
use forest_core::{ForestSettings, TreeRng};
use ndarray::{Array2, s};
use picture::Curve;
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::metrics::distance::Distance;

const WIDTH: usize = 100;
const MOST: usize = 30_000;
const TREES: usize = 50;
const QUERIES: usize = 100;

type Line = Vec<(f64, f64)>;

fn cube(rows: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((rows, WIDTH), || rng.uniform() as f32)
}

/// Comparisons per query, of all trees together.
fn forest_answers(points: &Array2<f32>, queries: &Array2<f32>) -> Line {
    let schema = PointSchema::new(WIDTH).expect("there are features");
    let forest = Retriever::<Euclidean>::new(
        schema,
        RetrieverSettings::default(),
        ForestSettings {
            trees: TREES,
            seed: 1,
            ..ForestSettings::default()
        },
    );
    let (mut forest, mut learned) = (forest.expect("defaults are valid"), 0);
    let mut line = Line::new();
    for n in milestones(100, MOST) {
        let more = points.slice(s![learned..n, ..]);
        forest.learn(more).expect("points are acceptable");
        learned = n;
        let of_query = |query: ndarray::ArrayView1<'_, f32>| {
            let query = query.to_slice().expect("rows are contiguous");
            let walks = forest.walks(query).expect("the query is acceptable");
            walks.iter().map(|walk| walk.comparisons).sum::<usize>() as f64
        };
        let counts: Vec<_> = queries.rows().into_iter().map(of_query).collect();
        line.push((n as f64, common::mean(&counts)));
    }
    line
}

/// "Training time is the integral of query time over N": by trapezoids.
fn integral(line: &Line) -> Line {
    let mut sum = line[0].0 * line[0].1;
    let area = |pair: &[(f64, f64)]| {
        sum += (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1) / 2.0;
        (pair[1].0, sum)
    };
    line.windows(2).map(area).collect()
}

static COUNT: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Debug)]
struct Counted;

impl Distance<Vec<f32>> for Counted {
    fn distance(&self, x: &Vec<f32>, y: &Vec<f32>) -> f64 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        Euclidean::proxy(x, y).sqrt()
    }
}

/// Comparisons to build a cover tree, and per query for the nearest point.
fn cover_tree(points: &Array2<f32>, queries: &Array2<f32>) -> (Line, Line) {
    let (mut learn, mut answer) = (Line::new(), Line::new());
    let rows = |table: &Array2<f32>, n| {
        let rows = table.rows().into_iter().take(n);
        rows.map(|row| row.to_vec()).collect::<Vec<_>>()
    };
    for n in milestones(100, MOST) {
        COUNT.store(0, Ordering::Relaxed);
        let tree = CoverTree::new(rows(points, n), Counted).expect("there are points");
        learn.push((n as f64, COUNT.swap(0, Ordering::Relaxed) as f64));
        for query in rows(queries, QUERIES) {
            tree.find(&query, 1).expect("one neighbour can be had");
        }
        let all = COUNT.load(Ordering::Relaxed) as f64;
        answer.push((n as f64, all / QUERIES as f64));
    }
    (learn, answer)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (points, queries) = (cube(MOST, 1), cube(QUERIES, 2));
    let answers = forest_answers(&points, &queries);
    let (built, found) = cover_tree(&points, &queries);
    let figures = [
        (
            "4a",
            "Comparisons to learn",
            [
                ("boundary forest", integral(&answers)),
                ("cover tree", built),
            ],
        ),
        (
            "4b",
            "Comparisons per query",
            [("boundary forest", answers), ("cover tree", found)],
        ),
    ];
    let (mut csv, mut table) = (String::from("figure,line,x,y\n"), String::from(TITLE));
    for (figure, title, lines) in &figures {
        for (name, line) in lines {
            for (x, y) in line {
                writeln!(csv, "{figure},{name},{x},{y}")?;
            }
            let (x, y) = line.last().copied().unwrap_or_default();
            writeln!(
                table,
                "| {figure} | {name} | {:.2} | {y:.0} at {x} |",
                power(line)
            )?;
        }
        let curves = lines
            .each_ref()
            .map(|(name, points)| Curve { name, points });
        let svg = picture::draw(
            &format!("{title}, hypercube, d = 100"),
            "comparisons",
            &curves,
        )?;
        common::write(&format!("figure-{figure}.svg"), &svg)?;
    }
    print!("{table}");
    common::write("cover-tree.csv", &csv)?;
    common::write("cover-tree.md", &table)?;
    Ok(())
}

const TITLE: &str = "\
Made by `cargo run --release -p boundary-forest --example boundary_cover_tree` from the lines in `cover-tree.csv`: the power of
N over the second half of the points. The forest's comparisons are those of all 50 trees together.

| figure | line | power | last value |
|---|---|---|---|
";
