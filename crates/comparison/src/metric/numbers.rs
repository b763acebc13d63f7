//! Metrics of numbers.

use super::mean::{MeanLoss, RootOfMean};
use super::{Accumulator, Tested};

type Boxed = Box<dyn Accumulator<f64>>;
type Row<'a> = Tested<'a, f64>;

/// The probability with which a new target lies in its interval, if the learner is calibrated.
pub const INTERVAL_LEVEL: f64 = 0.9;

pub(super) fn rmse() -> Boxed {
    Box::new(RootOfMean(MeanLoss::new(|row: &Row<'_>| {
        Some(difference(row).powi(2))
    })))
}

pub(super) fn mae() -> Boxed {
    Box::new(MeanLoss::new(|row: &Row<'_>| Some(difference(row).abs())))
}

pub(super) fn r2() -> Boxed {
    Box::new(Explained::default())
}

pub(super) fn coverage() -> Boxed {
    Box::new(MeanLoss::new(|row: &Row<'_>| {
        let [low, high] = row.interval?;
        Some(f64::from(u8::from((low..=high).contains(&row.observed))))
    }))
}

pub(super) fn width() -> Boxed {
    Box::new(MeanLoss::new(|row: &Row<'_>| {
        let [low, high] = row.interval?;
        Some(high - low)
    }))
}

fn difference(row: &Row<'_>) -> f64 {
    row.prediction[0] - row.truth
}

/// The share of the variance that predictions explain.
#[derive(Default)]
struct Explained {
    squares: f64,
    count: usize,
    /// Running mean of the truth and squared differences from it (Welford).
    mean: f64,
    total: f64,
}

impl Accumulator<f64> for Explained {
    fn add(&mut self, row: &Row<'_>) {
        self.squares += difference(row).powi(2);
        self.count += 1;
        let step = row.truth - self.mean;
        self.mean += step / self.count as f64;
        self.total += step * (row.truth - self.mean);
    }

    fn value(&self) -> Option<f64> {
        (self.total > 0.0).then(|| 1.0 - self.squares / self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures rows given as prediction, truth and interval.
    fn measure(metric: fn() -> Boxed, rows: &[(f64, f64, Option<[f64; 2]>)]) -> Boxed {
        let mut accumulator = metric();
        for &(prediction, truth, interval) in rows {
            accumulator.add(&Tested {
                prediction: &[prediction],
                truth,
                observed: truth,
                interval,
            });
        }
        accumulator
    }

    fn value(metric: fn() -> Boxed, rows: &[(f64, f64, Option<[f64; 2]>)]) -> f64 {
        measure(metric, rows).value().unwrap()
    }

    const ROWS: [(f64, f64, Option<[f64; 2]>); 4] = [
        (1.0, 2.0, Some([0.0, 2.0])),
        (2.0, 2.0, Some([0.0, 1.0])),
        (3.0, 0.0, Some([-1.0, 2.0])),
        (4.0, 8.0, None),
    ];

    fn assert_near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn errors_are_those_computed_by_hand() {
        // Differences −1, 0, 3, −4.
        assert_near(value(rmse, &ROWS), (26.0f64 / 4.0).sqrt());
        assert_near(value(mae, &ROWS), 2.0);
        // Truths have mean 3 and squared differences 1 + 1 + 9 + 25.
        assert_near(value(r2, &ROWS), 1.0 - 26.0 / 36.0);
    }

    #[test]
    fn r2_is_0_for_the_mean_1_for_the_truth_and_undefined_for_a_constant() {
        let truths = [1.0, 5.0, 6.0];
        assert_near(value(r2, &truths.map(|truth| (4.0, truth, None))), 0.0);
        assert_near(value(r2, &truths.map(|truth| (truth, truth, None))), 1.0);
        assert_eq!(
            measure(r2, &[(4.0, 1.0, None), (5.0, 1.0, None)]).value(),
            None
        );
    }

    #[test]
    fn intervals_are_measured_where_they_exist() {
        assert_near(value(coverage, &ROWS), 2.0 / 3.0);
        assert_near(value(width, &ROWS), 2.0);
        assert_eq!(measure(coverage, &ROWS[3..]).value(), None);
        assert_eq!(measure(width, &ROWS[3..]).value(), None);
    }

    #[test]
    fn an_interval_covers_what_was_observed() {
        let mut accumulator = coverage();
        let (prediction, interval) = (&[0.0][..], Some([-1.0, 1.0]));
        let (truth, observed) = (0.0, 2.0);
        accumulator.add(&Tested {
            prediction,
            truth,
            observed,
            interval,
        });
        assert_eq!(accumulator.value(), Some(0.0));
    }

    #[test]
    fn standard_errors_are_those_of_the_mean_and_of_its_root() {
        // Squared differences 1, 0, 9, 16: mean 6.5, variance (30.25 + 42.25 + 6.25 + 90.25) / 3.
        let of_mean = (169.0f64 / 3.0 / 4.0).sqrt();
        let of_root = of_mean / (2.0 * 6.5f64.sqrt());
        assert_near(measure(rmse, &ROWS).standard_error().unwrap(), of_root);
        assert_eq!(measure(rmse, &[(1.0, 1.0, None); 2]).standard_error(), None);
    }
}
