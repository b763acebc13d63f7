//! Measures what it costs to forget a sample, beside rebuilding the forest without it, on one thread, as lines of CSV:
//! `cargo run --release -p dynamic-forest --example forgetting -- letter 0.5,0 10 1000`
//!
//! Arguments: a data set; values of `recheck`; trees; samples to forget, chosen at random one after another. Printed: microseconds per
//! sample and tree to forget, milliseconds per tree to build at once, and how many samples are forgotten in that time.

use datasets::{OpenOptions, Target, data_folder, open};
use dynamic_forest::{
    BatchForest, DynamicSettings, DynamicTree, Forget, Labels, OnlineLearner, Schema,
};
use forest_core::{
    Classification, Forest, ForestSettings, ForgetTree, Regression, TreeRng, threads,
};
use forest_testing::timing::timed;
use ndarray::ArrayView2;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Outcome<()> {
    threads::with_threads(1, run)?
}

fn run() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize, default| arguments.get(index).map_or(default, String::as_str);
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(argument(0, "letter"), &options)?;
    let forest = ForestSettings::default()
        .with_trees(argument(2, "10").parse()?)
        .with_seed(1);
    let gone = argument(3, "1000").parse()?;
    for recheck in argument(1, "0.5,0").split(',') {
        let settings = DynamicSettings {
            recheck: recheck.parse()?,
            ..DynamicSettings::default()
        };
        let rows = data.features.view();
        let (forget, build) = match &data.target {
            Target::Classes { labels, .. } => {
                times::<Classification>(rows, labels, settings, forest, gone)
            }
            Target::Values { values, .. } => {
                times::<Regression>(rows, values, settings, forest, gone)
            }
        }?;
        let (name, samples) = (&data.name, data.rows());
        let ratio = build * 1e3 / forget;
        println!(
            "dynamic {recheck},\"{name}\",{samples},{},{forget:.2},{build:.2},{ratio:.0}",
            forest.trees
        );
    }
    Ok(())
}

/// Microseconds a sample and tree to forget, milliseconds a tree to build.
fn times<T: Labels>(
    rows: ArrayView2<'_, f32>,
    targets: &[T::Target],
    settings: DynamicSettings,
    forest: ForestSettings,
    gone: usize,
) -> Outcome<(f64, f64)>
where
    DynamicTree<T>: ForgetTree<Task = T, Settings = DynamicSettings>,
{
    let schema = Schema::<T>::new(rows.ncols())?;
    let (built, build) =
        timed(|| BatchForest::fit(schema, rows, targets, settings.clone(), forest));
    built?;
    let build = build / 1e3 / forest.trees as f64;
    let mut learner = Forest::<DynamicTree<T>>::new(schema, settings, forest)?;
    learner.learn(rows, targets)?;
    let mut order: Vec<u64> = (0..rows.nrows() as u64).collect();
    TreeRng::new(1, 0).shuffle(&mut order);
    let mut order = order.iter().take(gone);
    let (forgotten, forget) = timed(|| order.try_for_each(|&arrival| learner.forget(arrival)));
    forgotten?;
    Ok((forget / (gone * forest.trees) as f64, build))
}
