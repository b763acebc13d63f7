//! Speedups within this project: by predicting and learning several rows together, and by computing exponentials and normals
//! by its own functions. It prints ratios of alternating measurements, which hold on any machine:
//! `cargo bench --package benches --bench ratios`.

#[path = "ratios/exponentials.rs"]
mod exponentials;
#[path = "ratios/normals.rs"]
mod normals;

use std::hint::black_box;
use std::time::Instant;

use benches::{Samples, numbers, on_one_thread};
use exponentials::AggregatedByLibm;
use forest_core::ndarray::Axis;
use forest_core::{
    Forest, ForestContext, ForestSettings, OnlineLearner, OnlineTree, Regression, Rows, SampleId,
    SampleStore, TreeRng,
};
use label_models::{AggregatedMeans, LeafMeans};
use mondrian::{MondrianSettings, MondrianTree, fixed};
use normals::by_polar_method;
use tessellation_tree::LabelModel;

/// Rows that are predicted, or walked ahead of learning, together.
const BLOCK: usize = 512;
const AHEAD: usize = 16;

const TREES: usize = 10;

/// Number of normals per measurement.
const DRAWS: usize = 1_000_000;

/// The rows of a stream, and the number of rounds of a ratio.
struct Plan {
    rows: &'static [usize],
    rounds: usize,
}

impl Plan {
    /// Returns the plan: `cargo bench` measures; a test only runs everything once.
    fn from_arguments() -> Self {
        if std::env::args().any(|argument| argument == "--bench") {
            Self {
                rows: &[20_000, 200_000],
                rounds: 7,
            }
        } else {
            Self {
                rows: &[500],
                rounds: 1,
            }
        }
    }
}

fn seconds(work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Prints the median of the ratios of the times of `one` and `other`, taken in turns.
fn ratio(name: &str, rounds: usize, mut one: impl FnMut(), mut other: impl FnMut()) {
    let round = |_| seconds(&mut one) / seconds(&mut other);
    let mut ratios: Vec<f64> = (0..rounds).map(round).collect();
    ratios.sort_by(f64::total_cmp);
    println!("{name:<68} {:.2}", ratios[rounds / 2]);
}

/// Compares a batch with its rows, one call each.
fn compare_predictions<T: OnlineTree<Task = Regression>>(
    name: &str,
    rounds: usize,
    forest: &Forest<T>,
    samples: &Samples<Regression>,
) {
    let points = samples.features();
    let mut prediction = Vec::new();
    let batch = || {
        black_box(forest.predict(points).expect("the points are finite"));
    };
    let rows = || {
        for point in points.rows() {
            let point = point.to_slice().expect("rows are contiguous");
            forest
                .predict_one_into(point, &mut prediction)
                .expect("the points are finite");
        }
    };
    ratio(
        &format!("{name}: predict, a batch against its rows"),
        rounds,
        batch,
        rows,
    );
}

/// Compares walks down one tree side by side with walks one after another.
fn walking<T: OnlineTree<Task = Regression>>(
    name: &str,
    rounds: usize,
    forest: &Forest<T>,
    samples: &Samples<Regression>,
) {
    let (context, rng) = (forest.context(), TreeRng::new(0, 0));
    let block =
        |points| Rows::check(points, samples.schema().features()).expect("the points are finite");
    let points = samples.features();
    let blocks: Vec<Rows<'_>> = points.axis_chunks_iter(Axis(0), BLOCK).map(block).collect();
    let width = T::accumulator_width(&());
    let (mut accumulator, mut other, mut sums) =
        (vec![0.0; width], vec![0.0; width], vec![0.0; BLOCK * width]);
    let together = || {
        for tree in forest.trees() {
            for block in &blocks {
                tree.add_votes(block, &context, &rng, &mut accumulator, &mut sums);
            }
        }
        black_box(&sums);
    };
    let alone = || {
        for tree in forest.trees() {
            for row in blocks.iter().flat_map(Rows::iter) {
                tree.vote(row, &context, &rng, &mut other);
                black_box(&other);
            }
        }
    };
    ratio(
        &format!("{name}: predictions of a tree, walks side by side against single ones"),
        rounds,
        together,
        alone,
    );
}

fn store(samples: &Samples<Regression>) -> SampleStore<Regression> {
    let (rows, targets) = (samples.features(), samples.targets());
    SampleStore::with_samples(rows, targets, &samples.schema()).expect("the samples are finite")
}

fn context<'a, T: OnlineTree<Task = Regression>>(
    settings: &'a T::Settings,
    samples: &'a SampleStore<Regression>,
) -> ForestContext<'a, T> {
    ForestContext {
        settings,
        samples,
        outputs: (),
    }
}

/// Learns all samples, with or without prefetching the next ones.
fn learn<T: OnlineTree<Task = Regression>>(
    samples: &Samples<Regression>,
    context: &ForestContext<'_, T>,
    ahead: bool,
) {
    let mut tree = T::build(0, 1, &samples.schema(), context.settings);
    let (mut rng, ids) = (TreeRng::new(1, 0), context.samples.ids());
    let ids: Vec<SampleId> = ids.collect();
    for block in ids.chunks(AHEAD) {
        if ahead {
            tree.look_ahead(block.iter().copied(), context);
        }
        block
            .iter()
            .for_each(|&id| tree.learn(id, context, &mut rng));
    }
    black_box(tree);
}

fn learning<T: OnlineTree<Task = Regression>>(
    name: &str,
    rounds: usize,
    settings: &T::Settings,
    samples: &Samples<Regression>,
) {
    let store = store(samples);
    let context = context(settings, &store);
    let (together, alone) = (
        || learn::<T>(samples, &context, true),
        || learn::<T>(samples, &context, false),
    );
    ratio(
        &format!("{name}: learn, with a look at the next rows against none"),
        rounds,
        together,
        alone,
    );
}

fn compare<L: LabelModel<Task = Regression>>(
    name: &str,
    rounds: usize,
    samples: &Samples<Regression>,
) {
    let settings: MondrianSettings<L::Settings> = fixed(f64::INFINITY);
    let name = format!("{name}, {} rows", samples.targets().len());
    learning::<MondrianTree<L>>(&name, rounds, &settings, samples);
    let trees = ForestSettings::default().with_trees(TREES).with_seed(1);
    let forest = Forest::<MondrianTree<L>>::new(samples.schema(), settings, trees);
    let mut forest = forest.expect("the settings are valid");
    let learned = forest.learn(samples.features(), samples.targets());
    learned.expect("the samples are finite");
    walking(&name, rounds, &forest, samples);
    compare_predictions(&name, rounds, &forest, samples);
}

/// Compares learning by our own exponential function with `libm`'s, one per level.
fn exponentials(rounds: usize, samples: &Samples<Regression>) {
    let (settings, store) = (fixed(f64::INFINITY), store(samples));
    let own = context(&settings, &store);
    let other = context(&settings, &store);
    let trees = |learn: &dyn Fn()| (0..TREES).for_each(|_| learn());
    ratio(
        &format!(
            "amf, {} rows: learn, with our exponentials against libm's",
            samples.targets().len()
        ),
        rounds,
        || trees(&|| learn::<MondrianTree<AggregatedMeans>>(samples, &own, true)),
        || trees(&|| learn::<MondrianTree<AggregatedByLibm>>(samples, &other, true)),
    );
}

/// Compares normals by the ziggurat with the polar method, which makes two.
fn normals(rounds: usize) {
    let (mut rng, mut other) = (TreeRng::new(1, 0), TreeRng::new(1, 0));
    ratio(
        "normals, by a ziggurat against the polar method",
        rounds,
        || {
            (0..DRAWS).for_each(|_| {
                black_box(rng.normal());
            });
        },
        || {
            (0..DRAWS / 2).for_each(|_| {
                black_box(by_polar_method(&mut other));
            });
        },
    );
}

fn main() {
    let plan = Plan::from_arguments();
    on_one_thread(|| {
        normals(plan.rounds);
        for rows in plan.rows {
            // Computation weighs more in a small tree, because it waits less for memory.
            exponentials(
                plan.rounds,
                &numbers(&format!("friedman:n={},test=0", rows / 10)),
            );
            let samples = numbers(&format!("friedman:n={rows},test=0"));
            compare::<LeafMeans>("mondrian", plan.rounds, &samples);
            compare::<AggregatedMeans>("amf", plan.rounds, &samples);
        }
    });
}
