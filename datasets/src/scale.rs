//! Min–max scaling, fitted on training rows.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Maps every feature linearly so that its training rows span [0, 1].
///
/// Rows seen later may lie outside the range of the training rows and then land outside [0, 1]: they are not
/// clipped, because a learner should see that they are new. A feature that is constant in the training rows
/// carries no information and maps to 0 in every row.
///
/// ```
/// use datasets::MinMaxScaler;
/// use ndarray::array;
///
/// let scaler = MinMaxScaler::fit(array![[0., 7.], [10., 7.]].view())?;
/// let mut rows = array![[5., 7.], [20., 9.]];
/// scaler.transform(&mut rows)?;
/// assert_eq!(rows, array![[0.5, 0.], [2.0, 0.]]);
/// # Ok::<(), datasets::ScaleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinMaxScaler {
    /// Smallest and largest training value, per feature.
    ranges: Vec<(f32, f32)>,
}

/// Scaling is not possible.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScaleError {
    /// Nothing to fit on.
    #[error("a scaler needs at least one training row")]
    NoRows,
    /// Rows of another width than the scaler was fitted on.
    #[error("rows of {found} features, but the scaler was fitted on {expected}")]
    Width {
        /// Features of the training rows.
        expected: usize,
        /// Features of these rows.
        found: usize,
    },
}

impl MinMaxScaler {
    /// Finds the range of every feature in the training rows.
    ///
    /// # Errors
    /// [`ScaleError::NoRows`] without a row.
    pub fn fit(training_rows: ArrayView2<'_, f32>) -> Result<Self, ScaleError> {
        if training_rows.nrows() == 0 {
            return Err(ScaleError::NoRows);
        }
        let widen = |(low, high): (f32, f32), x: &f32| (low.min(*x), high.max(*x));
        let start = (f32::INFINITY, f32::NEG_INFINITY);
        let columns = training_rows.columns().into_iter();
        Ok(Self {
            ranges: columns
                .map(|column| column.iter().fold(start, widen))
                .collect(),
        })
    }

    /// Scales rows in place.
    ///
    /// # Errors
    /// [`ScaleError::Width`] for rows of another width; they are then left as they were.
    pub fn transform(&self, rows: &mut Array2<f32>) -> Result<(), ScaleError> {
        let (expected, found) = (self.ranges.len(), rows.ncols());
        if expected != found {
            return Err(ScaleError::Width { expected, found });
        }
        for (mut column, range) in rows.columns_mut().into_iter().zip(&self.ranges) {
            column.mapv_inplace(|x| scaled(x, *range));
        }
        Ok(())
    }
}

/// In `f64`: the width of a range of `f32` may overflow `f32`.
fn scaled(x: f32, (low, high): (f32, f32)) -> f32 {
    let (x, low, high) = (f64::from(x), f64::from(low), f64::from(high));
    if high > low {
        ((x - low) / (high - low)) as f32
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn the_widest_range_does_not_overflow() {
        let rows = array![[f32::MIN], [f32::MAX], [0.0]];
        let mut scaled = rows.clone();
        MinMaxScaler::fit(rows.view())
            .unwrap()
            .transform(&mut scaled)
            .unwrap();
        assert_eq!(scaled, array![[0.0], [1.0], [0.5]]);
    }

    #[test]
    fn wrong_shapes_are_errors() {
        assert_eq!(
            MinMaxScaler::fit(Array2::zeros((0, 3)).view()),
            Err(ScaleError::NoRows)
        );
        let scaler = MinMaxScaler::fit(Array2::zeros((2, 3)).view()).unwrap();
        let error = scaler.transform(&mut Array2::zeros((1, 2)));
        assert_eq!(
            error,
            Err(ScaleError::Width {
                expected: 3,
                found: 2
            })
        );
    }

    #[test]
    fn survives_serde() {
        let scaler = MinMaxScaler::fit(array![[0.1, 2.0], [0.7, -3.0]].view()).unwrap();
        let text = serde_json::to_string(&scaler).unwrap();
        assert_eq!(serde_json::from_str::<MinMaxScaler>(&text).unwrap(), scaler);
    }
}
