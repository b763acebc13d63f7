//! From a raw target to classes or values: names the classes and refuses what cannot be learned.

use forest_core::LabelEncoder;

use crate::readers::RawTarget;
use crate::{DataError, Target};

/// More classes than this are refused even when classification is asked for.
const MAX_CLASSES: usize = 1000;

/// Returns the target with its classes numbered.
pub(crate) fn target(raw: RawTarget) -> Result<Target, DataError> {
    match raw {
        RawTarget::Classes(words) => classes(words),
        RawTarget::Numbers(values) => Ok(Target::Values {
            values,
            noise_free: None,
        }),
    }
}

fn classes(words: Vec<String>) -> Result<Target, DataError> {
    let encoder = LabelEncoder::fit(&words);
    if encoder.len() > MAX_CLASSES {
        return Err(DataError::new(format!(
            "the target has more than {MAX_CLASSES} classes; it looks like an identifier or a measurement; choose another target \
             column, or regression"
        )));
    }
    let labels = words.iter().filter_map(|word| encoder.index(word).ok());
    Ok(Target::Classes {
        labels: labels.collect(),
        names: encoder.names().to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check_varies;

    fn classes_of(words: &[&str]) -> RawTarget {
        RawTarget::Classes(words.iter().map(|word| (*word).to_owned()).collect())
    }

    #[test]
    fn numeric_class_names_are_in_numeric_order() {
        let target = target(classes_of(&["10", "2", "0", "2"])).unwrap();
        let names = ["0", "2", "10"].map(str::to_owned).to_vec();
        assert_eq!(
            target,
            Target::Classes {
                labels: vec![2, 1, 0, 1],
                names
            }
        );
    }

    #[test]
    fn constant_targets_are_errors() {
        for raw in [classes_of(&["3", "3"]), RawTarget::Numbers(vec![3.0, 3.0])] {
            let target = target(raw).unwrap();
            let error = check_varies(&target).unwrap_err().to_string();
            assert!(
                error.starts_with("the target is the same in every row (`3`)"),
                "{error}"
            );
        }
    }
}
