//! The default members and the losses of predictions of each task.

use forest_core::{Classification, Regression, Task, argmax};
use ndarray::ArrayView2;
use tables::TableError;
use tables::preprocessing::{label_weights, value_weights};

/// A task whose predictions have losses: [`Classification`] and [`Regression`].
pub trait AdaptiveTask: Task {
    /// The default members.
    const STANDARD_MEMBERS: &'static [&'static str];

    /// Returns the largest possible loss.
    fn largest_loss() -> f64;

    /// Returns the loss of a prediction, finite, 0 or more; `mean_square` is the mean [error](Self::square) so far.
    fn loss(mean_square: f64, prediction: &[f64], target: Self::Target) -> f64;

    /// Returns the error of the prediction of a weight rule: 1 for a wrong class and 0 for the right one, or the loss.
    fn error(mean_square: f64, prediction: &[f64], target: Self::Target) -> f64 {
        Self::loss(mean_square, prediction, target)
    }

    /// Returns the squared error, by whose mean losses are divided; 0 for classes.
    fn square(_: &[f64], _: Self::Target) -> f64 {
        0.0
    }

    /// Turns the weighted sum of predictions into a valid prediction of the task.
    fn complete(_: &mut [f64]) {}

    /// Returns weights of features, by how much each feature alone explains of the targets.
    ///
    /// # Errors
    /// Returns an error if a row or a target is not finite, or there is not one target per row.
    fn feature_weights(
        rows: ArrayView2<'_, f32>,
        targets: &[Self::Target],
    ) -> Result<Vec<f64>, TableError>;
}

/// The ε that is mixed with a probability before its logarithm is taken, which keeps the loss exp-concave.
const EPSILON: f64 = 0.01;

/// The members have two bases. They were chosen on generated streams and sets other than elec2.
impl AdaptiveTask for Classification {
    const STANDARD_MEMBERS: &'static [&'static str] = &[
        "mondrian@100@quantile@labels",
        "mondrian@1000@none@labels",
        "mondrian@change@quantile@labels",
        "mondrian@change@none@labels",
        "mondrian@all@none@labels",
        "boundary-forest@100@quantile@labels",
        "boundary-forest@500@none@labels",
        "boundary-forest@change@none@labels",
        "no-change@all@none",
    ];

    fn largest_loss() -> f64 {
        -libm::log(EPSILON)
    }

    /// Returns −ln((1 − ε) p + ε), at most 4.6, for probability p of the class of the row.
    fn loss(_: f64, prediction: &[f64], class: u32) -> f64 {
        // A class that was unknown when the row was predicted has no column.
        let p = prediction.get(class as usize).copied().unwrap_or(0.0);
        (-libm::log((1.0 - EPSILON) * p + EPSILON)).max(0.0)
    }

    fn error(_: f64, prediction: &[f64], class: u32) -> f64 {
        // Before the first class is known the prediction is empty.
        let is_right = !prediction.is_empty() && argmax(prediction) == class as usize;
        f64::from(u8::from(!is_right))
    }

    /// Lowers probabilities to 1: since weights are rounded, they may add up to 1 + 2⁻⁵².
    fn complete(prediction: &mut [f64]) {
        prediction.iter_mut().for_each(|p| *p = p.min(1.0));
    }

    fn feature_weights(rows: ArrayView2<'_, f32>, labels: &[u32]) -> Result<Vec<f64>, TableError> {
        label_weights(rows, labels)
    }
}

/// The largest loss of a number.
const LARGEST: f64 = 10.0;

/// More members remember all rows than for classes: errors of a regression forest fall with the number of trees.
impl AdaptiveTask for Regression {
    const STANDARD_MEMBERS: &'static [&'static str] = &[
        "mondrian@100@quantile@labels",
        "mondrian@1000@none@labels",
        "mondrian@change@quantile@labels",
        "mondrian@change@none@labels",
        "mondrian@all@none@labels",
        "mondrian@all@none",
        "mondrian@all@quantile",
        "boundary-forest@all@quantile@labels",
        "no-change@all@none",
    ];

    fn largest_loss() -> f64 {
        LARGEST
    }

    /// Returns the squared error divided by the mean squared error of the mixture so far, at most 10. The mean loss of
    /// a member that is as good as the mixture is 1, for any unit and noise of the targets.
    fn loss(mean_square: f64, prediction: &[f64], target: f64) -> f64 {
        let square = Self::square(prediction, target);
        if square == 0.0 {
            0.0
        } else {
            (square / mean_square).min(LARGEST)
        }
    }

    fn square(prediction: &[f64], target: f64) -> f64 {
        (prediction[0] - target).powi(2)
    }

    fn feature_weights(rows: ArrayView2<'_, f32>, values: &[f64]) -> Result<Vec<f64>, TableError> {
        value_weights(rows, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_of_classes_are_logarithmic() {
        let of = |p: &[f64], class| Classification::loss(0.0, p, class);
        let p = [0.2, 0.5, 0.3];
        assert!((of(&p, 1) + (0.99f64 * 0.5 + 0.01).ln()).abs() < 1e-15);
        assert!((of(&[], 0) - 100f64.ln()).abs() < 1e-12);
        assert_eq!(of(&[1.0 + 1e-13], 0), 0.0);
        let errors = [0, 1, 7].map(|class| Classification::error(0.0, &p, class));
        assert_eq!(errors, [1.0, 0.0, 1.0]);
        assert_eq!(Classification::error(0.0, &[], 0), 1.0);
        // Rounded weights make no probability above 1.
        let mut rounded = [1.0_f64.next_up(), 0.25, 0.0];
        Classification::complete(&mut rounded);
        assert_eq!(rounded, [1.0, 0.25, 0.0]);
    }

    #[test]
    fn errors_of_numbers_are_measured_by_those_of_the_mixture() {
        for (mean_square, prediction, target, loss) in [
            (0.0, 0.0, 3.0, LARGEST),
            (0.0, 2.0, 2.0, 0.0),
            (3.5, 1.0, 3.0, 4.0 / 3.5),
            (3.5, -1e100, 1e100, LARGEST),
        ] {
            assert_eq!(Regression::loss(mean_square, &[prediction], target), loss);
        }
    }
}
