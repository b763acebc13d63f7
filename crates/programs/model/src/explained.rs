//! A prediction and its explanation, and a model in figures.

use std::collections::BTreeMap;

use anyhow::bail;
use forest_core::registry::snapshot::Snapshot as _;
use forest_core::registry::{MixtureMember, PathStep};
use online_forests::{Ability, AnyLearner, DecisionPath, OnlineLearner as _};
use serde::Serialize;
use tables::{Columns, Layout, Record};

use crate::model::{Model, Position, Settings};
use crate::predictions::{Value, unsupported};
use crate::rows::{Row, Unused};
use crate::task::TableTask;

/// The prediction for a row, and the row's path through one tree.
#[derive(Debug, Serialize)]
pub struct Explained<'m> {
    /// The prediction of all trees.
    pub prediction: Value<'m>,
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

impl<'m> Explained<'m> {
    /// Explains the prediction for a row of a table with this layout by the path through one tree.
    ///
    /// # Errors
    /// Returns an error if the row cannot be read, the learner's trees cannot be read, or the tree does not exist.
    pub fn new<T: TableTask>(
        model: &'m Model<T>,
        layout: &Layout,
        row: &Row,
        tree: usize,
    ) -> anyhow::Result<Self> {
        let mut features = Vec::new();
        let record = match (
            row.features(&model.columns, layout, &mut features),
            &row.record,
        ) {
            (Err(Unused::Bad(reason)), _) => bail!(reason),
            (Ok(_), Ok(record)) => record,
            _ => bail!("a value is missing"),
        };
        let values = model.predict_one(&features)?;
        let seen = model.transformed(model.view(&features))?;
        let seen = seen.into_raw_vec_and_offset().0;
        let mut path = explainable(model, "--explain")?.decision_path(tree, &seen)?;
        let lines = scaling_lines(model);
        if let Some(lines) = &lines {
            path = path.before(lines, &features);
        }
        let names = model.pipeline.class_names();
        let columns = &model.columns;
        path = path.named(&columns.feature_names(), names.names());
        // Splits of other kinds are of features as the learner sees them.
        let is_of_table = lines.is_some() || model.pipeline.steps().is_empty();
        let mut text: Vec<String> = path.to_string().lines().map(str::to_owned).collect();
        for (line, step) in text.iter_mut().zip(&path.steps).filter(|_| is_of_table) {
            // Time and samples follow in brackets.
            if let (Some(words), Some((_, remark))) = (
                cut_text(step, columns, layout, record),
                line.rsplit_once(" ("),
            ) {
                *line = format!("{words} ({remark}");
            }
        }
        Ok(Self {
            prediction: T::prediction(&values, names),
            values,
            tree,
            path,
            text,
        })
    }
}

/// Describes a split of one feature by the date or the word that the row has in that feature.
fn cut_text(
    step: &PathStep,
    columns: &Columns,
    layout: &Layout,
    record: &Record,
) -> Option<String> {
    let [(feature, entry)] = step.cut.normal[..] else {
        return None;
    };
    let is_at_most = step.holds == (entry > 0.0);
    columns.cut_text(
        feature,
        step.cut.threshold / entry,
        is_at_most,
        layout,
        record,
    )
}

/// Returns the offset and unit by which each feature was scaled, so that splits are stated in the table's own numbers.
/// Returns `None` if features were not scaled, or not linearly: then splits are of features as the learner sees them.
pub fn scaling_lines<T: TableTask>(model: &Model<T>) -> Option<Vec<(f64, f64)>> {
    let lines = model.pipeline.steps().first()?.lines()?;
    Some(lines.iter().map(|line| (line.offset, line.unit)).collect())
}

/// Returns the learner, for an option that needs its trees.
///
/// # Errors
/// Returns an error if the learner's trees cannot be read.
pub fn explainable<'m, T: TableTask>(
    model: &'m Model<T>,
    option: &str,
) -> anyhow::Result<&'m AnyLearner<T>> {
    let learner = model.pipeline.learner();
    if learner.can(Ability::Explain) {
        return Ok(learner);
    }
    let needs = "a forest whose trees can be read, such as mondrian";
    Err(unsupported(model, option, needs))
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
    /// The size of every tree; empty if the learner's trees cannot be read.
    pub trees: Vec<TreeSize>,
    /// How much each feature helps, most first; empty if the learner does not report it.
    pub importance: Vec<Importance>,
    /// The weight of each member of a mixture; empty for other learners.
    pub members: Vec<MixtureMember>,
    /// The weight of each rule for these weights; empty for other learners.
    pub rules: Vec<MixtureMember>,
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
        let (learner, footprint) = (model.pipeline.learner(), model.footprint());
        let features = model.columns.feature_names();
        let (mut trees, mut importance) = (Vec::new(), Vec::new());
        for tree in learner.exported().iter().flatten() {
            let depth = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
            trees.push(TreeSize {
                nodes: tree.nodes.len(),
                leaves: tree.leaves(),
                depth,
            });
        }
        let shares = learner.feature_importance().unwrap_or_default();
        for (feature, share) in features.iter().zip(shares) {
            importance.push(Importance {
                feature: feature.clone(),
                share,
            });
        }
        importance.sort_by(|a, b| b.share.total_cmp(&a.share));
        Self {
            algorithm: learner.label(),
            task: T::NAME,
            target: model.columns.target_name().to_owned(),
            settings: model.settings.clone(),
            classes: model.pipeline.class_names().names().to_vec(),
            features,
            samples_seen: model.samples_seen(),
            position: model.position,
            cursors: model.cursors.clone(),
            nodes: footprint.nodes,
            stored_samples: footprint.stored_samples,
            bytes: footprint.bytes,
            trees,
            importance,
            members: learner.members(),
            rules: learner.rules(),
        }
    }

    /// Returns the summary as a JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data can be written")
    }
}
