//! Hold-outs of items: an algorithm learns a part of a data set and is tested on another.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter;
use std::num::{NonZeroU64, NonZeroUsize};

use anyhow::{Context as _, Result, ensure};
use clap::{ArgAction::Set, Parser, ValueEnum};
use comparison::protocol::{Design, Split, arrange, shuffled};
use comparison::record::Measured;
use comparison::{ComparedTask, Contender, Protocols, Request, Table, measure};
use datasets::{Dataset, Target};
use forest_core::{Classification, Regression};
use ndarray::Axis;

use crate::reproduce::function::{Function, Library, forest, mean};
use crate::reproduce::record::RecordRow;

/// An algorithm on a data set. A key of an item is an option, as `compare` reads it: `train = 0.7` is `--train 0.7`.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(crate) struct HoldOut {
    #[arg(long)]
    panel: String,
    /// The name of the line.
    #[arg(long)]
    series: String,
    /// An address, or a file in the data folder.
    #[arg(long)]
    data: String,
    #[arg(long)]
    algorithm: Contender,
    #[arg(long)]
    trees: usize,
    #[command(flatten)]
    design: Design,
    #[arg(long)]
    training: Option<Training>,
    /// The most rows that are tested.
    #[arg(long, default_value_t = usize::MAX)]
    test: usize,
    /// The columns that are features, from one to another, counted from 1; downwards if the first is the greater.
    #[arg(long, value_parser = columns)]
    columns: Option<[NonZeroUsize; 2]>,
    /// Whether numbers to be predicted are logarithms.
    #[arg(long, action = Set, default_value_t)]
    log_target: bool,
    /// Whether they have mean 0 and variance 1.
    #[arg(long, action = Set, default_value_t)]
    standard_target: bool,
    /// How often the rows are learned, each time but the first in another order.
    #[arg(long, default_value = "1")]
    passes: NonZeroU64,
    /// Whether the rows that were learned are tested, too.
    #[arg(long, action = Set, default_value_t)]
    training_error: bool,
}

/// What is done to the rows of the standard training part before `train` rows are taken; by default nothing.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Training {
    /// They are shuffled.
    Shuffled,
    /// They are shuffled, and those that are not learned are tested in place of the test part.
    Divided,
}

fn columns(text: &str) -> Result<[NonZeroUsize; 2]> {
    let columns = text.split_once('-');
    let (from, to) = columns.context("expected two columns such as 2-1")?;
    Ok([from.parse()?, to.parse()?])
}

impl Function for HoldOut {
    fn rows(&self, seed: u64, x: Option<f64>, library: &Library) -> Result<Vec<RecordRow>> {
        let data = &*library.open(&self.data)?;
        let mut row = RecordRow::new((&self.panel, &self.series, x), &[]);
        row.values = match &data.target {
            Target::Classes { labels, .. } => {
                self.run::<Classification>(seed, data, labels, labels)?
            }
            Target::Values { values, noise_free } => {
                let mut targets = [values, noise_free.as_ref().unwrap_or(values)].map(Vec::clone);
                if self.log_target {
                    targets.iter_mut().flatten().for_each(|it| *it = it.ln());
                }
                if self.standard_target {
                    let center = mean(&targets[0]);
                    let squares = targets[0].iter().map(|it| (it - center).powi(2));
                    let deviation = mean(&squares.collect::<Vec<_>>()).sqrt();
                    for value in targets.iter_mut().flatten() {
                        *value = (*value - center) / deviation;
                    }
                }
                self.run::<Regression>(seed, data, &targets[0], &targets[1])?
            }
        };
        Ok(vec![row])
    }
}

impl HoldOut {
    /// Parses the keys of a call; refuses those that have no effect on a hold-out, as `compare` does.
    pub(crate) fn parse(call: &toml::Table) -> Result<Self> {
        let mut options = Vec::new();
        for (key, value) in call {
            let text = value.as_str().map(str::to_owned);
            let text = text.unwrap_or_else(|| value.to_string());
            options.push(format!("--{}={text}", key.replace('_', "-")));
        }
        let hold_out = Self::try_parse_from(options)?;
        let request = Request {
            trees: hold_out.trees,
            seeds: 1,
            protocol: Protocols::Holdout,
            design: hold_out.design,
            ..Request::default()
        };
        request.check()?;
        Ok(hold_out)
    }

    fn run<T: ComparedTask>(
        &self,
        seed: u64,
        data: &Dataset,
        observed: &[T::Target],
        truth: &[T::Target],
    ) -> Result<BTreeMap<String, f64>> {
        let (train, test) = self.divide(data, seed)?;
        let mut order = train.clone();
        for pass in 1..self.passes.get() {
            let pass = shuffled(train.len(), (seed << 16) + pass);
            order.extend(pass.into_iter().map(|row| train[row]));
        }
        let learned = order.len();
        order.extend(&test);
        let mut features = Cow::Borrowed(&data.features);
        if let Some(columns) = self.columns {
            let [from, to] = columns.map(|column| column.get() - 1);
            let mut columns: Vec<usize> = (from.min(to)..=from.max(to)).collect();
            columns.sort_by_key(|column| column.abs_diff(from));
            features = Cow::Owned(data.features.select(Axis(1), &columns));
        }
        let table = Table {
            features: &features,
            target: &data.target,
            observed,
            truth: Some(truth),
        };
        let samples = table.samples(&self.design.preprocessing, &order, learned, train.len())?;
        let training = self.training_error.then_some(0..train.len());
        let tests: Vec<_> = iter::once(learned..order.len()).chain(training).collect();
        let settings = forest(self.trees, seed);
        let (measured, trees) = measure::<T>(&self.algorithm, settings, &samples, &tests)?;
        let mut values = measured[0].metrics.clone();
        let wrong = |it: &Measured| Some(100.0 * (1.0 - it.metrics.get("accuracy")?));
        let nodes = measured[0].nodes.filter(|nodes| *nodes > 0 && trees > 0);
        // Every inner node has two children.
        let leaves = nodes.map(|nodes| (nodes as f64 / trees as f64 + 1.0) / 2.0);
        for (name, value) in [
            ("error", wrong(&measured[0])),
            ("training_error", measured.get(1).and_then(wrong)),
            ("mse", values.get("rmse").map(|rmse| rmse * rmse)),
            ("learn_seconds", Some(measured[0].learn_seconds)),
            ("predict_seconds", measured[0].predict_seconds),
            ("bytes", measured[0].model_bytes.map(|bytes| bytes as f64)),
            ("leaves", leaves),
        ] {
            values.extend(value.map(|value| (name.to_owned(), value)));
        }
        Ok(values)
    }

    /// Returns the rows that are learned, in order, and those that are tested.
    pub(crate) fn divide(&self, data: &Dataset, seed: u64) -> Result<(Vec<usize>, Vec<usize>)> {
        let split = Split::new(data, &self.design)?;
        let (mut train, mut test) = split.rows(data.rows(), seed);
        if let Some(training) = self.training {
            train = shuffled(data.split.unwrap_or(data.rows()), seed);
            let others = train.split_off(split.train);
            if training == Training::Divided {
                test = others;
            }
        }
        arrange(&mut train, self.design.order, &data.target, seed);
        test.truncate(self.test);
        ensure!(!test.is_empty(), "no row is left to test; reduce `train`");
        Ok((train, test))
    }
}
