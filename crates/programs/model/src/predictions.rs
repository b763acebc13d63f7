//! Predictions of rows, and their text: what `predict` writes, and what the service replies.

use std::io;

use anyhow::anyhow;
use forest_core::registry::snapshot::Snapshot as _;
use ndarray::{Array2, ArrayView2};
use online_forests::{Ability, InputError, OnlineLearner as _};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serializer as _};
use tables::Layout;

use crate::model::Model;
use crate::rows::{Row, Unused};
use crate::task::{TableTask, Value};

/// What is requested besides the prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PredictionOptions {
    /// The probability of every class.
    pub proba: bool,
    /// The bounds between which a new target lies with this probability.
    pub interval: Option<f64>,
}

/// A model, and what is requested of it.
pub struct Predictor<'m, T: TableTask> {
    model: &'m Model<T>,
    options: PredictionOptions,
}

impl<'m, T: TableTask> Predictor<'m, T> {
    /// Prepares predictions by the model.
    ///
    /// # Errors
    /// Returns an error if the model does not support what is requested.
    pub fn new(model: &'m Model<T>, options: PredictionOptions) -> anyhow::Result<Self> {
        if options.proba && T::classes(model.schema()) == 0 {
            return Err(unsupported(model, "--proba", "a classifier"));
        }
        if options.interval.is_some() && !model.pipeline.learner().can(Ability::Intervals) {
            let needed = "a regressor that predicts intervals, such as mondrian-2016 or conformal";
            return Err(unsupported(model, "--interval", needed));
        }
        Ok(Self { model, options })
    }

    /// Returns the names of the output's columns.
    pub fn columns(&self) -> Vec<String> {
        let mut columns = vec!["prediction".to_owned()];
        if self.options.proba {
            let names = self.model.pipeline.class_names().names();
            columns.extend(names.iter().map(|name| format!("p({name})")));
        }
        if self.options.interval.is_some() {
            columns.extend(["lower", "upper"].map(str::to_owned));
        }
        columns
    }

    /// Returns the values of every row, the prediction first, or why it has none. Adds the number of cells whose
    /// category did not occur in the rows fitted on to `unseen`.
    ///
    /// # Errors
    /// Returns an error if the learner cannot predict them.
    pub fn predict(
        &self,
        layout: &Layout,
        rows: &[Row],
        unseen: &mut u64,
    ) -> anyhow::Result<Vec<Result<Vec<Value<'m>>, Unused>>> {
        let model = self.model;
        let mut features = Vec::new();
        let mut read = Vec::with_capacity(rows.len());
        for row in rows {
            read.push(row.features(&model.columns, layout, &mut features));
        }
        let features = model.view(&features);
        let values = model.predict(features)?;
        let bounds = match self.options.interval {
            Some(level) => {
                let seen = model.transformed(features)?;
                let learner = model.pipeline.learner();
                Some(learner.central_intervals(seen.view(), level)?)
            }
            None => None,
        };
        let mut predicted = Vec::with_capacity(rows.len());
        // The next row of the learner's predictions: rows that cannot be read have none.
        let mut next = 0;
        for row in read {
            let cells = match row {
                Ok(cells) => cells,
                Err(unused) => {
                    predicted.push(Err(unused));
                    continue;
                }
            };
            *unseen += cells;
            let values = values.row(next);
            let values = values.as_slice().expect("predictions are in one piece");
            let mut all = vec![T::prediction(values, model.pipeline.class_names())];
            if self.options.proba {
                all.extend(values.iter().map(|&share| Value::Number(share)));
            }
            if let Some(bounds) = &bounds {
                all.extend(bounds.row(next).iter().map(|&bound| Value::Number(bound)));
            }
            predicted.push(Ok(all));
            next += 1;
        }
        Ok(predicted)
    }
}

/// Returns the error for an option that this model does not support.
pub fn unsupported<T: TableTask>(model: &Model<T>, option: &str, needs: &str) -> anyhow::Error {
    let label = model.pipeline.learner().label();
    anyhow!(
        "{option} needs {needs}, but this is {label} for {}",
        T::NAME
    )
}

impl<T: TableTask> Model<T> {
    /// Returns the rows as the learner sees them.
    pub(crate) fn transformed(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f32>, InputError> {
        let mut steps = self.pipeline.steps().iter();
        steps.try_fold(rows.to_owned(), |rows, step| step.transform(rows))
    }
}

/// How predictions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A header, then a line per row. A row without a prediction is empty.
    Csv,
    /// A JSON object per row. One without a prediction has the line of the row and the reason.
    Jsonl,
    /// As CSV, with a last column that has the reason why a row has no prediction.
    #[value(skip)]
    CsvWithReasons,
    /// An array of the objects.
    #[value(skip)]
    JsonArray,
    /// One object.
    #[value(skip)]
    JsonObject,
}

/// Predictions as text, block after block.
#[derive(Clone, Debug)]
pub struct Predictions {
    format: Format,
    columns: Vec<String>,
    /// Whether the header of CSV is written.
    has_header: bool,
    /// The number of rows written so far.
    pub rows: usize,
    /// The number of those without a prediction.
    pub unused: usize,
}

impl Predictions {
    /// Begins a text of these columns.
    pub fn new(format: Format, columns: Vec<String>) -> Self {
        Self {
            format,
            columns,
            has_header: false,
            rows: 0,
            unused: 0,
        }
    }

    /// Returns the text of the next rows: the first block of CSV has the header, and an array is one block.
    ///
    /// # Errors
    /// Returns the error of the writer of CSV or JSON, which cannot fail in memory.
    pub fn text(
        &mut self,
        rows: &[Row],
        predicted: &[Result<Vec<Value<'_>>, Unused>],
    ) -> io::Result<Vec<u8>> {
        self.rows += rows.len();
        self.unused += predicted.iter().filter(|row| row.is_err()).count();
        match self.format {
            Format::Csv | Format::CsvWithReasons => self.csv(predicted),
            Format::Jsonl | Format::JsonObject | Format::JsonArray => self.json(rows, predicted),
        }
    }

    fn csv(&mut self, rows: &[Result<Vec<Value<'_>>, Unused>]) -> io::Result<Vec<u8>> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let has_reasons = self.format == Format::CsvWithReasons;
        if !self.has_header {
            let reason = has_reasons.then_some("reason");
            csv.write_record(self.columns.iter().map(String::as_str).chain(reason))?;
            self.has_header = true;
        }
        for row in rows {
            for at in 0..self.columns.len() {
                match row.as_ref().ok().and_then(|values| values.get(at)) {
                    Some(Value::Class(name)) => csv.write_field(name)?,
                    Some(Value::Number(number)) => csv.write_field(number.to_string())?,
                    Some(Value::Row(row)) => csv.write_field(row.to_string())?,
                    None => csv.write_field("")?,
                }
            }
            if has_reasons {
                csv.write_field(row.as_ref().err().map_or("", Unused::reason))?;
            }
            csv.write_record(None::<&[u8]>)?;
        }
        csv.into_inner().map_err(|error| error.into_error())
    }

    fn json(
        &self,
        rows: &[Row],
        predicted: &[Result<Vec<Value<'_>>, Unused>],
    ) -> io::Result<Vec<u8>> {
        let is_array = self.format == Format::JsonArray;
        let mut text = if is_array { b"[".to_vec() } else { Vec::new() };
        for (at, (row, predicted)) in rows.iter().zip(predicted).enumerate() {
            if is_array && at > 0 {
                text.extend_from_slice(b",\n");
            }
            let mut json = serde_json::Serializer::new(&mut text);
            let mut object = json.serialize_map(None)?;
            match predicted {
                Ok(values) => {
                    for (column, value) in self.columns.iter().zip(values) {
                        object.serialize_entry(column, value)?;
                    }
                }
                Err(unused) => {
                    object.serialize_entry(&self.columns[0], &())?;
                    object.serialize_entry("line", &row.line)?;
                    object.serialize_entry("reason", unused.reason())?;
                }
            }
            object.end()?;
            if !is_array {
                text.push(b'\n');
            }
        }
        if is_array {
            text.extend_from_slice(b"]\n");
        }
        Ok(text)
    }
}
