//! Classes: indicator vectors, of which only the index of the 1 is stored.

use forest_core::{Classification, Task};

use super::{AveragedLabel, Label};
use crate::settings::Exact;

impl Label for u32 {
    type Epsilon = Exact;

    fn distance(x: &[u32], y: &[u32]) -> f64 {
        f64::from(u8::from(x != y))
    }

    fn is_valid(label: &[u32], prediction_width: usize) -> bool {
        label
            .iter()
            .all(|&class| (class as usize) < prediction_width)
    }
}

/// An accumulator holds the weight of every class.
impl AveragedLabel for u32 {
    fn accumulator_width(prediction_width: usize) -> usize {
        prediction_width
    }

    fn add(accumulator: &mut [f64], label: &[u32], weight: f64) {
        for &class in label {
            accumulator[class as usize] += weight;
        }
    }

    fn mean(accumulator: &[f64], prediction: &mut [f64]) {
        let total: f64 = accumulator.iter().sum();
        if total == 0.0 {
            return Classification::prior_prediction(prediction);
        }
        for (probability, weight) in prediction.iter_mut().zip(accumulator) {
            *probability = weight / total;
        }
    }
}
