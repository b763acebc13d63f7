//! A finite set of directions, drawn once per tree.

use forest_core::{InvariantError, SettingError, TreeRng};
use registry::Declared as _;
use serde::{Deserialize, Serialize};
use tessellation_tree::{Side, pick};

use crate::LinearCut;
use crate::directions::unit;
use crate::normals::Normals;

/// How many directions a tree has, and how many features each reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectionSettings {
    /// K, at least 1.
    pub directions: usize,
    /// Features of a direction; 0, or more than there are, means all. They are drawn without replacement: none
    /// is drawn again before fewer than a direction needs are left, so that all features are used equally often.
    pub features: usize,
}

/// Cuts orthogonal to one of K directions v_k, which each tree draws for itself (uniform, in all or in
/// a few random features: with K = d directions of one feature, all axes): Λ({a, b}) = 1/(2K) · Σ_k |⟨v_k, a − b⟩|, so that the mass of a ball is its
/// radius. All rates are masses: every candidate is a cut.
///
/// A cut takes 16 bytes, a side test `O(d)` (or as many features as a direction has), and a candidate
/// K times that. A tree without points that span its directions is never cut along the others: with
/// few directions two points may be inseparable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finite {
    settings: DirectionSettings,
    features: usize,
}

impl Finite {
    pub(crate) fn new(features: usize, settings: DirectionSettings) -> Self {
        Self { settings, features }
    }

    /// Features that a direction reads.
    pub(crate) fn width(&self) -> usize {
        match self.settings.features {
            0 => self.features,
            few => few.min(self.features),
        }
    }

    /// Draws the directions.
    pub(crate) fn start(&self, directions: &mut Normals, rng: &mut TreeRng) {
        let width = directions.width();
        let named = if width == self.features { 0 } else { width };
        let mut entries = Vec::new();
        let mut axes: Vec<u32> = (0..self.features as u32).collect();
        // As if all were dealt: the first direction shuffles.
        let mut dealt = self.features;
        for _ in 0..self.settings.directions {
            unit(width, rng, &mut entries);
            // The rest of a hand is not dealt, so that no direction names a feature twice.
            if dealt + named > self.features {
                rng.shuffle(&mut axes);
                dealt = 0;
            }
            directions.insert(&axes[dealt..][..named], &entries);
            dealt += named;
        }
    }

    /// 2K: what the sum of widths is divided by.
    fn scale(&self) -> f64 {
        (2 * self.settings.directions) as f64
    }

    pub(crate) fn rate_between(&self, directions: &Normals, a: &[f32], b: &[f32]) -> f64 {
        widths_between(directions, a, b).sum::<f64>() / self.scale()
    }

    pub(crate) fn normal_between(
        &self,
        directions: &Normals,
        [a, b]: [&[f32]; 2],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<u32> {
        let total = rate * self.scale();
        Some(pick(widths_between(directions, a, b), total, rng)? as u32)
    }

    pub(crate) fn rate_within(&self, directions: &Normals, lower: &[f32], upper: &[f32]) -> f64 {
        widths_within(directions, lower, upper).sum::<f64>() / self.scale()
    }

    pub(crate) fn normal_within(
        &self,
        directions: &Normals,
        [lower, upper]: [&[f32]; 2],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<u32> {
        let total = rate * self.scale();
        Some(pick(widths_within(directions, lower, upper), total, rng)? as u32)
    }

    pub(crate) fn check<'a>(
        &self,
        features: usize,
        directions: &Normals,
        mut cuts: impl Iterator<Item = &'a LinearCut>,
    ) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("cuts", error);
        self.settings.check_rules().map_err(rule)?;
        directions.check_shape(features)?;
        let drawn = [0, self.settings.directions].contains(&directions.places());
        let fits = self.features == features && drawn;
        InvariantError::require(fits, "cuts", "their directions do not fit the settings")?;
        let known =
            cuts.all(|cut| (cut.normal as usize) < directions.places() && cut.offset.is_finite());
        InvariantError::require(known, "cuts", "one has no such direction or offset")
    }
}

/// Returns |⟨v_k, a − b⟩| for every direction.
fn widths_between<'a>(
    directions: &'a Normals,
    a: &'a [f32],
    b: &'a [f32],
) -> impl Iterator<Item = f64> + Clone + 'a {
    let places = 0..directions.places() as u32;
    places.map(|k| (directions.dot(k, a) - directions.dot(k, b)).abs())
}

/// Returns Σᵢ |v_kᵢ|·eᵢ for every direction: the width of the box along it.
fn widths_within<'a>(
    directions: &'a Normals,
    lower: &'a [f32],
    upper: &'a [f32],
) -> impl Iterator<Item = f64> + Clone + 'a {
    let extent = |i: usize| f64::from(upper[i]) - f64::from(lower[i]);
    let width = move |k| {
        let terms = directions.terms(k);
        terms
            .map(|(feature, entry)| entry.abs() * extent(feature))
            .sum()
    };
    (0..directions.places() as u32).map(width)
}

/// Cuts along the same direction lie in one order.
pub(crate) fn side_of_all(cut: &LinearCut, other: &LinearCut, side: Side) -> Option<Side> {
    let side_known = match side {
        Side::Left => other.offset <= cut.offset,
        Side::Right => other.offset >= cut.offset,
    };
    (cut.normal == other.normal && side_known).then_some(side)
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics;

    use tessellation_tree::CutDistribution as _;

    use super::*;
    use crate::{CutNormals, LinearCuts};

    /// Returns the features of each of K directions of a tree.
    fn hands(features: usize, hand: usize, directions: usize, tree: usize) -> Vec<Vec<usize>> {
        let settings = DirectionSettings {
            directions,
            features: hand,
        };
        let mut cuts = LinearCuts::new(features, &CutNormals::Finite(settings));
        cuts.start(&mut TreeRng::new(1, tree));
        let features = |k: u32| cuts.normals().terms(k).map(|(feature, _)| feature);
        let sorted = |k| {
            let mut hand: Vec<usize> = features(k).collect();
            hand.sort_unstable();
            hand
        };
        (0..cuts.normals().places() as u32).map(sorted).collect()
    }

    /// Sees features that are shuffled too early, too late or never between hands. Exact.
    #[test]
    fn no_feature_is_dealt_again_before_fewer_than_a_hand_are_left() {
        for (features, hand) in [(2, 1), (4, 1), (4, 2), (5, 2), (7, 3), (9, 4), (5, 4)] {
            let hands_of_a_deck = features / hand;
            for tree in 0..50 {
                let hands = hands(features, hand, 4 * hands_of_a_deck + 1, tree);
                assert_eq!(hands.len(), 4 * hands_of_a_deck + 1);
                for deck in hands.chunks(hands_of_a_deck) {
                    let mut dealt = deck.concat();
                    let all = dealt.len();
                    dealt.sort_unstable();
                    dealt.dedup();
                    assert_eq!((dealt.len(), all), (all, hand * deck.len()), "{deck:?}");
                }
            }
        }
    }

    /// Each hand, of the first deck and of later ones, is every set of features alike, and the first hands of two decks are
    /// independent. χ², level 10⁻⁴ each.
    #[test]
    fn every_hand_is_any_features_alike() {
        let all: Vec<Vec<Vec<usize>>> = (0..6000).map(|tree| hands(5, 2, 5, tree)).collect();
        let number = |hand: &[usize]| 5 * hand[0] + hand[1];
        let pairs: Vec<usize> = (0..4)
            .flat_map(|a| (a + 1..5).map(move |b| 5 * a + b))
            .collect();
        let place = |hand: &[usize]| pairs.iter().position(|pair| *pair == number(hand)).unwrap();
        for k in 0..5 {
            let mut counts = [0; 10];
            all.iter().for_each(|hands| counts[place(&hands[k])] += 1);
            let p = statistics::is_uniform(&counts);
            assert!(p > 1e-4, "hand {k}: p = {p}, {counts:?}");
        }
        let mut counts = [0; 100];
        all.iter()
            .for_each(|hands| counts[10 * place(&hands[0]) + place(&hands[2])] += 1);
        let p = statistics::is_uniform(&counts);
        assert!(p > 1e-4, "two decks: p = {p}, {counts:?}");
    }
}
