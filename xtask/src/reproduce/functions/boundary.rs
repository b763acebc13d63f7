//! Boundary forests that find neighbours (Mathy et al. 2015, Figures 1–4), and one that learns at once (Table 2).

use std::cell::Cell;

use anyhow::{Result, ensure};
use boundary_forest::{BoundaryClassifier, Metric, Retriever, TreeSettings};
use forest_core::{OnlineLearner as _, Schema};
use ndarray::{Array2, ArrayView2, s};
use serde::Deserialize;
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::metrics::distance::Distance;

use crate::reproduce::function::{Function, Library, forest, labels, mean, right};
use crate::reproduce::record::RecordRow;
use crate::reproduce::results::power;

/// Learns `n` points and queries others, of which the forest knows nothing.
#[derive(Deserialize)]
pub(crate) struct Search {
    /// `comparisons`, `cover-tree`, `dimensions`, `equidistant` or `ranks`.
    name: String,
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

impl Function for Search {
    fn rows(&self, seed: u64, x: Option<f64>, library: &Library) -> Result<Vec<RecordRow>> {
        let of_children = match self.children {
            0 => "k = ∞".to_owned(),
            k => format!("k = {k}"),
        };
        if self.name == "equidistant" {
            let line = self.equidistant(seed)?;
            return Ok(rows(&self.panel, &of_children, "comparisons", line));
        }
        // The first `n` rows, and `queries` rows after the standard training part.
        let data = library.open(&self.data)?;
        let test = data.split.unwrap_or(data.rows());
        let &Self { n, queries, .. } = self;
        ensure!(
            n <= test && test + queries <= data.rows(),
            "`{}` has too few rows; reduce n = {n} or queries = {queries}",
            data.name
        );
        let points = data.features.slice(s![..n, ..]);
        let queries = data.features.slice(s![test..test + queries, ..]);
        let queries: Vec<Vec<f32>> = queries.outer_iter().map(|row| row.to_vec()).collect();
        let mut forest = self.retriever(points.ncols(), seed)?;
        let mut line = Line::new();
        let mut learned = 0;
        for n in milestones(self.n) {
            forest.learn(points.slice(s![learned..n, ..]))?;
            learned = n;
            let value = match &self.name[..] {
                "ranks" => rank(&forest, &queries, points.slice(s![..n, ..]))? / n as f64,
                _ => comparisons(&forest, &queries)?,
            };
            line.push((n as f64, value));
        }
        match &self.name[..] {
            "comparisons" => Ok(rows(&self.panel, &of_children, "comparisons", line)),
            "cover-tree" => self.beside_cover_tree(line, points, &queries),
            "dimensions" => {
                let values = [("power", power(&line[line.len() / 2..]))];
                Ok(vec![RecordRow::new(("", &of_children, x), &values)])
            }
            _ => {
                let trees = format!("{} trees", self.trees);
                Ok(rows(&self.panel, &trees, "fraction", line))
            }
        }
    }
}

impl Search {
    fn retriever(&self, width: usize, seed: u64) -> Result<Retriever> {
        let max_children = (self.children > 0).then_some(self.children);
        let settings = TreeSettings {
            max_children,
            ..TreeSettings::default()
        };
        Ok(Retriever::new(width, settings, forest(self.trees, seed))?)
    }

    /// Counts comparisons for equal points: every step is a tie, which is broken at random.
    ///
    /// Learns each query afterwards, since only learning advances the random draws.
    fn equidistant(&self, seed: u64) -> Result<Line> {
        let mut forest = self.retriever(1, seed)?;
        let mut line = Line::new();
        let mut learned = 0;
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
        Ok(line)
    }

    /// Counts comparisons of a cover tree and of a boundary forest, to learn and per query.
    fn beside_cover_tree(
        &self,
        mut query: Line,
        points: ArrayView2<'_, f32>,
        queries: &[Vec<f32>],
    ) -> Result<Vec<RecordRow>> {
        query.iter_mut().for_each(|it| it.1 *= self.trees as f64);
        // "Training time is the integral of query time over N", here by trapezoids.
        let mut sum = query[0].0 * query[0].1;
        let mut learn = Line::new();
        for pair in query.windows(2) {
            sum += (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1) / 2.0;
            learn.push((pair[1].0, sum));
        }
        let mut built = Line::new();
        let mut found = Line::new();
        for n in milestones(points.nrows()) {
            COUNT.set(0);
            let known = points.slice(s![..n, ..]);
            let known = known.outer_iter().map(|row| row.to_vec()).collect();
            let tree = CoverTree::new(known, Counted)?;
            built.push((n as f64, COUNT.replace(0) as f64));
            for query in queries {
                tree.find(query, 1)?;
            }
            found.push((n as f64, COUNT.get() as f64 / queries.len() as f64));
        }
        let all = [
            ("learn", "boundary forest", learn),
            ("learn", "cover tree", built.split_off(1)),
            ("query", "boundary forest", query),
            ("query", "cover tree", found),
        ];
        Ok(all.map(|it| rows(it.0, it.1, "comparisons", it.2)).concat())
    }
}

/// Returns the mean number of comparisons per query and tree.
fn comparisons(forest: &Retriever, queries: &[Vec<f32>]) -> Result<f64> {
    let mut means = Vec::new();
    for query in queries {
        let of_trees = forest.forest().comparisons(query)?;
        means.push(of_trees.iter().sum::<usize>() as f64 / of_trees.len() as f64);
    }
    Ok(mean(&means))
}

/// Returns the rank of the found point by its distance from the query, among all points: the 99th percentile.
fn rank(forest: &Retriever, queries: &[Vec<f32>], points: ArrayView2<'_, f32>) -> Result<f64> {
    let mut ranks = Vec::new();
    for query in queries {
        let found = forest.nearest(query)?;
        let found = found.map_or(f64::INFINITY, |found| found.distance);
        let rows = points.outer_iter();
        let distances = rows.map(|row| Metric::Euclidean.distance(&row.to_vec(), query));
        ranks.push(1.0 + distances.filter(|other| *other < found).count() as f64);
    }
    ranks.sort_by(f64::total_cmp);
    Ok(ranks[ranks.len() * 99 / 100])
}

fn rows(panel: &str, series: &str, metric: &str, line: Line) -> Vec<RecordRow> {
    let row = |(n, value)| RecordRow::new((panel, series, Some(n)), &[(metric, value)]);
    line.into_iter().map(row).collect()
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

/// Returns numbers from 100 to `last` that grow by about the fourth root of ten.
fn milestones(last: usize) -> Vec<usize> {
    let grow = |&n: &usize| Some((n as f64 * 10f64.powf(0.25)).round() as usize);
    let smaller = std::iter::successors(Some(100), grow).take_while(|&n| n < last);
    smaller.chain([last]).collect()
}

/// Every tree learns the rows in its own order (Mathy et al. 2015, Table 2).
#[derive(Deserialize)]
pub(crate) struct OfflineBoundaryForest {
    panel: String,
    data: String,
    train: usize,
    trees: usize,
}

impl Function for OfflineBoundaryForest {
    fn rows(&self, seed: u64, _: Option<f64>, library: &Library) -> Result<Vec<RecordRow>> {
        let data = library.open(&self.data)?;
        let labels = labels(&data)?;
        let test = data.split.unwrap_or(data.rows());
        let train = self.train.min(test);
        let schema = Schema::new(data.n_features())?;
        let settings = forest(self.trees, seed);
        let mut forest = BoundaryClassifier::new(schema, TreeSettings::default(), settings)?;
        forest.learn_shuffled(data.features.slice(s![..train, ..]), &labels[..train])?;
        let labels = &labels[test..];
        let predictions = forest.predict(data.features.slice(s![test.., ..]))?;
        let wrong = labels.len() - right(&predictions, labels);
        let error = 100.0 * wrong as f64 / labels.len() as f64;
        let place = (&self.panel[..], "OBF", None);
        Ok(vec![RecordRow::new(place, &[("error", error)])])
    }
}
