//! One answer, and why.

use ndarray::{ArrayView1, Axis};
use online_forests::{DecisionPath, Explain, OnlineLearner};
use registry::PathStep;
use registry::snapshot::Snapshot;
use serde::Serialize;
use tables::{Columns, Layout, Record};

use crate::error::CommandError;
use crate::model::Model;
use crate::prediction::Prediction;
use crate::row::{Outcome, Row};
use crate::table_task::TableTask;

/// The answer to a row, and its path through one tree.
#[derive(Debug, Serialize)]
pub struct Explained<'m> {
    /// What is predicted by all trees.
    pub prediction: Prediction<'m>,
    /// Of the classes in their order, or the number.
    pub answer: Vec<f64>,
    /// Which tree.
    pub tree: usize,
    /// The path of the row through it.
    pub path: DecisionPath,
    /// The path in words, a line for each cut and one for the leaf: dates and categories are those of the row.
    pub text: Vec<String>,
}

/// A row that was read, and its numbers.
#[derive(Debug)]
pub struct ReadRow<'r> {
    layout: &'r Layout,
    record: &'r Record,
    features: Vec<f32>,
}

impl<'r> ReadRow<'r> {
    /// Reads a row of a table with this layout.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn new<T: TableTask>(
        model: &Model<T>,
        layout: &'r Layout,
        row: &'r Row,
    ) -> Result<Self, String> {
        let mut features = Vec::new();
        let outcome = row.features(model.columns(), layout, &mut features, &mut 0);
        match (outcome, row.record()) {
            (Outcome::Bad(reason), _) => Err(reason),
            (Outcome::Taken, Some(record)) => Ok(Self {
                layout,
                record,
                features,
            }),
            (Outcome::Taken | Outcome::Dropped, _) => Err("a value is missing".to_owned()),
        }
    }
}

/// Explains the prediction for a row by the path through one tree.
///
/// # Errors
/// A learner whose trees cannot be read, or a tree that is not there.
pub fn explained<'m, T: TableTask>(
    model: &'m Model<T>,
    row: &ReadRow<'_>,
    tree: usize,
) -> Result<Explained<'m>, CommandError> {
    let features = row.features.as_slice();
    let answer = model.predict_one(features)?;
    let rows = ArrayView1::from(features).insert_axis(Axis(0));
    let seen = model.transformed(rows)?.into_raw_vec_and_offset().0;
    let mut path = explain(model, "--explain")?.decision_path(tree, &seen)?;
    let lines = lines(model);
    if let Some(lines) = &lines {
        path = path.before(lines, features);
    }
    let names = model.pipeline().class_names();
    let path = path
        .with_feature_names(&model.columns().feature_names())
        .with_class_names(names.names());
    // Other cuts are of features as the learner sees them.
    let is_of_table = lines.is_some() || model.pipeline().steps().is_empty();
    Ok(Explained {
        prediction: T::prediction(&answer, names),
        answer,
        tree,
        text: text(&path, |step| {
            let words = is_of_table.then(|| words(step, model.columns(), row));
            words.flatten()
        }),
        path,
    })
}

/// The path in words. What `own` returns for a step stands in place of its inequality.
fn text(path: &DecisionPath, own: impl Fn(&PathStep) -> Option<String>) -> Vec<String> {
    let with_steps = |steps| DecisionPath {
        steps,
        ..path.clone()
    };
    let leaf = with_steps(Vec::new()).to_string();
    let cuts = path.steps.iter().map(|step| {
        let alone = with_steps(vec![step.clone()]).to_string();
        let line = alone.strip_suffix(&leaf).unwrap_or(&alone).trim_end();
        // Behind it, its time and samples in brackets.
        match (own(step), line.rsplit_once(" (")) {
            (Some(words), Some((_, remark))) => format!("{words} ({remark}"),
            _ => line.to_owned(),
        }
    });
    let mut lines: Vec<String> = cuts.collect();
    lines.push(leaf);
    lines
}

/// A cut of one feature with the date or the word that the row has there.
fn words(step: &PathStep, columns: &Columns, row: &ReadRow<'_>) -> Option<String> {
    let [(feature, entry)] = step.cut.normal[..] else {
        return None;
    };
    let is_at_most = step.holds == (entry > 0.0);
    let threshold = step.cut.threshold / entry;
    columns.cut_text(feature, threshold, is_at_most, row.layout, row.record)
}

/// How features were scaled, as offset and unit of each, so that cuts are stated in the table's own numbers. `None` if
/// they were not, or not by lines: then cuts are of features as the learner sees them.
pub fn lines<T: TableTask>(model: &Model<T>) -> Option<Vec<(f64, f64)>> {
    let lines = model.pipeline().steps().first()?.lines()?;
    Some(lines.iter().map(|line| (line.offset, line.unit)).collect())
}

/// The learner's trees, if they can be read.
///
/// # Errors
/// A learner whose trees cannot be read.
pub fn explain<'m, T: TableTask>(
    model: &'m Model<T>,
    option: &'static str,
) -> Result<&'m dyn Explain, CommandError> {
    let learner = model.pipeline().learner();
    learner
        .as_explain()
        .ok_or_else(|| CommandError::Unsupported {
            option,
            needs: "a forest whose trees can be read, such as mondrian",
            label: learner.label(),
            task: T::NAME,
        })
}
