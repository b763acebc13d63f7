//! From a raw target to classes or values: names the classes and refuses what cannot be learned.

use forest_core::LabelEncoder;

use crate::readers::RawTarget;
use crate::{ContentError, Target};

/// More classes than this are refused even when classification is asked for.
const MAX_CLASSES: usize = 1000;

/// Returns the target with its classes numbered.
pub(crate) fn target(raw: RawTarget) -> Result<Target, ContentError> {
    match raw {
        RawTarget::Classes(words) => classes(words),
        RawTarget::Numbers(values) => Ok(Target::Values {
            values,
            noise_free: None,
        }),
    }
}

fn classes(words: Vec<String>) -> Result<Target, ContentError> {
    let encoder = LabelEncoder::fit(&words);
    if encoder.len() > MAX_CLASSES {
        return Err(ContentError::TooManyClasses { limit: MAX_CLASSES });
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
            assert_eq!(
                check_varies(&target),
                Err(ContentError::ConstantTarget { value: "3".into() })
            );
        }
    }
}
