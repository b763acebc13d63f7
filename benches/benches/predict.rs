//! Answering points after a stream was learned: time per point and tree.

use std::time::Duration;

use benches::{Samples, TREES, classes, forests, numbers, on_one_thread};
use criterion::{BenchmarkId, Criterion, Throughput};
use online_forests::ndarray::s;
use online_forests::{ForestSettings, NamedTask, OnlineLearner};

/// Points asked in one batch.
const POINTS: usize = 2000;

fn predict<T: NamedTask>(criterion: &mut Criterion, samples: &Samples<T>) {
    let mut group = criterion.benchmark_group("predict");
    group.throughput(Throughput::Elements((POINTS * TREES) as u64));
    group
        .sample_size(20)
        .measurement_time(Duration::from_secs(3));
    let points = samples.features();
    let points = points.slice(s![..POINTS, ..]);
    for algorithm in forests::<T>() {
        let id = BenchmarkId::new(algorithm.name(), samples.name());
        let forest = algorithm.build::<T>(
            samples.schema(),
            ForestSettings {
                trees: TREES,
                seed: 1,
                ..ForestSettings::default()
            },
        );
        let mut forest = forest.expect("defaults are valid");
        let learned = forest.learn(samples.features(), samples.targets());
        learned.expect("generated samples are acceptable");
        group.bench_function(id, |bencher| bencher.iter(|| forest.predict(points)));
    }
}

fn all(criterion: &mut Criterion) {
    predict(criterion, &numbers("friedman:n=16000,test=0"));
    predict(criterion, &classes("gaussian-mixture:n=16000,test=0"));
}

fn main() {
    on_one_thread(|| {
        let mut criterion = Criterion::default().configure_from_args();
        all(&mut criterion);
        criterion.final_summary();
    });
}
