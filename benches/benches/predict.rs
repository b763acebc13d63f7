//! Time per point and tree to predict after a stream was learned, in blocks and, as `… alone`,
//! one point after another. The ratio of the two is the speedup by blocks.

use std::time::Duration;

use benches::{Samples, TREES, classes, forest, forests, numbers, on_one_thread};
use criterion::{BenchmarkId, Criterion, Throughput};
use online_forests::ndarray::s;
use online_forests::{OnlineLearner, Task};

/// Points predicted in one batch.
const POINTS: usize = 2000;

fn predict<T: Task>(criterion: &mut Criterion, samples: &Samples<T>) {
    let mut group = criterion.benchmark_group("predict");
    group.throughput(Throughput::Elements((POINTS * TREES) as u64));
    group
        .sample_size(20)
        .measurement_time(Duration::from_secs(3));
    let points = samples.features();
    let points = points.slice(s![..POINTS, ..]);
    for algorithm in forests::<T>() {
        let id = BenchmarkId::new(algorithm.name(), samples.name());
        let mut forest = forest(&algorithm, samples);
        let learned = forest.learn(samples.features(), samples.targets());
        learned.expect("generated samples are acceptable");
        group.bench_function(id, |bencher| bencher.iter(|| forest.predict(points)));
        let id = BenchmarkId::new(format!("{} alone", algorithm.name()), samples.name());
        let mut prediction = Vec::new();
        group.bench_function(id, |bencher| {
            bencher.iter(|| {
                for point in points.rows() {
                    let point = point.to_slice().expect("rows are contiguous");
                    let predicted = forest.predict_one_into(point, &mut prediction);
                    predicted.expect("generated points are acceptable");
                }
            });
        });
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
