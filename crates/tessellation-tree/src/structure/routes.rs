//! The paths of samples that are about to be learned, kept from the walk ahead until each is learned.

use std::ops::Range;

use forest_core::SampleId;

use super::node::{NodeId, Step, Subtree};

/// The path of a sample that is about to be learned.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) id: SampleId,
    pub(crate) steps: Vec<Step>,
    /// The leaf at the end; `None` if the path continues below the last step.
    pub(crate) leaf: Option<Subtree>,
}

impl Route {
    /// Returns whether `node`, which is at that level of all routes that pass it, is among its steps.
    #[inline]
    pub(crate) fn passes(&self, level: usize, node: NodeId) -> bool {
        // The last step of a shorter route is at another level, and so another node.
        let level = level.min(self.steps.len().saturating_sub(1));
        let step = self.steps.get(level);
        step.is_some_and(|step| step.node() == node)
    }

    /// Forgets what lies below the first `level` steps.
    pub(crate) fn shorten(&mut self, level: usize) {
        self.steps.truncate(level);
        self.leaf = None;
    }
}

/// The routes of samples that are about to be learned, in this order. Their memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes {
    routes: Vec<Route>,
    /// Those that are not used yet.
    waiting: Range<usize>,
}

impl Routes {
    /// Returns the next route, if it is that of this sample.
    #[inline]
    pub(crate) fn next(&mut self, id: SampleId) -> Option<&mut Route> {
        self.waiting().first_mut().filter(|route| route.id == id)
    }

    pub(crate) fn clear(&mut self) {
        self.waiting = 0..0;
    }

    pub(crate) fn bytes(&self) -> usize {
        let steps: usize = self.routes.iter().map(|route| route.steps.capacity()).sum();
        steps * size_of::<Step>() + self.routes.capacity() * size_of::<Route>()
    }

    /// Begins a route for each of these samples.
    pub(crate) fn start(&mut self, ids: &[SampleId]) -> &mut [Route] {
        for (place, &id) in ids.iter().enumerate() {
            if place == self.routes.len() {
                self.routes.push(Route {
                    id,
                    steps: Vec::new(),
                    leaf: None,
                });
            }
            self.routes[place].id = id;
            self.routes[place].shorten(0);
        }
        self.waiting = 0..ids.len();
        self.waiting()
    }

    pub(crate) fn waiting(&mut self) -> &mut [Route] {
        &mut self.routes[self.waiting.clone()]
    }

    /// Fills `steps` with the route of `id` if it is the next, and returns its leaf. Otherwise drops all routes.
    pub(crate) fn take(&mut self, id: SampleId, steps: &mut Vec<Step>) -> Option<Subtree> {
        let Some(route) = self.next(id) else {
            self.clear();
            return None;
        };
        std::mem::swap(&mut route.steps, steps);
        let leaf = route.leaf;
        self.waiting.start += 1;
        leaf
    }
}
