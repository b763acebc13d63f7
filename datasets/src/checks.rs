//! What every data set has.

use tables::short;

use crate::{DataError, Dataset, Target};

/// Two rows, a feature and a target that is not constant.
pub(crate) fn check(data: &Dataset) -> Result<(), DataError> {
    if data.rows() < 2 {
        return Err(DataError::new(format!(
            "{} row(s), but at least 2 are needed",
            data.rows()
        )));
    }
    if data.n_features() == 0 {
        return Err(DataError::new(tables::Fault::no_features().to_string()));
    }
    check_varies(&data.target)
}

/// Refuses a target without variation.
pub(crate) fn check_varies(target: &Target) -> Result<(), DataError> {
    let constant = match target {
        Target::Classes { labels, names } if labels.iter().all(|label| *label == labels[0]) => {
            labels.first().map(|label| short(&names[*label as usize]))
        }
        Target::Values { values, .. } if values.iter().all(|value| *value == values[0]) => {
            values.first().map(f64::to_string)
        }
        _ => None,
    };
    constant.map_or(Ok(()), |value| {
        Err(DataError::new(format!(
            "the target is the same in every row (`{value}`), so there is nothing to learn; choose another target column"
        )))
    })
}
