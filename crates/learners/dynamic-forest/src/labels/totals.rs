//! What inner nodes keep of the samples below them.

use std::fmt::Debug;

use forest_core::InvariantError;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::sealed::MixedLeaves;

/// See [`Sums::Totals`]. Sums themselves are kept where those of leaves are.
pub(crate) trait Totals<C, M>:
    Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// What the changes of the cuts' samples are counted in: parts of one that counts as much as any other.
    const A_CHANGE: u32 = 1;

    /// Returns what a sample of the node counts among its changes.
    fn change(self, mixed: &M, code: C) -> u32 {
        let _ = (mixed, code);
        Self::A_CHANGE
    }

    /// Returns the totals of a node with these samples, of which `left` are on its left.
    fn of(mixed: &mut M, codes: &[C], left: usize) -> Self;

    /// Adds a sample to a side.
    fn add(&mut self, mixed: &mut M, code: C, side: usize);

    /// Removes a sample from a side.
    fn remove(&mut self, mixed: &mut M, code: C, side: usize);

    /// Releases what a node keeps.
    fn release(self, mixed: &mut M);

    /// Returns where its sums are, if it keeps any.
    fn sums(self) -> Option<u32>;

    /// Checks it against the samples of the node.
    ///
    /// # Errors
    /// Names the violated invariant.
    fn check(self, mixed: &M, codes: &[C], left: usize) -> Result<(), InvariantError>;
}

/// Nothing: such trees are read at their leaves.
impl<C, M> Totals<C, M> for () {
    fn of(_: &mut M, _: &[C], _: usize) {}
    fn add(&mut self, _: &mut M, _: C, _: usize) {}
    fn remove(&mut self, _: &mut M, _: C, _: usize) {}
    fn release(self, _: &mut M) {}

    fn sums(self) -> Option<u32> {
        None
    }

    fn check(self, _: &M, _: &[C], _: usize) -> Result<(), InvariantError> {
        Ok(())
    }
}

/// The sums of a node's samples, and the number of samples on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) sums: u32,
    pub(crate) sides: [u32; 2],
}

impl<C, M: MixedLeaves<C>> Totals<C, M> for Counts {
    const A_CHANGE: u32 = 64;

    /// A class that is rare in the node counts as much as one that is not: a change of it is n/(C nₖ), of n samples of C classes.
    fn change(self, mixed: &M, code: C) -> u32 {
        let rarity = mixed.rarity(self.sums, code);
        ((rarity * f64::from(<Self as Totals<C, M>>::A_CHANGE)) as u32).max(1)
    }

    fn of(mixed: &mut M, codes: &[C], left: usize) -> Self {
        let sides = [left as u32, (codes.len() - left) as u32];
        let sums = mixed.insert(codes);
        Self { sums, sides }
    }

    #[inline]
    fn add(&mut self, mixed: &mut M, code: C, side: usize) {
        self.sides[side] += 1;
        mixed.add(self.sums, code);
    }

    #[inline]
    fn remove(&mut self, mixed: &mut M, code: C, side: usize) {
        self.sides[side] -= 1;
        mixed.remove(self.sums, code);
    }

    fn release(self, mixed: &mut M) {
        mixed.release(self.sums);
    }

    fn sums(self) -> Option<u32> {
        Some(self.sums)
    }

    fn check(self, mixed: &M, codes: &[C], left: usize) -> Result<(), InvariantError> {
        let sides = [left, codes.len() - left].map(|count| count as u32);
        let what = "its counts of samples are wrong";
        InvariantError::require(self.sides == sides, "an inner node", what)?;
        mixed.check(self.sums, codes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Classes;
    use super::*;

    /// n/(C nₖ), the sample included.
    #[test]
    fn a_rare_class_counts_more() {
        let mut mixed = Classes::<u32>::default();
        let codes = [[0; 30].as_slice(), &[1; 10]].concat();
        let counts: Counts = Totals::of(&mut mixed, &codes, 5);
        for (class, change) in [(0, 41.0 / 62.0), (1, 41.0 / 22.0), (2, 41.0 / 3.0)] {
            assert_eq!(counts.change(&mixed, class), (64.0 * change) as u32);
        }
    }
}
