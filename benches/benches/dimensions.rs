//! Time to learn and predict against dimension and length of the stream: oblique and axis cuts.
//!
//! The longest streams take minutes per measurement; select benchmarks by name, such as
//! `cargo bench --package benches --bench dimensions -- 'learn/obsp/hypercube:d=4,n=100000'`.

use benches::{Samples, classes, on_one_thread};
use criterion::{BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput};
use online_forests::ndarray::s;
use online_forests::{Algorithm, Classification, ForestSettings, OnlineLearner};

const ALGORITHMS: [&str; 2] = ["mondrian-increasing", "obsp"];
const DIMENSIONS: [usize; 4] = [2, 4, 8, 16];
const LENGTHS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Points predicted in one batch.
const POINTS: usize = 2000;

fn learn(criterion: &mut Criterion, algorithm: &Algorithm, samples: &Samples<Classification>) {
    let mut group = criterion.benchmark_group("learn");
    group.throughput(Throughput::Elements(samples.targets().len() as u64));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    let build = || {
        algorithm
            .build::<Classification>(
                samples.schema(),
                ForestSettings::default().with_trees(1).with_seed(1),
            )
            .expect("defaults hold")
    };
    group.bench_function(
        BenchmarkId::new(algorithm.name(), samples.name()),
        |bencher| {
            bencher.iter_batched_ref(
                build,
                |tree| tree.learn(samples.features(), samples.targets()),
                BatchSize::PerIteration,
            );
        },
    );
}

fn predict(criterion: &mut Criterion, algorithm: &Algorithm, samples: &Samples<Classification>) {
    let mut group = criterion.benchmark_group("predict");
    group.throughput(Throughput::Elements(POINTS as u64));
    let points = samples.features();
    let points = points.slice(s![..POINTS, ..]);
    group.bench_function(
        BenchmarkId::new(algorithm.name(), samples.name()),
        |bencher| {
            let tree = algorithm.build::<Classification>(
                samples.schema(),
                ForestSettings::default().with_trees(1).with_seed(1),
            );
            let mut tree = tree.expect("defaults hold");
            let learned = tree.learn(samples.features(), samples.targets());
            learned.expect("generated samples are acceptable");
            bencher.iter(|| tree.predict(points));
        },
    );
}

fn main() {
    on_one_thread(|| {
        let mut criterion = Criterion::default().configure_from_args();
        for (n, d) in LENGTHS.into_iter().flat_map(|n| DIMENSIONS.map(|d| (n, d))) {
            let samples = classes(&format!("hypercube:d={d},n={n},test=0"));
            for name in ALGORITHMS {
                let algorithm = name.parse().expect("a name of the facade");
                learn(&mut criterion, &algorithm, &samples);
                predict(&mut criterion, &algorithm, &samples);
            }
        }
        criterion.final_summary();
    });
}
