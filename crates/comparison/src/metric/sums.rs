//! Sums of which metrics are made.
//!
//! κ_M: A. Bifet, G. De Francisci Morales, J. Read, G. Holmes, B. Pfahringer, *Efficient online evaluation of big data
//! stream classifiers*, KDD 2015. κ_T: I. Žliobaitė, A. Bifet, J. Read, B. Pfahringer, G. Holmes, *Evaluation methods
//! and decision theory for classification of streaming data with temporal dependence*, Machine Learning 98, 2015. Both
//! compare the accuracy p with the accuracy e of a classifier without features on the same rows, as (p − e) / (1 − e).
//!
//! Faded metrics: J. Gama, R. Sebastião, P. Rodrigues, *On evaluating stream learning algorithms*, Machine Learning 90,
//! 2013: the loss of a row that was tested k rows ago has weight α^k, so that the metric is of the latest rows without
//! a window.
//!
//! Calibration: C. Guo, G. Pleiss, Y. Sun, K. Weinberger, *On calibration of modern neural networks*, ICML 2017.

use forest_core::argmax;

/// The probability with which a new target lies in its interval, if the learner is calibrated.
pub(crate) const INTERVAL_LEVEL: f64 = 0.9;
/// The least probability in the log loss, which would be infinite for 0.
const LOG_LOSS_FLOOR: f64 = 1e-15;
/// The fading factor of Gama et al.: the weights of all rows add up to at most 1000.
const FADING: f64 = 0.999;
/// Parts of the largest probability.
const BINS: usize = 15;

/// A test row with its prediction. A class is a number here, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tested<'a> {
    /// The probabilities of the classes known so far (perhaps empty), or the mean.
    pub prediction: &'a [f64],
    /// The target that the prediction is compared with.
    pub truth: f64,
    /// The target as observed; the truth of generated data may be without its noise.
    pub observed: f64,
    /// The bounds of the 90 % interval, if the learner has intervals.
    pub interval: Option<[f64; 2]>,
}

/// Running sum, mean, and squared differences from it (Welford).
#[derive(Default)]
pub(super) struct Welford {
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

    fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    fn standard_error(&self) -> Option<f64> {
        let count = self.count as f64;
        (count > 1.0).then(|| (self.squares / (count - 1.0) / count).sqrt())
    }
}

/// Rows of one class.
#[derive(Clone, Copy, Default)]
struct Count {
    occurring: usize,
    predicted: usize,
    right: usize,
}

/// Rows whose largest probability lies in one of several equal parts of (0, 1].
#[derive(Clone, Copy, Default)]
struct Bin {
    right: f64,
    probability: f64,
}

/// All that is added up over the test rows of a run.
#[derive(Default)]
pub(super) struct Sums {
    pub right: Welford,
    pub log_loss: Welford,
    pub brier: Welford,
    pub squares: Welford,
    pub sizes: Welford,
    pub covered: Welford,
    pub width: Welford,
    truth: Welford,
    /// The sums of losses, or of right rows, and of weights, of which each row has less than the next.
    faded: [f64; 2],
    classes: Vec<Count>,
    bins: [Bin; BINS],
    latest: Option<usize>,
    /// Rows of the class that had been the most frequent, the first one of several.
    pub of_most_frequent: usize,
    /// Rows of the class of the row before.
    pub of_latest: usize,
}

impl Sums {
    pub(super) fn add_class(&mut self, row: &Tested<'_>) {
        let truth = row.truth as usize;
        // Before any class is known, no prediction is right.
        let predicted = (!row.prediction.is_empty()).then(|| argmax(row.prediction));
        let right = f64::from(predicted == Some(truth));
        let probability = |class: usize| row.prediction.get(class).copied().unwrap_or(0.0);
        let wanted = |class| if class == truth { 1.0 } else { 0.0 };
        let square = |class| (probability(class) - wanted(class)).powi(2);
        let classes = row.prediction.len().max(truth + 1);
        self.right.add(right);
        self.log_loss
            .add(-probability(truth).max(LOG_LOSS_FLOOR).ln());
        self.brier.add((0..classes).map(square).sum());
        self.fade(right);
        let largest = predicted.map_or(0.0, probability);
        let number = (largest * BINS as f64).ceil() as usize;
        let bin = &mut self.bins[number.clamp(1, BINS) - 1];
        bin.right += right;
        bin.probability += largest;
        let occurring = self.classes.iter().map(|class| class.occurring);
        let most = occurring.clone().max();
        let most_frequent = occurring.clone().position(|rows| Some(rows) == most);
        self.of_most_frequent += usize::from(most_frequent == Some(truth));
        self.of_latest += usize::from(self.latest == Some(truth));
        self.latest = Some(truth);
        let classes = self.classes.len().max(classes);
        self.classes.resize(classes, Count::default());
        self.classes[truth].occurring += 1;
        if let Some(predicted) = predicted {
            self.classes[predicted].predicted += 1;
            self.classes[predicted].right += usize::from(predicted == truth);
        }
    }

    pub(super) fn add_number(&mut self, row: &Tested<'_>) {
        let difference = row.prediction[0] - row.truth;
        self.squares.add(difference.powi(2));
        self.sizes.add(difference.abs());
        self.truth.add(row.truth);
        self.fade(difference.powi(2));
        if let Some([low, high]) = row.interval {
            let is_covered = (low..=high).contains(&row.observed);
            self.covered.add(f64::from(is_covered));
            self.width.add(high - low);
        }
    }

    fn fade(&mut self, loss: f64) {
        let [losses, weights] = self.faded;
        self.faded = [loss + FADING * losses, 1.0 + FADING * weights];
    }

    /// Returns (p − e) / (1 − e), where a classifier without features is right on `right_of` rows.
    pub(super) fn excess(&self, right_of: usize) -> Option<f64> {
        let wrong = self.right.count - right_of;
        (wrong > 0).then(|| (self.right.sum - right_of as f64) / wrong as f64)
    }
}

/// How a metric is made of sums.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    /// A mean over rows.
    Mean(fn(&Sums) -> &Welford),
    /// The root of a mean.
    Root(fn(&Sums) -> &Welford),
    /// Another number, without a simple formula for its standard error; `None` where it is undefined.
    Of(fn(&Sums) -> Option<f64>),
}

impl Measure {
    pub(super) fn value(self, sums: &Sums) -> Option<f64> {
        match self {
            Self::Mean(part) => part(sums).mean(),
            Self::Root(part) => part(sums).mean().map(f64::sqrt),
            Self::Of(value) => value(sums),
        }
    }

    /// Returns the standard error over independent test rows; that of a root by the delta method.
    pub(super) fn standard_error(self, sums: &Sums) -> Option<f64> {
        match self {
            Self::Mean(part) => part(sums).standard_error(),
            Self::Root(part) => {
                let root = self.value(sums).filter(|root| *root > 0.0)?;
                Some(part(sums).standard_error()? / (2.0 * root))
            }
            Self::Of(_) => None,
        }
    }
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = values.clone().count();
    (count > 0).then(|| values.sum::<f64>() / count as f64)
}

pub(super) fn balanced_accuracy(sums: &Sums) -> Option<f64> {
    let occurring = sums.classes.iter().filter(|class| class.occurring > 0);
    mean(occurring.map(|class| class.right as f64 / class.occurring as f64))
}

pub(super) fn macro_f1(sums: &Sums) -> Option<f64> {
    let rows = |class: &Count| class.occurring + class.predicted;
    let seen = sums.classes.iter().filter(|class| rows(class) > 0);
    mean(seen.map(|class| 2.0 * class.right as f64 / rows(class) as f64))
}

/// (p − e) / (1 − e), where p is the accuracy and e that of predictions in a random order.
pub(super) fn kappa(sums: &Sums) -> Option<f64> {
    let accuracy = sums.right.mean()?;
    let rows = sums.right.count as f64;
    let product = |class: &Count| class.occurring as f64 * class.predicted as f64;
    let chance = sums.classes.iter().map(product).sum::<f64>() / (rows * rows);
    (chance < 1.0).then(|| (accuracy - chance) / (1.0 - chance))
}

pub(super) fn faded(sums: &Sums) -> Option<f64> {
    let [losses, weights] = sums.faded;
    (weights > 0.0).then(|| losses / weights)
}

pub(super) fn calibration_error(sums: &Sums) -> Option<f64> {
    let rows = sums.right.count;
    let bins = sums.bins.iter();
    let differences = bins.map(|bin| (bin.right - bin.probability).abs());
    (rows > 0).then(|| differences.sum::<f64>() / rows as f64)
}

/// The share of the variance that predictions explain.
pub(super) fn r2(sums: &Sums) -> Option<f64> {
    let total = sums.truth.squares;
    (total > 0.0).then(|| 1.0 - sums.squares.sum / total)
}

#[cfg(test)]
mod tests {
    use datasets::TaskKind;

    use super::*;
    use crate::metric::{Metric, Scores};

    /// A case as prediction, truth and interval.
    type Case<'a> = (&'a [f64], f64, Option<[f64; 2]>);

    fn scores(task: TaskKind, rows: &[Case<'_>], noise: f64) -> Scores {
        let mut scores = Scores::new(task);
        for &(prediction, truth, interval) in rows {
            let observed = truth + noise;
            let row = Tested {
                prediction,
                truth,
                observed,
                interval,
            };
            scores.add(&row);
        }
        scores
    }

    fn numbers(name: &str, rows: &[Case<'_>], noise: f64) -> Option<f64> {
        let metrics = scores(TaskKind::Regression, rows, noise).metrics();
        metrics.get(name).copied()
    }

    /// Measures rows given as probabilities and true class.
    fn classes(name: &str, rows: &[(&[f64], u32)]) -> Option<f64> {
        let row = |row: &(_, u32)| (row.0, f64::from(row.1), None);
        let rows: Vec<Case<'_>> = rows.iter().map(row).collect();
        let metrics = scores(TaskKind::Classification, &rows, 0.0).metrics();
        metrics.get(name).copied()
    }

    fn assert_near(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
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
        let a = FADING;
        let chance = 13.0 / 36.0;
        let product: f64 = 0.8 * 0.6 * 0.3 * 0.9 * 0.2 * LOG_LOSS_FLOOR;
        // Largest probabilities by bins of 1/15: 0.5 (8th), 0.6 twice (9th), 0.8 (12th), 0.9 (14th), 1 (15th).
        let bins = [0.0 - 0.5f64, 1.0 - 1.2, 1.0 - 0.8, 1.0 - 0.9, 0.0 - 1.0];
        let weights = [a.powi(5), a.powi(4), a.powi(3), a * a, a, 1.0];
        let faded = (weights[0] + weights[1] + weights[3]) / weights.iter().sum::<f64>();
        for (name, expected) in [
            ("accuracy", 3.0 / 6.0),
            // Recalls 2/2, 1/3, 0/1.
            ("balanced_accuracy", (1.0 + 1.0 / 3.0) / 3.0),
            // 2·2/(2+3), 2·1/(3+2), 2·0/(1+1).
            ("macro_f1", (0.8 + 0.4) / 3.0),
            // p = 1/2, e = (2·3 + 3·2 + 1·1) / 36.
            ("kappa", (0.5 - chance) / (1.0 - chance)),
            ("log_loss", -product.ln() / 6.0),
            ("brier", (0.06 + 0.32 + 0.78 + 0.02 + 1.04 + 2.0) / 6.0),
            (
                "expected_calibration_error",
                bins.map(f64::abs).iter().sum::<f64>() / 6.0,
            ),
            // The most frequent class before each row is – 0 0 0 0 1, since classes 0 and 1 are as frequent before the
            // fifth: row two is right.
            ("kappa_m", (3.0 - 1.0) / (6.0 - 1.0)),
            // The class of the row before is – 0 0 1 1 1: rows two, four and five are right.
            ("kappa_t", 0.0),
            ("faded_accuracy", faded),
        ] {
            assert_near(classes(name, &rows), expected);
        }
    }

    #[test]
    fn metrics_of_classes_are_defined_at_their_edges() {
        // A class that does not occur is left out; one that is only predicted lowers F1.
        let rows: [(&[f64], u32); 2] = [(&[1.0, 0.0, 0.0], 0), (&[0.0, 0.0, 1.0], 0)];
        assert_near(classes("balanced_accuracy", &rows), 0.5);
        assert_near(classes("macro_f1", &rows), (2.0 / 3.0) / 2.0);
        // κ is 0 for constant predictions, and undefined for one class.
        let rows: [(&[f64], u32); 2] = [(&[1.0, 0.0], 0), (&[1.0, 0.0], 1)];
        assert_near(classes("kappa", &rows), 0.0);
        let undefined = [classes("kappa", &rows[..1]), classes("kappa_m", &[])];
        assert_eq!(undefined, [None; 2]);
        // Before any class is known no prediction is right, and the log loss of an impossible class is finite.
        let rows: [(&[f64], u32); 2] = [(&[], 0), (&[1.0], 0)];
        for (name, expected) in [("accuracy", 0.5), ("macro_f1", 2.0 / 3.0), ("brier", 0.5)] {
            assert_near(classes(name, &rows), expected);
        }
        assert_near(classes("expected_calibration_error", &rows), 0.0);
        for row in [(&[1.0, 0.0][..], 1), (&[], 0), (&[0.3, 0.7], 4)] {
            assert_near(classes("log_loss", &[row]), 15.0 * 10f64.ln());
        }
        let stated = "log_loss".parse::<Metric>().unwrap().meaning;
        assert!(stated.contains(&format!("{LOG_LOSS_FLOOR:e}")));
    }

    #[test]
    fn metrics_of_numbers_are_those_computed_by_hand() {
        // Differences −1, 0, 3, −4; truths have mean 3 and squared differences 1 + 1 + 9 + 25.
        let rows: [Case<'_>; 4] = [
            (&[1.0], 2.0, Some([0.0, 2.0])),
            (&[2.0], 2.0, Some([0.0, 1.0])),
            (&[3.0], 0.0, Some([-1.0, 2.0])),
            (&[4.0], 8.0, None),
        ];
        let a = FADING;
        let faded = (a.powi(3) + 9.0 * a + 16.0) / (a.powi(3) + a * a + a + 1.0);
        for (name, expected) in [
            ("rmse", (26.0f64 / 4.0).sqrt()),
            ("mae", 2.0),
            ("r2", 1.0 - 26.0 / 36.0),
            ("faded_rmse", faded.sqrt()),
            ("coverage_90", 2.0 / 3.0),
            ("width_90", 2.0),
        ] {
            assert_near(numbers(name, &rows, 0.0), expected);
        }
        for name in ["r2", "coverage_90", "width_90"] {
            let constant = numbers(name, &rows[3..], 0.0);
            assert_eq!(constant, None, "without interval");
        }
        let error = |name: &str, rows| {
            let errors = scores(TaskKind::Regression, rows, 0.0).standard_errors();
            errors.get(name).copied()
        };
        // Squared differences 1, 0, 9, 16: mean 6.5, variance (30.25 + 42.25 + 6.25 + 90.25) / 3.
        let of_mean = (169.0f64 / 3.0 / 4.0).sqrt();
        assert_near(error("rmse", &rows), of_mean / (2.0 * 6.5f64.sqrt()));
        assert_eq!(error("rmse", &rows[1..2]), None);
        // Of a share of rows: √(p(1 − p) / (n − 1)).
        assert_near(
            error("coverage_90", &rows[..3]),
            (2.0f64 / 9.0 / 2.0).sqrt(),
        );
        let of_observed = [(&[0.0][..], 0.0, Some([-1.0, 1.0]))];
        assert_eq!(numbers("coverage_90", &of_observed, 2.0), Some(0.0));
    }
}
