//! Boundary forests that find neighbours: comparisons per query, and ranks of found points (Mathy et al. 2015, Figures 1–4).

use std::cell::Cell;

use anyhow::{Result, ensure};
use boundary_forest::{Metric, Retriever, TreeSettings};
use ndarray::{Array2, ArrayView2, s};
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::metrics::distance::Distance;

use super::{Arguments, Function, mean};
use crate::cells::power;
use crate::runs::Row;

/// Counts comparisons per query and tree as points arrive.
pub(super) const COMPARISONS: Function = Function {
    name: "comparisons",
    parameters: &["panel", "data", "n", "queries", "children", "trees"],
    run: |arguments| {
        let source = Source::new(arguments)?;
        let limit = limit(arguments)?;
        let line = comparisons(arguments, &source, limit, arguments.count("trees")?)?;
        rows(arguments, &name(limit), "comparisons", &line)
    },
};

/// Counts the same for points that are equally far apart.
pub(super) const EQUIDISTANT: Function = Function {
    name: "equidistant",
    parameters: &["panel", "n", "queries", "children", "trees"],
    run: |arguments| {
        let limit = limit(arguments)?;
        let line = equidistant(arguments, limit)?;
        rows(arguments, &name(limit), "comparisons", &line)
    },
};

/// Measures the share of points that are closer than the found one, in the 99th of 100 queries, as points arrive.
pub(super) const RANKS: Function = Function {
    name: "ranks",
    parameters: &["panel", "data", "n", "queries", "children", "trees"],
    run: |arguments| {
        let source = Source::new(arguments)?;
        let trees = arguments.count("trees")?;
        let line = ranks(arguments, &source, trees)?;
        rows(arguments, &format!("{trees} trees"), "fraction", &line)
    },
};

/// Measures the power with which comparisons grow, in a cube of `x` dimensions.
pub(super) const DIMENSIONS: Function = Function {
    name: "dimensions",
    parameters: &["data", "n", "queries", "children", "trees"],
    run: |arguments| {
        let source = Source::new(arguments)?;
        let limit = limit(arguments)?;
        let line = comparisons(arguments, &source, limit, arguments.count("trees")?)?;
        let row = Row::new("", &name(limit), arguments.x);
        Ok(vec![row.with("power", power(&line[line.len() / 2..]))])
    },
};

/// Counts comparisons of a cover tree and of a boundary forest, to learn and per query.
pub(super) const COVER_TREE: Function = Function {
    name: "cover-tree",
    parameters: &["data", "n", "queries", "children", "trees"],
    run: |arguments| {
        let source = Source::new(arguments)?;
        let trees = arguments.count("trees")?;
        let per_tree = comparisons(arguments, &source, limit(arguments)?, trees)?;
        let query: Vec<_> = per_tree
            .iter()
            .map(|(n, c)| (*n, c * trees as f64))
            .collect();
        let (built, found) = cover_tree(&source)?;
        let lines = [
            ("learn", "boundary forest", integral(&query)),
            ("learn", "cover tree", built),
            ("query", "boundary forest", query),
            ("query", "cover tree", found),
        ];
        let row = |panel: &'static str, series: &'static str| {
            move |(n, value): (f64, f64)| {
                Row::new(panel, series, Some(n)).with("comparisons", value)
            }
        };
        let rows = lines
            .into_iter()
            .flat_map(|(panel, series, line)| line.into_iter().map(row(panel, series)));
        Ok(rows.collect())
    },
};

type Line = Vec<(f64, f64)>;

/// Points to learn, and points to query.
struct Source {
    points: Array2<f32>,
    queries: Array2<f32>,
}

impl Source {
    /// Takes the first `n` rows, and `queries` rows after the standard training part.
    fn new(arguments: &Arguments<'_>) -> Result<Self> {
        let data = arguments.dataset()?;
        let (n, queries) = (arguments.count("n")?, arguments.count("queries")?);
        let test = data.split.unwrap_or(data.rows());
        ensure!(
            n <= test && test + queries <= data.rows(),
            "`{}` has {test} training rows and {} others",
            data.name,
            data.rows() - test
        );
        Ok(Self {
            points: data.features.slice(s![..n, ..]).to_owned(),
            queries: data.features.slice(s![test..test + queries, ..]).to_owned(),
        })
    }

    fn part(&self, from: usize, to: usize) -> ArrayView2<'_, f32> {
        self.points.slice(s![from..to, ..])
    }
}

/// Returns the limit of the parameter `children`; 0 is unlimited.
fn limit(arguments: &Arguments<'_>) -> Result<Option<u32>> {
    Ok(match arguments.number("children")? {
        0.0 => None,
        _ => Some(arguments.count("children")? as u32),
    })
}

fn name(limit: Option<u32>) -> String {
    match limit {
        Some(k) => format!("k = {k}"),
        None => "k = ∞".to_owned(),
    }
}

fn rows(arguments: &Arguments<'_>, series: &str, value: &str, line: &Line) -> Result<Vec<Row>> {
    let panel = arguments.text("panel")?;
    let row = |&(n, y): &(f64, f64)| Row::new(&panel, series, Some(n)).with(value, y);
    Ok(line.iter().map(row).collect())
}

fn retriever(
    arguments: &Arguments<'_>,
    width: usize,
    max_children: Option<u32>,
    trees: usize,
) -> Result<Retriever> {
    let settings = TreeSettings {
        max_children,
        ..TreeSettings::default()
    };
    Ok(Retriever::new(width, settings, arguments.forest_of(trees))?)
}

fn comparisons(
    arguments: &Arguments<'_>,
    source: &Source,
    limit: Option<u32>,
    trees: usize,
) -> Result<Line> {
    let mut forest = retriever(arguments, source.points.ncols(), limit, trees)?;
    let (mut line, mut learned) = (Line::new(), 0);
    for n in milestones(source.points.nrows()) {
        forest.learn(source.part(learned, n))?;
        learned = n;
        let of_query = |query: ndarray::ArrayView1<'_, f32>| {
            let counts = forest.forest().comparisons(&query.to_vec())?;
            Ok(mean(counts.into_iter().map(|count| count as f64)))
        };
        let counts: Result<Vec<f64>> = source.queries.rows().into_iter().map(of_query).collect();
        line.push((n as f64, mean(counts?.into_iter())));
    }
    Ok(line)
}

/// Equal points are equally far apart: every step is a tie, broken at random.
///
/// Learns each query afterwards, since only learning advances the random draws.
fn equidistant(arguments: &Arguments<'_>, limit: Option<u32>) -> Result<Line> {
    let (trees, queries) = (arguments.count("trees")?, arguments.count("queries")?);
    let mut forest = retriever(arguments, 1, limit, trees)?;
    let (mut line, mut learned) = (Line::new(), 0);
    for n in milestones(arguments.count("n")?) {
        let more = n.saturating_sub(learned);
        forest.learn(Array2::zeros((more, 1)).view())?;
        let mut total = 0;
        for _ in 0..queries {
            total += forest.forest().comparisons(&[0.0])?.iter().sum::<usize>();
            forest.learn_one(&[0.0])?;
        }
        learned = n + queries;
        line.push((n as f64, total as f64 / (queries * trees) as f64));
    }
    Ok(line)
}

fn ranks(arguments: &Arguments<'_>, source: &Source, trees: usize) -> Result<Line> {
    let limit = limit(arguments)?;
    let mut forest = retriever(arguments, source.points.ncols(), limit, trees)?;
    let (mut line, mut learned) = (Line::new(), 0);
    for n in milestones(source.points.nrows()) {
        forest.learn(source.part(learned, n))?;
        learned = n;
        let queries = source.queries.rows().into_iter();
        let ranks = queries.map(|query| rank(&forest, source, &query.to_vec(), n));
        let mut ranks = ranks.collect::<Result<Vec<usize>>>()?;
        ranks.sort_unstable();
        line.push((n as f64, ranks[ranks.len() * 99 / 100] as f64 / n as f64));
    }
    Ok(line)
}

/// Returns the rank of the found point among the first `n` points by distance, from 1.
fn rank(forest: &Retriever, source: &Source, query: &[f32], n: usize) -> Result<usize> {
    let found = forest.nearest(query)?;
    let distance = found.map_or(f64::INFINITY, |found| found.distance);
    let points = source.part(0, n);
    let distances = points.rows().into_iter();
    let distances = distances.map(|row| Metric::Euclidean.distance(&row.to_vec(), query));
    Ok(1 + distances.filter(|other| *other < distance).count())
}

/// Integrates by trapezoids: "Training time is the integral of query time over N".
fn integral(line: &Line) -> Line {
    let mut sum = line.first().map_or(0.0, |(n, y)| n * y);
    let area = |pair: &[(f64, f64)]| {
        sum += (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1) / 2.0;
        (pair[1].0, sum)
    };
    line.windows(2).map(area).collect()
}

thread_local! {
    /// A distance for smartcore's cover tree that counts in a thread-local, as it cannot hold a counter.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

#[derive(Clone, Debug)]
struct Counted;

impl Distance<Vec<f32>> for Counted {
    fn distance(&self, x: &Vec<f32>, y: &Vec<f32>) -> f64 {
        COUNT.set(COUNT.get() + 1);
        Metric::Euclidean.distance(x, y)
    }
}

/// Counts comparisons to build a cover tree, and per query for the nearest point.
fn cover_tree(source: &Source) -> Result<(Line, Line)> {
    let vectors = |rows: ArrayView2<'_, f32>| {
        let rows = rows.rows().into_iter().map(|row| row.to_vec());
        rows.collect::<Vec<_>>()
    };
    let queries = vectors(source.queries.view());
    let (mut built, mut found) = (Line::new(), Line::new());
    for n in milestones(source.points.nrows()) {
        COUNT.set(0);
        let tree = CoverTree::new(vectors(source.part(0, n)), Counted)?;
        built.push((n as f64, COUNT.replace(0) as f64));
        for query in &queries {
            tree.find(query, 1)?;
        }
        found.push((n as f64, COUNT.get() as f64 / queries.len() as f64));
    }
    built.remove(0); // the forest's integral begins at the second point, too
    Ok((built, found))
}

/// Returns numbers from 100 to `last` that grow by about the fourth root of ten.
fn milestones(last: usize) -> Vec<usize> {
    let grow = |&n: &usize| Some((n as f64 * 10f64.powf(0.25)).round() as usize);
    let smaller = std::iter::successors(Some(100), grow).take_while(|&n| n < last);
    smaller.chain([last]).collect()
}
