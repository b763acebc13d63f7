//! Labels are numbers: a vector of one, with which the code for vectors answers.

use forest_core::{InvariantError, Regression, Schema, SettingError, Task};

use super::{Averaged, Problem, vectors};
use crate::settings::RegressorSettings;

impl Problem for Regression {
    type Cell = f64;
    type Schema = Schema<Self>;
    type Settings = RegressorSettings;

    fn features(schema: &Schema<Self>) -> usize {
        schema.features()
    }

    fn label_width(_: &Schema<Self>) -> usize {
        1
    }

    fn check_schema(schema: &Schema<Self>) -> Result<(), SettingError> {
        schema.check()
    }

    fn note(_: &mut Schema<Self>, _: &[f64]) {}

    fn check_label(_: &Schema<Self>, label: &[f64], row: usize) -> Result<(), InvariantError> {
        vectors::check_finite(label, row)
    }

    fn differ(settings: &RegressorSettings, x: &[f64], y: &[f64]) -> bool {
        vectors::distance(x, y) > settings.epsilon
    }
}

impl Averaged for Regression {
    fn answer_width(_: &Schema<Self>) -> usize {
        1
    }

    fn accumulator_width(_: &Schema<Self>) -> usize {
        vectors::accumulator_width(1)
    }

    fn put(accumulator: &mut [f64], label: &[f64], weight: f64) {
        vectors::put(accumulator, label, weight);
    }

    fn mean(accumulator: &[f64], answer: &mut [f64]) {
        vectors::mean(accumulator, answer);
    }

    fn prior_prediction(answer: &mut [f64]) {
        <Self as Task>::prior_prediction(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_differ_beyond_epsilon_only() {
        let settings = RegressorSettings {
            epsilon: 0.5,
            ..RegressorSettings::default()
        };
        assert!(!Regression::differ(&settings, &[1.0], &[1.5]));
        assert!(Regression::differ(&settings, &[1.0], &[1.5f64.next_up()]));
        assert!(Regression::differ(&settings, &[f64::MAX], &[f64::MIN]));
    }
}
