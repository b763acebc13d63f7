//! The cuts of a feature in a node: at thresholds, or between categories.

use forest_core::side;

use crate::hash::NodeKey;
use crate::nodes::Cut;
use crate::threshold::threshold;

/// The values of a feature in a node: the least and the largest number, ∞ and −∞ without any, and whether there are categories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) lo: f32,
    pub(crate) hi: f32,
    pub(crate) has_categories: bool,
}

impl Range {
    pub(crate) fn has_numbers(self) -> bool {
        self.lo <= self.hi
    }

    /// Returns whether not all values of the column, whose range it is, are the same.
    #[inline]
    pub(crate) fn differs(self, column: &[f32]) -> bool {
        self.lo < self.hi || (self.has_categories && differ(column))
    }

    /// Returns cut `number` of a feature whose values differ.
    ///
    /// Numbers that differ are cut at a threshold, which sends categories to sides of their own ([`side`]). Otherwise numbers, which are all the same, are cut from
    /// categories; or categories from one another.
    #[inline]
    pub(crate) fn cut(self, key: NodeKey, feature: u32, number: u32, column: &[f32]) -> Cut {
        let threshold = if self.lo < self.hi {
            threshold(key.threshold_number(feature, number), self.lo, self.hi)
        } else {
            self.between_categories(key, feature, number, column)
        };
        Cut { feature, threshold }
    }

    #[cold]
    #[inline(never)]
    fn between_categories(self, key: NodeKey, feature: u32, number: u32, column: &[f32]) -> f32 {
        if self.lo == self.hi {
            return f32::NEG_INFINITY;
        }
        let divides = |&subset: &f32| {
            column
                .iter()
                .any(|&value| side(value, subset) != side(column[0], subset))
        };
        let first = subsets(key, feature, number).find(divides);
        first.expect("a random subset has one of two categories alone every other time")
    }
}

/// Returns the thresholds that stand for the random subsets of a feature in a node, of which the first that divides its categories is its cut.
pub(crate) fn subsets(key: NodeKey, feature: u32, number: u32) -> impl Iterator<Item = f32> {
    let mut draws = key.threshold_number(feature, number);
    std::iter::repeat_with(move || draws.subset())
}

#[cold]
#[inline(never)]
fn differ(column: &[f32]) -> bool {
    column.iter().any(|&value| !is_same(value, column[0]))
}

/// Returns whether both are the same number or the same category. The sign of a NaN means nothing.
#[inline]
pub(crate) fn is_same(a: f32, b: f32) -> bool {
    a == b || (a.is_nan() && a.abs().to_bits() == b.abs().to_bits())
}

/// Returns whether two points have the same values.
pub(crate) fn is_same_point(a: &[f32], b: &[f32]) -> bool {
    let mut pairs = a.iter().zip(b);
    pairs.all(|(&a, &b)| is_same(a, b))
}

/// Puts −∞ and ∞ in place of the categories of a column that are left and right of a cut, whose [level](Cut::level) then divides it.
#[cold]
#[inline(never)]
pub(crate) fn divide_categories(column: &mut [f32], cut: Cut) {
    // Silent numbers can be where categories alone are cut.
    let all = cut.threshold.is_nan();
    for value in column.iter_mut().filter(|value| all || value.is_nan()) {
        *value = [f32::NEG_INFINITY, f32::INFINITY][side(*value, cut.threshold)];
    }
}
