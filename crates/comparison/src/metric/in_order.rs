//! Metrics that depend on the order of the rows.
//!
//! A. Bifet, G. De Francisci Morales, J. Read, G. Holmes, B. Pfahringer, *Efficient online evaluation of big data stream classifiers*,
//! KDD 2015 (κ_M); I. Žliobaitė, A. Bifet, J. Read, B. Pfahringer, G. Holmes, *Evaluation methods and decision theory for
//! classification of streaming data with temporal dependence*, Machine Learning 98, 2015 (κ_T). Both compare the accuracy p with the
//! accuracy e of a classifier without features on the same rows, as (p − e) / (1 − e).
//!
//! J. Gama, R. Sebastião, P. Rodrigues, *On evaluating stream learning algorithms*, Machine Learning 90, 2013: with a fading factor α, the
//! loss of a row that was tested k rows ago has weight α^k, so that the metric is of the latest rows without a window.

use super::classes::most_probable;
use super::{Accumulator, Tested};

/// Compares with the class that has been most frequent, the first one of several.
pub(super) fn kappa_m() -> Box<dyn Accumulator<u32>> {
    AgainstReference::boxed(AgainstReference::most_frequent)
}

/// Compares with the class of the row before.
pub(super) fn kappa_t() -> Box<dyn Accumulator<u32>> {
    AgainstReference::boxed(|own| own.latest)
}

/// The fading factor of Gama et al.: the weights of all rows add up to at most 1000.
const FADING: f64 = 0.999;

/// Accuracy with a fading factor.
pub(super) fn faded_accuracy() -> Box<dyn Accumulator<u32>> {
    Box::new(Faded {
        loss: |row: &Tested<'_, u32>| {
            f64::from(u8::from(most_probable(row) == Some(row.truth as usize)))
        },
        of_mean: |mean| mean,
        sums: [0.0; 2],
    })
}

/// RMSE with a fading factor.
pub(super) fn faded_rmse() -> Box<dyn Accumulator<f64>> {
    Box::new(Faded {
        loss: |row: &Tested<'_, f64>| (row.prediction[0] - row.truth).powi(2),
        of_mean: f64::sqrt,
        sums: [0.0; 2],
    })
}

/// A mean of which each row has less weight than the next.
struct Faded<V> {
    loss: fn(&Tested<'_, V>) -> f64,
    of_mean: fn(f64) -> f64,
    /// Of losses and of weights.
    sums: [f64; 2],
}

impl<V> Accumulator<V> for Faded<V> {
    fn add(&mut self, row: &Tested<'_, V>) {
        let [losses, weights] = self.sums;
        self.sums = [(self.loss)(row) + FADING * losses, 1.0 + FADING * weights];
    }

    fn value(&self) -> Option<f64> {
        let [losses, weights] = self.sums;
        (weights > 0.0).then(|| (self.of_mean)(losses / weights))
    }
}

/// Counts right rows of the learner and of a classifier without features, which predicts by the classes before.
struct AgainstReference {
    reference: fn(&Self) -> Option<u32>,
    counts: Vec<usize>,
    latest: Option<u32>,
    rows: usize,
    right: usize,
    right_of_reference: usize,
}

impl AgainstReference {
    fn boxed(reference: fn(&Self) -> Option<u32>) -> Box<dyn Accumulator<u32>> {
        let (counts, latest) = (Vec::new(), None);
        let (rows, right, right_of_reference) = (0, 0, 0);
        Box::new(Self {
            reference,
            counts,
            latest,
            rows,
            right,
            right_of_reference,
        })
    }

    /// Returns the most frequent class, the first of equals.
    fn most_frequent(&self) -> Option<u32> {
        let most = self.counts.iter().max()?;
        let class = self.counts.iter().position(|count| count == most)?;
        Some(class as u32)
    }
}

impl Accumulator<u32> for AgainstReference {
    fn add(&mut self, row: &Tested<'_, u32>) {
        self.rows += 1;
        self.right += usize::from(most_probable(row) == Some(row.truth as usize));
        self.right_of_reference += usize::from((self.reference)(self) == Some(row.truth));
        let class = row.truth as usize;
        self.counts.resize(self.counts.len().max(class + 1), 0);
        self.counts[class] += 1;
        self.latest = Some(row.truth);
    }

    fn value(&self) -> Option<f64> {
        // The rows cancel out: (p − e) / (1 − e) of shares of the same rows.
        let wrong_of_reference = self.rows - self.right_of_reference;
        let excess = self.right as f64 - self.right_of_reference as f64;
        (wrong_of_reference > 0).then(|| excess / wrong_of_reference as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures predictions of single classes for true ones.
    fn value(metric: fn() -> Box<dyn Accumulator<u32>>, rows: &[(u32, u32)]) -> Option<f64> {
        let mut accumulator = metric();
        for &(predicted, truth) in rows {
            let mut prediction = [0.0; 3];
            prediction[predicted as usize] = 1.0;
            accumulator.add(&Tested {
                prediction: &prediction,
                truth,
                observed: truth,
                interval: None,
            });
        }
        accumulator.value()
    }

    /// Truth 1 1 0 0 0 2, predicted 1 0 0 0 2 2: four of six are right.
    const ROWS: [(u32, u32); 6] = [(1, 1), (0, 1), (0, 0), (0, 0), (2, 0), (2, 2)];

    #[test]
    fn kappa_m_is_the_one_counted_by_hand() {
        // The most frequent class before each row is – 1 1 1 0 0 (classes 0 and 1 are as frequent before the fifth, class 0 is first):
        // rows two and five are right.
        let (accuracy, reference) = (4.0 / 6.0, 2.0 / 6.0);
        let expected = (accuracy - reference) / (1.0 - reference);
        assert!((value(kappa_m, &ROWS).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn kappa_t_is_the_one_counted_by_hand() {
        // The class of the row before is – 1 1 0 0 0: rows two, four and five are right.
        let (accuracy, reference) = (4.0 / 6.0, 3.0 / 6.0);
        let expected = (accuracy - reference) / (1.0 - reference);
        assert!((value(kappa_t, &ROWS).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn a_fading_factor_weighs_the_rows_as_counted_by_hand() {
        let a = FADING;
        // Right, wrong, right, right, wrong, right.
        let right = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
        let weights = [a.powi(5), a.powi(4), a.powi(3), a * a, a, 1.0];
        let sum: f64 = right
            .iter()
            .zip(weights)
            .map(|(right, weight)| right * weight)
            .sum();
        let expected = sum / weights.iter().sum::<f64>();
        assert!((value(faded_accuracy, &ROWS).unwrap() - expected).abs() < 1e-12);
        let mut rmse = faded_rmse();
        for (prediction, truth) in [(1.0, 3.0), (2.0, 5.0)] {
            rmse.add(&Tested {
                prediction: &[prediction],
                truth,
                observed: truth,
                interval: None,
            });
        }
        let expected = ((4.0 * a + 9.0) / (a + 1.0)).sqrt();
        assert!((rmse.value().unwrap() - expected).abs() < 1e-12);
        assert_eq!(faded_rmse().value(), None);
    }

    #[test]
    fn the_references_themselves_are_at_0_and_the_best_at_1() {
        let truth = [0, 0, 1, 0, 2, 2, 0];
        let latest: Vec<(u32, u32)> = [1, 0, 0, 1, 0, 2, 2].into_iter().zip(truth).collect();
        assert_eq!(value(kappa_t, &latest), Some(0.0));
        let most: Vec<(u32, u32)> = [1, 0, 0, 0, 0, 0, 0].into_iter().zip(truth).collect();
        assert_eq!(value(kappa_m, &most), Some(0.0));
        let best: Vec<(u32, u32)> = truth.into_iter().zip(truth).collect();
        assert_eq!(
            (value(kappa_m, &best), value(kappa_t, &best)),
            (Some(1.0), Some(1.0))
        );
        assert_eq!(value(kappa_m, &[]), None);
    }
}
