//! Rules that several settings share.

use std::num::NonZeroU32;

use forest_core::parameters::Rule;

/// The rule of m: a bin is numbered by a byte.
pub(crate) const M: Rule = Rule::CountFromTo(1, 255);

/// Returns whether a tree of `nodes` nodes has no room for a split, which adds two.
pub(crate) fn is_full(max_nodes: Option<NonZeroU32>, nodes: usize) -> bool {
    max_nodes.is_some_and(|most| nodes + 2 > most.get() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_full_if_two_more_nodes_are_too_many() {
        let full = |most, nodes| is_full(NonZeroU32::new(most), nodes);
        assert!(!full(5, 1) && !full(5, 3) && full(5, 5) && full(4, 3) && full(1, 1));
        assert!(!is_full(None, usize::MAX));
    }
}
