//! The footprint is the memory allocated, within a tenth: for every use, also after large batches of
//! which little is kept.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{
    BoundaryClassifier, BoundaryRegressor, ClassifierSettings, Euclidean, PointSchema,
    RegressorSettings, Retriever, RetrieverSettings, VectorRegressor, VectorSchema,
};
use forest_core::{
    Footprint, ForestSettings, OnlineLearner, Schema, TreeRng, threads::with_threads,
};
use ndarray::{Array2, Axis};

fn trees() -> ForestSettings {
    ForestSettings::default().with_trees(10).with_seed(1)
}

fn points(rows: usize, width: usize) -> Array2<f32> {
    let mut rng = TreeRng::new(1, width);
    Array2::from_shape_simple_fn((rows, width), || rng.uniform() as f32)
}

/// Returns the number of the interval, of `count`, in which the first feature lies.
fn classes(points: &Array2<f32>, count: f32) -> Vec<u32> {
    let class = |x: &f32| (x * count) as u32;
    points.column(0).iter().map(class).collect()
}

fn classifier(width: usize) -> BoundaryClassifier {
    let schema = Schema::new(width).unwrap();
    BoundaryClassifier::<Euclidean>::new(schema, ClassifierSettings::default(), trees()).unwrap()
}

/// Makes a learner and compares what it says it takes with what is allocated.
#[track_caller]
fn check<L>(name: &str, footprint: impl Fn(&L) -> Footprint, learn: impl Fn() -> L + Send + Sync)
where
    L: Send,
{
    let learn = || {
        // The working memory of the thread is not the learner's: another one allocates it.
        drop(learn());
        let mut learner = None;
        let counted = allocation_counter::measure(|| learner = Some(learn()));
        (learner.unwrap(), counted.bytes_current)
    };
    let (learner, allocated) = with_threads(1, learn).unwrap();
    let Footprint { nodes, bytes, .. } = footprint(&learner);
    println!("{name}: {bytes} of {allocated} bytes, {nodes} nodes");
    let ratio = bytes as f64 / allocated as f64;
    assert!(
        (0.9..1.1).contains(&ratio),
        "{name}: {bytes} of {allocated}"
    );
}

#[test]
fn the_footprint_is_what_is_allocated() {
    let (narrow, wide) = (points(20_000, 3), points(5000, 20));
    check(
        "few kept",
        BoundaryClassifier::<Euclidean>::footprint,
        || {
            let mut forest = classifier(3);
            forest.learn(narrow.view(), &classes(&narrow, 2.0)).unwrap();
            forest
        },
    );
    check(
        "offline",
        BoundaryClassifier::<Euclidean>::footprint,
        || {
            let schema = Schema::new(20).unwrap();
            let (settings, labels) = (ClassifierSettings::default(), classes(&wide, 2.0));
            BoundaryClassifier::offline(schema, settings, trees(), wide.view(), &labels).unwrap()
        },
    );
    check(
        "row by row",
        BoundaryClassifier::<Euclidean>::footprint,
        || {
            let mut forest = classifier(20);
            for (row, class) in wide.rows().into_iter().zip(classes(&wide, 100.0)) {
                forest.learn_one(row.as_slice().unwrap(), class).unwrap();
            }
            forest
        },
    );
    check("numbers", BoundaryRegressor::<Euclidean>::footprint, || {
        let (schema, settings) = (Schema::new(20).unwrap(), RegressorSettings::default());
        let mut forest = BoundaryRegressor::<Euclidean>::new(schema, settings, trees()).unwrap();
        let sums: Vec<f64> = wide
            .sum_axis(Axis(1))
            .iter()
            .copied()
            .map(f64::from)
            .collect();
        forest.learn(wide.view(), &sums).unwrap();
        forest
    });
    check("vectors", VectorRegressor::<Euclidean>::footprint, || {
        let (schema, settings) = (VectorSchema::new(20, 20), RegressorSettings::default());
        let forest = VectorRegressor::<Euclidean>::new(schema.unwrap(), settings, trees());
        let mut forest = forest.unwrap();
        forest
            .learn(wide.view(), wide.mapv(f64::from).view())
            .unwrap();
        forest
    });
    check("points", Retriever::<Euclidean>::footprint, || {
        let (schema, settings) = (PointSchema::new(3).unwrap(), RetrieverSettings::default());
        let mut forest = Retriever::<Euclidean>::new(schema, settings, trees()).unwrap();
        forest.learn(narrow.view()).unwrap();
        forest
    });
}
