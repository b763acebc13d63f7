//! Trees as data.

use forest_core::registry::{ExportedNode, ExportedTree, Inequality, Labels as _};
use forest_core::{ForestContext, Task};

use crate::nodes::{Child, Link};
use crate::tree::{ExtraTree, Variant};
use crate::votes;

impl<V: Variant> ExtraTree<V> {
    pub(crate) fn exported(&self, context: &ForestContext<'_, Self>) -> ExportedTree {
        // Parents before children, and left before right.
        let (mut visited, mut waiting) = (Vec::new(), vec![(Link::Root, 0)]);
        while let Some((link, depth)) = waiting.pop() {
            if self.nodes.child(link) != Child::NOTHING {
                visited.push((link, depth));
            }
            if let Some((index, _)) = self.nodes.cut_at(link) {
                waiting.extend([1, 0].map(|side| (Link::Side(index, side), depth + 1)));
            }
        }
        // From the last node to the root: children come before parents, the left one last.
        let (mut nodes, mut below) = (Vec::new(), Vec::new());
        for (place, (link, depth)) in visited.into_iter().enumerate().rev() {
            let mut labels = <V::Task as Task>::Labels::default();
            let mut prediction = vec![0.0; V::Task::width(&context.outputs)];
            let (mut cut, mut children) = (None, None);
            if let Some((_, own)) = self.nodes.cut_at(link) {
                let pair: Option<((usize, _), (usize, _))> = below.pop().zip(below.pop());
                let (left, right) = pair.expect("children come before parents");
                children = Some([left.0, right.0]);
                labels = left.1;
                labels.merge(&right.1);
                let normal = vec![(own.feature as usize, 1.0)];
                let threshold = f64::from(own.threshold);
                cut = Some(Inequality { normal, threshold });
            } else {
                let leaf = self.nodes.child(link);
                for id in self.ids(leaf) {
                    labels.add(context.samples.target(id), 1);
                }
                votes::predict_in_leaf(self, leaf, context.samples, &mut prediction);
            }
            nodes.push(ExportedNode {
                depth,
                birth: 0.0,
                time: None,
                samples: labels.samples(),
                labels: labels.summary(),
                prediction,
                cut,
                children,
            });
            below.push((place, labels));
        }
        nodes.reverse();
        ExportedTree::new(context.samples.width(), nodes)
    }
}
