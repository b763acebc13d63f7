//! One-hot encoding of categorical features.

use forest_core::{InputError, Rows};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::FitError;
use crate::scale::check_rows;
use crate::transformation::Transformation;

/// Maximum number of values of a categorical feature; with more, it looks like an identifier.
const MAX_CATEGORIES: usize = 1024;

/// Replaces each categorical feature by one feature per category: 1 in that of its value, else 0.
///
/// The new features take the place of the old one, by ascending value; all others are unchanged.
/// A value outside of the rows fitted on is not in any category: all its features are 0.
/// Categories given as text become numbers by a [`LabelEncoder`](crate::LabelEncoder) first.
///
/// ```
/// use ndarray::array;
/// use preprocessing::OneHotEncoder;
///
/// let encoder = OneHotEncoder::fit(array![[0.3, 7.], [0.1, 2.], [0.2, 7.]].view(), &[1])?;
/// let rows = array![[0.5, 7.], [0.5, 2.], [0.5, 3.]];
/// let encoded = encoder.transform(rows.view())?;
/// assert_eq!(encoded, array![[0.5, 0., 1.], [0.5, 1., 0.], [0.5, 0., 0.]]);
/// # Ok::<(), preprocessing::FitError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneHotEncoder {
    features: Vec<Feature>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Feature {
    Number,
    /// The values, ascending.
    Categories(Vec<f32>),
}

impl OneHotEncoder {
    /// Finds the categories of these features (counted from 0) in `rows`.
    ///
    /// # Errors
    /// Returns an error for empty rows, a value that is not finite, a feature that does not exist, or one of more than 1024
    /// different values.
    pub fn fit(rows: ArrayView2<'_, f32>, categorical: &[usize]) -> Result<Self, FitError> {
        check_rows(rows)?;
        let mut features = vec![Feature::Number; rows.ncols()];
        for &feature in categorical {
            let place = features.get_mut(feature).ok_or(FitError::NoFeature {
                feature,
                features: rows.ncols(),
            })?;
            *place = Feature::Categories(categories(rows, feature)?);
        }
        Ok(Self { features })
    }

    /// Returns the number of features of a row before encoding.
    pub fn width(&self) -> usize {
        self.features.len()
    }

    /// Returns the number of features of a row after encoding.
    pub fn encoded_width(&self) -> usize {
        self.features.iter().map(Feature::width).sum()
    }

    /// Encodes rows.
    ///
    /// # Errors
    /// Returns an error for rows of another width than those fitted on, or a value that is not finite.
    pub fn transform(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f32>, InputError> {
        Rows::check(rows, self.width())?;
        Ok(self.transform_checked(rows))
    }

    pub(crate) fn transform_checked(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut encoded = Array2::zeros((rows.nrows(), self.encoded_width()));
        for (row, mut out) in rows.rows().into_iter().zip(encoded.rows_mut()) {
            let mut at = 0;
            for (&value, feature) in row.iter().zip(&self.features) {
                if let Some((place, value)) = feature.encode(value) {
                    out[at + place] = value;
                }
                at += feature.width();
            }
        }
        encoded
    }
}

impl Transformation for OneHotEncoder {
    fn width(&self) -> Option<usize> {
        Some(self.width())
    }

    fn width_after(&self, _: usize) -> usize {
        self.encoded_width()
    }

    fn apply(&self, rows: Array2<f32>) -> Array2<f32> {
        self.transform_checked(rows.view())
    }

    fn is_sound(&self) -> bool {
        !self.features.is_empty() && self.features.iter().all(Feature::is_sound)
    }

    fn bytes(&self) -> usize {
        let values = self.encoded_width() * size_of::<f32>();
        self.features.capacity() * size_of::<Feature>() + values
    }
}

impl Feature {
    fn width(&self) -> usize {
        match self {
            Self::Number => 1,
            Self::Categories(values) => values.len(),
        }
    }

    /// Returns the place and value of the entry that is not 0.
    fn encode(&self, value: f32) -> Option<(usize, f32)> {
        match self {
            Self::Number => Some((0, value)),
            Self::Categories(values) => {
                let place = values.binary_search_by(|x| x.total_cmp(&without_sign_of_zero(value)));
                place.ok().map(|place| (place, 1.0))
            }
        }
    }

    fn is_sound(&self) -> bool {
        match self {
            Self::Number => true,
            Self::Categories(values) => {
                let finite = values.iter().all(|value| value.is_finite());
                finite && !values.is_empty() && values.is_sorted_by(|a, b| a < b)
            }
        }
    }
}

/// Returns the different values of a feature, ascending.
fn categories(rows: ArrayView2<'_, f32>, feature: usize) -> Result<Vec<f32>, FitError> {
    let column = rows.column(feature);
    let mut values: Vec<f32> = column.iter().copied().map(without_sign_of_zero).collect();
    values.sort_unstable_by(f32::total_cmp);
    values.dedup();
    let limit = MAX_CATEGORIES;
    if values.len() > limit {
        return Err(FitError::TooManyCategories { feature, limit });
    }
    Ok(values)
}

/// Maps −0 to 0, as they are one category.
fn without_sign_of_zero(value: f32) -> f32 {
    value + 0.0
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn both_zeros_are_one_category_and_constant_ones_stay() {
        let encoder = OneHotEncoder::fit(array![[-0.0, 5.], [0.0, 5.]].view(), &[0, 1]).unwrap();
        let rows = array![[0.0, 5.], [-0.0, 4.]];
        assert_eq!(
            encoder.transform(rows.view()),
            Ok(array![[1., 1.], [1., 0.]])
        );
    }

    #[test]
    fn what_cannot_be_encoded_is_an_error() {
        let fit = |rows: Array2<f32>, feature| OneHotEncoder::fit(rows.view(), &[feature]);
        let missing = fit(Array2::zeros((2, 3)), 3);
        assert_eq!(
            missing,
            Err(FitError::NoFeature {
                feature: 3,
                features: 3
            })
        );
        let many = Array2::from_shape_fn((1025, 1), |(row, _)| row as f32);
        assert!(fit(many.slice(ndarray::s![..1024, ..]).to_owned(), 0).is_ok());
        let limit = 1024;
        let refused = fit(many, 0);
        assert_eq!(
            refused,
            Err(FitError::TooManyCategories { feature: 0, limit })
        );
        let nan = fit(array![[1.0], [f32::NAN]], 0).unwrap_err().to_string();
        assert!(nan.contains("row 1, feature 0"), "{nan}");
        let encoder = fit(Array2::zeros((2, 3)), 0).unwrap();
        assert!(encoder.transform(Array2::zeros((1, 2)).view()).is_err());
    }
}
