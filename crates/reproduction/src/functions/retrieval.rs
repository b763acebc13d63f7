//! Boundary forests that find neighbours: comparisons per query, and ranks of found points (Mathy et al. 2015, Figures 1–4).

use std::cell::Cell;

use anyhow::{Result, ensure};
use boundary_forest::{Metric, Retriever, TreeSettings};
use ndarray::{Array2, ArrayView2, s};
use serde::Deserialize;
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::metrics::distance::Distance;

use super::{forest, mean};
use crate::cells::power;
use crate::learn::Library;
use crate::runs::Row;

/// Learns `n` points and queries others, of which the forest knows nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    #[serde(default)]
    panel: String,
    #[serde(default)]
    data: String,
    n: usize,
    queries: usize,
    /// The most children of a node; 0 is unlimited.
    children: u32,
    trees: usize,
}

/// Values by the number of points.
type Line = Vec<(f64, f64)>;

impl Search {
    /// Counts comparisons per query and tree as points arrive.
    pub(super) fn comparisons(&self, seed: u64, library: &Library) -> Result<Vec<Row>> {
        let [points, queries] = self.points(library)?;
        Ok(self.line(
            &self.name(),
            "comparisons",
            &self.count(seed, &points, &queries)?,
        ))
    }

    /// Measures the power with which comparisons grow, in a cube of `x` dimensions.
    pub(super) fn dimensions(
        &self,
        seed: u64,
        x: Option<f64>,
        library: &Library,
    ) -> Result<Vec<Row>> {
        let [points, queries] = self.points(library)?;
        let line = self.count(seed, &points, &queries)?;
        Ok(vec![
            Row::new("", &self.name(), x).with("power", power(&line[line.len() / 2..])),
        ])
    }

    /// Counts comparisons for points that are equally far apart, as equal points are: every step is a tie, broken at random.
    ///
    /// Learns each query afterwards, since only learning advances the random draws.
    pub(super) fn equidistant(&self, seed: u64) -> Result<Vec<Row>> {
        let mut forest = self.retriever(1, seed)?;
        let (mut line, mut learned) = (Line::new(), 0);
        for n in milestones(self.n) {
            forest.learn(Array2::zeros((n.saturating_sub(learned), 1)).view())?;
            let mut total = 0;
            for _ in 0..self.queries {
                total += forest.forest().comparisons(&[0.0])?.iter().sum::<usize>();
                forest.learn_one(&[0.0])?;
            }
            learned = n + self.queries;
            line.push((n as f64, total as f64 / (self.queries * self.trees) as f64));
        }
        Ok(self.line(&self.name(), "comparisons", &line))
    }

    /// Measures the share of points that are closer than the found one, in the 99th of 100 queries, as points arrive.
    pub(super) fn ranks(&self, seed: u64, library: &Library) -> Result<Vec<Row>> {
        let [points, queries] = self.points(library)?;
        let mut forest = self.retriever(points.ncols(), seed)?;
        let (mut line, mut learned) = (Line::new(), 0);
        for n in milestones(points.nrows()) {
            forest.learn(points.slice(s![learned..n, ..]))?;
            learned = n;
            let mut ranks = Vec::new();
            for query in queries.rows() {
                let query = query.to_vec();
                let found = forest
                    .nearest(&query)?
                    .map_or(f64::INFINITY, |found| found.distance);
                let points = points.slice(s![..n, ..]);
                let distances = points
                    .rows()
                    .into_iter()
                    .map(|row| Metric::Euclidean.distance(&row.to_vec(), &query));
                ranks.push(1 + distances.filter(|other| *other < found).count());
            }
            ranks.sort_unstable();
            line.push((n as f64, ranks[ranks.len() * 99 / 100] as f64 / n as f64));
        }
        Ok(self.line(&format!("{} trees", self.trees), "fraction", &line))
    }

    /// Counts comparisons of a cover tree and of a boundary forest, to learn and per query.
    pub(super) fn cover_tree(&self, seed: u64, library: &Library) -> Result<Vec<Row>> {
        let [points, queries] = self.points(library)?;
        let mut query = self.count(seed, &points, &queries)?;
        for (_, count) in &mut query {
            *count *= self.trees as f64;
        }
        let (built, found) = cover_tree(&points, &queries)?;
        let mut rows = Vec::new();
        for (panel, series, line) in [
            ("learn", "boundary forest", integral(&query)),
            ("learn", "cover tree", built),
            ("query", "boundary forest", query),
            ("query", "cover tree", found),
        ] {
            let row = |(n, value)| Row::new(panel, series, Some(n)).with("comparisons", value);
            rows.extend(line.into_iter().map(row));
        }
        Ok(rows)
    }

    /// Takes the first `n` rows, and `queries` rows after the standard training part.
    fn points(&self, library: &Library) -> Result<[Array2<f32>; 2]> {
        let data = library.open(&self.data)?;
        let (name, rows, test) = (&data.name, data.rows(), data.split.unwrap_or(data.rows()));
        let fits = self.n <= test && test + self.queries <= rows;
        ensure!(
            fits,
            "`{name}` has {test} training rows and {} others",
            rows - test
        );
        Ok([0..self.n, test..test + self.queries]
            .map(|rows| data.features.slice(s![rows, ..]).to_owned()))
    }

    fn name(&self) -> String {
        match self.children {
            0 => "k = ∞".to_owned(),
            k => format!("k = {k}"),
        }
    }

    fn retriever(&self, width: usize, seed: u64) -> Result<Retriever> {
        // 0 stands for no limit.
        let max_children = (self.children > 0).then_some(self.children);
        let settings = TreeSettings {
            max_children,
            ..TreeSettings::default()
        };
        Ok(Retriever::new(width, settings, forest(self.trees, seed))?)
    }

    fn line(&self, series: &str, value: &str, line: &Line) -> Vec<Row> {
        let row = |&(n, y): &(f64, f64)| Row::new(&self.panel, series, Some(n)).with(value, y);
        line.iter().map(row).collect()
    }

    fn count(&self, seed: u64, points: &Array2<f32>, queries: &Array2<f32>) -> Result<Line> {
        let mut forest = self.retriever(points.ncols(), seed)?;
        let (mut line, mut learned) = (Line::new(), 0);
        for n in milestones(points.nrows()) {
            forest.learn(points.slice(s![learned..n, ..]))?;
            learned = n;
            let mut counts = Vec::new();
            for query in queries.rows() {
                let of_trees = forest.forest().comparisons(&query.to_vec())?;
                counts.push(mean(of_trees.into_iter().map(|count| count as f64)));
            }
            line.push((n as f64, mean(counts.into_iter())));
        }
        Ok(line)
    }
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
fn cover_tree(points: &Array2<f32>, queries: &Array2<f32>) -> Result<(Line, Line)> {
    let vectors = |rows: ArrayView2<'_, f32>| {
        rows.rows()
            .into_iter()
            .map(|row| row.to_vec())
            .collect::<Vec<_>>()
    };
    let queries = vectors(queries.view());
    let (mut built, mut found) = (Line::new(), Line::new());
    for n in milestones(points.nrows()) {
        COUNT.set(0);
        let tree = CoverTree::new(vectors(points.slice(s![..n, ..])), Counted)?;
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
