//! Boundary forests: distances by each kernel, and forests with and without codes.
//!
//! `FOREST_DATA=<folder> cargo bench -p benches --bench boundary_forest`; `-- kernel` for distances alone.

use std::hint::black_box;
use std::ops::Range;

use benches::{classes, on_one_thread};
use boundary_forest::{
    BoundaryClassifier, ClassifierSettings, Euclidean, Metric, PointSchema, ProxyForm, Retriever,
    RetrieverSettings,
};
use criterion::{BatchSize, Criterion, Throughput};
use forest_core::{ForestSettings, OnlineLearner, TreeRng};
use ndarray::{Array2, s};
use pulp::x86::{V3, V4};
use pulp::{Arch, NullaryFnOnce};

/// Features and points: in the first cache, in the second, and beyond the caches.
const SIZES: [(usize, usize); 5] = [(16, 64), (100, 64), (784, 64), (100, 50_000), (784, 50_000)];

/// Number of distances in a measurement.
const DISTANCES: usize = 10_000;

/// Points of whole numbers, and their codes.
struct Points {
    width: usize,
    rows: usize,
    values: Vec<f32>,
    codes: Vec<u8>,
}

impl Points {
    fn new(width: usize, rows: usize) -> Self {
        let codes: Vec<u8> = (0..width * rows).map(|i| (i * 31 % 251) as u8).collect();
        let values = codes.iter().map(|&code| f32::from(code)).collect();
        Self {
            width,
            rows,
            values,
            codes,
        }
    }

    /// Returns a point far from the previous one, as in a walk.
    fn place(&self, nth: usize) -> Range<usize> {
        let row = nth * 7919 % self.rows;
        row * self.width..(row + 1) * self.width
    }
}

/// A way to compute a distance.
type Kernel = fn(&Points, Range<usize>, Range<usize>) -> f64;

fn naive(points: &Points, x: Range<usize>, y: Range<usize>) -> f64 {
    let pairs = points.values[x].iter().zip(&points.values[y]);
    pairs
        .map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2))
        .sum()
}

fn double_lanes(points: &Points, x: Range<usize>, y: Range<usize>) -> f64 {
    Euclidean::proxy(&points.values[x], &points.values[y])
}

/// Computes in single precision, which is exact for whole numbers as here.
fn single_lanes(points: &Points, x: Range<usize>, y: Range<usize>) -> f64 {
    let (x, rest_x) = points.values[x].as_chunks::<16>();
    let (y, rest_y) = points.values[y].as_chunks::<16>();
    let mut lanes = [0.0; 16];
    for (a, b) in x.iter().zip(y) {
        for lane in 0..16 {
            lanes[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
        }
    }
    let rest = rest_x.iter().zip(rest_y).map(|(a, b)| (a - b) * (a - b));
    f64::from(lanes.into_iter().chain(rest).sum::<f32>())
}

/// A sum of codes over many distances, compiled for each instruction set it is dispatched to.
struct Codes<'a>(&'a Points);

impl NullaryFnOnce for Codes<'_> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let points = self.0;
        let first = &points.codes[points.place(0)];
        let of = |nth| ProxyForm::Squares.difference(first, &points.codes[points.place(nth)]);
        (0..DISTANCES).map(|nth| u64::from(of(nth))).sum()
    }
}

fn kernels(criterion: &mut Criterion) {
    let machines = [
        ("codes, any x86-64", Some(None)),
        ("codes, AVX2", V3::try_new().map(|v3| Some(Arch::V3(v3)))),
        ("codes, AVX-512", V4::try_new().map(|v4| Some(Arch::V4(v4)))),
    ];
    for (width, rows) in SIZES {
        let points = Points::new(width, rows);
        let mut group =
            criterion.benchmark_group(format!("kernel/{width} features, {rows} points"));
        group.throughput(Throughput::Elements(DISTANCES as u64));
        let kernels: [(&str, Kernel); 3] = [
            ("naive loop", naive),
            ("f64 lanes", double_lanes),
            ("f32 lanes", single_lanes),
        ];
        for (name, kernel) in kernels {
            group.bench_function(name, |bencher| {
                let distance = |nth| kernel(&points, points.place(0), points.place(nth));
                bencher.iter(|| (0..DISTANCES).map(distance).sum::<f64>());
            });
        }
        for (name, machine) in &machines {
            let Some(machine) = machine else { continue };
            group.bench_function(*name, |bencher| {
                bencher.iter(|| match machine {
                    Some(arch) => arch.dispatch(Codes(black_box(&points))),
                    None => Codes(black_box(&points)).call(),
                });
            });
        }
    }
}

/// The Euclidean distance without codes: its forest is the same algorithm, with the distances of a query shared between trees
/// and a vectorised kernel, but without other shortcuts.
#[derive(Clone, Copy, Debug, Default)]
struct Plain;

impl Metric for Plain {
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        Euclidean::proxy(x, y)
    }

    fn distance(proxy: f64) -> f64 {
        Euclidean::distance(proxy)
    }
}

fn settings(trees: usize) -> ForestSettings {
    ForestSettings::default().with_trees(trees).with_seed(1)
}

/// Measures MNIST: 6,000 rows to learn, 1,000 to predict, 50 trees.
fn mnist<M: Metric>(criterion: &mut Criterion, name: &str) {
    let samples = classes("mnist");
    let (rows, labels) = (
        samples.features().slice_move(s![..6000, ..]),
        &samples.targets()[..6000],
    );
    let queries = samples.features().slice_move(s![60_000..61_000, ..]);
    let build = || {
        BoundaryClassifier::<M>::new(
            samples.schema(),
            ClassifierSettings::default(),
            settings(50),
        )
        .expect("defaults are valid")
    };
    let mut group = criterion.benchmark_group(format!("mnist/{name}"));
    group.sample_size(10);
    group.bench_function("learn", |bencher| {
        let learn = |forest: &mut BoundaryClassifier<M>| forest.learn(rows, labels);
        bencher.iter_batched_ref(build, learn, BatchSize::PerIteration);
    });
    let mut forest = build();
    forest.learn(rows, labels).expect("rows are acceptable");
    group.bench_function("predict", |bencher| {
        bencher.iter(|| forest.predict(queries));
    });
}

/// Returns points that codes of 8 bits approximate well or badly.
fn points(width: usize, values: &str) -> Array2<f32> {
    let mut rng = TreeRng::new(1, width);
    let mut points = Array2::from_shape_simple_fn((5000, width), || rng.uniform() as f32);
    match values {
        "heavy tails" => points.mapv_inplace(|u| (-(1.0 - 0.999_999 * u).ln()).powi(3)),
        "1e6 once" => points[[0, 0]] = 1e6,
        "-9999 in every 5th point" => {
            for row in (0..5000).step_by(5) {
                points[[row, row / 5 % width]] = -9999.0;
            }
        }
        _ => {}
    }
    points
}

fn outliers<M: Metric>(criterion: &mut Criterion, name: &str) {
    for width in [16, 100] {
        for values in [
            "uniform",
            "1e6 once",
            "-9999 in every 5th point",
            "heavy tails",
        ] {
            let points = points(width, values);
            let build = || {
                let schema = PointSchema::new(width).expect("there are features");
                Retriever::<M>::new(schema, RetrieverSettings::default(), settings(20))
                    .expect("defaults are valid")
            };
            let mut group =
                criterion.benchmark_group(format!("outliers/{width} features, {values}"));
            group.sample_size(10);
            group.bench_function(name, |bencher| {
                let learn = |forest: &mut Retriever<M>| forest.learn(points.view());
                bencher.iter_batched_ref(build, learn, BatchSize::PerIteration);
            });
        }
    }
}

fn main() {
    on_one_thread(|| {
        let mut criterion = Criterion::default().configure_from_args();
        kernels(&mut criterion);
        mnist::<Euclidean>(&mut criterion, "forest");
        mnist::<Plain>(&mut criterion, "plain");
        outliers::<Euclidean>(&mut criterion, "codes");
        outliers::<Plain>(&mut criterion, "plain");
        criterion.final_summary();
    });
}
