//! Trees as data.

use forest_core::registry::{ExportedNode, ExportedTree, Inequality};
use forest_core::{ForestContext, Task};

use crate::nodes::{Child, Link};
use crate::tree::{ExtraTree, Variant};
use crate::votes;

impl<V: Variant> ExtraTree<V> {
    pub(crate) fn exported(&self, context: &ForestContext<'_, V::Task>) -> ExportedTree {
        // Parents before children, and left before right.
        let (mut nodes, mut waiting) = (Vec::new(), vec![(Link::Root, 0, None)]);
        while let Some((link, depth, above)) = waiting.pop() {
            let (child, place) = (self.nodes.child(link), nodes.len());
            if child == Child::NOTHING {
                continue;
            }
            if let Some((parent, side)) = above {
                let node: &mut ExportedNode = &mut nodes[parent];
                node.children.get_or_insert_default()[side] = place;
            }
            let mut node = ExportedNode {
                depth,
                birth: 0.0,
                time: None,
                samples: 0,
                labels: V::Task::no_labels(),
                prediction: vec![0.0; V::Task::width(&context.outputs)],
                cut: None,
                children: None,
            };
            if let Some((index, cut)) = self.nodes.cut_at(link) {
                let normal = vec![(cut.feature as usize, 1.0)];
                let threshold = f64::from(cut.threshold);
                node.cut = Some(Inequality { normal, threshold });
                let below = |side| (Link::Side(index, side), depth + 1, Some((place, side)));
                waiting.extend([1, 0].map(below));
            } else {
                let samples = self.nodes.first(child).map(|first| self.links.list(first));
                for id in samples.into_iter().flatten() {
                    V::Task::add_label(&mut node.labels, context.samples.target(id), 1);
                }
                votes::predict_in_leaf(self, child, context.samples, &mut node.prediction);
            }
            nodes.push(node);
        }
        ExportedTree::new(context.samples.width(), nodes)
    }
}
