//! Time per sample and tree to learn a stream from its beginning.

use std::time::Duration;

use benches::{Samples, TREES, classes, forest, forests, numbers, on_one_thread};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use online_forests::{OnlineLearner, Task};

fn learn<T: Task>(criterion: &mut Criterion, samples: &Samples<T>) {
    let mut group = criterion.benchmark_group("learn");
    let visits = samples.targets().len() * TREES;
    group.throughput(Throughput::Elements(visits as u64));
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    for algorithm in forests::<T>() {
        let id = BenchmarkId::new(algorithm.name(), samples.name());
        group.bench_function(id, |bencher| {
            bencher.iter_batched_ref(
                || forest(&algorithm, samples),
                |forest| forest.learn(samples.features(), samples.targets()),
                BatchSize::PerIteration,
            );
        });
    }
}

fn all(criterion: &mut Criterion) {
    learn(criterion, &numbers("friedman:n=16000,test=0"));
    learn(criterion, &classes("gaussian-mixture:n=16000,test=0"));
}

fn main() {
    on_one_thread(|| {
        let mut criterion = Criterion::default().configure_from_args();
        all(&mut criterion);
        criterion.final_summary();
    });
}
