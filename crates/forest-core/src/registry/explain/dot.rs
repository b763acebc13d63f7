//! A tree as a graph that Graphviz draws.

use std::fmt::Write;

use super::inequality::{DIGITS, short};
use super::{ExportedNode, ExportedTree, samples};

impl ExportedTree {
    /// Returns the tree as a graph in the DOT language of Graphviz: a box for each node, left children by `≤`, right ones by
    /// `>`. A node whose children were left out has a dashed frame.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph tree {\n    node [shape=box];\n");
        for (place, node) in self.nodes.iter().enumerate() {
            let label = quoted(&self.label(node));
            let style = if node.cut.is_some() && node.children.is_none() {
                ", style=dashed"
            } else {
                ""
            };
            line(
                &mut dot,
                format_args!("    n{place} [label={label}{style}];"),
            );
            for (child, comparison) in node.children.into_iter().flatten().zip(["≤", ">"]) {
                let edge = format_args!("    n{place} -> n{child} [label=\"{comparison}\"];");
                line(&mut dot, edge);
            }
        }
        dot.push_str("}\n");
        dot
    }

    fn label(&self, node: &ExportedNode) -> String {
        let labels = node.labels.text(&self.classes);
        let counted = format!("{}\n{labels}", samples(node.samples));
        let cut = node.cut.as_ref().map(|cut| cut.text(&self.features));
        let time = node.time.filter(|_| cut.is_some());
        let time = time.map(|time| format!("time {}", short(time, DIGITS)));
        let lines: Vec<String> = cut.into_iter().chain(time).chain([counted]).collect();
        lines.join("\n")
    }
}

fn line(dot: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(dot, "{text}").expect("a string takes any text");
}

/// Returns a quoted string of the DOT language.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        assert_eq!(quoted("a\\b \"c\"\nd"), r#""a\\b \"c\"\nd""#);
    }
}
