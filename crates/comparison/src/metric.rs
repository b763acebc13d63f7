//! Metrics: one table, each with its accumulation over test rows.

mod scores;

use std::fmt;
use std::str::FromStr;

use datasets::TaskKind;
use forest_core::parameters::did_you_mean;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use scores::Measure::{self, Mean, Of, Root};
pub(crate) use scores::{INTERVAL_LEVEL, Scores, Tested};

use crate::statistics::Estimate;

/// A metric: a row of [`METRICS`], known by its name.
#[derive(Clone, Copy)]
pub struct Metric {
    /// Its key in a record, and its name on a command line.
    pub name: &'static str,
    /// Its name in a table.
    pub title: &'static str,
    /// A one-line description.
    pub meaning: &'static str,
    /// Which values are better.
    pub better: Better,
    /// The least and the greatest of its values.
    pub range: [f64; 2],
    /// Its unit; empty for a share.
    pub unit: &'static str,
    task: TaskKind,
    measure: Measure,
}

/// The values of a metric that are better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Better {
    /// Larger ones.
    Higher,
    /// Smaller ones.
    Lower,
    /// Those closer to this one.
    Near(f64),
}

use Better::{Higher, Lower};

/// The ranges of a share of rows, of values without an upper bound, and of shares of a possible excess.
const SHARE: [f64; 2] = [0.0, 1.0];
const FROM_ZERO: [f64; 2] = [0.0, f64::INFINITY];
const TO_ONE: [f64; 2] = [f64::NEG_INFINITY, 1.0];
const TARGET: &str = "of the target";

/// A row for each metric: name, title, task, which values are better, range, unit, measure and meaning.
macro_rules! metrics {
    ($($name:literal, $title:literal, $task:ident, $better:expr, $range:expr, $unit:expr, $measure:expr, $meaning:literal;)*) => {
        [$(Metric {
            name: $name,
            title: $title,
            meaning: $meaning,
            better: $better,
            range: $range,
            unit: $unit,
            task: TaskKind::$task,
            measure: $measure,
        }),*]
    };
}

/// Every metric, in the order in which users see them. A run has all metrics of its task.
pub static METRICS: [Metric; 16] = metrics! {
    "accuracy", "accuracy", Classification, Higher, SHARE, "", Mean(|sums| &sums.right),
        "share of test rows whose most probable class is the true one";
    "balanced_accuracy", "balanced accuracy", Classification, Higher, SHARE, "", Of(scores::balanced_accuracy),
        "mean recall of the classes that occur";
    "macro_f1", "macro F1", Classification, Higher, SHARE, "", Of(scores::macro_f1),
        "mean of 2·right / (occurring + predicted) over the classes that occur or are predicted";
    "kappa", "Cohen's κ", Classification, Higher, [-1.0, 1.0], "", Of(scores::kappa),
        "excess of accuracy over that of the same predictions in a random order, as a share of the possible excess";
    "kappa_m", "κ_M", Classification, Higher, TO_ONE, "", Of(scores::kappa_m),
        "excess of accuracy over that of predicting the most frequent class of the rows tested before, as a share of the possible excess";
    "kappa_t", "κ_T", Classification, Higher, TO_ONE, "", Of(scores::kappa_t),
        "excess of accuracy over that of predicting the class of the row tested before, as a share of the possible excess";
    "faded_accuracy", "faded accuracy", Classification, Higher, SHARE, "", Of(scores::faded),
        "accuracy in which a row tested k rows ago has weight .999^k";
    "log_loss", "log loss", Classification, Lower, FROM_ZERO, "nats", Mean(|sums| &sums.log_loss),
        "mean of −ln of the probability of the true class; probabilities below 1e-15 count as 1e-15";
    "brier", "Brier score", Classification, Lower, [0.0, 2.0], "", Mean(|sums| &sums.brier),
        "mean over rows of the squared differences of all class probabilities from 1 or 0; at most 2";
    "expected_calibration_error", "calibration error", Classification, Lower, SHARE, "", Of(scores::calibration_error),
        "mean difference of accuracy and largest probability, in 15 bins of that probability";
    "rmse", "RMSE", Regression, Lower, FROM_ZERO, TARGET, Root(|sums| &sums.squares),
        "root of the mean squared difference";
    "mae", "MAE", Regression, Lower, FROM_ZERO, TARGET, Mean(|sums| &sums.sizes),
        "mean absolute difference";
    "faded_rmse", "faded RMSE", Regression, Lower, FROM_ZERO, TARGET, Of(|sums| scores::faded(sums).map(f64::sqrt)),
        "RMSE in which a row tested k rows ago has weight .999^k";
    "r2", "R²", Regression, Higher, TO_ONE, "", Of(scores::r2),
        "1 − squared differences / squared differences from the mean of the test rows";
    "coverage_90", "90 % coverage", Regression, Better::Near(INTERVAL_LEVEL), SHARE, "", Mean(|sums| &sums.covered),
        "share of observed targets within their 90 % interval, of learners that have intervals";
    "width_90", "90 % width", Regression, Lower, FROM_ZERO, TARGET, Mean(|sums| &sums.width),
        "mean width of 90 % intervals, of learners that have intervals";
};

impl Better {
    /// Describes it for readers: `higher is better`.
    pub fn words(self) -> String {
        match self {
            Higher => "higher is better".to_owned(),
            Lower => "lower is better".to_owned(),
            Self::Near(value) => format!("best at {value}"),
        }
    }

    /// Returns a number that is larger the better `value` is.
    pub fn score(self, value: f64) -> f64 {
        match self {
            Higher => value,
            Lower => -value,
            Self::Near(best) => -(value - best).abs(),
        }
    }
}

impl Metric {
    /// Returns the main metric of a task: accuracy, or RMSE.
    pub fn of(task: TaskKind) -> Self {
        Self::of_task(task).next().expect("every task has metrics")
    }

    /// Returns every metric of a task, the main one first.
    pub fn of_task(task: TaskKind) -> impl Iterator<Item = Self> {
        let all = METRICS.iter().copied();
        all.filter(move |metric| metric.task == task)
    }

    /// Returns the metrics that a table shows by default: accuracy and log loss, or RMSE and MAE.
    pub fn defaults(task: TaskKind) -> [Self; 2] {
        let names = match task {
            TaskKind::Classification => ["accuracy", "log_loss"],
            TaskKind::Regression => ["rmse", "mae"],
        };
        names.map(|name| name.parse().expect("they are in the table"))
    }

    /// Returns the task it belongs to.
    pub fn task(self) -> TaskKind {
        self.task
    }

    /// Returns the title, and which direction is better.
    pub fn axis_name(self) -> String {
        format!("{} ({})", self.title, self.better.words())
    }

    /// Returns a number that is larger the better `value` is.
    pub fn score(self, value: f64) -> f64 {
        self.better.score(value)
    }

    /// Returns the lower end, mean and upper end of an interval by Student's t, cut to the range of the metric.
    pub(crate) fn interval(self, estimate: &Estimate) -> [f64; 3] {
        let [least, most] = self.range;
        estimate.interval().map(|end| end.clamp(least, most))
    }
}

/// The error for an unknown name of a metric.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown metric `{0}`{1}; available: {2}")]
pub struct UnknownMetric(String, String, String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Self, UnknownMetric> {
        let found = METRICS.iter().find(|metric| metric.name == text);
        found.copied().ok_or_else(|| {
            let names = METRICS.each_ref().map(|metric| metric.name);
            UnknownMetric(text.to_owned(), did_you_mean(text, names), names.join(", "))
        })
    }
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Metric {}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_better_values_score_higher_and_no_interval_leaves_the_range() {
        let metric = |name: &str| name.parse::<Metric>().unwrap();
        for known in &METRICS {
            let json = serde_json::to_string(known).unwrap();
            let read: Metric = serde_json::from_str(&json).unwrap();
            assert_eq!((read.title, read.meaning), (known.title, known.meaning));
        }
        let error = "acuracy".parse::<Metric>().unwrap_err().to_string();
        assert!(error.contains("did you mean `accuracy`"), "{error}");
        for (name, better, worse) in [
            ("accuracy", 0.9, 0.8),
            ("rmse", 1.0, 2.0),
            ("coverage_90", 0.91, 0.88),
            ("coverage_90", 0.91, 0.99),
        ] {
            assert!(
                metric(name).score(better) > metric(name).score(worse),
                "{name}"
            );
        }
        let near_one = Estimate::of(&[0.98, 1.0]).unwrap();
        let [low, mean, high] = near_one.interval();
        assert!(low < 0.98 && high > 1.0);
        assert_eq!(metric("accuracy").interval(&near_one), [low, mean, 1.0]);
        assert_eq!(metric("log_loss").interval(&near_one), [low, mean, high]);
    }
}
