//! Features in the order of a node's hashed permutation.

use crate::hash::Draws;

/// The features `0..width`, of which a node asks for the first few of its own permutation.
///
/// Fisher and Yates, undone afterwards: a node costs as much as it asks for, however many features there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct FeatureOrder {
    order: Vec<u32>,
    /// The place from which the feature at each place of the order so far was taken.
    taken_from: Vec<u32>,
}

impl FeatureOrder {
    /// Sets it to the order of `width` features.
    pub(crate) fn fit(&mut self, width: usize) {
        if self.order.len() != width {
            self.order = (0..width as u32).collect();
        }
    }

    /// Returns the next feature, until all have been returned.
    #[inline]
    pub(crate) fn next(&mut self, draws: &mut Draws) -> Option<u32> {
        let place = self.taken_from.len();
        let left = self
            .order
            .len()
            .checked_sub(place)
            .filter(|&left| left > 0)?;
        let from = place + draws.below(left);
        self.order.swap(place, from);
        self.taken_from.push(from as u32);
        Some(self.order[place])
    }

    /// Resets the order for another node.
    #[inline]
    pub(crate) fn restart(&mut self) {
        while let Some(from) = self.taken_from.pop() {
            self.order.swap(self.taken_from.len(), from as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::is_uniform;

    use super::*;
    use crate::hash::NodeKey;

    fn permutation(order: &mut FeatureOrder, seed: u64) -> Vec<u32> {
        let mut draws = NodeKey::root(seed).order();
        let all = std::iter::from_fn(|| order.next(&mut draws)).collect();
        order.restart();
        all
    }

    #[test]
    fn every_permutation_is_equally_likely() {
        let (mut order, mut counts) = (FeatureOrder::default(), [0; 27]);
        order.fit(3);
        for seed in 0..60_000 {
            let all = permutation(&mut order, seed);
            counts[(all[0] * 9 + all[1] * 3 + all[2]) as usize] += 1;
        }
        let seen: Vec<usize> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(seen.len(), 6);
        assert!(is_uniform(&seen) > 1e-3);
    }

    #[test]
    fn a_node_does_not_depend_on_the_nodes_before() {
        let (mut used, mut fresh) = (FeatureOrder::default(), FeatureOrder::default());
        used.fit(10);
        fresh.fit(10);
        let mut draws = NodeKey::root(1).order();
        (0..4).for_each(|_| assert!(used.next(&mut draws).is_some()));
        used.restart();
        assert_eq!(permutation(&mut used, 2), permutation(&mut fresh, 2));
    }
}
