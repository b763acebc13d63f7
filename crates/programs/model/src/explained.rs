//! A prediction and its explanation.

use forest_core::registry::PathStep;
use ndarray::{ArrayView1, Axis};
use online_forests::{Ability, AnyLearner, DecisionPath, Explain as _, OnlineLearner};
use serde::Serialize;
use tables::{Columns, Layout, Record};

use crate::error::CommandError;
use crate::model::Model;
use crate::prediction::Prediction;
use crate::predictor::unsupported;
use crate::row::{Outcome, Row};
use crate::table_task::TableTask;

/// The prediction for a row, and the row's path through one tree.
#[derive(Debug, Serialize)]
pub struct Explained<'m> {
    /// The prediction of all trees.
    pub prediction: Prediction<'m>,
    /// The probabilities of the classes in their order, or the number.
    #[serde(rename = "answer")]
    pub values: Vec<f64>,
    /// The index of the tree.
    pub tree: usize,
    /// The path of the row through the tree.
    pub path: DecisionPath,
    /// The path in words, a line for each split and one for the leaf, with dates and categories as in the row.
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
    /// Returns the reason why it cannot be read.
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
/// Returns an error if the learner's trees cannot be read, or the tree does not exist.
pub fn explained<'m, T: TableTask>(
    model: &'m Model<T>,
    row: &ReadRow<'_>,
    tree: usize,
) -> Result<Explained<'m>, CommandError> {
    let features = row.features.as_slice();
    let values = model.predict_one(features)?;
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
    // Splits of other kinds are of features as the learner sees them.
    let is_of_table = lines.is_some() || model.pipeline().steps().is_empty();
    Ok(Explained {
        prediction: T::prediction(&values, names),
        values,
        tree,
        text: text(&path, |step| {
            let words = is_of_table.then(|| words(step, model.columns(), row));
            words.flatten()
        }),
        path,
    })
}

/// Returns the path in words. What `own` returns for a step replaces its inequality.
fn text(path: &DecisionPath, own: impl Fn(&PathStep) -> Option<String>) -> Vec<String> {
    let with_steps = |steps| DecisionPath {
        steps,
        ..path.clone()
    };
    let leaf = with_steps(Vec::new()).to_string();
    let cuts = path.steps.iter().map(|step| {
        let alone = with_steps(vec![step.clone()]).to_string();
        let line = alone.strip_suffix(&leaf).unwrap_or(&alone).trim_end();
        // Time and samples follow in brackets.
        match (own(step), line.rsplit_once(" (")) {
            (Some(words), Some((_, remark))) => format!("{words} ({remark}"),
            _ => line.to_owned(),
        }
    });
    let mut lines: Vec<String> = cuts.collect();
    lines.push(leaf);
    lines
}

/// Describes a split of one feature by the date or the word that the row has in that feature.
fn words(step: &PathStep, columns: &Columns, row: &ReadRow<'_>) -> Option<String> {
    let [(feature, entry)] = step.cut.normal[..] else {
        return None;
    };
    let is_at_most = step.holds == (entry > 0.0);
    let threshold = step.cut.threshold / entry;
    columns.cut_text(feature, threshold, is_at_most, row.layout, row.record)
}

/// Returns the offset and unit by which each feature was scaled, so that splits are stated in the table's own numbers.
/// Returns `None` if features were not scaled, or not linearly: then splits are of features as the learner sees them.
pub fn lines<T: TableTask>(model: &Model<T>) -> Option<Vec<(f64, f64)>> {
    let lines = model.pipeline().steps().first()?.lines()?;
    Some(lines.iter().map(|line| (line.offset, line.unit)).collect())
}

/// Returns the learner's trees, if they can be read.
///
/// # Errors
/// Returns an error if the learner's trees cannot be read.
pub fn explain<'m, T: TableTask>(
    model: &'m Model<T>,
    option: &'static str,
) -> Result<&'m AnyLearner<T>, CommandError> {
    let learner = model.pipeline().learner();
    if learner.can(Ability::Explain) {
        return Ok(learner);
    }
    Err(unsupported(
        model,
        option,
        "a forest whose trees can be read, such as mondrian",
    ))
}
