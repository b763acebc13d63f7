//! From a raw target to classes or values: choose the task, name the classes, refuse what cannot be learned.

use std::collections::BTreeSet;

use forest_core::LabelEncoder;
use tables::{Cell, Warning, short};

use crate::readers::RawTarget;
use crate::{ContentError, Target, TaskKind};

/// Whole numbers with at most this many different values are taken for classes when no task is stated.
const CLASSES_BY_DEFAULT: usize = 100;
/// More classes than this are refused even when classification is asked for.
const MAX_CLASSES: usize = 1000;

/// The target for `task`, or for the task the values suggest: text is classified, whole numbers of at most 100
/// different values are classified, any other number is regressed on.
pub(crate) fn target(raw: RawTarget, task: Option<TaskKind>) -> Result<Target, ContentError> {
    let task = task.unwrap_or_else(|| suggested(&raw));
    match (raw, task) {
        (RawTarget::Text(words), TaskKind::Classification) => classes(words),
        (RawTarget::Text(words), TaskKind::Regression) => Err(ContentError::TextTarget {
            example: short(words.first().map_or("", String::as_str)),
        }),
        (RawTarget::Numbers(numbers), TaskKind::Classification) => classes(whole(&numbers)?),
        (RawTarget::Numbers(values), TaskKind::Regression) => Ok(Target::Values {
            values,
            noise_free: None,
        }),
    }
}

fn suggested(raw: &RawTarget) -> TaskKind {
    match raw {
        RawTarget::Text(_) => TaskKind::Classification,
        RawTarget::Numbers(numbers) => match distinct_whole(numbers) {
            Some(..=CLASSES_BY_DEFAULT) => TaskKind::Classification,
            _ => TaskKind::Regression,
        },
    }
}

/// How many different numbers there are, if all are whole.
fn distinct_whole(numbers: &[f64]) -> Option<usize> {
    let is_whole = numbers.iter().all(|number| number.fract() == 0.0);
    let distinct = || {
        numbers
            .iter()
            .map(|number| number.to_bits())
            .collect::<BTreeSet<u64>>()
    };
    is_whole.then(|| distinct().len())
}

/// That the task was guessed, where it might be the other: whole numbers can be classes or measurements.
pub(crate) fn guess(raw: &RawTarget, name: &str) -> Option<Warning> {
    let RawTarget::Numbers(numbers) = raw else {
        return None;
    };
    let (values, target) = (distinct_whole(numbers)?, short(name));
    Some(match suggested(raw) {
        TaskKind::Classification => Warning::ClassesGuessed { target, values },
        TaskKind::Regression => Warning::NumbersGuessed { target, values },
    })
}

/// Names of whole-number labels.
fn whole(numbers: &[f64]) -> Result<Vec<String>, ContentError> {
    let name = |number: &f64| {
        let name = Cell::Number(*number).class_name();
        name.map(String::from)
            .ok_or_else(|| ContentError::ContinuousTarget {
                example: number.to_string(),
            })
    };
    numbers.iter().map(name).collect()
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

    fn numbers(values: &[f64]) -> RawTarget {
        RawTarget::Numbers(values.to_vec())
    }

    #[test]
    fn numeric_class_names_are_in_numeric_order() {
        let target = target(numbers(&[10.0, 2.0, -0.0, 2.0]), None).unwrap();
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
    fn the_values_suggest_the_task() {
        let many: Vec<f64> = (0..101).map(f64::from).collect();
        assert_eq!(suggested(&numbers(&many)), TaskKind::Regression);
        assert_eq!(suggested(&numbers(&many[..100])), TaskKind::Classification);
        assert_eq!(suggested(&numbers(&[0.5, 1.0])), TaskKind::Regression);
        assert_eq!(
            suggested(&RawTarget::Text(vec![])),
            TaskKind::Classification
        );
    }

    #[test]
    fn unknown_label_types_are_errors() {
        let text = RawTarget::Text(vec!["up".into()]);
        let error = target(text, Some(TaskKind::Regression)).unwrap_err();
        assert_eq!(
            error,
            ContentError::TextTarget {
                example: "up".into()
            }
        );
        let error = target(numbers(&[1.0, 0.5]), Some(TaskKind::Classification)).unwrap_err();
        assert_eq!(
            error,
            ContentError::ContinuousTarget {
                example: "0.5".into()
            }
        );
    }

    #[test]
    fn constant_targets_are_errors() {
        for task in [TaskKind::Classification, TaskKind::Regression] {
            let target = target(numbers(&[3.0, 3.0]), Some(task)).unwrap();
            assert_eq!(
                check_varies(&target),
                Err(ContentError::ConstantTarget { value: "3".into() })
            );
        }
    }
}
