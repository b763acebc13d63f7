//! The compared methods behind one interface.

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use forest_core::{ForestSettings, OnlineLearner, Schema, argmax, threads};
use hnsw_rs::prelude::{Distance as HnswDistance, Hnsw};
use ndarray::ArrayView2;
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::metrics::distance::Distance;

/// Training rows and their labels.
#[derive(Clone, Copy)]
pub(crate) struct Samples<'a> {
    pub rows: ArrayView2<'a, f32>,
    pub labels: &'a [u32],
}

/// A way to classify by neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    BoundaryForest,
    BruteForce1,
    BruteForce3,
    CoverTree1,
    CoverTree3,
    Hnsw1,
    Hnsw3,
}

impl Method {
    pub(crate) const ALL: [Self; 7] = [
        Self::BoundaryForest,
        Self::BruteForce1,
        Self::BruteForce3,
        Self::CoverTree1,
        Self::CoverTree3,
        Self::Hnsw1,
        Self::Hnsw3,
    ];

    pub(crate) const ALL_BUT_COVER_TREE: [Self; 5] = [
        Self::BoundaryForest,
        Self::BruteForce1,
        Self::BruteForce3,
        Self::Hnsw1,
        Self::Hnsw3,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::BoundaryForest => "boundary forest",
            Self::BruteForce1 => "1-NN brute force",
            Self::BruteForce3 => "3-NN brute force",
            Self::CoverTree1 => "1-NN cover tree",
            Self::CoverTree3 => "3-NN cover tree",
            Self::Hnsw1 => "1-NN HNSW",
            Self::Hnsw3 => "3-NN HNSW",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    pub(crate) fn learn<'a>(self, samples: Samples<'a>) -> Box<dyn Model + 'a> {
        match self {
            Self::BoundaryForest => Box::new(forest(samples)),
            Self::BruteForce1 => Box::new(BruteForce { samples, k: 1 }),
            Self::BruteForce3 => Box::new(BruteForce { samples, k: 3 }),
            Self::CoverTree1 => Box::new(Covered::learn(samples, 1)),
            Self::CoverTree3 => Box::new(Covered::learn(samples, 3)),
            Self::Hnsw1 => Box::new(Navigable::learn(samples, 1)),
            Self::Hnsw3 => Box::new(Navigable::learn(samples, 3)),
        }
    }
}

/// A fitted model.
pub(crate) trait Model {
    /// Predicts the class of each query.
    fn predict_all(&mut self, queries: ArrayView2<'_, f32>) -> Vec<u32>;
}

fn forest(Samples { rows, labels }: Samples<'_>) -> BoundaryClassifier {
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let forest = BoundaryClassifier::<Euclidean>::new(
        schema,
        ClassifierSettings::default(),
        ForestSettings::default().with_trees(50).with_seed(1),
    );
    let mut forest = forest.expect("defaults are valid");
    threads::with_threads(1, || forest.learn(rows, labels))
        .expect("one thread can be had")
        .expect("rows are acceptable");
    forest
}

impl Model for BoundaryClassifier {
    fn predict_all(&mut self, queries: ArrayView2<'_, f32>) -> Vec<u32> {
        let predictions = threads::with_threads(1, || self.predict(queries));
        let predictions = predictions
            .expect("one thread can be had")
            .expect("rows are acceptable");
        let row = |row: ndarray::ArrayView1<'_, f64>| argmax(&row.to_vec()) as u32;
        predictions.rows().into_iter().map(row).collect()
    }
}

/// Returns the squared distance, in 16 lanes of `f32`.
fn squared(x: &[f32], y: &[f32]) -> f32 {
    let (blocks_x, rest_x) = x.as_chunks::<16>();
    let (blocks_y, rest_y) = y.as_chunks::<16>();
    let mut lanes = [0.0; 16];
    for (a, b) in blocks_x.iter().zip(blocks_y) {
        for lane in 0..16 {
            lanes[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
        }
    }
    let rest = rest_x.iter().zip(rest_y).map(|(a, b)| (a - b) * (a - b));
    lanes.into_iter().chain(rest).sum()
}

/// Returns the most frequent class of the neighbours (nearest first); of ties, that of the nearest.
fn vote(classes: &[u32]) -> u32 {
    let count = |class: u32| classes.iter().filter(|&&other| other == class).count();
    let best = classes.iter().rev().max_by_key(|&&class| count(class));
    best.copied().unwrap_or(0)
}

struct BruteForce<'a> {
    samples: Samples<'a>,
    k: usize,
}

/// Number of queries that are compared with a row while it is in the cache.
const BLOCK: usize = 32;

impl Model for BruteForce<'_> {
    fn predict_all(&mut self, queries: ArrayView2<'_, f32>) -> Vec<u32> {
        let Samples { rows, labels } = self.samples;
        let mut predictions = Vec::new();
        for block in queries.axis_chunks_iter(ndarray::Axis(0), BLOCK) {
            let mut nearest = vec![vec![(f32::INFINITY, 0); self.k]; block.nrows()];
            for (row, &label) in rows.rows().into_iter().zip(labels) {
                let row = row.to_slice().expect("rows are contiguous");
                for (query, nearest) in block.rows().into_iter().zip(&mut nearest) {
                    let query = query.to_slice().expect("rows are contiguous");
                    offer(nearest, squared(row, query), label);
                }
            }
            let classes = nearest
                .iter()
                .map(|near| near.iter().map(|n| n.1).collect::<Vec<_>>());
            predictions.extend(classes.map(|classes| vote(&classes)));
        }
        predictions
    }
}

/// Inserts a neighbour if it is among the nearest, sorted by distance.
fn offer(nearest: &mut [(f32, u32)], distance: f32, label: u32) {
    let last = nearest.len() - 1;
    if distance < nearest[last].0 {
        let at = nearest.partition_point(|held| held.0 <= distance);
        nearest[at..].rotate_right(1);
        nearest[at] = (distance, label);
    }
}

#[derive(Clone, Debug)]
struct Straight;

impl Distance<Vec<f32>> for Straight {
    fn distance(&self, x: &Vec<f32>, y: &Vec<f32>) -> f64 {
        f64::from(squared(x, y)).sqrt()
    }
}

impl HnswDistance<f32> for Straight {
    fn eval(&self, x: &[f32], y: &[f32]) -> f32 {
        squared(x, y).sqrt()
    }
}

struct Covered<'a> {
    tree: CoverTree<Vec<f32>, Straight>,
    labels: &'a [u32],
    k: usize,
}

impl<'a> Covered<'a> {
    fn learn(Samples { rows, labels }: Samples<'a>, k: usize) -> Self {
        let rows = rows.rows().into_iter().map(|row| row.to_vec()).collect();
        let tree = CoverTree::new(rows, Straight).expect("there are rows");
        Self { tree, labels, k }
    }
}

impl Model for Covered<'_> {
    fn predict_all(&mut self, queries: ArrayView2<'_, f32>) -> Vec<u32> {
        let predict = |query: ndarray::ArrayView1<'_, f32>| {
            let found = self.tree.find(&query.to_vec(), self.k);
            let mut found = found.expect("k is positive");
            found.sort_by(|a, b| a.1.total_cmp(&b.1));
            let classes: Vec<_> = found.iter().map(|near| self.labels[near.0]).collect();
            vote(&classes)
        };
        queries.rows().into_iter().map(predict).collect()
    }
}

struct Navigable<'a> {
    graph: Hnsw<'a, f32, Straight>,
    labels: &'a [u32],
    k: usize,
}

impl<'a> Navigable<'a> {
    fn learn(Samples { rows, labels }: Samples<'a>, k: usize) -> Self {
        let graph = Hnsw::new(16, rows.nrows(), 16, 200, Straight);
        for (index, row) in rows.rows().into_iter().enumerate() {
            graph.insert((row.to_slice().expect("rows are contiguous"), index));
        }
        Self { graph, labels, k }
    }
}

impl Model for Navigable<'_> {
    fn predict_all(&mut self, queries: ArrayView2<'_, f32>) -> Vec<u32> {
        let predict = |query: ndarray::ArrayView1<'_, f32>| {
            let query = query.to_slice().expect("rows are contiguous");
            let found = self.graph.search(query, self.k, 64);
            let classes: Vec<_> = found.iter().map(|near| self.labels[near.d_id]).collect();
            vote(&classes)
        };
        queries.rows().into_iter().map(predict).collect()
    }
}
