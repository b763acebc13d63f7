//! Steps: transformations of rows, fitted on rows.

use forest_core::{FeatureValues, InputError, Rows};
use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::pca::Pca;
use crate::error::{Result, check_rows};
use crate::numbers::saturated;

/// Maximum number of intervals between the quantiles kept, each with 1/256 of the rows fitted on.
const INTERVALS: usize = 256;

/// How features are scaled before learning; also an option of a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum FeatureScaling {
    /// Unscaled features.
    #[default]
    None,
    /// Each feature to [0, 1], which finite budgets expect: (x − min) / (max − min).
    Minmax,
    /// Each feature to mean 0 and variance 1: (x − mean) / standard deviation, which divides by the number of rows.
    Standard,
    /// (x − median) / interquartile range, insensitive to outliers. Where the quartiles coincide, the whole range
    /// replaces the interquartile range.
    Robust,
    /// Each value to its quantile among the values fitted on, in [0, 1]: their empirical distribution function, linear
    /// between 257 quantiles of equally spaced levels (all values, if there are fewer). A value that several of the
    /// quantiles share is mapped to the middle of their levels.
    Quantile,
}

impl FeatureScaling {
    /// Fits the scale of every feature of `rows` to its numbers: missing values and categories are left out. Returns
    /// `None` for unscaled features.
    ///
    /// # Errors
    /// Returns an error for empty rows, or an infinite value.
    pub fn fit(self, rows: ArrayView2<'_, f32>) -> Result<Option<Step>> {
        check_rows(rows, FeatureValues::NumbersAndCategories)?;
        let numbers =
            |column: ArrayView1<'_, f32>| column.iter().copied().filter(|x| !x.is_nan()).collect();
        let columns = rows.columns().into_iter().map(numbers);
        Ok(Some(match self {
            Self::None => return Ok(None),
            Self::Minmax => Step::Lines(columns.map(min_max).collect()),
            Self::Standard => Step::Lines(columns.map(standard).collect()),
            Self::Robust => Step::Lines(columns.map(robust).collect()),
            Self::Quantile => Step::Quantiles(columns.map(quantiles).collect()),
        }))
    }
}

/// A linear scale: x becomes (x − `offset`) / `unit`, and 0 everywhere if `unit` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The value that becomes 0.
    pub offset: f64,
    /// The difference that becomes 1; 0 for a constant feature.
    pub unit: f64,
}

impl Line {
    fn apply(self, x: f64) -> f64 {
        if self.unit > 0.0 {
            (x - self.offset) / self.unit
        } else {
            0.0
        }
    }
}

/// A fitted transformation of rows: a scale for every feature, or principal components.
///
/// Outside of the values it was fitted on, a line continues; below the smallest quantile is 0, above the largest 1. A
/// constant feature maps to 0 everywhere. Results are `f32`; values beyond its range become ±`f32::MAX`, so finite rows
/// stay finite. Scales leave missing values and categories as they are. Cost: a few operations per value; quantiles
/// take a binary search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// A line for each feature.
    Lines(Vec<Line>),
    /// The quantiles of each feature, ascending, of level i / (number − 1).
    Quantiles(Vec<Vec<f32>>),
    /// Principal components.
    Pca(Pca),
}

impl Step {
    /// Returns the number of features that the step expects.
    pub fn width(&self) -> usize {
        match self {
            Self::Lines(lines) => lines.len(),
            Self::Quantiles(features) => features.len(),
            Self::Pca(pca) => pca.width(),
        }
    }

    /// Returns the number of features of the output.
    pub fn width_after(&self) -> usize {
        match self {
            Self::Pca(pca) => pca.k(),
            _ => self.width(),
        }
    }

    /// Transforms rows.
    ///
    /// # Errors
    /// Returns an error for rows of another width than the step expects, or a value that it does not take.
    pub fn transform(&self, rows: Array2<f32>) -> Result<Array2<f32>, InputError> {
        let taken = match self {
            Self::Pca(_) => FeatureValues::Numbers,
            _ => FeatureValues::NumbersAndCategories,
        };
        Rows::check_values(rows.view(), self.width(), taken)?;
        Ok(self.apply(rows.view()))
    }

    /// Appends a row of its width, of values that it takes, to `out`, transformed.
    pub fn scale_into(&self, row: ArrayView1<'_, f32>, out: &mut Vec<f32>) {
        // Missing values and categories are bits of a NaN.
        let kept = |value: f32, scaled: f32| if value.is_nan() { value } else { scaled };
        match self {
            Self::Lines(lines) => {
                let values = row.into_iter().zip(lines);
                out.extend(values.map(|(&x, line)| kept(x, saturated(line.apply(x.into())))));
            }
            Self::Quantiles(features) => {
                let values = row.into_iter().zip(features);
                out.extend(values.map(|(&x, levels)| kept(x, level(levels, x.into()) as f32)));
            }
            Self::Pca(pca) => out.extend(pca.apply(row.insert_axis(Axis(0)))),
        }
    }

    /// Transforms rows of its width, of values that it takes.
    pub(crate) fn apply(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        if let Self::Pca(pca) = self {
            return pca.apply(rows);
        }
        let mut scaled = Vec::with_capacity(rows.len());
        for row in rows.rows() {
            self.scale_into(row, &mut scaled);
        }
        Array2::from_shape_vec(rows.dim(), scaled).expect("a value for each value")
    }

    /// Returns whether fitting could lead to this state, for steps that were decoded.
    pub fn is_sound(&self) -> bool {
        let largest = f64::from(f32::MAX);
        let is_line = |line: &Line| {
            line.offset.abs() <= largest && (0.0..=2.0 * largest).contains(&line.unit)
        };
        let is_ascending = |kept: &Vec<f32>| {
            kept.iter().all(|value| value.is_finite()) && !kept.is_empty() && kept.is_sorted()
        };
        let has_sound_parts = match self {
            Self::Lines(lines) => lines.iter().all(is_line),
            Self::Quantiles(features) => features.iter().all(is_ascending),
            Self::Pca(pca) => pca.is_sound(),
        };
        has_sound_parts && self.width() > 0
    }

    /// Returns the allocated bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Lines(lines) => size_of_val(&lines[..]),
            Self::Quantiles(features) => {
                let bytes = |kept: &Vec<f32>| size_of_val(kept) + size_of_val(&kept[..]);
                features.iter().map(bytes).sum()
            }
            Self::Pca(pca) => (pca.k() + 1) * pca.width() * size_of::<f64>(),
        }
    }
}

/// Returns the line in `f64`, since the width of a range of `f32` may overflow `f32`.
fn min_max(values: Vec<f32>) -> Line {
    let offset: f64 = values.iter().copied().fold(f32::MAX, f32::min).into();
    let high: f64 = values.iter().copied().fold(f32::MIN, f32::max).into();
    let unit = (high - offset).max(0.0);
    Line { offset, unit }
}

/// Returns mean and standard deviation by B. P. Welford (*Note on a method for calculating corrected sums of squares
/// and products*, Technometrics 4, 1962): one value at a time, without the cancellation of a sum of squares.
fn standard(values: Vec<f32>) -> Line {
    let mut count = 0.0;
    let mut mean = 0.0;
    let mut squares = 0.0;
    for value in values.into_iter().map(f64::from) {
        count += 1.0;
        let before = value - mean;
        mean += before / count;
        squares += before * (value - mean);
    }
    let unit = (squares / f64::max(count, 1.0)).sqrt();
    Line { offset: mean, unit }
}

fn robust(mut values: Vec<f32>) -> Line {
    values.sort_unstable_by(f32::total_cmp);
    let at = |p| quantile(&values, p);
    let quartiles = at(0.75) - at(0.25);
    let range = at(1.0) - at(0.0);
    let unit = if quartiles > 0.0 { quartiles } else { range };
    let offset = at(0.5);
    Line { offset, unit }
}

fn quantiles(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let intervals = INTERVALS.min(values.len().saturating_sub(1));
    let level = |i| i as f64 / intervals.max(1) as f64;
    let kept = (0..=intervals).map(|i| quantile(&values, level(i)));
    kept.map(|value| value as f32).collect()
}

/// Returns the quantile of level `p` in [0, 1] of ascending values: linear between them, the smallest at
/// level 0, the largest at level 1 (type 7 of R. Hyndman and Y. Fan, *Sample quantiles in
/// statistical packages*, The American Statistician 50, 1996); 0 without values.
fn quantile(sorted: &[f32], p: f64) -> f64 {
    if sorted.is_empty() {
        return 0.0;
    }
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let (low, high) = (f64::from(sorted[below]), f64::from(sorted[above]));
    low + (place - below as f64) * (high - low)
}

/// Returns the level of `value` among quantiles.
fn level(quantiles: &[f32], value: f64) -> f64 {
    if quantiles.first() == quantiles.last() {
        return 0.0;
    }
    let below = quantiles.partition_point(|&x| f64::from(x) < value);
    let up_to = quantiles.partition_point(|&x| f64::from(x) <= value);
    let place = if below < up_to {
        (below + up_to - 1) as f64 / 2.0
    } else if below == 0 {
        0.0
    } else if below == quantiles.len() {
        (below - 1) as f64
    } else {
        let (low, high) = (f64::from(quantiles[below - 1]), f64::from(quantiles[below]));
        (below - 1) as f64 + (value - low) / (high - low)
    };
    place / (quantiles.len() - 1) as f64
}
