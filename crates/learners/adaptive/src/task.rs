//! The losses of predictions: of classes, of numbers.

use forest_core::{Classification, Regression, Task, argmax};
use ndarray::ArrayView2;
use tables::preprocessing::{FitError, label_weights, value_weights};

/// A task whose predictions have losses: [`Classification`] and [`Regression`].
pub trait AdaptiveTask: Task {
    /// The default members.
    const STANDARD_MEMBERS: &'static [&'static str];

    /// Returns the largest possible loss.
    fn largest_loss() -> f64;

    /// Returns the loss of `prediction`, made before the row was learned, if `target` arrives: finite, 0 or more. `mean_square` is that of the [errors](Self::square) of
    /// the mixture so far.
    fn loss(mean_square: f64, prediction: &[f64], target: Self::Target) -> f64;

    /// Returns the error of a weight rule's prediction: 1 for a wrong class and 0 for the right one; for a number its loss.
    fn error(mean_square: f64, prediction: &[f64], target: Self::Target) -> f64 {
        Self::loss(mean_square, prediction, target)
    }

    /// Returns the squared error by whose mean losses are divided; 0 for classes.
    fn square(_: &[f64], _: Self::Target) -> f64 {
        0.0
    }

    /// Turns the weighted sum of predictions into a valid prediction of the task.
    fn complete(_: &mut [f64]) {}

    /// Returns the weights of features that these targets determine.
    ///
    /// # Errors
    /// Rows or targets that are not finite, or not one target per row.
    fn feature_weights(
        rows: ArrayView2<'_, f32>,
        targets: &[Self::Target],
    ) -> Result<Vec<f64>, FitError>;
}

/// The ε that is mixed with a probability before its logarithm is taken. Mixing instead of cutting off keeps the loss exp-concave.
const EPSILON: f64 = 0.01;

/// Two bases beside each other, chosen on generated streams and sets other than elec2.
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

    /// −ln((1 − ε) p + ε) with ε = 0.01 for probability p of the class that arrives: the logarithmic loss of a prediction that is mixed
    /// with a hundredth of certainty, at most 4.6.
    fn loss(_: f64, prediction: &[f64], class: u32) -> f64 {
        // A class that was unknown until now has no column yet.
        let p = prediction.get(class as usize).copied().unwrap_or(0.0);
        (-libm::log((1.0 - EPSILON) * p + EPSILON)).max(0.0)
    }

    fn error(_: f64, prediction: &[f64], class: u32) -> f64 {
        // Before the first class is known the prediction is empty.
        let is_right = !prediction.is_empty() && argmax(prediction) == class as usize;
        f64::from(u8::from(!is_right))
    }

    /// Weights are rounded, so their sum, and the probability of a class that all members are sure of, may be 1 + 2⁻⁵².
    fn complete(prediction: &mut [f64]) {
        prediction.iter_mut().for_each(|p| *p = p.min(1.0));
    }

    fn feature_weights(rows: ArrayView2<'_, f32>, labels: &[u32]) -> Result<Vec<f64>, FitError> {
        label_weights(rows, labels)
    }
}

/// The largest loss of a number.
const LARGEST: f64 = 10.0;

/// More trees that remember all rows, since the errors of a forest of numbers fall with the number of its trees.
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

    /// The squared error of a member, divided by the mean squared error of the mixture so far, at most 10: a member that is as
    /// good as the mixture has been loses 1 on average, whatever the unit of the targets and however noisy they are.
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

    fn feature_weights(rows: ArrayView2<'_, f32>, values: &[f64]) -> Result<Vec<f64>, FitError> {
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
