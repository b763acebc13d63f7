//! The cuts of a feature in a node: at thresholds, or between categories.

use forest_core::{SampleId, SampleStore, Task, side};
use serde::{Deserialize, Serialize};

use crate::hash::NodeKey;
use crate::threshold::threshold;

/// A threshold on a feature.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Cut {
    pub(crate) feature: u32,
    pub(crate) threshold: f32,
}

/// To the bit: a threshold that divides categories is a NaN.
impl PartialEq for Cut {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (self.feature, self.threshold.to_bits()) == (other.feature, other.threshold.to_bits())
    }
}

impl Cut {
    /// Returns the side of a point.
    #[inline]
    pub(crate) fn side(self, x: &[f32]) -> usize {
        side(x[self.feature as usize], self.threshold)
    }

    /// Returns the threshold of a column whose categories [have been divided](divide_categories).
    #[inline]
    pub(crate) fn level(self) -> f32 {
        if self.threshold.is_nan() {
            return 0.0;
        }
        self.threshold
    }
}

/// The values of a feature in a node: the least and the largest number, ∞ and −∞ without any, and whether there are categories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) feature: u32,
    pub(crate) lo: f32,
    pub(crate) hi: f32,
    pub(crate) has_categories: bool,
}

impl Range {
    /// Reads the values of a feature into `column`, which the cut of a column with categories [divides](divide_categories).
    #[inline(always)]
    pub(crate) fn read<T: Task>(
        store: &SampleStore<T>,
        ids: &[SampleId],
        feature: u32,
        column: &mut Vec<f32>,
    ) -> Self {
        column.clear();
        column.extend(ids.iter().map(|&id| store.features(id)[feature as usize]));
        let has_categories = store.has_categories() && any_category(column);
        let (lo, hi) = if has_categories {
            range_of_numbers(column)
        } else {
            range(column)
        };
        Self {
            feature,
            lo,
            hi,
            has_categories,
        }
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
    pub(crate) fn cut(self, key: NodeKey, number: u32, column: &[f32]) -> Cut {
        let feature = self.feature;
        let threshold = if self.lo < self.hi {
            threshold(key.threshold_number(feature, number), self.lo, self.hi)
        } else {
            self.between_categories(key, number, column)
        };
        Cut { feature, threshold }
    }

    #[cold]
    #[inline(never)]
    fn between_categories(self, key: NodeKey, number: u32, column: &[f32]) -> f32 {
        if self.lo == self.hi {
            return f32::NEG_INFINITY;
        }
        let sides = |subset| column.iter().map(move |&value| side(value, subset));
        let divides = |&subset: &f32| sides(subset).any(|of| of != side(column[0], subset));
        let first = subsets(key, self.feature, number).find(divides);
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
fn any_category(column: &[f32]) -> bool {
    column.iter().any(|value| value.is_nan())
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
    a.iter().zip(b).all(|(&a, &b)| is_same(a, b))
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

/// Returns the least and the largest of the numbers among these values; ∞ and −∞ without any.
#[cold]
#[inline(never)]
fn range_of_numbers(column: &[f32]) -> (f32, f32) {
    let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
    for &value in column {
        (lo, hi) = (least(lo, value), largest(hi, value));
    }
    (lo, hi)
}

/// Returns the least and the largest of these numbers.
#[inline(always)]
fn range(column: &[f32]) -> (f32, f32) {
    // Eight at a time, independent of each other.
    const LANES: usize = 8;
    let (parts, rest) = column.as_chunks::<LANES>();
    let (mut lo, mut hi) = (column[0], column[0]);
    if !parts.is_empty() {
        let (mut los, mut his) = (parts[0], parts[0]);
        for part in parts {
            for lane in 0..LANES {
                los[lane] = least(los[lane], part[lane]);
                his[lane] = largest(his[lane], part[lane]);
            }
        }
        lo = los.into_iter().fold(lo, least);
        hi = his.into_iter().fold(hi, largest);
    }
    for &value in rest {
        (lo, hi) = (least(lo, value), largest(hi, value));
    }
    (lo, hi)
}

#[inline]
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[inline]
fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
