//! Trees as data.

use forest_core::registry::{ExportedNode, ExportedTree, Inequality};
use forest_core::{ForestContext, Task};

use crate::nodes::Child;
use crate::tree::{ExtraTree, Mode};
use crate::votes;

impl<V: Mode> ExtraTree<V> {
    pub(crate) fn exported(&self, context: &ForestContext<'_, V::Task>) -> ExportedTree {
        let cut_of = |child: Child| self.nodes.get(child.as_node()?).as_cut();
        // Parents before children, and left before right.
        let (mut visited, mut waiting) = (Vec::new(), vec![(self.nodes.root, 0)]);
        while let Some((child, depth)) = waiting.pop() {
            if child == Child::NOTHING {
                continue;
            }
            visited.push((child, depth));
            if let Some(index) = child.as_node().filter(|_| cut_of(child).is_some()) {
                let [left, right] = self.nodes.get(index).children;
                waiting.extend([(right, depth + 1), (left, depth + 1)]);
            }
        }
        // From the last node to the root: children come before parents, the left one last.
        let (mut nodes, mut below) = (Vec::new(), Vec::new());
        for (place, (child, depth)) in visited.into_iter().enumerate().rev() {
            let mut labels = V::Task::no_labels();
            let mut prediction = vec![0.0; V::Task::width(&context.outputs)];
            let (mut cut, mut children) = (None, None);
            if let Some(own) = cut_of(child) {
                let pair = below.pop().zip(below.pop());
                let (left, right) = pair.expect("children come before parents");
                children = Some([left, right]);
                let normal = vec![(own.feature as usize, 1.0)];
                let threshold = f64::from(own.threshold);
                cut = Some(Inequality { normal, threshold });
            } else {
                for id in self.ids(child) {
                    V::Task::add_label(&mut labels, context.samples.target(id), 1);
                }
                votes::predict_in_leaf(self, child, context.samples, &mut prediction);
            }
            nodes.push(ExportedNode {
                depth,
                birth: 0.0,
                time: None,
                samples: 0,
                labels,
                prediction,
                cut,
                children,
            });
            below.push(place);
        }
        nodes.reverse();
        ExportedTree::new(context.samples.width(), nodes)
    }
}
