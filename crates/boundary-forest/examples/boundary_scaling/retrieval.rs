//! Figures 1, 2 and 3b: retrieval on points of a cube and of MNIST.

use boundary_forest::{ChildLimit, Euclidean, Metric, PointSchema, Retriever, RetrieverSettings};
use forest_core::{ForestSettings, TreeRng};
use ndarray::{Array2, ArrayView2, s};

use crate::Line;
use crate::common::{Split, mean};
use crate::fit::{milestones, power};

/// Queries averaged over.
pub const QUERIES: usize = 300;

/// Points to learn, and others to ask for.
pub struct Source {
    points: Array2<f32>,
    queries: Array2<f32>,
}

impl Source {
    /// `rows` points drawn uniformly from the unit cube.
    pub fn hypercube(width: usize, rows: usize) -> Self {
        let mut rng = TreeRng::new(17, width);
        let mut draw = |rows| Array2::from_shape_simple_fn((rows, width), || rng.uniform() as f32);
        let (queries, points) = (draw(QUERIES), draw(rows - QUERIES));
        Self { points, queries }
    }

    pub fn mnist() -> Self {
        let split = Split::open("mnist", 60_000);
        let points = split.train().0.to_owned();
        let queries = split.test().0.slice(s![..QUERIES, ..]).to_owned();
        Self { points, queries }
    }

    fn part(&self, from: usize, to: usize) -> ArrayView2<'_, f32> {
        self.points.slice(s![from..to, ..])
    }
}

pub fn name(k: ChildLimit) -> String {
    match k {
        ChildLimit::AtMost(k) => format!("k = {k}"),
        ChildLimit::Unlimited => "k = ∞".into(),
    }
}

fn retriever(width: usize, k: ChildLimit, trees: usize) -> Retriever {
    let schema = PointSchema::new(width).expect("there are features");
    let settings = RetrieverSettings {
        max_children: k,
        ..RetrieverSettings::default()
    };
    Retriever::<Euclidean>::new(
        schema,
        settings,
        ForestSettings {
            trees,
            seed: 1,
            ..ForestSettings::default()
        },
    )
    .expect("settings are valid")
}

/// Figure 2: comparisons per query and tree, ten trees.
pub fn comparisons(figure: &'static str, source: &Source, limits: &[u32]) -> Vec<Line> {
    let limits = limits.iter().map(|&k| ChildLimit::AtMost(k));
    let all = limits.chain([ChildLimit::Unlimited]);
    let line = |k| Line {
        figure,
        name: name(k),
        points: comparisons_with(source, k, 10),
    };
    all.map(line).collect()
}

fn comparisons_with(source: &Source, k: ChildLimit, trees: usize) -> Vec<(f64, f64)> {
    let mut forest = retriever(source.points.ncols(), k, trees);
    let mut points = Vec::new();
    let mut learned = 0;
    for n in milestones(100, source.points.nrows()) {
        forest
            .learn(source.part(learned, n))
            .expect("points are acceptable");
        learned = n;
        points.push((n as f64, mean_comparisons(&forest, source)));
    }
    println!(
        "comparisons, {} features, {}: done",
        source.points.ncols(),
        name(k)
    );
    points
}

fn mean_comparisons(forest: &Retriever, source: &Source) -> f64 {
    let of_query = |query: ndarray::ArrayView1<'_, f32>| {
        let query = query.as_slice().expect("rows are contiguous");
        let walks = forest.walks(query).expect("the query is acceptable");
        mean(
            &walks
                .iter()
                .map(|walk| walk.comparisons as f64)
                .collect::<Vec<_>>(),
        )
    };
    let all: Vec<_> = source.queries.rows().into_iter().map(of_query).collect();
    mean(&all)
}

/// Figure 1: the fraction of points that are closer than the answer, in the 99th of 100 queries.
pub fn accuracy(figure: &'static str, source: &Source, limit: usize) -> Vec<Line> {
    let line = |trees| Line {
        figure,
        name: format!("{trees} trees"),
        points: accuracy_with(source, limit, trees),
    };
    [10, 50].map(line).into()
}

fn accuracy_with(source: &Source, limit: usize, trees: usize) -> Vec<(f64, f64)> {
    let mut forest = retriever(source.points.ncols(), ChildLimit::AtMost(50), trees);
    let (mut points, mut learned) = (Vec::new(), 0);
    for n in milestones(300, limit) {
        forest
            .learn(source.part(learned, n))
            .expect("points are acceptable");
        learned = n;
        let mut ranks: Vec<_> = (0..QUERIES)
            .map(|query| rank(&forest, source, query, n))
            .collect();
        ranks.sort_unstable();
        points.push((n as f64, ranks[QUERIES * 99 / 100] as f64 / n as f64));
    }
    println!(
        "accuracy, {} features, {trees} trees: done",
        source.points.ncols()
    );
    points
}

/// The answer's place among the first `n` points in the order of their distance, from 1.
fn rank(forest: &Retriever, source: &Source, query: usize, n: usize) -> usize {
    let query = source.queries.row(query);
    let query = query.as_slice().expect("rows are contiguous");
    let found = forest.nearest(query).expect("the query is acceptable");
    let distance = found.map_or(f64::INFINITY, |found| found.distance);
    let rows = source.part(0, n);
    let closer = rows.rows().into_iter().filter(|row| {
        let row = row.as_slice().expect("rows are contiguous");
        Euclidean::distance(Euclidean::proxy(row, query)) < distance
    });
    1 + closer.count()
}

/// Figure 3b: the power of the growth of comparisons against the dimension, k unlimited.
pub fn dimensions(figure: &'static str, limit: usize) -> Vec<Line> {
    let power_in = |width: usize| {
        let source = Source::hypercube(width, limit + QUERIES);
        let points = comparisons_with(&source, ChildLimit::Unlimited, 10);
        (width as f64, power(&points))
    };
    let points = [2, 5, 10, 20, 50, 100, 200, 500].map(power_in).into();
    vec![Line {
        figure,
        name: "power".into(),
        points,
    }]
}
