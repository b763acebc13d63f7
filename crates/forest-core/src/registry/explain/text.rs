//! A tree as lines of text.

use std::fmt::Write;

use super::{ExportedNode, ExportedTree, cut_at, samples};

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
        let mut predictions = vec![""; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some([left, right]) = node.children {
                (predictions[left], predictions[right]) = ("yes: ", "no: ");
            }
            let indent = "  ".repeat(node.depth);
            let line = self.line(node);
            writeln!(text, "{indent}{}{line}", predictions[place])
                .expect("a string takes any text");
        }
        text
    }

    fn line(&self, node: &ExportedNode) -> String {
        let (samples, labels) = (samples(node.samples), node.labels.text(&self.classes));
        match &node.cut {
            Some(cut) => {
                let (cut, time) = (cut.text(&self.features), cut_at(node.time));
                format!("{cut} ({time}{samples}: {labels})")
            }
            None => format!("leaf of {samples} ({labels})"),
        }
    }
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
            .with_class_names(&["setosa"]);
        assert_eq!(
            tree.to_text(),
            "height ≤ 0.5 (cut at time 1; 4 samples: setosa: 1, class 1: 3)\n  \
             yes: leaf of 1 sample (setosa: 1)\n  no: leaf of 3 samples (class 1: 3)\n"
        );
    }
}
