//! Randomness as a function: every node has a key, and everything random about it is a hash of the key.

/// The finaliser of SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014,
/// with the constants of Stafford's mix 13): a permutation of 64 bits.
#[inline]
fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The increment of SplitMix64 from one number to the next: 2⁶⁴ over the golden ratio, odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns number `index` of the stream that begins at a key.
#[inline]
pub(crate) fn hashed(key: u64, index: u64) -> u64 {
    mix(key.wrapping_add(STEP.wrapping_mul(index.wrapping_add(1))))
}

/// The increment from one stream of a node to the next: odd, and such that streams do not overlap within 2²⁰ numbers.
const STREAM: u64 = 0xd1b5_4a32_d192_ed03;

/// The key of a node: a hash of its tree's seed and of the path from the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeKey(u64);

impl NodeKey {
    /// Returns the key of the root of a tree with this seed.
    pub(crate) fn root(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// Returns the key of a child: side 0 is left, 1 right.
    #[inline]
    pub(crate) fn child(self, side: usize) -> Self {
        Self(hashed(self.stream(0).0, side as u64))
    }

    /// Returns the draws that put the features in order.
    #[inline]
    pub(crate) fn order(self) -> Draws {
        self.stream(1)
    }

    /// Returns the draws of threshold `number` of a feature, from 0.
    #[inline]
    pub(crate) fn threshold(self, feature: u32, number: u32) -> Draws {
        let first = self.stream(2 + u64::from(feature));
        match number {
            0 => first,
            // Hashed once more: an increment for each would make streams overlap.
            _ => Draws(mix(first.0.wrapping_add(u64::from(number)))),
        }
    }

    #[inline]
    fn stream(self, number: u64) -> Draws {
        Draws(self.0.wrapping_add(STREAM.wrapping_mul(number)))
    }
}

/// A stream of numbers: SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Draws(u64);

impl Draws {
    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns a uniform number on `[0, 1)`, a multiple of 2⁻⁵³.
    #[inline]
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (0.5f64).powi(53)
    }

    /// Returns a threshold that divides all values by a random subset: a NaN with random bits.
    pub(crate) fn subset(&mut self) -> f32 {
        const FREE: u32 = (1 << 31) | ((1 << 22) - 1);
        f32::from_bits(f32::NAN.to_bits() | (self.next() as u32 & FREE))
    }

    /// Returns a uniform number on `0..n`, except for a bias of n/2⁶⁴ (Lemire's multiplication without its rejection).
    #[inline]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// The first few features of the permutation of a node.
///
/// A Fisher–Yates shuffle that is undone afterwards: a node costs as much as it takes, however many features there are.
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
        if place == self.order.len() {
            return None;
        }
        let from = place + draws.below(self.order.len() - place);
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
mod tests;
