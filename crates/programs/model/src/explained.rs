//! A prediction and its explanation, and a model in figures.

use std::collections::BTreeMap;

use anyhow::anyhow;
use forest_core::MixtureMember;
use forest_core::registry::snapshot::Snapshot as _;
use online_forests::preprocessing::{FeatureScaling, Step};
use online_forests::{Ability, AnyLearner, DecisionPath, OnlineLearner as _};
use serde::Serialize;
use tables::Layout;

use crate::model::{Model, Position, Settings};
use crate::options::table_text;
use crate::predictions::unsupported;
use crate::rows::{Row, counted};
use crate::task::{TableTask, Value};

/// The prediction for a row, and the row's path through one tree.
#[derive(Debug, Serialize)]
pub struct Explained<'m> {
    prediction: Value<'m>,
    /// The probabilities of the classes in their order, or the number.
    values: Vec<f64>,
    tree: usize,
    path: DecisionPath,
    /// The path in words, a line for each split and one for the leaf, with dates and categories as in the row.
    text: Vec<String>,
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
        let used = row.features(&model.columns, layout, &mut features);
        used.map_err(|unused| anyhow!("{}", unused.reason()))?;
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
        let mut text: Vec<String> = path.to_string().lines().map(str::to_owned).collect();
        // Behind steps that are not linear, splits are of features as the learner sees them.
        let is_of_table = lines.is_some() || model.pipeline.steps().is_empty();
        if let (true, Ok(record)) = (is_of_table, &row.record) {
            for (line, step) in text.iter_mut().zip(&path.steps) {
                let words = columns.cut_text(step, layout, record);
                // Time and samples follow in brackets.
                if let (Some(words), Some((_, remark))) = (words, line.rsplit_once(" (")) {
                    *line = format!("{words} ({remark}");
                }
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

    /// Returns the explanation as a JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data can be written")
    }

    /// Returns the explanation as a text, for the model that has made it.
    pub fn to_text<T: TableTask>(&self, model: &Model<T>) -> String {
        let mut prediction = self.values[0].to_string();
        if let Value::Class(name) = self.prediction {
            let names = model.pipeline.class_names().names();
            let mut shares = Vec::new();
            for (name, share) in names.iter().zip(&self.values) {
                shares.push(format!("{name}: {share:.4}"));
            }
            prediction = format!("{name} ({})", shares.join(", "));
        }
        let trees = model.settings.trees;
        let path = self.text.join("\n  ");
        format!(
            "prediction of all {trees} trees: {prediction}\ntree {}:\n  {path}",
            self.tree
        )
    }
}

/// Returns the offset and unit by which each feature was scaled, so that splits are stated in the table's own numbers.
/// Returns `None` if features were not scaled, or not linearly: then splits are of features as the learner sees them.
pub fn scaling_lines<T: TableTask>(model: &Model<T>) -> Option<Vec<(f64, f64)>> {
    let Step::Lines(lines) = model.pipeline.steps().first()? else {
        return None;
    };
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

/// The figures of a model: an object of JSON, or a text for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// With every parameter stated.
    algorithm: String,
    task: &'static str,
    target: String,
    settings: Settings,
    /// Empty for regression.
    classes: Vec<String>,
    features: Vec<String>,
    samples_seen: u64,
    position: Position,
    cursors: BTreeMap<String, String>,
    /// Of all trees.
    nodes: usize,
    stored_samples: usize,
    bytes: usize,
    /// Empty if the learner's trees cannot be read.
    trees: Vec<TreeSize>,
    /// Most first; empty if the learner does not report it.
    importance: Vec<Importance>,
    /// The weight of each member of a mixture and of each rule for these weights; empty for other learners.
    members: Vec<MixtureMember>,
    rules: Vec<MixtureMember>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct TreeSize {
    nodes: usize,
    leaves: usize,
    depth: usize,
}

/// The share of a feature, of all features together 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Importance {
    feature: String,
    share: f64,
}

/// The most features, classes, members and rules that are listed as text; JSON has all.
const LISTED: usize = 20;

impl Summary {
    /// Summarizes a model. Takes a pass over every tree.
    pub fn of<T: TableTask>(model: &Model<T>) -> Self {
        let learner = model.pipeline.learner();
        let footprint = model.footprint();
        let mut trees = Vec::new();
        for tree in learner.exported().iter().flatten() {
            let depth = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
            trees.push(TreeSize {
                nodes: tree.nodes.len(),
                leaves: tree.leaves(),
                depth,
            });
        }
        let features = model.columns.feature_names();
        let shares = learner.feature_importance().unwrap_or_default();
        let mut importance = Vec::new();
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

    /// Returns the summary as a text of several lines.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.facts() {
            if !value.is_empty() {
                text += &format!("{name:<11} {value}\n");
            }
        }
        let mut shares = Vec::new();
        for importance in &self.importance {
            shares.push((importance.feature.clone(), importance.share));
        }
        add_table(&mut text, "importance of features", &shares);
        add_table(&mut text, "weights of members", &weights(&self.members));
        add_table(&mut text, "weights of rules", &weights(&self.rules));
        text
    }

    /// Returns names and values; an empty value is not shown.
    fn facts(&self) -> [(&'static str, String); 9] {
        let mut classes = String::new();
        if !self.classes.is_empty() {
            let names = tables::listed(self.classes.iter().map(String::as_str));
            classes = format!("{}: {names}", self.classes.len());
        }
        let settings = &self.settings;
        let mut features = self.features.len().to_string();
        if settings.scale == FeatureScaling::None {
            features += ", not scaled";
        } else {
            let rows = counted(settings.fitted_rows, "row");
            let scale = format!("{:?}", settings.scale).to_lowercase();
            features += &format!(", scaled ({scale}) by the first {rows}");
        }
        let position = self.position;
        let mut learned = counted(self.samples_seen, "row");
        if self.samples_seen > position.learned {
            learned += &format!(", {} of them of the latest data", position.learned);
        }
        if position.bad > 0 {
            learned += &format!("; {}", counted(position.bad, "bad row"));
        }
        if position.dropped > 0 {
            let dropped = counted(position.dropped, "row");
            learned += &format!("; {dropped} with missing values left out");
        }
        let mut nodes = self.nodes.to_string();
        if let Some(depth) = self.trees.iter().map(|tree| tree.depth).max() {
            nodes += &format!(", at most {depth} deep");
        }
        let trees = format!("{}, seed {}", settings.trees, settings.seed);
        let kept = counted(self.stored_samples as u64, "row");
        let megabytes = self.bytes as f64 / 1e6;
        [
            ("algorithm", self.algorithm.clone()),
            ("task", format!("{} of `{}`", self.task, self.target)),
            ("classes", classes),
            ("table", table_text(&settings.table)),
            ("features", features),
            ("learned", learned),
            ("trees", trees),
            ("nodes", nodes),
            ("memory", format!("{megabytes:.1} MB, {kept} kept")),
        ]
    }
}

/// Returns names and weights. A member whose data have changed is named with the first row after the change.
fn weights(members: &[MixtureMember]) -> Vec<(String, f64)> {
    let mut weights = Vec::new();
    for member in members {
        let mut name = member.name.clone();
        if let Some(row) = member.changed {
            name += &format!(", since a change at row {row}");
        }
        weights.push((name, member.weight));
    }
    weights
}

/// Appends a table of names and shares, if there are any.
fn add_table(text: &mut String, title: &str, rows: &[(String, f64)]) {
    if rows.is_empty() {
        return;
    }
    *text += &format!("\n{title}\n");
    for (name, share) in rows.iter().take(LISTED) {
        *text += &format!("{share:>8.4}  {name}\n");
    }
    if let more @ 1.. = rows.len().saturating_sub(LISTED) {
        *text += &format!("          and {more} more (--json lists all)\n");
    }
}
