//! Labels are classes: indicator vectors, of which only the place of the 1 is stored.

use forest_core::{Classification, InvariantError, Schema, SettingError, Task};

use super::{Averaged, Problem};
use crate::settings::ClassifierSettings;

/// Indicator vectors are equal or not, so ε does not matter.
impl Problem for Classification {
    type Cell = u32;
    type Schema = Schema<Self>;
    type Settings = ClassifierSettings;

    fn features(schema: &Schema<Self>) -> usize {
        schema.features()
    }

    fn label_width(_: &Schema<Self>) -> usize {
        1
    }

    fn check_schema(schema: &Schema<Self>) -> Result<(), SettingError> {
        schema.check()
    }

    fn note(schema: &mut Schema<Self>, label: &[u32]) {
        label.iter().for_each(|&class| schema.admit(class));
    }

    fn check_label(schema: &Schema<Self>, label: &[u32], row: usize) -> Result<(), InvariantError> {
        let known = schema.outputs().known();
        let what = || format!("its class {label:?} is not one of the {known} known");
        let fits = label.iter().all(|&class| class < known);
        InvariantError::unless(fits, || format!("sample {row}"), what)
    }

    fn differ(_: &ClassifierSettings, x: &[u32], y: &[u32]) -> bool {
        x != y
    }
}

/// An accumulator holds the weight of every class.
impl Averaged for Classification {
    fn answer_width(schema: &Schema<Self>) -> usize {
        schema.width()
    }

    fn accumulator_width(schema: &Schema<Self>) -> usize {
        schema.width()
    }

    fn put(accumulator: &mut [f64], label: &[u32], weight: f64) {
        for &class in label {
            accumulator[class as usize] += weight;
        }
    }

    fn mean(accumulator: &[f64], answer: &mut [f64]) {
        let total: f64 = accumulator.iter().sum();
        for (probability, weight) in answer.iter_mut().zip(accumulator) {
            *probability = weight / total;
        }
    }

    fn prior_prediction(answer: &mut [f64]) {
        <Self as Task>::prior_prediction(answer);
    }
}
