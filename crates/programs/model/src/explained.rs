//! A prediction and its explanation, and a model in figures.

use std::collections::BTreeMap;

use forest_core::registry::snapshot::Snapshot as _;
use forest_core::registry::{MixtureMember, MixtureRule, PathStep};
use ndarray::{ArrayView1, Axis};
use online_forests::{Ability, AnyLearner, DecisionPath, ExportedTree, OnlineLearner as _};
use serde::Serialize;
use tables::{Columns, Layout, Record};

use crate::console::CommandError;
use crate::model::{Model, Position, Settings};
use crate::predictor::unsupported;
use crate::row::{Outcome, Row};
use crate::table_task::{Prediction, TableTask};

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
    let path = path.named(&model.columns().feature_names(), names.names());
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

/// The figures of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The algorithm, with every parameter stated.
    pub algorithm: String,
    /// `classification` or `regression`.
    pub task: &'static str,
    /// The column that is learned.
    pub target: String,
    /// What was chosen before the first row.
    pub settings: Settings,
    /// The names of the classes; empty for regression.
    pub classes: Vec<String>,
    /// The names of the features.
    pub features: Vec<String>,
    /// The number of rows learned in all.
    pub samples_seen: u64,
    /// The number of rows read of the data that were learned last.
    pub position: Position,
    /// The place up to which the rows of each source are learned.
    pub cursors: BTreeMap<String, String>,
    /// The number of nodes of all trees.
    pub nodes: usize,
    /// The number of rows that the learner keeps.
    pub stored_samples: usize,
    /// The learner's size in memory, in bytes.
    pub bytes: usize,
    /// The size of every tree; `None` if the learner's trees cannot be read.
    pub trees: Vec<TreeSize>,
    /// How much each feature helps, most first; `None` if the learner does not report it.
    pub importance: Vec<Importance>,
    /// The weight of each member of a mixture; empty for other learners.
    pub members: Vec<MixtureMember>,
    /// The weight of each rule for these weights; empty for other learners.
    pub rules: Vec<MixtureRule>,
}

/// The size of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TreeSize {
    /// Nodes, leaves included.
    pub nodes: usize,
    /// Nodes without children.
    pub leaves: usize,
    /// Edges between the root and the deepest leaf.
    pub depth: usize,
}

/// How much a feature helps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Importance {
    /// The feature.
    pub feature: String,
    /// From 0 to 1, of all features together 1.
    pub share: f64,
}

impl Summary {
    /// Summarizes a model. Takes a pass over every tree.
    pub fn of<T: TableTask>(model: &Model<T>) -> Self {
        let (learner, footprint) = (model.pipeline().learner(), model.footprint());
        let features = model.columns().feature_names();
        Self {
            algorithm: learner.label(),
            task: T::NAME,
            target: model.columns().target_name().to_owned(),
            settings: model.settings().clone(),
            classes: model.pipeline().class_names().names().to_vec(),
            samples_seen: model.samples_seen(),
            position: model.position(),
            cursors: model.cursors().clone(),
            nodes: footprint.nodes,
            stored_samples: footprint.stored_samples,
            bytes: footprint.bytes,
            trees: learner
                .exported()
                .map_or(Vec::new(), |trees| trees.iter().map(size).collect()),
            importance: importance(learner.feature_importance().unwrap_or_default(), &features),
            members: learner.members(),
            rules: learner.rules(),
            features,
        }
    }

    /// Returns the summary as a JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data can be written")
    }

    /// Returns the depth of the deepest leaf of all trees.
    pub fn depth(&self) -> Option<usize> {
        self.trees.iter().map(|tree| tree.depth).max()
    }
}

fn size(tree: &ExportedTree) -> TreeSize {
    TreeSize {
        nodes: tree.nodes.len(),
        leaves: tree.leaves(),
        depth: tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0),
    }
}

fn importance(shares: Vec<f64>, features: &[String]) -> Vec<Importance> {
    let named = features.iter().cloned().zip(shares);
    let mut all: Vec<_> = named
        .map(|(feature, share)| Importance { feature, share })
        .collect();
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all
}
