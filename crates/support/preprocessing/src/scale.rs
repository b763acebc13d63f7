//! Scalers: one scale per feature.

use std::fmt::Debug;

use forest_core::{InputError, Rows};
use ndarray::{Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::FitError;
use crate::transformation::Transformation;

mod line;
mod min_max;
mod quantile;
mod robust;
mod sorted;
mod standard;

pub use line::{Line, LinearScale};
pub use min_max::MinMax;
pub use quantile::Quantiles;
pub use robust::Robust;
pub use standard::Standard;

/// Maps every feature linearly so that the rows it was fitted on span [0, 1]; see [`MinMax`].
pub type MinMaxScaler = Scaler<MinMax>;
/// Gives every feature mean 0 and variance 1; see [`Standard`].
pub type StandardScaler = Scaler<Standard>;
/// Subtracts the median and divides by the interquartile range; see [`Robust`].
pub type RobustScaler = Scaler<Robust>;
/// Maps every feature to its quantile among the fitted values, in [0, 1]; see [`Quantiles`].
pub type QuantileScaler = Scaler<Quantiles>;

/// The scale of one feature. A constant feature does not carry information and maps to 0 everywhere.
pub trait Scale:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Fits the scale to the values of a feature: one or more, all finite.
    fn fit(values: &[f32]) -> Self;

    /// Scales a finite value; the result is never NaN.
    fn apply(&self, value: f64) -> f64;

    /// Returns whether fitting could lead to this state, for scales that were decoded.
    fn is_sound(&self) -> bool;

    /// Returns the allocated bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// A scale that can take one more value at any time. The default has not seen a value, and maps
/// everything to 0.
pub trait RunningScale: Scale + Default {
    /// Takes a finite value.
    fn observe(&mut self, value: f32);
}

/// A scale for every feature.
///
/// Results are `f32`; values beyond its range become ±`f32::MAX`, so finite rows stay finite.
/// Cost: a few operations per value; quantiles take a binary search.
///
/// ```
/// use ndarray::array;
/// use preprocessing::{MinMaxScaler, StandardScaler};
///
/// let scaler = MinMaxScaler::fit(array![[0., 7.], [10., 7.]].view())?;
/// let mut rows = array![[5., 7.], [20., 9.]];
/// scaler.transform(&mut rows)?;
/// assert_eq!(rows, array![[0.5, 0.], [2.0, 0.]]); // the second feature is constant
///
/// let mut running = StandardScaler::running(1);
/// for value in [1.0, 2.0, 3.0] {
///     running.observe(&[value])?;
/// }
/// assert_eq!(running, StandardScaler::fit(array![[1.], [2.], [3.]].view())?);
/// # Ok::<(), preprocessing::FitError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Scaler<S: Scale> {
    features: Vec<S>,
}

impl<S: Scale> Scaler<S> {
    /// Fits the scale of every feature of `rows`.
    ///
    /// # Errors
    /// Returns an error for empty rows, or a value that is not finite.
    pub fn fit(rows: ArrayView2<'_, f32>) -> Result<Self, FitError> {
        check_rows(rows)?;
        Ok(Self::fit_checked(rows))
    }

    /// Fits as [`Scaler::fit`], to at least one row, all known to be finite.
    pub(crate) fn fit_checked(rows: ArrayView2<'_, f32>) -> Self {
        let columns = rows.columns().into_iter();
        let features = columns.map(|column| S::fit(&column.to_vec())).collect();
        Self { features }
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.features.len()
    }

    /// Returns the scale of each feature.
    pub fn features(&self) -> &[S] {
        &self.features
    }

    /// Scales rows in place.
    ///
    /// # Errors
    /// Returns an error, and leaves the rows unchanged, for another width or a value that is not finite.
    pub fn transform(&self, rows: &mut Array2<f32>) -> Result<(), InputError> {
        Rows::check(rows.view(), self.width())?;
        self.transform_checked(rows);
        Ok(())
    }

    /// Appends a row that is known to be finite and of its width to `scaled`, scaled.
    pub fn scale_into(&self, row: ArrayView1<'_, f32>, scaled: &mut Vec<f32>) {
        let values = row.into_iter().zip(&self.features);
        scaled.extend(values.map(|(&value, scale)| saturated(scale.apply(f64::from(value)))));
    }

    pub(crate) fn transform_checked(&self, rows: &mut Array2<f32>) {
        for mut row in rows.rows_mut() {
            for (value, scale) in row.iter_mut().zip(&self.features) {
                *value = saturated(scale.apply(f64::from(*value)));
            }
        }
    }
}

impl<S: Scale + LinearScale> Scaler<S> {
    /// Returns the line of each feature.
    pub fn lines(&self) -> Vec<Line> {
        self.features.iter().map(S::line).collect()
    }
}

impl<S: RunningScale> Scaler<S> {
    /// Returns a scaler of `width` features that has not seen a row: it maps everything to 0.
    pub fn running(width: usize) -> Self {
        Self {
            features: vec![S::default(); width],
        }
    }

    /// Takes one more row; afterwards the scaler is fitted to all rows taken.
    ///
    /// # Errors
    /// Returns an error, and does not take the row, for another width or a value that is not finite.
    pub fn observe(&mut self, row: &[f32]) -> Result<(), InputError> {
        Rows::one(row, self.width())?;
        for (scale, &value) in self.features.iter_mut().zip(row) {
            scale.observe(value);
        }
        Ok(())
    }

    /// Takes each row and scales it by the rows up to and including it.
    pub(crate) fn observe_and_transform(&mut self, rows: &mut Array2<f32>) {
        for mut row in rows.rows_mut() {
            for (value, scale) in row.iter_mut().zip(&mut self.features) {
                scale.observe(*value);
                *value = saturated(scale.apply(f64::from(*value)));
            }
        }
    }
}

impl<S: Scale> Transformation for Scaler<S> {
    fn width(&self) -> Option<usize> {
        Some(self.features.len())
    }

    fn apply(&self, mut rows: Array2<f32>) -> Array2<f32> {
        self.transform_checked(&mut rows);
        rows
    }

    fn is_sound(&self) -> bool {
        !self.features.is_empty() && self.features.iter().all(S::is_sound)
    }

    fn bytes(&self) -> usize {
        let inside: usize = self.features.iter().map(S::bytes).sum();
        self.features.capacity() * size_of::<S>() + inside
    }
}

/// Rejects rows that steps cannot be fitted to.
pub(crate) fn check_rows(rows: ArrayView2<'_, f32>) -> Result<(), FitError> {
    let (count, features) = rows.dim();
    if count == 0 || features == 0 {
        let rows = count;
        return Err(FitError::Empty { rows, features });
    }
    Rows::check(rows, features)?;
    Ok(())
}

/// Returns the nearest finite `f32`, so that values far outside a tiny range do not become infinite.
pub(crate) fn saturated(value: f64) -> f32 {
    value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}
