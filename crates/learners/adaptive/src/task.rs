//! The losses of predictions: of classes, of numbers.

use std::fmt::Debug;

use forest_core::registry::NamedTask;
use forest_core::{Classification, InvariantError, Regression, argmax};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tables::preprocessing::WeightedTask;

/// A task whose predictions have losses: [`Classification`] and [`Regression`].
pub trait AdaptiveTask: NamedTask + WeightedTask {
    /// The divisor of losses.
    type Scale: Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// The default members.
    const STANDARD_MEMBERS: &'static [&'static str];

    /// Returns the loss of `prediction`, made before the row was learned, if `target` arrives: finite, 0 or more.
    fn loss(scale: &Self::Scale, prediction: &[f64], target: Self::Target) -> f64;

    /// Turns the weighted sum of predictions into a valid prediction of the task.
    fn complete(prediction: &mut [f64]);

    /// Returns the error of a weight rule's prediction: 1 for a wrong class and 0 for the right one; for a number its loss.
    fn error(scale: &Self::Scale, prediction: &[f64], target: Self::Target) -> f64;

    /// Returns the largest possible loss.
    fn largest_loss() -> f64;

    /// Updates the scale by the mixture's own prediction and the target that arrived.
    fn observe(scale: &mut Self::Scale, prediction: &[f64], target: Self::Target);

    /// Checks what was decoded against the number of rows seen.
    ///
    /// # Errors
    /// Returns an error if no rows could have led there.
    fn check_scale(scale: &Self::Scale, seen: u64) -> Result<(), InvariantError>;
}

/// The ε that is mixed with a probability before its logarithm is taken. Mixing instead of cutting off keeps the loss exp-concave.
const EPSILON: f64 = 0.01;

impl AdaptiveTask for Classification {
    type Scale = ();

    const STANDARD_MEMBERS: &'static [&'static str] = OF_CLASSES;

    /// −ln((1 − ε) p + ε) with ε = 0.01 for probability p of the class that arrives: the logarithmic loss of a prediction that is mixed
    /// with a hundredth of certainty, at most 4.6.
    fn loss((): &(), prediction: &[f64], class: u32) -> f64 {
        // A class that was unknown until now has no column yet.
        let p = prediction.get(class as usize).copied().unwrap_or(0.0);
        (-libm::log((1.0 - EPSILON) * p + EPSILON)).max(0.0)
    }

    /// Weights are rounded, so their sum, and the probability of a class that all members are sure of, may be 1 + 2⁻⁵².
    fn complete(prediction: &mut [f64]) {
        prediction.iter_mut().for_each(|p| *p = p.min(1.0));
    }

    fn error((): &(), prediction: &[f64], class: u32) -> f64 {
        // Before the first class is known the prediction is empty.
        let right = !prediction.is_empty() && argmax(prediction) == class as usize;
        f64::from(u8::from(!right))
    }

    fn largest_loss() -> f64 {
        -libm::log(EPSILON)
    }

    fn observe((): &mut (), _: &[f64], _: u32) {}

    fn check_scale((): &(), _: u64) -> Result<(), InvariantError> {
        Ok(())
    }
}

/// The largest loss of a number.
const LARGEST: f64 = 10.0;

/// The mean squared error of the mixture so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorScale {
    rows: u64,
    mean_square: f64,
}

impl AdaptiveTask for Regression {
    type Scale = ErrorScale;

    const STANDARD_MEMBERS: &'static [&'static str] = OF_NUMBERS;

    /// The squared error of a member, divided by the mean squared error of the mixture so far, at most 10: a member that is as
    /// good as the mixture has been loses 1 on average, whatever the unit of the targets and however noisy they are.
    fn loss(scale: &ErrorScale, prediction: &[f64], target: f64) -> f64 {
        let square = (prediction[0] - target).powi(2);
        if square == 0.0 {
            return 0.0;
        }
        (square / scale.mean_square).min(LARGEST)
    }

    /// A mean of numbers is a number.
    fn complete(_: &mut [f64]) {}

    fn error(scale: &ErrorScale, prediction: &[f64], target: f64) -> f64 {
        Self::loss(scale, prediction, target)
    }

    fn largest_loss() -> f64 {
        LARGEST
    }

    fn observe(scale: &mut ErrorScale, prediction: &[f64], target: f64) {
        let square = (prediction[0] - target).powi(2);
        scale.rows += 1;
        scale.mean_square += (square - scale.mean_square) / scale.rows as f64;
    }

    fn check_scale(scale: &ErrorScale, seen: u64) -> Result<(), InvariantError> {
        let possible = scale.mean_square.is_finite() && scale.mean_square >= 0.0;
        let what = "no errors could have this mean square";
        InvariantError::require(possible && scale.rows == seen, "scale of errors", what)
    }
}

/// The default members for classes, chosen on generated streams and sets other than elec2: two bases beside each other.
const OF_CLASSES: &[&str] = &[
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

/// Those for numbers: more trees that remember all rows, since the errors of a forest of numbers fall with the number of its trees.
const OF_NUMBERS: &[&str] = &[
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_weights_make_no_probability_above_1() {
        let above = 1.0_f64.next_up();
        let mut classes = [above, 0.25, 0.0];
        Classification::complete(&mut classes);
        assert_eq!(classes, [1.0, 0.25, 0.0]);
        let mut number = [above];
        Regression::complete(&mut number);
        assert_eq!(number, [above]);
    }

    #[test]
    fn losses_of_classes_are_logarithmic() {
        let of = |p: &[f64], class| Classification::loss(&(), p, class);
        let p = [0.2, 0.5, 0.3];
        assert!((of(&p, 1) + (0.99f64 * 0.5 + 0.01).ln()).abs() < 1e-15);
        assert!((of(&[], 0) - 100f64.ln()).abs() < 1e-12);
        assert_eq!(of(&[1.0 + 1e-13], 0), 0.0);
        let errors = [0, 1, 7].map(|class| Classification::error(&(), &p, class));
        assert_eq!(errors, [1.0, 0.0, 1.0]);
        assert_eq!(Classification::error(&(), &[], 0), 1.0);
    }

    #[test]
    fn errors_are_measured_by_those_of_the_mixture() {
        let mut scale = ErrorScale::default();
        assert_eq!(Regression::loss(&scale, &[0.0], 3.0), LARGEST);
        for error in [1.0, -2.0, 3.0, 0.0] {
            Regression::observe(&mut scale, &[5.0], 5.0 + error);
        }
        assert!((scale.mean_square - 3.5).abs() < 1e-12);
        let loss = Regression::loss(&scale, &[1.0], 3.0);
        assert!((loss - 4.0 / 3.5).abs() < 1e-12);
        let far = Regression::loss(&scale, &[-1e100], 1e100);
        assert_eq!(far, LARGEST);
        assert_eq!(Regression::loss(&scale, &[2.0], 2.0), 0.0);
        assert_eq!(Regression::check_scale(&scale, 4), Ok(()));
        assert!(Regression::check_scale(&scale, 5).is_err());
    }
}
