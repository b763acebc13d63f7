//! Sums of which metrics are made.
//!
//! κ_M: A. Bifet, G. De Francisci Morales, J. Read, G. Holmes, B. Pfahringer, *Efficient online evaluation of big data stream classifiers*,
//! KDD 2015. κ_T: I. Žliobaitė, A. Bifet, J. Read, B. Pfahringer, G. Holmes, *Evaluation methods and decision theory for classification of
//! streaming data with temporal dependence*, Machine Learning 98, 2015. Both compare the accuracy p with the accuracy e of a classifier
//! without features on the same rows, as (p − e) / (1 − e).
//!
//! Faded metrics: J. Gama, R. Sebastião, P. Rodrigues, *On evaluating stream learning algorithms*, Machine Learning 90, 2013: the loss of
//! a row that was tested k rows ago has weight α^k, so that the metric is of the latest rows without a window.
//!
//! Calibration: C. Guo, G. Pleiss, Y. Sun, K. Weinberger, *On calibration of modern neural networks*, ICML 2017.

use std::collections::BTreeMap;

use datasets::TaskKind;
use forest_core::argmax;

use super::Metric;
use crate::record::Measured;

/// The probability with which a new target lies in its interval, if the learner is calibrated.
pub(crate) const INTERVAL_LEVEL: f64 = 0.9;
/// The least probability in the log loss, which would be infinite for 0.
const LOG_LOSS_FLOOR: f64 = 1e-15;
/// The fading factor of Gama et al.: the weights of all rows add up to at most 1000.
const FADING: f64 = 0.999;
const BINS: usize = 15;

/// A test row with its prediction. A class is a number here, too.
#[derive(Clone, Copy, Debug)]
pub struct Tested<'a> {
    /// The probabilities of the classes known so far (perhaps empty), or the mean.
    pub prediction: &'a [f64],
    /// The target that the prediction is compared with.
    pub truth: f64,
    /// The target as observed; the truth of generated data may be without its noise.
    pub observed: f64,
    /// The bounds of the 90 % interval, if the learner has intervals.
    pub interval: Option<[f64; 2]>,
}

/// A metric that is added up over test rows.
pub(super) trait Accumulator: Send {
    fn add(&mut self, row: &Tested<'_>);

    /// Returns the metric of the rows so far; `None` where it is undefined.
    fn value(&self) -> Option<f64>;

    /// Returns the standard error over independent test rows; `None` without a simple formula.
    fn standard_error(&self) -> Option<f64> {
        None
    }
}

pub(super) type Sum = Box<dyn Accumulator>;

/// Every metric of a task, added up over the same rows.
pub struct Scores(Vec<(Metric, Sum)>);

impl Scores {
    /// Returns every metric of a task, of no rows yet.
    pub fn all(task: TaskKind) -> Self {
        let metrics = Metric::of_task(task);
        Self(metrics.map(|metric| (metric, (metric.sum)())).collect())
    }

    /// Returns the main metric alone, of no rows yet.
    pub(crate) fn main(task: TaskKind) -> Self {
        let metric = Metric::of(task);
        Self(vec![(metric, (metric.sum)())])
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Tested<'_>) {
        self.0.iter_mut().for_each(|(_, sum)| sum.add(row));
    }

    /// Returns the main metric; `None` before the first row.
    pub(crate) fn main_value(&self) -> Option<f64> {
        self.0[0].1.value()
    }

    pub(crate) fn standard_errors(&self) -> BTreeMap<String, f64> {
        self.by_name(|sum| sum.standard_error())
    }

    /// Returns the values of a run.
    pub fn measured(&self) -> Measured {
        Measured {
            value: self.main_value().unwrap_or(f64::NAN),
            metrics: self.by_name(|sum| sum.value()),
            ..Measured::default()
        }
    }

    fn by_name(&self, value: impl Fn(&Sum) -> Option<f64>) -> BTreeMap<String, f64> {
        let mut values = BTreeMap::new();
        for (metric, sum) in &self.0 {
            let value = value(sum).filter(|value| value.is_finite());
            values.extend(value.map(|value| (metric.name.to_owned(), value)));
        }
        values
    }
}

pub(super) fn accuracy() -> Sum {
    Mean::of(|row| Some(is_right(row)))
}

pub(super) fn log_loss() -> Sum {
    Mean::of(|row| {
        let probability = probability(row, row.truth as usize);
        Some(-probability.max(LOG_LOSS_FLOOR).ln())
    })
}

pub(super) fn brier() -> Sum {
    Mean::of(|row| {
        let truth = row.truth as usize;
        let wanted = |class| if class == truth { 1.0 } else { 0.0 };
        let classes = 0..row.prediction.len().max(truth + 1);
        let square = |class| (probability(row, class) - wanted(class)).powi(2);
        Some(classes.map(square).sum())
    })
}

pub(super) fn mae() -> Sum {
    Mean::of(|row| Some(difference(row).abs()))
}

pub(super) fn coverage() -> Sum {
    Mean::of(|row| {
        let [low, high] = row.interval?;
        Some(f64::from(u8::from((low..=high).contains(&row.observed))))
    })
}

pub(super) fn width() -> Sum {
    Mean::of(|row| row.interval.map(|[low, high]| high - low))
}

pub(super) fn rmse() -> Sum {
    Box::new(Root(Mean::of(|row| Some(difference(row).powi(2)))))
}

pub(super) fn r2() -> Sum {
    Box::new(Explained::default())
}

pub(super) fn faded_accuracy() -> Sum {
    Box::new(Faded(is_right, |mean| mean, [0.0; 2]))
}

pub(super) fn faded_rmse() -> Sum {
    let loss = |row: &Tested<'_>| difference(row).powi(2);
    Box::new(Faded(loss, f64::sqrt, [0.0; 2]))
}

pub(super) fn calibration_error() -> Sum {
    Box::new(Calibration([Bin::default(); BINS]))
}

pub(super) fn balanced_accuracy() -> Sum {
    FromCounts::of(|counts, _| {
        let occurring = counts.iter().filter(|class| class.occurring > 0);
        mean(occurring.map(|class| class.right as f64 / class.occurring as f64))
    })
}

pub(super) fn macro_f1() -> Sum {
    FromCounts::of(|counts, _| {
        let seen = counts
            .iter()
            .filter(|class| class.occurring + class.predicted > 0);
        mean(
            seen.map(|class| 2.0 * class.right as f64 / (class.occurring + class.predicted) as f64),
        )
    })
}

/// (p − e) / (1 − e), where p is the accuracy and e that of predictions in a random order.
pub(super) fn kappa() -> Sum {
    FromCounts::of(|counts, rows| {
        let right: usize = counts.iter().map(|class| class.right).sum();
        let chance = counts
            .iter()
            .map(|class| class.occurring as f64 * class.predicted as f64);
        let (accuracy, chance) = (right as f64 / rows, chance.sum::<f64>() / (rows * rows));
        (rows > 0.0 && chance < 1.0).then(|| (accuracy - chance) / (1.0 - chance))
    })
}

/// Compares with the class that has been most frequent, the first one of several.
pub(super) fn kappa_m() -> Sum {
    let most_frequent = |seen: &Seen| {
        let most = seen.counts.iter().max()?;
        seen.counts.iter().position(|count| count == most)
    };
    Box::new(AgainstReference(most_frequent, Seen::default()))
}

/// Compares with the class of the row before.
pub(super) fn kappa_t() -> Sum {
    Box::new(AgainstReference(|seen| seen.latest, Seen::default()))
}

/// Returns the most probable class; `None` before any class is known.
fn most_probable(row: &Tested<'_>) -> Option<usize> {
    (!row.prediction.is_empty()).then(|| argmax(row.prediction))
}

fn is_right(row: &Tested<'_>) -> f64 {
    f64::from(u8::from(most_probable(row) == Some(row.truth as usize)))
}

/// Returns the probability of a class; 0 for a class that is not known yet.
fn probability(row: &Tested<'_>, class: usize) -> f64 {
    row.prediction.get(class).copied().unwrap_or(0.0)
}

fn difference(row: &Tested<'_>) -> f64 {
    row.prediction[0] - row.truth
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = values.clone().count();
    (count > 0).then(|| values.sum::<f64>() / count as f64)
}

/// Running sum, mean, and squared differences from it (Welford).
#[derive(Default)]
struct Welford {
    count: usize,
    sum: f64,
    mean: f64,
    squares: f64,
}

impl Welford {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
        let difference = value - self.mean;
        self.mean += difference / self.count as f64;
        self.squares += difference * (value - self.mean);
    }
}

/// The mean of the `loss` of each row; rows without a loss do not count.
struct Mean {
    loss: fn(&Tested<'_>) -> Option<f64>,
    losses: Welford,
}

impl Mean {
    fn of(loss: fn(&Tested<'_>) -> Option<f64>) -> Sum {
        let losses = Welford::default();
        Box::new(Self { loss, losses })
    }
}

impl Accumulator for Mean {
    fn add(&mut self, row: &Tested<'_>) {
        if let Some(loss) = (self.loss)(row) {
            self.losses.add(loss);
        }
    }

    fn value(&self) -> Option<f64> {
        (self.losses.count > 0).then(|| self.losses.sum / self.losses.count as f64)
    }

    fn standard_error(&self) -> Option<f64> {
        let count = self.losses.count as f64;
        (count > 1.0).then(|| (self.losses.squares / (count - 1.0) / count).sqrt())
    }
}

/// The root of a mean.
struct Root(Sum);

impl Accumulator for Root {
    fn add(&mut self, row: &Tested<'_>) {
        self.0.add(row);
    }

    fn value(&self) -> Option<f64> {
        self.0.value().map(f64::sqrt)
    }

    /// Returns the derivative of the root times the standard error of the mean.
    fn standard_error(&self) -> Option<f64> {
        let root = self.value().filter(|root| *root > 0.0)?;
        Some(self.0.standard_error()? / (2.0 * root))
    }
}

/// The share of the variance that predictions explain.
#[derive(Default)]
struct Explained {
    squares: f64,
    truth: Welford,
}

impl Accumulator for Explained {
    fn add(&mut self, row: &Tested<'_>) {
        self.squares += difference(row).powi(2);
        self.truth.add(row.truth);
    }

    fn value(&self) -> Option<f64> {
        let total = self.truth.squares;
        (total > 0.0).then(|| 1.0 - self.squares / total)
    }
}

/// A mean of losses of which each row has less weight than the next, what is made of it, and the sums of losses and of weights.
struct Faded(fn(&Tested<'_>) -> f64, fn(f64) -> f64, [f64; 2]);

impl Accumulator for Faded {
    fn add(&mut self, row: &Tested<'_>) {
        let [losses, weights] = self.2;
        self.2 = [(self.0)(row) + FADING * losses, 1.0 + FADING * weights];
    }

    fn value(&self) -> Option<f64> {
        let [losses, weights] = self.2;
        (weights > 0.0).then(|| (self.1)(losses / weights))
    }
}

/// Rows whose largest probability lies in one of several equal parts of (0, 1].
#[derive(Clone, Copy, Default)]
struct Bin {
    count: usize,
    right: f64,
    probability: f64,
}

struct Calibration([Bin; BINS]);

impl Accumulator for Calibration {
    fn add(&mut self, row: &Tested<'_>) {
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

/// A metric that is computed from the counts of each class and the number of rows.
struct FromCounts(fn(&[Count], f64) -> Option<f64>, Vec<Count>);

impl FromCounts {
    fn of(value: fn(&[Count], f64) -> Option<f64>) -> Sum {
        Box::new(Self(value, Vec::new()))
    }
}

impl Accumulator for FromCounts {
    fn add(&mut self, row: &Tested<'_>) {
        let (truth, predicted) = (row.truth as usize, most_probable(row));
        let classes = 1 + truth.max(predicted.unwrap_or(0));
        self.1.resize(self.1.len().max(classes), Count::default());
        self.1[truth].occurring += 1;
        if let Some(predicted) = predicted {
            self.1[predicted].predicted += 1;
            self.1[predicted].right += usize::from(predicted == truth);
        }
    }

    fn value(&self) -> Option<f64> {
        let rows: usize = self.1.iter().map(|class| class.occurring).sum();
        (self.0)(&self.1, rows as f64)
    }
}

/// Classes seen, and right rows of the learner and of a classifier without features, which predicts by the classes before.
#[derive(Default)]
struct Seen {
    counts: Vec<usize>,
    latest: Option<usize>,
    rows: usize,
    right: usize,
    right_of_reference: usize,
}

struct AgainstReference(fn(&Seen) -> Option<usize>, Seen);

impl Accumulator for AgainstReference {
    fn add(&mut self, row: &Tested<'_>) {
        let (truth, reference, seen) = (row.truth as usize, (self.0)(&self.1), &mut self.1);
        seen.rows += 1;
        seen.right += usize::from(most_probable(row) == Some(truth));
        seen.right_of_reference += usize::from(reference == Some(truth));
        seen.counts.resize(seen.counts.len().max(truth + 1), 0);
        seen.counts[truth] += 1;
        seen.latest = Some(truth);
    }

    fn value(&self) -> Option<f64> {
        // The rows cancel out: (p − e) / (1 − e) of shares of the same rows.
        let wrong_of_reference = self.1.rows - self.1.right_of_reference;
        let excess = self.1.right as f64 - self.1.right_of_reference as f64;
        (wrong_of_reference > 0).then(|| excess / wrong_of_reference as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row as prediction, truth and interval.
    type Row<'a> = (&'a [f64], f64, Option<[f64; 2]>);

    fn measure(sum: fn() -> Sum, rows: &[Row<'_>]) -> Sum {
        let mut sum = sum();
        for &(prediction, truth, interval) in rows {
            let observed = truth;
            sum.add(&Tested {
                prediction,
                truth,
                observed,
                interval,
            });
        }
        sum
    }

    /// Measures rows given as probabilities and true class.
    fn classes(sum: fn() -> Sum, rows: &[(&[f64], u32)]) -> Option<f64> {
        let rows = rows
            .iter()
            .map(|(row, truth)| (*row, f64::from(*truth), None));
        measure(sum, &rows.collect::<Vec<_>>()).value()
    }

    fn assert_near(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn metrics_of_classes_are_those_counted_by_hand() {
        // Predictions 0 0 0 1 2 1 for rows of class 0 0 1 1 1 2.
        let rows: [(&[f64], u32); 6] = [
            (&[0.8, 0.1, 0.1], 0),
            (&[0.6, 0.4, 0.0], 0),
            (&[0.5, 0.3, 0.2], 1),
            (&[0.1, 0.9, 0.0], 1),
            (&[0.2, 0.2, 0.6], 1),
            (&[0.0, 1.0, 0.0], 2),
        ];
        let (chance, a) = (13.0 / 36.0, FADING);
        let product: f64 = 0.8 * 0.6 * 0.3 * 0.9 * 0.2 * LOG_LOSS_FLOOR;
        // Largest probabilities by bins of 1/15: 0.5 (8th), 0.6 twice (9th), 0.8 (12th), 0.9 (14th), 1 (15th).
        let bins = [0.0 - 0.5f64, 1.0 - 1.2, 1.0 - 0.8, 1.0 - 0.9, 0.0 - 1.0];
        let weights = [a.powi(5), a.powi(4), a.powi(3), a * a, a, 1.0];
        let faded = (weights[0] + weights[1] + weights[3]) / weights.iter().sum::<f64>();
        for (sum, expected) in [
            (accuracy as fn() -> Sum, 3.0 / 6.0),
            // Recalls 2/2, 1/3, 0/1.
            (balanced_accuracy, (1.0 + 1.0 / 3.0) / 3.0),
            // 2·2/(2+3), 2·1/(3+2), 2·0/(1+1).
            (macro_f1, (0.8 + 0.4) / 3.0),
            // p = 1/2, e = (2·3 + 3·2 + 1·1) / 36.
            (kappa, (0.5 - chance) / (1.0 - chance)),
            (log_loss, -product.ln() / 6.0),
            (brier, (0.06 + 0.32 + 0.78 + 0.02 + 1.04 + 2.0) / 6.0),
            (
                calibration_error,
                bins.iter().map(|bin| bin.abs()).sum::<f64>() / 6.0,
            ),
            // The most frequent class before each row is – 0 0 0 0 1, since classes 0 and 1 are as frequent before the fifth: row two is right.
            (kappa_m, (3.0 - 1.0) / (6.0 - 1.0)),
            // The class of the row before is – 0 0 1 1 1: rows two, four and five are right.
            (kappa_t, 0.0),
            (faded_accuracy, faded),
        ] {
            assert_near(classes(sum, &rows), expected);
        }
    }

    #[test]
    fn metrics_of_classes_are_defined_at_their_edges() {
        // A class that does not occur is left out; one that is only predicted lowers F1.
        let rows: [(&[f64], u32); 2] = [(&[1.0, 0.0, 0.0], 0), (&[0.0, 0.0, 1.0], 0)];
        assert_near(classes(balanced_accuracy, &rows), 0.5);
        assert_near(classes(macro_f1, &rows), (2.0 / 3.0) / 2.0);
        // κ is 0 for constant predictions, and undefined for one class.
        let rows: [(&[f64], u32); 2] = [(&[1.0, 0.0], 0), (&[1.0, 0.0], 1)];
        assert_near(classes(kappa, &rows), 0.0);
        assert_eq!(
            (classes(kappa, &rows[..1]), classes(kappa_m, &[])),
            (None, None)
        );
        // Before any class is known no prediction is right, and the log loss of an impossible class is finite.
        let rows: [(&[f64], u32); 2] = [(&[], 0), (&[1.0], 0)];
        let losses = [accuracy as fn() -> Sum, macro_f1, brier, calibration_error];
        for (sum, expected) in losses.into_iter().zip([0.5, 2.0 / 3.0, 0.5, 0.0]) {
            assert_near(classes(sum, &rows), expected);
        }
        for row in [(&[1.0, 0.0][..], 1), (&[], 0), (&[0.3, 0.7], 4)] {
            assert_near(classes(log_loss, &[row]), 15.0 * 10f64.ln());
        }
        let stated = "log_loss".parse::<Metric>().unwrap().meaning;
        assert!(stated.contains(&format!("{LOG_LOSS_FLOOR:e}")));
    }

    #[test]
    fn metrics_of_numbers_are_those_computed_by_hand() {
        // Differences −1, 0, 3, −4; truths have mean 3 and squared differences 1 + 1 + 9 + 25.
        let rows: [Row<'_>; 4] = [
            (&[1.0], 2.0, Some([0.0, 2.0])),
            (&[2.0], 2.0, Some([0.0, 1.0])),
            (&[3.0], 0.0, Some([-1.0, 2.0])),
            (&[4.0], 8.0, None),
        ];
        let a = FADING;
        let faded = (a.powi(3) + 9.0 * a + 16.0) / (a.powi(3) + a * a + a + 1.0);
        for (sum, expected) in [
            (rmse as fn() -> Sum, (26.0f64 / 4.0).sqrt()),
            (mae, 2.0),
            (r2, 1.0 - 26.0 / 36.0),
            (faded_rmse, faded.sqrt()),
            (coverage, 2.0 / 3.0),
            (width, 2.0),
        ] {
            assert_near(measure(sum, &rows).value(), expected);
        }
        for sum in [r2, coverage, width] {
            assert_eq!(
                measure(sum, &rows[3..]).value(),
                None,
                "a constant, without interval"
            );
        }
        // Squared differences 1, 0, 9, 16: mean 6.5, variance (30.25 + 42.25 + 6.25 + 90.25) / 3.
        let of_mean = (169.0f64 / 3.0 / 4.0).sqrt();
        assert_near(
            measure(rmse, &rows).standard_error(),
            of_mean / (2.0 * 6.5f64.sqrt()),
        );
        assert_eq!(measure(rmse, &rows[1..2]).standard_error(), None);
        // Of a share of rows: √(p(1 − p) / (n − 1)).
        let error = measure(coverage, &rows[..3]).standard_error();
        assert_near(error, (2.0f64 / 9.0 / 2.0).sqrt());
        let (prediction, interval) = (&[0.0][..], Some([-1.0, 1.0]));
        let mut sum = coverage();
        sum.add(&Tested {
            prediction,
            truth: 0.0,
            observed: 2.0,
            interval,
        });
        assert_eq!(
            sum.value(),
            Some(0.0),
            "an interval covers what was observed"
        );
    }
}
