//! What must hold of a tree, whoever made it: its own learning, or an altered file.

use forest_core::{Ground, InvariantError};

use super::{Leaf, Standing, StreamTree};
use crate::FeatureSpace;
use crate::labels::Labels;

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// Every check, each relying on the ones before it.
    pub(super) fn check_against(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        let width = ground.samples.width();
        let depths = self.nodes.check(&ground.settings.features, width)?;
        self.check_leaves(&depths, ground)?;
        self.check_fringe(ground)?;
        let what = || "its order or a bound is wrong";
        let sound = self.queue.len() + self.fringe.len() == self.leaves.len();
        InvariantError::unless(sound, || "queue", what)?;
        self.queue
            .check(self.leaves.len(), |leaf| self.promise(leaf))
    }

    fn check_leaves(
        &self,
        depths: &[u32],
        ground: &Ground<'_, Self>,
    ) -> Result<(), InvariantError> {
        let count = depths.len();
        let fits = self.leaves.len() == count && self.votes.fits(count) && self.doubts.fits(count);
        InvariantError::unless(fits, || "leaves", || "not one record for each")?;
        for (index, (leaf, &depth)) in self.leaves.iter().zip(depths).enumerate() {
            let sound = leaf.depth == depth && self.is_aged(leaf);
            let what = || format!("leaf {index} has an impossible depth or age");
            InvariantError::unless(sound, || "leaves", what)?;
            let alpha = depth
                .checked_sub(1)
                .map(|above| ground.settings.alpha.at(above));
            let grown = alpha.is_none_or(|alpha| leaf.voters as f64 >= alpha);
            let what = || format!("leaf {index} was made of fewer than α(d) estimation points");
            InvariantError::unless(grown, || "leaves", what)?;
            T::check_row(self.votes.row(index), &ground.outputs)?;
            T::check_row(self.doubts.row(index), &ground.outputs)?;
        }
        Ok(())
    }

    /// A leaf is as old as its points are many, or older; clocks count exactly.
    fn is_aged(&self, leaf: &Leaf) -> bool {
        let countable = self.clock < 1 << 53 && leaf.voters <= self.clock;
        let lifetime = self.clock as f64 - leaf.born;
        // The births of its ancestors have been rounded.
        countable && leaf.born > -1.0 && lifetime * (1.0 + 1e-9) >= leaf.voters as f64
    }

    /// Each place belongs to one leaf, and no place is left free while a leaf waits.
    fn check_fringe(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        let mut owned = vec![false; self.fringe.len()];
        for leaf in &self.leaves {
            if let Standing::Active(place) = leaf.standing {
                let free = owned.get_mut(place as usize).filter(|owned| !**owned);
                let place = free.ok_or_else(|| InvariantError::new("fringe", "two at a place"))?;
                *place = true;
            }
        }
        let all = owned.iter().all(|owned| *owned);
        InvariantError::unless(all, || "fringe", || "a place is nobody's")?;
        let limit = ground.settings.fringe;
        let begun = !self.fringe.is_empty() || self.clock == 0;
        let within = self.fringe.is_empty() || limit.has_room(self.fringe.len() - 1);
        let full = self.queue.is_empty() || !limit.has_room(self.fringe.len());
        let right = begun && within && (full || self.fringe.is_empty());
        InvariantError::unless(right, || "fringe", || "too many are active, or too few")?;
        let (settings, width) = (ground.settings, ground.samples.width());
        self.fringe
            .iter()
            .try_for_each(|active| active.check(settings, width, &ground.outputs))
    }
}
