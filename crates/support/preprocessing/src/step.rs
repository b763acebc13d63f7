//! Steps of a pipeline: transformations that are fitted, unfitted, or running.

use forest_core::InputError;
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::transformation::Transformation;
use crate::{
    FitError, Line, MinMaxScaler, OneHotEncoder, Pca, QuantileScaler, RobustScaler, StandardScaler,
};

/// A transformation of rows.
///
/// Every fitted transformation is one ([`From`]), and a [`Scaling`] is one that waits for the first
/// rows of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Step {
    /// Min–max scaling, fitted.
    MinMax(MinMaxScaler),
    /// Standard scaling, fitted.
    Standard(StandardScaler),
    /// Robust scaling, fitted.
    Robust(RobustScaler),
    /// Quantile scaling, fitted.
    Quantile(QuantileScaler),
    /// Principal components, fitted.
    Pca(Pca),
    /// One-hot encoding, fitted.
    OneHot(OneHotEncoder),
    /// Min–max scaling by the rows learned so far, each row included in its own scale.
    RunningMinMax(MinMaxScaler),
    /// Standard scaling by the rows learned so far, each row included in its own scale.
    RunningStandard(StandardScaler),
    /// A scaling to be fitted on the first rows of the stream.
    OnFirstRows(Scaling),
}

/// A kind of scaling that is not fitted yet. It can be fitted to any finite rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scaling {
    /// [`MinMaxScaler`]
    MinMax,
    /// [`StandardScaler`]
    Standard,
    /// [`RobustScaler`]
    Robust,
    /// [`QuantileScaler`]
    Quantile,
}

impl Scaling {
    /// Fits the scaler to these rows.
    ///
    /// # Errors
    /// Returns an error for empty rows, or a value that is not finite.
    pub fn fit(self, rows: ArrayView2<'_, f32>) -> Result<Step, FitError> {
        crate::scale::check_rows(rows)?;
        Ok(self.fit_checked(rows))
    }

    fn fit_checked(self, rows: ArrayView2<'_, f32>) -> Step {
        match self {
            Self::MinMax => Step::MinMax(MinMaxScaler::fit_checked(rows)),
            Self::Standard => Step::Standard(StandardScaler::fit_checked(rows)),
            Self::Robust => Step::Robust(RobustScaler::fit_checked(rows)),
            Self::Quantile => Step::Quantile(QuantileScaler::fit_checked(rows)),
        }
    }
}

impl Step {
    /// Transforms `rows`. An unfitted scaling leaves them unchanged.
    ///
    /// # Errors
    /// Returns an error for rows of another width than the step expects, or a value that is not finite.
    pub fn transform(&self, rows: Array2<f32>) -> Result<Array2<f32>, InputError> {
        let width = self.width().unwrap_or(rows.ncols());
        forest_core::Rows::check(rows.view(), width)?;
        Ok(self.transform_checked(rows))
    }

    /// Returns the number of features that the step expects; `None` if it accepts any number.
    pub fn width(&self) -> Option<usize> {
        self.as_dyn().width()
    }

    /// Returns the number of features of the output for rows of `width` features.
    pub fn width_after(&self, width: usize) -> usize {
        self.as_dyn().width_after(width)
    }

    /// Returns whether the step is fitted or running.
    pub fn is_fitted(&self) -> bool {
        !matches!(self, Self::OnFirstRows(_))
    }

    /// Returns whether the step changes with every row learned.
    pub fn is_running(&self) -> bool {
        matches!(self, Self::RunningMinMax(_) | Self::RunningStandard(_))
    }

    /// Returns the line of each feature, if the step is linear.
    pub fn lines(&self) -> Option<Vec<Line>> {
        match self {
            Self::MinMax(scaler) | Self::RunningMinMax(scaler) => Some(scaler.lines()),
            Self::Standard(scaler) | Self::RunningStandard(scaler) => Some(scaler.lines()),
            Self::Robust(scaler) => Some(scaler.lines()),
            Self::Quantile(_) | Self::Pca(_) | Self::OneHot(_) | Self::OnFirstRows(_) => None,
        }
    }

    /// Transforms finite rows of its width.
    pub(crate) fn transform_checked(&self, rows: Array2<f32>) -> Array2<f32> {
        self.as_dyn().apply(rows)
    }

    /// Transforms rows that are learned: a running step takes each of them, and a step that is
    /// not fitted is fitted on all of them.
    pub(crate) fn learn_checked(&mut self, mut rows: Array2<f32>) -> Array2<f32> {
        match self {
            Self::RunningMinMax(scaler) => scaler.observe_and_transform(&mut rows),
            Self::RunningStandard(scaler) => scaler.observe_and_transform(&mut rows),
            Self::OnFirstRows(scaling) => {
                *self = scaling.fit_checked(rows.view());
                return self.transform_checked(rows);
            }
            _ => return self.transform_checked(rows),
        }
        rows
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.as_dyn().is_sound()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.as_dyn().bytes()
    }

    fn as_dyn(&self) -> &dyn Transformation {
        match self {
            Self::MinMax(scaler) | Self::RunningMinMax(scaler) => scaler,
            Self::Standard(scaler) | Self::RunningStandard(scaler) => scaler,
            Self::Robust(scaler) => scaler,
            Self::Quantile(scaler) => scaler,
            Self::Pca(pca) => pca,
            Self::OneHot(encoder) => encoder,
            Self::OnFirstRows(scaling) => scaling,
        }
    }
}

/// An unfitted scaling leaves rows unchanged.
impl Transformation for Scaling {
    fn width(&self) -> Option<usize> {
        None
    }

    fn apply(&self, rows: Array2<f32>) -> Array2<f32> {
        rows
    }

    fn is_sound(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        0
    }
}

macro_rules! steps_from {
    ($($variant:ident($transformation:ty)),*) => {
        $(impl From<$transformation> for Step {
            fn from(transformation: $transformation) -> Self {
                Self::$variant(transformation)
            }
        })*
    };
}

steps_from!(
    MinMax(MinMaxScaler),
    Standard(StandardScaler),
    Robust(RobustScaler),
    Quantile(QuantileScaler),
    Pca(Pca),
    OneHot(OneHotEncoder),
    OnFirstRows(Scaling)
);
