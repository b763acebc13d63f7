//! Questions beside a writer: one row asked of a forest alone, through a reader, and through a reader while another thread
//! learns without a pause.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use criterion::{Criterion, criterion_group, criterion_main};
use forest_core::Regression;
use ndarray::{Array2, s};
use online_forests::{Algorithm, AnyRegressor, ForestSettings, OnlineLearner, Schema};
use serving::shared;

const ROWS: usize = 20_000;

fn rows() -> (Array2<f32>, Vec<f64>) {
    let features = Array2::from_shape_fn((ROWS, 5), |(row, column)| {
        ((row * [37, 53, 71, 89, 97][column]) % 10_007) as f32 / 10_007.0
    });
    let targets = features
        .rows()
        .into_iter()
        .map(|row| f64::from(row[0] * row[1]))
        .collect();
    (features, targets)
}

fn forest() -> AnyRegressor {
    let algorithm: Algorithm = "mondrian:max_nodes=20000"
        .parse()
        .expect("it is in the table");
    let trees = ForestSettings {
        trees: 20,
        ..ForestSettings::default()
    };
    algorithm
        .build::<Regression>(Schema::new(5).expect("five features"), trees)
        .expect("defaults are valid")
}

fn questions(criterion: &mut Criterion) {
    let (features, targets) = rows();
    let mut forest = forest();
    forest
        .learn(features.view(), &targets)
        .expect("the rows are finite");
    let mut row = features
        .rows()
        .into_iter()
        .map(|row| row.to_vec())
        .collect::<Vec<_>>()
        .into_iter()
        .cycle();
    let mut next = move || row.next().expect("it never ends");
    let mut group = criterion.benchmark_group("one question");
    group.bench_function("alone", |bench| bench.iter(|| forest.predict_one(&next())));
    let (mut writer, reader) = shared(forest);
    group.bench_function("through a reader", |bench| {
        bench.iter(|| reader.model().predict_one(&next()))
    });
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut batches = (0..ROWS / 100).cycle();
            while !stop.load(Ordering::Relaxed) {
                let part = batches
                    .next()
                    .map(|batch| batch * 100..(batch + 1) * 100)
                    .expect("it never ends");
                writer
                    .learn(features.slice(s![part.clone(), ..]), &targets[part])
                    .expect("the rows are finite");
            }
        });
        group.bench_function("beside a writer", |bench| {
            bench.iter(|| reader.model().predict_one(&next()))
        });
        stop.store(true, Ordering::Relaxed);
    });
    group.finish();
}

criterion_group!(benches, questions);
criterion_main!(benches);
