//! A model in figures.

use std::collections::BTreeMap;

use forest_core::registry::snapshot::Snapshot;
use forest_core::registry::{MixtureMember, MixtureRule};
use online_forests::{Explain as _, ExportedTree, OnlineLearner};
use serde::Serialize;

use crate::model::Model;
use crate::position::Position;
use crate::settings::Settings;
use crate::table_task::TableTask;

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
