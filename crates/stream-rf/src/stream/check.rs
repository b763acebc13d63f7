//! What must hold of a tree, whether it has learned or was decoded from an altered file.

use forest_core::{ForestContext, InvariantError};

use super::StreamTree;
use super::leaf::{Leaf, LeafState};
use crate::features::FeatureSpace;
use crate::labels::Labels;

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    pub(super) fn check_leaves(
        &self,
        depths: &[u32],
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let count = depths.len();
        let rows = [&self.estimation_labels, &self.structure_labels];
        let fits = self.leaves.len() == count && rows.iter().all(|rows| rows.fits(count));
        InvariantError::require(fits, "leaves", "not one record for each")?;
        for (index, (leaf, &depth)) in self.leaves.iter().zip(depths).enumerate() {
            let place = format_args!("leaf {index}");
            let aged = leaf.depth == depth && self.is_aged(leaf);
            InvariantError::require(aged, place, "an impossible depth or age")?;
            let above = depth.checked_sub(1);
            let alpha = above.map_or(0.0, |above| context.settings.alpha.at(above));
            let grown = leaf.estimation_points as f64 >= alpha;
            InvariantError::require(grown, place, "fewer than α(d) estimation points")?;
            for rows in rows {
                T::check_row(rows.row(index), &context.outputs)?;
            }
        }
        Ok(())
    }

    /// Returns whether a leaf is as old as its points are many, or older; up to 2⁵³ points are counted exactly.
    fn is_aged(&self, leaf: &Leaf) -> bool {
        let all = self.estimation_points;
        let lifetime = all as f64 - leaf.created;
        // The creation times of its ancestors have been rounded.
        let aged = lifetime * (1.0 + 1e-9) >= leaf.estimation_points as f64;
        aged && leaf.created > -1.0 && leaf.estimation_points <= all && all < 1 << 53
    }

    /// Checks that each place belongs to one leaf, and that places are not free while a leaf waits.
    pub(super) fn check_fringe(
        &self,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let mut taken = vec![false; self.fringe.len()];
        for leaf in self.leaves.iter() {
            if let LeafState::Active(place) = leaf.state {
                let free = taken.get_mut(place as usize).filter(|taken| !**taken);
                *free.ok_or_else(|| InvariantError::new("fringe", "two leaves at a place"))? = true;
                let (settings, width) = (context.settings, context.samples.width());
                let active = &self.fringe[place as usize];
                active.check(leaf.depth, settings, width, &context.outputs)?;
            }
        }
        let sound = taken.iter().all(|taken| *taken) && self.places_are_taken(context);
        InvariantError::require(sound, "fringe", "too many places, or too few")
    }

    /// No leaf is active before the first sample, nor in a tree without room.
    fn places_are_taken(&self, context: &ForestContext<'_, Self>) -> bool {
        let (limit, active) = (context.settings.fringe, self.fringe.len());
        if self.is_full(context) {
            return active == 0;
        }
        let Some(others) = active.checked_sub(1) else {
            return self.estimation_points == 0;
        };
        // Exactly as many places as the limit allows, unless no leaf waits.
        limit.has_room(others) && (self.queue.entries().is_empty() || !limit.has_room(active))
    }

    pub(super) fn check_queue(
        &self,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        self.queue.check(&self.leaves)?;
        let waiting = self.queue.entries();
        let all = waiting.len() + self.fringe.len() == self.leaves.len();
        InvariantError::require(all, "queue", "a leaf has no place")?;
        if self.is_full(context) {
            return Ok(());
        }
        let mut bounds = waiting.iter().map(|entry| (entry.bound, entry.leaf));
        let holds =
            bounds.all(|(bound, leaf)| self.improvement_bound(leaf) <= bound * (1.0 + 1e-9));
        InvariantError::require(holds, "queue", "a leaf has a ŝ above its bound")
    }
}
