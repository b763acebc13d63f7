//! A tree as lines of text, and as a graph.

use std::fmt::Write;

use super::inequality::{DIGITS, short};
use super::{ExportedNode, ExportedTree};
use crate::counted;

impl ExportedTree {
    /// Returns the tree as text, a line for each node, indented by its depth: `yes` is where the inequality of the node above holds.
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
                (branches[left], branches[right]) = ("yes: ", "no: ");
            }
            let (samples, labels) = (samples(node.samples), node.labels.text(&self.classes));
            text.push_str(&"  ".repeat(node.depth));
            text.push_str(branches[place]);
            text.push_str(&match &node.cut {
                Some(cut) => {
                    let (cut, time) = (cut.text(&self.features), cut_at(node.time));
                    format!("{cut} ({time}{samples}: {labels})\n")
                }
                None => format!("leaf of {samples} ({labels})\n"),
            });
        }
        text
    }

    /// Returns the tree as a graph in the DOT language of Graphviz: a box for each node, left children by `≤`, right ones by
    /// `>`. A node whose children were left out has a dashed frame.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph tree {\n    node [shape=box];\n");
        let mut line = |text: std::fmt::Arguments<'_>| {
            writeln!(dot, "    {text}").expect("a string takes any text");
        };
        for (place, node) in self.nodes.iter().enumerate() {
            let is_left_out = node.cut.is_some() && node.children.is_none();
            let style = if is_left_out { ", style=dashed" } else { "" };
            line(format_args!(
                "n{place} [label={}{style}];",
                quoted(&self.label(node))
            ));
            for (child, comparison) in node.children.into_iter().flatten().zip(["≤", ">"]) {
                line(format_args!(
                    "n{place} -> n{child} [label=\"{comparison}\"];"
                ));
            }
        }
        dot + "}\n"
    }

    fn label(&self, node: &ExportedNode) -> String {
        let labels = format!(
            "{}\n{}",
            samples(node.samples),
            node.labels.text(&self.classes)
        );
        match (&node.cut, node.time) {
            (Some(cut), Some(time)) => {
                format!(
                    "{}\ntime {}\n{labels}",
                    cut.text(&self.features),
                    short(time, DIGITS)
                )
            }
            (Some(cut), None) => format!("{}\n{labels}", cut.text(&self.features)),
            (None, _) => labels,
        }
    }
}

/// Returns `1 sample`, `2 samples`.
pub(super) fn samples(count: u64) -> String {
    counted(count as usize, "sample")
}

/// `cut at time 2.1; `, or nothing where cuts have no times.
pub(super) fn cut_at(time: Option<f64>) -> String {
    time.map_or(String::new(), |time| {
        format!("cut at time {}; ", short(time, DIGITS))
    })
}

/// Returns a quoted string of the DOT language.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::super::{Inequality, LabelSummary};
    use super::*;

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
            .with_feature_names(&["height"])
            .with_class_names(&["a\\b \"c\"\nd"]);
        assert_eq!(
            tree.to_text(),
            "height ≤ 0.5 (cut at time 1; 4 samples: a\\b \"c\"\nd: 1, class 1: 3)\n  \
             yes: leaf of 1 sample (a\\b \"c\"\nd: 1)\n  no: leaf of 3 samples (class 1: 3)\n"
        );
        assert!(
            tree.to_dot()
                .contains(r#"n1 [label="1 sample\na\\b \"c\"\nd: 1"];"#),
            "{}",
            tree.to_dot()
        );
    }
}
