//! Score, time and memory of dynamic forests on one thread, as lines of CSV:
//! `cargo run --release -p dynamic-forest --example cost -- letter batch,0.5,0 100 10`
//!
//! Arguments: a data set; values of `recheck`, where `batch` builds at once; trees; seeds. The score is the accuracy, or the
//! root of the mean squared error. Times are microseconds of processor time a row and tree; bytes are those of the trees.

use datasets::{Dataset, OpenOptions, Target, data_folder, open};
use dynamic_forest::{BatchForest, DynamicSettings, DynamicTree, Labels, OnlineLearner, Schema};
use forest_core::{
    Classification, Footprint, Forest, ForestSettings, OnlineTree, Regression, argmax, threads,
};
use forest_testing::timing::{learn_in_calls, timed};
use ndarray::{Array2, ArrayView2};

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
    let (trees, seeds) = (argument(2, "100").parse()?, argument(3, "1").parse()?);
    for mode in argument(1, "batch,0.5").split(',') {
        for seed in 1..=seeds {
            let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
            let Measured {
                score,
                learn,
                predict,
                bytes,
            } = measure(&data, mode, forest)?;
            let name = &data.name;
            println!(
                "dynamic {mode},\"{name}\",{trees},{seed},{score:.6},{learn:.4},{predict:.4},{bytes:.1}"
            );
        }
    }
    Ok(())
}

struct Measured {
    score: f64,
    learn: f64,
    predict: f64,
    bytes: f64,
}

fn measure(data: &Dataset, mode: &str, forest: ForestSettings) -> Outcome<Measured> {
    let split = data.split.unwrap_or(data.rows() * 4 / 5);
    let (train, test) = data.features.view().split_at(ndarray::Axis(0), split);
    match &data.target {
        Target::Classes { labels, .. } => {
            let (learned, asked) = labels.split_at(split);
            let score = |predictions: &Array2<f64>| accuracy(predictions, asked);
            of_task::<Classification>(mode, forest, (train, learned), test, score)
        }
        Target::Values { values, .. } => {
            let (learned, asked) = values.split_at(split);
            let score = |predictions: &Array2<f64>| error(predictions, asked);
            of_task::<Regression>(mode, forest, (train, learned), test, score)
        }
    }
}

fn accuracy(predictions: &Array2<f64>, classes: &[u32]) -> f64 {
    let best = |row: ndarray::ArrayView1<'_, f64>| argmax(&row.to_vec()) as u32;
    let pairs = predictions.outer_iter().zip(classes);
    pairs.filter(|(row, class)| best(*row) == **class).count() as f64 / classes.len() as f64
}

fn error(predictions: &Array2<f64>, values: &[f64]) -> f64 {
    let squares = predictions
        .iter()
        .zip(values)
        .map(|(prediction, value)| (prediction - value).powi(2));
    (squares.sum::<f64>() / values.len() as f64).sqrt()
}

fn of_task<T: Labels>(
    mode: &str,
    forest: ForestSettings,
    (train, targets): (ArrayView2<'_, f32>, &[T::Target]),
    test: ArrayView2<'_, f32>,
    score: impl Fn(&Array2<f64>) -> f64,
) -> Outcome<Measured>
where
    DynamicTree<T>: OnlineTree<Task = T, Settings = DynamicSettings>,
{
    let schema = Schema::<T>::new(train.ncols())?;
    let settings = DynamicSettings::default();
    let a_tree = |count: usize| (count * forest.trees) as f64;
    let done = |learn, predictions: &Array2<f64>, predict, footprint: Footprint| Measured {
        score: score(predictions),
        learn: learn / a_tree(train.nrows()),
        predict: predict / a_tree(test.nrows()),
        bytes: footprint.bytes as f64 / a_tree(train.nrows()),
    };
    if mode == "batch" {
        let (learner, learn) = timed(|| BatchForest::fit(schema, train, targets, settings, forest));
        let learner = learner?;
        let (predictions, predict) = timed(|| learner.predict(test));
        let trees = learner.trees().map(OnlineTree::footprint).sum();
        return Ok(done(learn, &predictions?, predict, trees));
    }
    let settings = DynamicSettings {
        recheck: mode.parse()?,
        ..settings
    };
    let mut learner = Forest::<DynamicTree<T>>::new(schema, settings, forest)?;
    let (learned, learn) = timed(|| learn_in_calls(&mut learner, train, targets));
    learned?;
    let (predictions, predict) = timed(|| learner.predict(test));
    let trees = learner.trees().map(OnlineTree::footprint).sum();
    Ok(done(learn, &predictions?, predict, trees))
}
