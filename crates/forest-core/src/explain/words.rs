//! Trees in words: cuts, paths, lines of text, and graphs.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use super::{ExportedTree, Inequality};
use crate::{LabelSummary, counted};

/// The inequalities that hold for a point from the root of a tree to its leaf, and the prediction there; as text:
///
/// ```text
/// x0 = 0.31 ≤ 0.45 (cut at time 2.1; 120 samples)
/// 0.8·x0 − 0.6·x3 = 0.12 > 0.08 (cut at time 3.7; 31 samples)
/// leaf of 9 samples (class 0: 2, class 1: 7); prediction 0.2222, 0.7778
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionPath {
    /// The names of the features: `x0`, `x1`, … unless [others were given](Self::named).
    pub features: Vec<String>,
    /// The names of the classes, for texts; empty unless [given](Self::named).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The cuts that the point passes.
    pub steps: Vec<PathStep>,
    /// Number of samples in the leaf.
    pub samples: u64,
    /// Their labels.
    pub labels: LabelSummary,
    /// What the tree alone predicts: class probabilities, or a number.
    pub prediction: Vec<f64>,
}

/// A cut that a point passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// The cut.
    pub cut: Inequality,
    /// The sum on its left side, for the point.
    pub value: f64,
    /// Whether the point lies left of the cut, as the tree decides: on the cut, rounding may contradict it.
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
        for place in self.nodes_on_path(x) {
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
    /// Returns the same with names for the first features, and for the classes.
    #[must_use]
    pub fn named(mut self, features: &[String], classes: &[String]) -> Self {
        rename(&mut self.features, features);
        self.classes = classes.to_vec();
        self
    }

    /// Returns the same path [before](Inequality::before) features were scaled, for the unscaled point `x`.
    #[must_use]
    pub fn before(mut self, lines: &[(f64, f64)], x: &[f32]) -> Self {
        for step in &mut self.steps {
            step.cut = step.cut.before(lines);
            step.value = step.cut.value(x);
        }
        self
    }
}

impl Display for DecisionPath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            let left = step.cut.left_side(&self.features);
            let (side, comparison) = if step.holds {
                ("left", "≤")
            } else {
                ("right", ">")
            };
            if step.value.is_nan() {
                write!(f, "{left} is missing or a category, which goes {side}")?;
            } else if !step.cut.threshold.is_finite() {
                write!(f, "{left} is a number, which goes {side}")?;
            } else {
                let [value, threshold] = distinct(step.value, step.cut.threshold);
                write!(f, "{left} = {value} {comparison} {threshold}")?;
            }
            writeln!(f, " ({}{})", cut_at(step.time), of_samples(step.samples))?;
        }
        let samples = of_samples(self.samples);
        let labels = self.labels.text(&self.classes);
        let numbers: Vec<_> = self.prediction.iter().map(|&p| short(p, DIGITS)).collect();
        let prediction = numbers.join(", ");
        write!(f, "leaf of {samples} ({labels}); prediction {prediction}")
    }
}

impl ExportedTree {
    /// Returns the same with names for the first features, and for the classes.
    #[must_use]
    pub fn named(mut self, features: &[String], classes: &[String]) -> Self {
        rename(&mut self.features, features);
        self.classes = classes.to_vec();
        self
    }

    /// Returns the tree as text, a line for each node: `yes` is where the inequality of the node above holds.
    ///
    /// ```text
    /// height ≤ 0.5021 (cut at time 0.8133; 200 samples: setosa: 101, virginica: 99)
    ///   yes: leaf of 101 samples (setosa: 101)
    ///   no: leaf of 99 samples (virginica: 99)
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut branches = vec![""; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some([left, right]) = node.children {
                branches[left] = "yes: ";
                branches[right] = "no: ";
            }
            let samples = of_samples(node.samples);
            let labels = node.labels.text(&self.classes);
            text += &format!("{}{}", "  ".repeat(node.depth), branches[place]);
            text += &match &node.cut {
                Some(cut) => {
                    let cut = cut.text(&self.features);
                    let time = cut_at(node.time);
                    format!("{cut} ({time}{samples}: {labels})\n")
                }
                None => format!("leaf of {samples} ({labels})\n"),
            };
        }
        text
    }

    /// Returns the tree as a graph for Graphviz. A node whose children were left out has a dashed frame.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph tree {\n    node [shape=box];\n");
        for (place, node) in self.nodes.iter().enumerate() {
            let mut label = String::new();
            if let Some(cut) = &node.cut {
                label += &format!("{}\n", cut.text(&self.features));
                if let Some(time) = node.time {
                    label += &format!("time {}\n", short(time, DIGITS));
                }
            }
            let labels = node.labels.text(&self.classes);
            label += &format!("{}\n{labels}", of_samples(node.samples));
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let label = label.replace('\n', "\\n");
            let is_left_out = node.cut.is_some() && node.children.is_none();
            let style = if is_left_out { ", style=dashed" } else { "" };
            dot += &format!("    n{place} [label=\"{label}\"{style}];\n");
            for (child, comparison) in node.children.into_iter().flatten().zip(["≤", ">"]) {
                dot += &format!("    n{place} -> n{child} [label=\"{comparison}\"];\n");
            }
        }
        dot + "}\n"
    }
}

impl Inequality {
    /// Returns the sum as text: `x0`, or `0.8·x0 − 0.6·x3`.
    fn left_side(&self, names: &[String]) -> String {
        let mut text = String::new();
        for &(feature, entry) in &self.normal {
            if !text.is_empty() {
                text += if entry < 0.0 { " − " } else { " + " };
            } else if entry < 0.0 {
                text += "−";
            }
            if entry.abs() != 1.0 {
                text += &format!("{}·", short(entry.abs(), DIGITS));
            }
            text += &names[feature];
        }
        text
    }

    /// Returns the cut as text: `x0 ≤ 0.45`.
    fn text(&self, names: &[String]) -> String {
        let left = self.left_side(names);
        match self.threshold {
            f64::NEG_INFINITY => format!("{left} is missing or a category"),
            threshold if threshold.is_nan() => format!("{left} of the left group of categories"),
            threshold => format!("{left} ≤ {}", short(threshold, DIGITS)),
        }
    }
}

impl LabelSummary {
    /// Returns the labels in words: `setosa: 2, virginica: 7`, or `mean 3.5`. A class without a name is `class 2`.
    pub fn text(&self, class_names: &[String]) -> String {
        match self {
            Self::Classes(counts) => {
                let present = counts.iter().enumerate().filter(|(_, count)| **count > 0);
                let texts = present.map(|(class, count)| match class_names.get(class) {
                    Some(name) => format!("{name}: {count}"),
                    None => format!("class {class}: {count}"),
                });
                texts.collect::<Vec<_>>().join(", ")
            }
            Self::Numbers { mean, .. } => format!("mean {}", short(*mean, 4)),
        }
    }
}

/// Puts names in place of the first ones.
fn rename(features: &mut [String], names: &[String]) {
    let pairs = features.iter_mut().zip(names);
    pairs.for_each(|(own, name)| own.clone_from(name));
}

fn of_samples(count: u64) -> String {
    counted(count as usize, "sample")
}

/// Returns `cut at time 2.1; `, or nothing where cuts have no times.
fn cut_at(time: Option<f64>) -> String {
    time.map_or(String::new(), |t| {
        format!("cut at time {}; ", short(t, DIGITS))
    })
}

/// Digits of a number that is read by people.
const DIGITS: usize = 4;

/// Returns a number rounded to `digits` significant digits.
fn short(number: f64, digits: usize) -> String {
    let scientific = format!("{number:.*e}", digits.max(1) - 1);
    let rounded: f64 = scientific.parse().unwrap_or(number);
    let text = match rounded.abs() {
        size if size != 0.0 && !(1e-4..1e7).contains(&size) => format!("{rounded:e}"),
        _ => rounded.to_string(),
    };
    text.replace('-', "−")
}

/// Returns two numbers, with as many digits as it takes to distinguish them.
fn distinct(a: f64, b: f64) -> [String; 2] {
    let texts = |digits| [a, b].map(|number| short(number, digits));
    let mut rounded = (DIGITS..17).map(texts);
    let different = rounded.find(|[a, b]| a != b);
    different.unwrap_or_else(|| texts(17))
}

#[cfg(test)]
mod tests {
    use super::super::ExportedNode;
    use super::*;

    #[test]
    fn numbers_are_short_and_distinct() {
        assert_eq!(short(0.123_456, 4), "0.1235");
        assert_eq!(short(-120.0, 4), "−120");
        assert_eq!(short(1.5e100, 4), "1.5e100");
        assert_eq!(short(2e-9, 4), "2e−9");
        assert_eq!(short(0.0, 4), "0");
        assert_eq!(distinct(0.45, 0.450_000_1), ["0.45", "0.4500001"]);
        assert_eq!(distinct(1.0, 1.0), ["1", "1"]);
    }

    #[test]
    fn oblique_cuts_are_sums() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let cut = |normal: &[(usize, f64)]| Inequality {
            normal: normal.to_vec(),
            threshold: 0.3,
        };
        assert_eq!(cut(&[(1, 1.0)]).text(&names), "b ≤ 0.3");
        let both = cut(&[(0, 0.8), (2, -0.6)]);
        assert_eq!(both.text(&names), "0.8·a − 0.6·c ≤ 0.3");
        assert_eq!(cut(&[(0, -1.0), (1, 0.5)]).text(&names), "−a + 0.5·b ≤ 0.3");
    }

    fn node(depth: usize, counts: &[u64], children: Option<[usize; 2]>) -> ExportedNode {
        let cut = children.map(|_| Inequality {
            normal: vec![(0, 1.0)],
            threshold: 0.5,
        });
        ExportedNode {
            depth,
            birth: 0.0,
            time: Some(1.0),
            samples: counts.iter().sum(),
            labels: LabelSummary::Classes(counts.to_vec()),
            prediction: Vec::new(),
            cut,
            children,
        }
    }

    #[test]
    fn a_line_a_node_with_names() {
        let nodes = vec![
            node(0, &[1, 3], Some([1, 2])),
            node(1, &[1], None),
            node(1, &[0, 3], None),
        ];
        let tree = ExportedTree::new(1, nodes)
            .named(&["height".to_owned()], &["a\\b \"c\"\nd".to_owned()]);
        assert_eq!(
            tree.to_text(),
            "height ≤ 0.5 (cut at time 1; 4 samples: a\\b \"c\"\nd: 1, class 1: 3)\n  \
             yes: leaf of 1 sample (a\\b \"c\"\nd: 1)\n  no: leaf of 3 samples (class 1: 3)\n"
        );
        let dot = tree.to_dot();
        let label = r#"n1 [label="1 sample\na\\b \"c\"\nd: 1"];"#;
        assert!(dot.contains(label), "{dot}");
    }
}
