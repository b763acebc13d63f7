//! What is lost by a prediction: of classes, of numbers.

use std::fmt::Debug;

use forest_core::{Classification, InvariantError, Regression};
use preprocessing::WeightedTask;
use registry::NamedTask;
use registry::parameters::{Field, Parameter, Rule, Words, field};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::AdaptiveSettings;

/// A task whose predictions have losses: [`Classification`] and [`Regression`].
pub trait AdaptiveTask: NamedTask + WeightedTask {
    /// The losses there are.
    type Loss: Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// What is known of the targets so far.
    type Spread: Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// The parameters that only this task has.
    const FIELDS: &'static [Field<AdaptiveSettings<Self>>];

    /// What `prediction`, made before the row was learned, loses if `target` comes: finite, 0 or more.
    fn loss(
        loss: Self::Loss,
        spread: &Self::Spread,
        prediction: &[f64],
        target: Self::Target,
    ) -> f64;

    /// Takes a target.
    fn observe(spread: &mut Self::Spread, target: Self::Target);

    /// Checks what was decoded against the number of targets seen.
    ///
    /// # Errors
    /// If no targets lead there.
    fn check_spread(spread: &Self::Spread, seen: u64) -> Result<(), InvariantError>;
}

/// What a classifier loses by giving probability p to the class that comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClassLoss {
    /// −ln((1 − ε) p + ε) with ε = 0.01: the logarithmic loss of a prediction that is mixed with a hundredth of
    /// certainty, at most 4.6. Mixing instead of cutting off keeps the loss exp-concave.
    #[default]
    Log,
    /// The sum over classes of the squared difference to the indicator of the class that comes (Brier
    /// 1950), from 0 to 2.
    Brier,
    /// 1 − p.
    Linear,
}

/// What is mixed with a probability before its logarithm is taken.
const EPSILON: f64 = 0.01;

const LOSSES: Words<ClassLoss, 3> = Words([
    ("log", ClassLoss::Log),
    ("brier", ClassLoss::Brier),
    ("linear", ClassLoss::Linear),
]);

impl AdaptiveTask for Classification {
    type Loss = ClassLoss;
    type Spread = ();

    const FIELDS: &'static [Field<AdaptiveSettings<Self>>] = &[field!(
        Parameter::new("loss", Rule::Words(&LOSSES.names()), "log",
            "what a prediction loses: log, Brier score, or linear (1 − p)"),
        settings => settings.loss, LOSSES
    )];

    fn loss(loss: ClassLoss, (): &(), prediction: &[f64], class: u32) -> f64 {
        let class = class as usize;
        // A class that nobody knew has no column yet.
        let p = prediction.get(class).copied().unwrap_or(0.0);
        match loss {
            ClassLoss::Log => (-((1.0 - EPSILON) * p + EPSILON).ln()).max(0.0),
            ClassLoss::Linear => (1.0 - p).max(0.0),
            ClassLoss::Brier => {
                let squares: f64 = prediction.iter().map(|p| p * p).sum();
                (squares + 1.0 - 2.0 * p).max(0.0)
            }
        }
    }

    fn observe((): &mut (), _: u32) {}

    fn check_spread((): &(), _: u64) -> Result<(), InvariantError> {
        Ok(())
    }
}

/// The squared error, divided by the variance of the targets so far, at most 10. It is the one loss of
/// numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SquaredError;

/// The largest loss of a number.
const LARGEST: f64 = 10.0;

/// Mean and variance of the targets so far (Welford 1962).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetSpread {
    targets: u64,
    mean: f64,
    squares: f64,
}

impl TargetSpread {
    fn variance(&self) -> f64 {
        self.squares / self.targets.max(1) as f64
    }
}

impl AdaptiveTask for Regression {
    type Loss = SquaredError;
    type Spread = TargetSpread;

    const FIELDS: &'static [Field<AdaptiveSettings<Self>>] = &[];

    fn loss(_: SquaredError, spread: &TargetSpread, prediction: &[f64], target: f64) -> f64 {
        let square = (prediction[0] - target).powi(2);
        if square == 0.0 {
            return 0.0;
        }
        (square / spread.variance()).min(LARGEST)
    }

    fn observe(spread: &mut TargetSpread, target: f64) {
        spread.targets += 1;
        let before = target - spread.mean;
        spread.mean += before / spread.targets as f64;
        spread.squares += before * (target - spread.mean);
    }

    fn check_spread(spread: &TargetSpread, seen: u64) -> Result<(), InvariantError> {
        let finite = spread.mean.is_finite() && spread.squares.is_finite();
        let counted = finite && spread.squares >= 0.0 && spread.targets == seen;
        let what = || "no targets have this mean and variance";
        InvariantError::unless(counted, || "spread of targets", what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_what_they_are_called() {
        let of = |loss, p: &[f64], class| Classification::loss(loss, &(), p, class);
        let p = [0.2, 0.5, 0.3];
        assert!((of(ClassLoss::Log, &p, 1) + (0.99f64 * 0.5 + 0.01).ln()).abs() < 1e-15);
        assert!((of(ClassLoss::Linear, &p, 2) - 0.7).abs() < 1e-15);
        let brier = 0.04 + 0.25 + 0.49;
        assert!((of(ClassLoss::Brier, &p, 2) - brier).abs() < 1e-15);
        assert_eq!(of(ClassLoss::Linear, &p, 7), 1.0);
        assert!((of(ClassLoss::Log, &[], 0) - 100f64.ln()).abs() < 1e-12);
        assert_eq!(of(ClassLoss::Log, &[1.0 + 1e-13], 0), 0.0);
    }

    #[test]
    fn errors_are_measured_by_the_variance_of_the_targets() {
        let mut spread = TargetSpread::default();
        assert_eq!(
            Regression::loss(SquaredError, &spread, &[0.0], 3.0),
            LARGEST
        );
        for target in [1.0, 2.0, 3.0, 6.0] {
            Regression::observe(&mut spread, target);
        }
        assert!((spread.variance() - 3.5).abs() < 1e-12);
        let loss = Regression::loss(SquaredError, &spread, &[1.0], 3.0);
        assert!((loss - 4.0 / 3.5).abs() < 1e-12);
        let far = Regression::loss(SquaredError, &spread, &[-1e100], 1e100);
        assert_eq!(far, LARGEST);
        assert_eq!(Regression::check_spread(&spread, 4), Ok(()));
        assert!(Regression::check_spread(&spread, 5).is_err());
    }
}
