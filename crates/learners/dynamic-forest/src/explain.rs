//! Trees as data.

use forest_core::registry::{ExportedNode, ExportedTree, Inequality, Labels as _};
use forest_core::{SampleStore, Task};

use crate::labels::sealed::Sums;
use crate::nodes::{Child, Cut};
use crate::tree::Parts;
use crate::votes;

/// A node on a way through a tree.
#[derive(Clone, Copy)]
struct Visited {
    child: Child,
    depth: usize,
    cut: Option<Cut>,
}

fn inequality(cut: Cut) -> Inequality {
    Inequality {
        normal: vec![(cut.feature as usize, 1.0)],
        threshold: f64::from(cut.threshold),
    }
}

/// The summary of the targets of samples, each of which counts as one.
type LabelsOf<T> = <<T as Sums>::Task as Task>::Labels;

type OutputsOf<T> = <<T as Sums>::Task as Task>::Outputs;

impl<T: Sums> Parts<T> {
    /// Returns the nodes, parents before children and left before right.
    fn visited(&self) -> Vec<Visited> {
        let (mut found, mut below) = (Vec::new(), vec![(self.nodes.root, 0)]);
        while let Some((child, depth)) = below.pop() {
            if child == Child::NOTHING {
                continue;
            }
            let node = child.as_node().map(|index| self.nodes.get(index));
            let cut = node.and_then(|node| node.as_cut());
            found.push(Visited { child, depth, cut });
            if let Some(node) = node.filter(|_| cut.is_some()) {
                let [left, right] = node.children;
                below.extend([(right, depth + 1), (left, depth + 1)]);
            }
        }
        found
    }

    /// Adds the targets of all samples below a child.
    fn add_labels(&self, child: Child, samples: &SampleStore<T::Task>, sum: &mut LabelsOf<T>) {
        for id in self.ids(child) {
            sum.add(samples.target(id), 1);
        }
    }

    pub(crate) fn export(
        &self,
        samples: &SampleStore<T::Task>,
        outputs: &OutputsOf<T>,
    ) -> ExportedTree {
        let visited = self.visited();
        // From the last node to the root: children come before parents, the left one last.
        let (mut nodes, mut below) = (Vec::new(), Vec::<(usize, LabelsOf<T>)>::new());
        for (place, node) in visited.into_iter().enumerate().rev() {
            let mut labels = LabelsOf::<T>::default();
            let mut prediction = vec![0.0; T::Task::width(outputs)];
            let mut children = None;
            if node.cut.is_some() {
                let pair = below.pop().zip(below.pop());
                let (left, right) = pair.expect("children come before parents");
                children = Some([left.0, right.0]);
                labels = left.1;
                labels.merge(&right.1);
            } else {
                self.add_labels(node.child, samples, &mut labels);
                votes::predict_in_leaf(self, node.child, samples, &mut prediction);
            }
            nodes.push(ExportedNode {
                depth: node.depth,
                birth: 0.0,
                time: None,
                samples: labels.samples(),
                labels: labels.summary(),
                prediction,
                cut: node.cut.map(inequality),
                children,
            });
            below.push((place, labels));
        }
        nodes.reverse();
        ExportedTree::new(samples.width(), nodes)
    }
}
