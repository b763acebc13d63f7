//! The stream-partitioned forest and Saffari's: time to learn and to predict, per sample and tree; and to learn compared with trees that follow
//! the paper's pseudo-code to the letter, with two histograms for every candidate child, which are the same trees.
//!
//! `FOREST_DATA=<folder> cargo bench -p benches --bench stream_rf`. The speedup of an optimisation is the ratio of times with it and
//! without it.

#[path = "../../crates/stream-rf/tests/paper/mod.rs"]
mod paper;

use benches::{Samples, TREES, classes, numbers, on_one_thread};
use criterion::{BatchSize, Criterion, Throughput};
use forest_core::{Forest, TreeRng};
use online_forests::{Algorithm, Classification, ForestSettings, NamedTask, OnlineLearner};
use paper::PaperTree;
use paper::histogram::Classes;
use stream_rf::{StreamSettings, StreamTree};

const MIXTURE: &str = "gaussian-mixture:n=30000,test=0";

/// Name, data, algorithm.
const CLASSES: [[&str; 3]; 7] = [
    ["stream-letter", "letter", "stream-rf"],
    [
        "stream-letter-paper",
        "letter",
        "stream-rf:lambda=10,m=10,tau=0.144,alpha=10,alpha_base=1.00001,beta=100000,beta_base=1.00001",
    ],
    ["stream-letter-bounded", "letter", "stream-rf:fringe=50"],
    ["stream-usps", "usps", "stream-rf"],
    [
        "stream-mixture",
        MIXTURE,
        "stream-rf:lambda=1,m=10,tau=0.00144,alpha_base=1.1,beta=1000,beta_base=1.1",
    ],
    ["saffari-letter", "letter", "saffari"],
    ["saffari-mixture", MIXTURE, "saffari"],
];
const NUMBERS: [[&str; 3]; 2] = [
    ["stream-numbers", "friedman:n=15000,test=0", "stream-rf"],
    ["saffari-numbers", "friedman:n=15000,test=0", "saffari"],
];

fn settings() -> ForestSettings {
    ForestSettings::default().with_trees(TREES).with_seed(1)
}

fn times<T: NamedTask>(
    criterion: &mut Criterion,
    [name, _, algorithm]: [&str; 3],
    samples: &Samples<T>,
) {
    let algorithm: Algorithm = algorithm.parse().expect("it is in the table");
    let build = || {
        algorithm
            .build::<T>(samples.schema(), settings())
            .expect("settings are valid")
    };
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.throughput(Throughput::Elements(
        (samples.targets().len() * TREES) as u64,
    ));
    group.bench_function("learn", |bencher| {
        let learn =
            |forest: &mut _| OnlineLearner::learn(forest, samples.features(), samples.targets());
        bencher.iter_batched_ref(build, learn, BatchSize::PerIteration);
    });
    let mut forest = build();
    forest
        .learn(samples.features(), samples.targets())
        .expect("rows are acceptable");
    group.bench_function("predict", |bencher| {
        bencher.iter(|| forest.predict(samples.features()));
    });
}

/// Measures the same trees by binned counts and by the paper's histograms.
fn beside_the_pseudo_code(criterion: &mut Criterion) {
    let letter = classes("letter");
    let ten = StreamSettings {
        lambda: 10.0,
        m: 10,
        ..StreamSettings::default()
    };
    let cases = [
        ("paper", StreamSettings::usps()),
        ("ten", ten),
        ("default", StreamSettings::default()),
    ];
    for (name, paper) in cases {
        let mut group = criterion.benchmark_group(format!("pseudo-code/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(
            (letter.targets().len() * TREES) as u64,
        ));
        group.bench_function("binned", |bencher| {
            let build = || {
                Forest::<StreamTree<Classification>>::new(
                    letter.schema(),
                    paper.clone(),
                    settings(),
                )
                .expect("settings are valid")
            };
            let learn = |forest: &mut Forest<_>| forest.learn(letter.features(), letter.targets());
            bencher.iter_batched_ref(build, learn, BatchSize::PerIteration);
        });
        group.bench_function("histograms", |bencher| {
            bencher.iter(|| histograms(&letter, &paper));
        });
    }
}

fn histograms(samples: &Samples<Classification>, settings: &StreamSettings) {
    for tree in 0..TREES {
        let mut tree = PaperTree::<Classes>::new(settings.clone(), TreeRng::new(1, tree));
        for (row, &label) in samples.features().rows().into_iter().zip(samples.targets()) {
            tree.learn(row.as_slice().expect("rows are contiguous"), label);
        }
    }
}

fn main() {
    on_one_thread(|| {
        let mut criterion = Criterion::default().configure_from_args();
        for case in CLASSES {
            times(&mut criterion, case, &classes(case[1]));
        }
        for case in NUMBERS {
            times(&mut criterion, case, &numbers(case[1]));
        }
        beside_the_pseudo_code(&mut criterion);
        criterion.final_summary();
    });
}
