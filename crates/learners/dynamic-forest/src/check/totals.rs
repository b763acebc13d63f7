//! What inner nodes keep of their samples.

use forest_core::{InvariantError, SampleStore};

use crate::labels::Totals;
use crate::labels::sealed::Sums;
use crate::nodes::{Below, Child};
use crate::tree::Parts;

impl<T: Sums> Parts<T> {
    /// Checks the totals of all inner nodes against their samples.
    pub(super) fn check_totals(&self, store: &SampleStore<T::Task>) -> Result<(), InvariantError> {
        let mut below = vec![self.nodes.root];
        while let Some(child) = below.pop() {
            let Some(node) = self
                .inner(child)
                .filter(|node| node.totals.sums().is_some())
            else {
                continue;
            };
            let [left, right] = node.children.map(|child| self.codes(child, store));
            let all = [left.as_slice(), right.as_slice()].concat();
            node.totals.check(&self.mixed, &all, left.len())?;
            below.extend(node.children);
        }
        Ok(())
    }

    /// Returns the codes of all samples below a child.
    fn codes(&self, child: Child, store: &SampleStore<T::Task>) -> Vec<T::Code> {
        let (mut codes, mut below) = (Vec::new(), vec![child]);
        while let Some(child) = below.pop() {
            match child.get() {
                Below::Nothing => {}
                Below::Pure(first) => {
                    let ids = self.links.list(first);
                    codes.extend(ids.map(|id| T::code(&self.unit, store, id)));
                }
                Below::Node(index) => {
                    let (first, second) = self.nodes.get(index).below();
                    below.extend([first].into_iter().chain(second));
                }
            }
        }
        codes
    }
}
