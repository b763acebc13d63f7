//! The path of one point, in words.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use super::inequality::{DIGITS, distinct, short};
use super::text::{cut_at, samples};
use super::{ExportedTree, Inequality, LabelSummary, rename};

/// The inequalities that hold for a point from the root of a tree to its leaf, and the prediction there.
///
/// [`Display`] writes a line for each:
///
/// ```text
/// x0 = 0.31 ≤ 0.45 (cut at time 2.1; 120 samples)
/// 0.8·x0 − 0.6·x3 = 0.12 > 0.08 (cut at time 3.7; 31 samples)
/// leaf of 9 samples (class 0: 2, class 1: 7); prediction 0.2222, 0.7778
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionPath {
    /// The names of the features: `x0`, `x1`, … unless [others were given](Self::with_feature_names).
    pub features: Vec<String>,
    /// The names of the classes, for texts; empty unless [given](Self::with_class_names).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The cuts that the point passes.
    pub steps: Vec<PathStep>,
    /// Number of samples in the leaf.
    pub samples: u64,
    /// Their labels.
    pub labels: LabelSummary,
    /// What the tree alone predicts: class probabilities, or a number.
    #[serde(rename = "answer")]
    pub prediction: Vec<f64>,
}

/// A cut that a point passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// The cut.
    pub cut: Inequality,
    /// The sum on its left side, for the point.
    pub value: f64,
    /// Whether the inequality holds, so that the point lies left of the cut. The tree decides: for a point on
    /// the cut, rounding may contradict the comparison of `value` with the threshold.
    pub holds: bool,
    /// The time of the cut, if cuts have times.
    pub time: Option<f64>,
    /// Number of samples of the node that it cuts.
    pub samples: u64,
}

impl ExportedTree {
    /// Returns the path of the point `x`, with the prediction of its leaf; `None` for a tree without nodes.
    pub fn path(&self, x: &[f32]) -> Option<DecisionPath> {
        let mut steps = Vec::new();
        for place in self.way(x) {
            let node = &self.nodes[place];
            if let (Some(cut), Some(_)) = (&node.cut, node.children) {
                steps.push(PathStep {
                    cut: cut.clone(),
                    value: cut.value(x),
                    holds: cut.holds(x),
                    time: node.time,
                    samples: node.samples,
                });
            }
        }
        let leaf = self.leaf(x)?;
        Some(DecisionPath {
            features: self.features.clone(),
            classes: self.classes.clone(),
            steps,
            samples: leaf.samples,
            labels: leaf.labels.clone(),
            prediction: leaf.prediction.clone(),
        })
    }
}

impl DecisionPath {
    /// Returns the same with names for the first features.
    #[must_use]
    pub fn with_feature_names(mut self, names: &[impl AsRef<str>]) -> Self {
        rename(&mut self.features, names);
        self
    }

    /// Returns the same with names for the classes.
    #[must_use]
    pub fn with_class_names(mut self, names: &[impl AsRef<str>]) -> Self {
        self.classes = names.iter().map(|name| name.as_ref().to_owned()).collect();
        self
    }

    /// Returns the same with cuts of the features before they were scaled (see [`Inequality::before`]), for the point `x` as
    /// it was then.
    #[must_use]
    pub fn before(mut self, lines: &[(f64, f64)], x: &[f32]) -> Self {
        for step in &mut self.steps {
            step.cut = step.cut.before(lines);
            step.value = step.cut.value(x);
        }
        self
    }
}

impl PathStep {
    /// `x0 = 0.31 ≤ 0.45`
    fn text(&self, names: &[String]) -> String {
        let comparison = if self.holds { '≤' } else { '>' };
        let left = self.cut.left_side(names);
        if self.value.is_nan() || !self.cut.threshold.is_finite() {
            let what = ["a number", "missing or a category"][usize::from(self.value.is_nan())];
            let side = ["right", "left"][usize::from(self.holds)];
            return format!("{left} is {what}, which goes {side}");
        }
        let [value, threshold] = distinct(self.value, self.cut.threshold);
        format!("{left} = {value} {comparison} {threshold}")
    }
}

impl Display for DecisionPath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            let (text, samples) = (step.text(&self.features), samples(step.samples));
            writeln!(f, "{text} ({}{samples})", cut_at(step.time))?;
        }
        let prediction: Vec<_> = self
            .prediction
            .iter()
            .map(|&number| short(number, DIGITS))
            .collect();
        let (samples, prediction) = (samples(self.samples), prediction.join(", "));
        let labels = self.labels.text(&self.classes);
        write!(f, "leaf of {samples} ({labels}); prediction {prediction}")
    }
}
