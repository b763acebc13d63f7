//! Predictions as colours.

use online_forests::{Classification, Regression, Task};

/// A task whose targets the page sends as numbers, and whose predictions have colours.
pub(crate) trait Coloured: Task {
    /// Returns the target for a number: a class, or the number itself.
    fn target(number: f64) -> Self::Target;

    /// Returns how wrong a prediction is: 0 or 1 for a class, the absolute difference for a number from 0 to 1.
    fn error(prediction: &[f64], target: Self::Target) -> f64;

    /// Returns red, green and blue from 0 to 255.
    fn colour(prediction: &[f64]) -> [f64; 3];
}

/// Colours that people with a colour vision deficiency can distinguish (Okabe and Ito, 2008): sky blue, orange, bluish
/// green, vermilion.
const CLASSES: [[f64; 3]; 4] = [
    [86.0, 180.0, 233.0],
    [230.0, 159.0, 0.0],
    [0.0, 158.0, 115.0],
    [213.0, 94.0, 0.0],
];

/// From low to high.
const NUMBERS: [[f64; 3]; 3] = [
    [68.0, 1.0, 84.0],
    [33.0, 145.0, 140.0],
    [253.0, 231.0, 37.0],
];

const NOTHING_KNOWN: [f64; 3] = [160.0; 3];

impl Coloured for Classification {
    fn target(number: f64) -> u32 {
        number as u32
    }

    fn error(prediction: &[f64], target: u32) -> f64 {
        let predicted = online_forests::argmax(prediction);
        let is_wrong = prediction.is_empty() || predicted != target as usize;
        f64::from(u8::from(is_wrong))
    }

    /// Returns the mean of the classes' colours, weighted by their probabilities.
    fn colour(prediction: &[f64]) -> [f64; 3] {
        if prediction.is_empty() {
            return NOTHING_KNOWN;
        }
        let colours = prediction.iter().zip(CLASSES.iter().cycle());
        colours.fold([0.0; 3], |sum, (p, colour)| {
            std::array::from_fn(|channel| sum[channel] + p * colour[channel])
        })
    }
}

impl Coloured for Regression {
    fn target(number: f64) -> f64 {
        number
    }

    fn error(prediction: &[f64], target: f64) -> f64 {
        (prediction[0] - target).abs()
    }

    /// Returns the colour of a number from 0 to 1.
    fn colour(prediction: &[f64]) -> [f64; 3] {
        let place = prediction[0].clamp(0.0, 1.0) * (NUMBERS.len() - 1) as f64;
        let low = (place as usize).min(NUMBERS.len() - 2);
        let share = place - low as f64;
        std::array::from_fn(|channel| {
            NUMBERS[low][channel] * (1.0 - share) + NUMBERS[low + 1][channel] * share
        })
    }
}
