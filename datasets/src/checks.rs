//! What every data set has.

use tables::short;

use crate::{ContentError, Dataset, Target};

/// Two rows, a feature and a target that is not constant.
pub(crate) fn check(data: &Dataset) -> Result<(), ContentError> {
    if data.rows() < 2 {
        return Err(ContentError::TooFewRows { rows: data.rows() });
    }
    if data.n_features() == 0 {
        return Err(ContentError::NoFeatures);
    }
    check_varies(&data.target)
}

/// Refuses a target without variation.
pub(crate) fn check_varies(target: &Target) -> Result<(), ContentError> {
    let constant = match target {
        Target::Classes { labels, names } if labels.iter().all(|label| *label == labels[0]) => {
            labels.first().map(|label| short(&names[*label as usize]))
        }
        Target::Values { values, .. } if values.iter().all(|value| *value == values[0]) => {
            values.first().map(f64::to_string)
        }
        _ => None,
    };
    constant.map_or(Ok(()), |value| Err(ContentError::ConstantTarget { value }))
}
