//! What must hold of a tree, whoever made it: its own learning, or an altered file.

use forest_core::{ForestContext, InvariantError};

use super::{Leaf, LeafState, StreamTree};
use crate::FeatureSpace;
use crate::labels::Labels;

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// Every check, each relying on the ones before it.
    pub(super) fn check_against(
        &self,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let width = context.samples.width();
        let depths = self.nodes.check(&context.settings.features, width)?;
        self.check_leaves(&depths, context)?;
        self.check_fringe(context)?;
        let what = || "its order or a bound is wrong";
        let sound = self.queue.len() + self.fringe.len() == self.leaves.len();
        InvariantError::unless(sound, || "queue", what)?;
        self.queue
            .check(self.leaves.len(), |leaf| self.improvement_bound(leaf))
    }

    fn check_leaves(
        &self,
        depths: &[u32],
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let count = depths.len();
        let fits = self.leaves.len() == count
            && self.estimation_labels.fits(count)
            && self.structure_labels.fits(count);
        InvariantError::unless(fits, || "leaves", || "not one record for each")?;
        for (index, (leaf, &depth)) in self.leaves.iter().zip(depths).enumerate() {
            let sound = leaf.depth == depth && self.is_aged(leaf);
            let what = || format!("leaf {index} has an impossible depth or age");
            InvariantError::unless(sound, || "leaves", what)?;
            let alpha = depth
                .checked_sub(1)
                .map(|above| context.settings.alpha.at(above));
            let grown = alpha.is_none_or(|alpha| leaf.estimation_points as f64 >= alpha);
            let what = || format!("leaf {index} was made of fewer than α(d) estimation points");
            InvariantError::unless(grown, || "leaves", what)?;
            T::check_row(self.estimation_labels.row(index), &context.outputs)?;
            T::check_row(self.structure_labels.row(index), &context.outputs)?;
        }
        Ok(())
    }

    /// A leaf is as old as its points are many, or older; clocks count exactly.
    fn is_aged(&self, leaf: &Leaf) -> bool {
        let countable = self.clock < 1 << 53 && leaf.estimation_points <= self.clock;
        let lifetime = self.clock as f64 - leaf.created;
        // The creation times of its ancestors have been rounded.
        countable && leaf.created > -1.0 && lifetime * (1.0 + 1e-9) >= leaf.estimation_points as f64
    }

    /// Each place belongs to one leaf, and no place is left free while a leaf waits.
    fn check_fringe(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        let mut owned = vec![false; self.fringe.len()];
        for leaf in self.leaves.iter() {
            if let LeafState::Active(place) = leaf.state {
                let free = owned.get_mut(place as usize).filter(|owned| !**owned);
                *free.ok_or_else(|| InvariantError::new("fringe", "two at a place"))? = true;
                self.check_active(place, leaf.depth, context)?;
            }
        }
        let all = owned.iter().all(|owned| *owned);
        InvariantError::unless(all, || "fringe", || "a place is nobody's")?;
        self.check_limit(context)
    }

    fn check_active(
        &self,
        place: u32,
        depth: u32,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let (settings, width) = (context.settings, context.samples.width());
        self.fringe[place as usize].check(depth, settings, width, &context.outputs)
    }

    /// Only before the first sample is nobody active.
    fn check_limit(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        let (limit, active) = (context.settings.fringe, self.fringe.len());
        let right = match active.checked_sub(1) {
            None => self.clock == 0,
            Some(others) => {
                let full = self.queue.is_empty() || !limit.has_room(active);
                limit.has_room(others) && full
            }
        };
        InvariantError::unless(right, || "fringe", || "too many are active, or too few")
    }
}
