//! Time of one prediction by a forest alone, through a reader, and through a reader while another thread learns without
//! a pause; and the reader's share of it, without the prediction.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use benches::{forest, numbers};
use criterion::{Criterion, criterion_group, criterion_main};
use forest_model::shared::{Reader, Writer};
use online_forests::ndarray::s;
use online_forests::{Algorithm, AnyRegressor, OnlineLearner};

/// Rows that the writer learns at a time.
const BATCH: usize = 100;

fn predictions(criterion: &mut Criterion) {
    let samples = numbers("friedman:n=20000,test=0");
    let features = samples.features();
    let targets = samples.targets();
    let algorithm: Algorithm = "mondrian:max_nodes=20000"
        .parse()
        .expect("it is in the table");
    let mut forest = forest(&algorithm, &samples);
    forest
        .learn(features, targets)
        .expect("generated samples are acceptable");
    let mut rows = features.rows().into_iter().cycle();
    let mut next = || rows.next().and_then(|row| row.to_slice());
    let mut predict = |forest: &AnyRegressor| forest.predict_one(next().expect("it never ends"));
    let mut group = criterion.benchmark_group("one prediction");
    group.bench_function("alone", |bench| bench.iter(|| predict(&forest)));
    let mut writer = Writer::new(forest);
    let reader = writer.reader().clone();
    let mut through = |reader: &Reader<AnyRegressor>| predict(&reader.model());
    group.bench_function("through a reader", |bench| {
        bench.iter(|| through(&reader).is_ok());
    });
    let look = |reader: &Reader<AnyRegressor>| reader.model().samples_seen();
    group.bench_function("the reader alone", |bench| bench.iter(|| look(&reader)));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut starts = (0..targets.len()).step_by(BATCH).cycle();
            while !stop.load(Ordering::Relaxed) {
                let start = starts.next().expect("it never ends");
                let rows = start..start + BATCH;
                let batch = features.slice(s![rows.clone(), ..]);
                let learned = writer.update(|forest| forest.learn(batch, &targets[rows.clone()]));
                learned.expect("generated samples are acceptable");
            }
        });
        group.bench_function("beside a writer", |bench| {
            bench.iter(|| through(&reader).is_ok());
        });
        group.bench_function("the reader alone, beside a writer", |bench| {
            bench.iter(|| look(&reader));
        });
        stop.store(true, Ordering::Relaxed);
    });
    group.finish();
}

criterion_group!(benches, predictions);
criterion_main!(benches);
