//! What differs between learning classes and learning numbers: the paper's label vectors `c(x)`.

use forest_core::{Classification, Regression, Settings, Task};

use crate::settings::{ChildLimit, ClassifierSettings, RegressorSettings};

/// How labels are compared, when a tree learns, and averaged, when the forest answers.
///
/// An average is gathered in a *tray*, a row of numbers to which trays of other trees may be added.
pub trait Problem: Task {
    /// The parameters of the paper that this problem has.
    type Settings: Settings<Self>;

    /// The paper's `k`.
    fn max_children(settings: &Self::Settings) -> ChildLimit;

    /// Whether `d_c(c(x), c(y)) > ε`: a sample labelled `x` corrects an answer of `y`.
    fn differ(settings: &Self::Settings, x: Self::Target, y: Self::Target) -> bool;

    /// Width of a tray.
    fn tray_width(outputs: &Self::Outputs) -> usize;

    /// Puts `label` with a positive `weight` into an empty tray (all zeros).
    fn put(tray: &mut [f64], label: Self::Target, weight: f64);

    /// The weighted mean of all labels put, of which there is at least one.
    fn mean(tray: &[f64], prediction: &mut [f64]);
}

/// Labels are indicator vectors, so ε does not matter; a tray holds the weight of every class.
impl Problem for Classification {
    type Settings = ClassifierSettings;

    fn max_children(settings: &ClassifierSettings) -> ChildLimit {
        settings.max_children
    }

    fn differ(_: &ClassifierSettings, x: u32, y: u32) -> bool {
        x != y
    }

    fn tray_width(outputs: &Self::Outputs) -> usize {
        Self::width(outputs)
    }

    fn put(tray: &mut [f64], label: u32, weight: f64) {
        tray[label as usize] = weight;
    }

    fn mean(tray: &[f64], prediction: &mut [f64]) {
        let total: f64 = tray.iter().sum();
        for (probability, weight) in prediction.iter_mut().zip(tray) {
            *probability = weight / total;
        }
    }
}

/// Labels are numbers; a tray holds the sums of `weight · label`, in two parts, and of `weight`.
///
/// In two parts, because a sum of equal numbers is rounded: of halves of their digits it is exact,
/// so trees that agree on a label with equal weights answer that very number.
impl Problem for Regression {
    type Settings = RegressorSettings;

    fn max_children(settings: &RegressorSettings) -> ChildLimit {
        settings.max_children
    }

    fn differ(settings: &RegressorSettings, x: f64, y: f64) -> bool {
        (x - y).abs() > settings.epsilon
    }

    fn tray_width((): &()) -> usize {
        3
    }

    fn put(tray: &mut [f64], label: f64, weight: f64) {
        let coarse = f64::from_bits(label.to_bits() & !LOWER_DIGITS);
        let fine = label - coarse;
        tray.copy_from_slice(&[weight * coarse, weight * fine, weight]);
    }

    fn mean(tray: &[f64], prediction: &mut [f64]) {
        let [coarse, fine] = [tray[0], tray[1]].map(|sum| sum / tray[2]);
        // Rounding may step over the end of the range, which no mean of numbers within it does.
        prediction[0] = (coarse + fine).clamp(f64::MIN, f64::MAX);
    }
}

/// The lower 27 of the 53 binary digits of a number.
const LOWER_DIGITS: u64 = (1 << 27) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_with_equal_weights_average_to_themselves() {
        for label in [0.1, -1.0 / 3.0, 1e-200, 12345.678, f64::MAX / 64.0] {
            let mut tray = [0.0; 3];
            Regression::put(&mut tray, label, 1.0);
            let sum = tray.map(|cell| (0..49).fold(0.0, |sum, _| sum + cell));
            let mut mean = [0.0];
            Regression::mean(&sum, &mut mean);
            assert_eq!(mean, [label]);
        }
    }

    #[test]
    fn labels_differ_beyond_epsilon_only() {
        let settings = RegressorSettings {
            epsilon: 0.5,
            ..RegressorSettings::default()
        };
        assert!(!Regression::differ(&settings, 1.0, 1.5));
        assert!(Regression::differ(&settings, 1.0, 1.5f64.next_up()));
        assert!(Regression::differ(&settings, f64::MAX, f64::MIN));
    }
}
