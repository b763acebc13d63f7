//! Metrics of class probabilities.

use forest_core::argmax;

use super::mean::MeanLoss;
use super::{Accumulator, Tested};

type Boxed = Box<dyn Accumulator<u32>>;
type Row<'a> = Tested<'a, u32>;

/// The least probability in the log loss, which would be infinite for 0.
pub const LOG_LOSS_FLOOR: f64 = 1e-15;

const BINS: usize = 15;

pub(super) fn accuracy() -> Boxed {
    Box::new(MeanLoss::new(|row: &Row<'_>| Some(is_right(row))))
}

pub(super) fn log_loss() -> Boxed {
    Box::new(MeanLoss::new(|row: &Row<'_>| {
        Some(
            -probability(row, row.truth as usize)
                .max(LOG_LOSS_FLOOR)
                .ln(),
        )
    }))
}

pub(super) fn brier() -> Boxed {
    Box::new(MeanLoss::new(|row: &Row<'_>| {
        Some(squared_differences(row))
    }))
}

pub(super) fn calibration_error() -> Boxed {
    Box::new(Calibration([Bin::default(); BINS]))
}

pub(super) fn balanced_accuracy() -> Boxed {
    Box::new(FromCounts {
        counts: Vec::new(),
        value: |counts, _| {
            mean(
                counts
                    .iter()
                    .filter(|class| class.occurring > 0)
                    .map(Count::recall),
            )
        },
    })
}

pub(super) fn macro_f1() -> Boxed {
    Box::new(FromCounts {
        counts: Vec::new(),
        value: |counts, _| {
            mean(
                counts
                    .iter()
                    .filter(|class| class.total() > 0)
                    .map(Count::f1),
            )
        },
    })
}

pub(super) fn kappa() -> Boxed {
    let (counts, value) = (Vec::new(), agreement_beyond_chance);
    Box::new(FromCounts { counts, value })
}

/// Returns the most probable class; `None` before any class is known.
pub(super) fn most_probable(row: &Row<'_>) -> Option<usize> {
    (!row.prediction.is_empty()).then(|| argmax(row.prediction))
}

fn is_right(row: &Row<'_>) -> f64 {
    f64::from(u8::from(most_probable(row) == Some(row.truth as usize)))
}

/// Returns the probability of a class; 0 for a class that is not known yet.
fn probability(row: &Row<'_>, class: usize) -> f64 {
    row.prediction.get(class).copied().unwrap_or(0.0)
}

fn squared_differences(row: &Row<'_>) -> f64 {
    let truth = row.truth as usize;
    let wanted = |class| if class == truth { 1.0 } else { 0.0 };
    let classes = 0..row.prediction.len().max(truth + 1);
    classes
        .map(|class| (probability(row, class) - wanted(class)).powi(2))
        .sum()
}

/// Rows whose largest probability lies in one of several equal parts of (0, 1].
#[derive(Clone, Copy, Default)]
struct Bin {
    count: usize,
    right: f64,
    probability: f64,
}

/// The expected calibration error (C. Guo, G. Pleiss, Y. Sun, K. Weinberger, *On calibration of modern neural
/// networks*, ICML 2017).
struct Calibration([Bin; BINS]);

impl Accumulator<u32> for Calibration {
    fn add(&mut self, row: &Row<'_>) {
        let largest = most_probable(row).map_or(0.0, |class| row.prediction[class]);
        let number = (largest * BINS as f64).ceil() as usize;
        let bin = &mut self.0[number.clamp(1, BINS) - 1];
        bin.count += 1;
        bin.right += is_right(row);
        bin.probability += largest;
    }

    fn value(&self) -> Option<f64> {
        let rows: usize = self.0.iter().map(|bin| bin.count).sum();
        let bins = self.0.iter().map(|bin| (bin.right - bin.probability).abs());
        (rows > 0).then(|| bins.sum::<f64>() / rows as f64)
    }
}

/// Rows of one class.
#[derive(Clone, Copy, Default)]
struct Count {
    occurring: usize,
    predicted: usize,
    right: usize,
}

impl Count {
    fn total(&self) -> usize {
        self.occurring + self.predicted
    }

    fn recall(&self) -> f64 {
        self.right as f64 / self.occurring as f64
    }

    fn f1(&self) -> f64 {
        2.0 * self.right as f64 / self.total() as f64
    }
}

/// A metric that is computed from the counts of each class and the number of rows.
struct FromCounts {
    counts: Vec<Count>,
    value: fn(&[Count], f64) -> Option<f64>,
}

impl FromCounts {
    fn class(&mut self, class: usize) -> &mut Count {
        if self.counts.len() <= class {
            self.counts.resize(class + 1, Count::default());
        }
        &mut self.counts[class]
    }
}

impl Accumulator<u32> for FromCounts {
    fn add(&mut self, row: &Row<'_>) {
        let truth = row.truth as usize;
        self.class(truth).occurring += 1;
        if let Some(predicted) = most_probable(row) {
            self.class(predicted).predicted += 1;
            self.class(predicted).right += usize::from(predicted == truth);
        }
    }

    fn value(&self) -> Option<f64> {
        let rows: usize = self.counts.iter().map(|class| class.occurring).sum();
        (self.value)(&self.counts, rows as f64)
    }
}

/// Returns (p − e) / (1 − e), where p is the accuracy and e that of predictions in a random order.
fn agreement_beyond_chance(counts: &[Count], rows: f64) -> Option<f64> {
    let right: usize = counts.iter().map(|class| class.right).sum();
    let chance = counts
        .iter()
        .map(|class| class.occurring as f64 * class.predicted as f64);
    let (accuracy, chance) = (right as f64 / rows, chance.sum::<f64>() / (rows * rows));
    (rows > 0.0 && chance < 1.0).then(|| (accuracy - chance) / (1.0 - chance))
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = values.clone().count();
    (count > 0).then(|| values.sum::<f64>() / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures rows given as probabilities and true class.
    fn measure(metric: fn() -> Boxed, rows: &[(&[f64], u32)]) -> (Option<f64>, Option<f64>) {
        let mut accumulator = metric();
        for &(prediction, truth) in rows {
            accumulator.add(&Tested {
                prediction,
                truth,
                observed: truth,
                interval: None,
            });
        }
        (accumulator.value(), accumulator.standard_error())
    }

    fn value(metric: fn() -> Boxed, rows: &[(&[f64], u32)]) -> f64 {
        measure(metric, rows).0.unwrap()
    }

    /// Predictions 0 0 0 1 2 1 for rows of class 0 0 1 1 1 2.
    const ROWS: [(&[f64], u32); 6] = [
        (&[0.8, 0.1, 0.1], 0),
        (&[0.6, 0.4, 0.0], 0),
        (&[0.5, 0.3, 0.2], 1),
        (&[0.1, 0.9, 0.0], 1),
        (&[0.2, 0.2, 0.6], 1),
        (&[0.0, 1.0, 0.0], 2),
    ];

    fn assert_near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn shares_of_right_predictions_are_those_counted_by_hand() {
        assert_near(value(accuracy, &ROWS), 3.0 / 6.0);
        // Recalls 2/2, 1/3, 0/1.
        assert_near(value(balanced_accuracy, &ROWS), (1.0 + 1.0 / 3.0) / 3.0);
        // 2·2/(2+3), 2·1/(3+2), 2·0/(1+1).
        assert_near(value(macro_f1, &ROWS), (0.8 + 0.4) / 3.0);
        // p = 1/2, e = (2·3 + 3·2 + 1·1) / 36.
        let chance = 13.0 / 36.0;
        assert_near(value(kappa, &ROWS), (0.5 - chance) / (1.0 - chance));
    }

    #[test]
    fn a_class_that_does_not_occur_is_left_out_and_one_that_is_only_predicted_lowers_f1() {
        let rows: [(&[f64], u32); 2] = [(&[1.0, 0.0, 0.0], 0), (&[0.0, 0.0, 1.0], 0)];
        assert_near(value(balanced_accuracy, &rows), 0.5);
        assert_near(value(macro_f1, &rows), (2.0 / 3.0) / 2.0);
    }

    #[test]
    fn kappa_is_0_for_constant_predictions_and_undefined_for_one_class() {
        let rows: [(&[f64], u32); 2] = [(&[1.0, 0.0], 0), (&[1.0, 0.0], 1)];
        assert_near(value(kappa, &rows), 0.0);
        assert_eq!(measure(kappa, &rows[..1]).0, None);
        assert_near(value(kappa, &[(&[0.0, 1.0], 0), (&[1.0, 0.0], 1)]), -1.0);
    }

    #[test]
    fn losses_of_probabilities_are_those_of_their_formulas() {
        let product: f64 = 0.8 * 0.6 * 0.3 * 0.9 * 0.2 * LOG_LOSS_FLOOR;
        assert_near(value(log_loss, &ROWS), -product.ln() / 6.0);
        let squares = [0.06, 0.32, 0.78, 0.02, 1.04, 2.0];
        assert_near(value(brier, &ROWS), squares.iter().sum::<f64>() / 6.0);
    }

    #[test]
    fn the_log_loss_of_an_impossible_class_is_finite_and_its_floor_is_stated() {
        assert_near(value(log_loss, &[(&[1.0, 0.0], 1)]), 15.0 * 10f64.ln());
        assert_near(value(log_loss, &[(&[], 0)]), 15.0 * 10f64.ln());
        assert_near(value(log_loss, &[(&[0.3, 0.7], 4)]), 15.0 * 10f64.ln());
        let stated = super::super::METRICS
            .iter()
            .find(|metric| metric.name == "log_loss");
        assert!(
            stated
                .unwrap()
                .meaning
                .contains(&format!("{LOG_LOSS_FLOOR:e}"))
        );
    }

    #[test]
    fn uniform_predictions_have_the_losses_of_ignorance() {
        let uniform: &[f64] = &[0.25; 4];
        let rows: Vec<(&[f64], u32)> = (0..4).map(|class| (uniform, class)).collect();
        assert_near(value(log_loss, &rows), 4f64.ln());
        assert_near(value(brier, &rows), 0.75);
        // One row of four is right, predicted with probability 1/4.
        assert_near(value(calibration_error, &rows), 0.0);
    }

    #[test]
    fn the_calibration_error_is_weighted_by_bins() {
        // Largest probabilities by bins of 1/15: 0.5 (8th), 0.6 twice (9th), 0.8 (12th), 0.9 (14th), 1 (15th).
        let bins = [(0.0 - 0.5f64), 1.0 - 1.2, 1.0 - 0.8, 1.0 - 0.9, 0.0 - 1.0];
        let expected = bins.iter().map(|bin| bin.abs()).sum::<f64>() / 6.0;
        assert_near(value(calibration_error, &ROWS), expected);
        let sure: [(&[f64], u32); 2] = [(&[1.0, 0.0], 0), (&[0.0, 1.0], 1)];
        assert_near(value(calibration_error, &sure), 0.0);
        // 9/15 lies between the first two, and not between the second two.
        let apart: [(&[f64], u32); 2] = [(&[0.55, 0.45], 0), (&[0.65, 0.35], 1)];
        assert_near(value(calibration_error, &apart), (0.45 + 0.65) / 2.0);
        let together: [(&[f64], u32); 2] = [(&[0.62, 0.38], 0), (&[0.66, 0.34], 1)];
        assert_near(value(calibration_error, &together), 0.28 / 2.0);
    }

    #[test]
    fn before_any_class_is_known_no_prediction_is_right() {
        let rows: [(&[f64], u32); 2] = [(&[], 0), (&[1.0], 0)];
        assert_near(value(accuracy, &rows), 0.5);
        assert_near(value(macro_f1, &rows), 2.0 / 3.0);
        assert_near(value(brier, &rows), 0.5);
        assert_near(value(calibration_error, &rows), 0.0);
    }

    #[test]
    fn the_standard_error_of_a_share_is_the_textbook_one() {
        // Half of 6 rows: √(p(1 − p) / (n − 1)).
        let error = measure(accuracy, &ROWS).1.unwrap();
        assert_near(error, (0.25f64 / 5.0).sqrt());
        assert_eq!(measure(accuracy, &ROWS[..1]).1, None);
        assert_eq!(measure(macro_f1, &ROWS).1, None);
    }
}
