//! Rules that several settings share.

use std::num::NonZeroU32;

use forest_core::SettingError;

/// The rule of m: a bin is numbered by a byte.
pub(crate) fn check_m(m: u32) -> Result<(), SettingError> {
    SettingError::require((1..=255).contains(&m), "m", "must be from 1 to 255", m)
}

/// The rule of τ and of Saffari's minimum of gain.
pub(crate) fn check_gain(parameter: &'static str, gain: f64) -> Result<(), SettingError> {
    let holds = gain.is_finite() && gain >= 0.0;
    SettingError::require(holds, parameter, "must be finite and not negative", gain)
}

/// Whether a tree of `nodes` nodes has no room for a split, which adds two.
pub(crate) fn is_full(max_nodes: Option<NonZeroU32>, nodes: usize) -> bool {
    max_nodes.is_some_and(|most| nodes + 2 > most.get() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_is_finite_and_not_negative() {
        let holds = |gain| check_gain("tau", gain).is_ok();
        assert!(holds(0.0) && holds(f64::MAX));
        assert!(!holds(-0.1) && !holds(f64::INFINITY) && !holds(f64::NAN));
    }

    #[test]
    fn a_tree_is_full_if_two_more_nodes_are_too_many() {
        let full = |most, nodes| is_full(NonZeroU32::new(most), nodes);
        assert!(!full(5, 1) && !full(5, 3) && full(5, 5) && full(4, 3) && full(1, 1));
        assert!(!is_full(None, usize::MAX));
    }
}
