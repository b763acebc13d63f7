//! One run of a named learner on a data set: the only place that knows how learners are run.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, bail};
use datasets::{Dataset, Target};
use evaluation::{BatchAlgorithm, BatchTask, FitOptions, Training};
use forest_core::{
    Classification, Footprint, ForestSettings, OnlineLearner, Regression, Schema, argmax,
};
use ndarray::{Array2, ArrayView2};
use online_forests::Algorithm;

use super::data::{Library, Rows, in_order, shuffled};
use super::record::LearnTask;
use evaluation::AnyAlgorithm;

/// Probabilities below this count as this much in the log loss.
const LEAST_PROBABILITY: f64 = 1e-6;

type Values = BTreeMap<String, f64>;

/// What was measured, by name.
pub fn run(task: &LearnTask, seed: u64, library: &Library) -> Result<Values> {
    let dataset: &Dataset = &*library.open(&task.data.address)?;
    match &dataset.target {
        Target::Classes { labels, .. } => {
            let rows = task.data.rows(dataset, labels, labels, seed)?;
            measure::<Classification>(task, seed, &rows)
        }
        Target::Values { .. } => {
            let (observed, truth) = task.data.values(dataset)?;
            let rows = task.data.rows(dataset, &observed, &truth, seed)?;
            measure::<Regression>(task, seed, &rows)
        }
    }
}

/// A task whose answers are scored.
trait Scored: BatchTask {
    fn score(answers: &Array2<f64>, truth: &[Self::Target], values: &mut Values);

    /// The first of [`Scored::score`]: what a training error is measured in.
    const ERROR: &'static str;
}

/// Answers rows.
type Answer = dyn Fn(ArrayView2<'_, f32>) -> Result<Array2<f64>>;

/// What learned, and answers.
struct Learned {
    answer: Box<Answer>,
    trees: usize,
    footprint: Option<Footprint>,
    seconds: f64,
}

fn measure<T: Scored>(task: &LearnTask, seed: u64, rows: &Rows<T::Target>) -> Result<Values> {
    let algorithm: AnyAlgorithm = task.algorithm.parse()?;
    let weighted = rows.weights.as_ref().map(|w| algorithm.with_weights(w));
    let learned = match weighted.unwrap_or(algorithm) {
        AnyAlgorithm::Online(online) => online_learner::<T>(&online, task, seed, rows)?,
        AnyAlgorithm::Offline(offline) => offline_learner::<T>(&offline, task, seed, rows)?,
        AnyAlgorithm::Own(own) => bail!(
            "`{}` is a learner of one's own; an item names algorithms of the tables",
            own.name()
        ),
    };
    let mut values = Values::new();
    if task.training_error {
        T::score(
            &(learned.answer)(rows.train.view())?,
            &rows.targets,
            &mut values,
        );
        values.retain(|name, _| name == T::ERROR);
        let training = values.remove(T::ERROR);
        values.extend(training.map(|error| ("training_error".to_owned(), error)));
    }
    let start = Instant::now();
    let answers = (learned.answer)(rows.test.view())?;
    let predicting = start.elapsed().as_secs_f64();
    T::score(&answers, &rows.truth, &mut values);
    let mut set = |name: &str, value: f64| values.insert(name.to_owned(), value);
    set("learn_seconds", learned.seconds);
    set("predict_seconds", predicting);
    if let Some(footprint) = learned.footprint {
        set("bytes", footprint.bytes as f64);
        if footprint.nodes > 0 && learned.trees > 0 {
            // Every inner node has two children.
            let nodes = footprint.nodes as f64 / learned.trees as f64;
            set("leaves", (nodes + 1.0) / 2.0);
        }
    }
    Ok(values)
}

fn online_learner<T: Scored>(
    algorithm: &Algorithm,
    task: &LearnTask,
    seed: u64,
    rows: &Rows<T::Target>,
) -> Result<Learned> {
    let settings = ForestSettings {
        trees: task.trees,
        seed,
        ..ForestSettings::default()
    };
    let schema = Schema::<T>::new(rows.train.ncols())?;
    let mut learner = algorithm.build::<T>(schema, settings)?;
    let start = Instant::now();
    learner.learn(rows.train.view(), &rows.targets)?;
    for pass in 1..task.passes {
        // An order for each pass, from a stream of its own.
        let order = shuffled(rows.targets.len(), (seed << 16) + pass as u64);
        let (features, targets) = in_order(rows.train.view(), &rows.targets, &order);
        learner.learn(features.view(), &targets)?;
    }
    Ok(Learned {
        seconds: start.elapsed().as_secs_f64(),
        trees: task.trees,
        footprint: Some(learner.footprint()),
        answer: Box::new(move |rows| Ok(learner.predict(rows)?)),
    })
}

fn offline_learner<T: Scored>(
    algorithm: &BatchAlgorithm,
    task: &LearnTask,
    seed: u64,
    rows: &Rows<T::Target>,
) -> Result<Learned> {
    let learner = algorithm.learner::<T>()?;
    let mut training = Training::<T>::new(rows.train.view(), &rows.targets)?;
    if learner.is_transductive() {
        training = training.with_unlabelled(rows.test.view())?;
    }
    let start = Instant::now();
    let fitted = learner.fit(&training, FitOptions::new(task.trees, seed))?;
    Ok(Learned {
        seconds: start.elapsed().as_secs_f64(),
        trees: fitted.trees(),
        footprint: fitted.footprint(),
        answer: Box::new(move |rows| Ok(fitted.predict(rows)?)),
    })
}

impl Scored for Classification {
    const ERROR: &'static str = "error";

    /// A class that is not known yet counts as wrong.
    fn score(answers: &Array2<f64>, truth: &[u32], values: &mut Values) {
        let (mut right, mut loss) = (0.0, 0.0);
        for (answer, &truth) in answers.rows().into_iter().zip(truth) {
            let answer = answer.to_vec();
            let known = !answer.is_empty();
            right += f64::from(known && argmax(&answer) == truth as usize);
            let probability = answer.get(truth as usize).copied().unwrap_or(0.0);
            loss -= probability.max(LEAST_PROBABILITY).ln();
        }
        let n = truth.len() as f64;
        values.insert("accuracy".to_owned(), right / n);
        values.insert("error".to_owned(), 100.0 * (1.0 - right / n));
        values.insert("log_loss".to_owned(), loss / n);
    }
}

impl Scored for Regression {
    const ERROR: &'static str = "rmse";

    fn score(answers: &Array2<f64>, truth: &[f64], values: &mut Values) {
        let errors = answers.column(0).into_iter().zip(truth);
        let errors: Vec<f64> = errors.map(|(answer, truth)| answer - truth).collect();
        let n = truth.len() as f64;
        let square = errors.iter().map(|error| error * error).sum::<f64>() / n;
        let absolute = errors.iter().map(|error| error.abs()).sum::<f64>() / n;
        values.insert("mse".to_owned(), square);
        values.insert("rmse".to_owned(), square.sqrt());
        values.insert("mae".to_owned(), absolute);
    }
}
