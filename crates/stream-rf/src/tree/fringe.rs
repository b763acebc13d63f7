//! Who is active: section 3.6.

use forest_core::{ForestContext, TreeRng};

use super::{LeafState, StreamTree};
use crate::FeatureSpace;
use crate::active::Active;
use crate::labels::Labels;
use crate::nodes::LeafId;

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// ŝ = p̂·ê of a leaf: the share of the stream's estimation points that reach it, times the
    /// error of its structure labels. The most that splitting it can improve.
    ///
    /// Divided by how often the leaf has been tried, this time included: after many failures the next
    /// attempt is likely to fail, too (Laplace's rule of succession), and others shall have the place.
    pub(super) fn improvement_bound(&self, leaf: LeafId) -> f64 {
        let known = self.leaves.get(leaf.index());
        let Some(known) = known.filter(|leaf| leaf.estimation_points > 0) else {
            return 0.0;
        };
        let reached = known.estimation_points as f64 / (self.clock as f64 - known.created);
        let error = T::error(self.structure_labels.row(leaf.index()));
        reached * error / (1.0 + f64::from(known.failed))
    }

    /// A leaf whose candidate splits do not become valid waits again; its place is left to the
    /// leaf with the largest ŝ, which may be the same. Then its dimensions are drawn anew.
    pub(super) fn give_up(&mut self, leaf: LeafId) {
        let known = &mut self.leaves[leaf.index()];
        known.state = LeafState::Waiting;
        known.failed = known.failed.saturating_add(1);
        self.queue.push(leaf, self.improvement_bound(leaf));
    }

    /// A point has reached a waiting leaf.
    #[inline]
    pub(super) fn raise(&mut self, leaf: LeafId) {
        let improvement_bound = self.improvement_bound(leaf);
        self.queue.raise(leaf, improvement_bound);
    }

    /// Gives the place that a leaf has left, and places not taken yet, to the leaves with the largest
    /// ŝ.
    pub(super) fn refill(
        &mut self,
        place: u32,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        if let Some(active) = self.activate_next(place, context, rng) {
            self.fringe[place as usize] = active;
        }
        self.fill(context, rng);
    }

    /// Gives the places not taken yet to the leaves with the largest ŝ.
    pub(super) fn fill(&mut self, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        while context.settings.fringe.has_room(self.fringe.len()) {
            let place = self.fringe.len() as u32;
            let Some(active) = self.activate_next(place, context, rng) else {
                return;
            };
            self.fringe.push(active);
        }
    }

    /// The leaf with the largest ŝ is to have a place; its statistics start now.
    fn activate_next(
        &mut self,
        place: u32,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) -> Option<Active<T, S::Feature>> {
        let mut queue = std::mem::take(&mut self.queue);
        let next = queue.pop(|leaf| self.improvement_bound(leaf));
        self.queue = queue;
        let leaf = &mut self.leaves[next?.index()];
        leaf.state = LeafState::Active(place);
        let width = context.samples.width();
        Some(Active::new(leaf.depth, context.settings, width, rng))
    }
}
