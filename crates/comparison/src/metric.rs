//! Metrics: one table, each with its accumulation over test rows.

mod sums;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use datasets::TaskKind;
use forest_core::parameters::did_you_mean;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use sums::Measure::{self, Mean, Of, Root};
use sums::Sums;
pub(crate) use sums::{INTERVAL_LEVEL, Tested};

use crate::SetupError;

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
    /// The task whose predictions it measures.
    pub task: TaskKind,
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
    ($($name:literal, $title:literal, $task:ident, $better:expr, $range:expr, $unit:expr, $measure:expr,
        $meaning:literal;)*) => {
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
    "balanced_accuracy", "balanced accuracy", Classification, Higher, SHARE, "", Of(sums::balanced_accuracy),
        "mean recall of the classes that occur";
    "macro_f1", "macro F1", Classification, Higher, SHARE, "", Of(sums::macro_f1),
        "mean of 2·right / (occurring + predicted) over the classes that occur or are predicted";
    "kappa", "Cohen's κ", Classification, Higher, [-1.0, 1.0], "", Of(sums::kappa),
        "excess of accuracy over that of the same predictions in a random order, as a share of the possible excess";
    "kappa_m", "κ_M", Classification, Higher, TO_ONE, "", Of(|sums| sums.excess(sums.of_most_frequent)),
        "excess of accuracy over that of predicting the most frequent class of the rows tested before, as a share of \
         the possible excess";
    "kappa_t", "κ_T", Classification, Higher, TO_ONE, "", Of(|sums| sums.excess(sums.of_latest)),
        "excess of accuracy over that of predicting the class of the row tested before, as a share of the possible \
         excess";
    "faded_accuracy", "faded accuracy", Classification, Higher, SHARE, "", Of(sums::faded),
        "accuracy in which a row tested k rows ago has weight .999^k";
    "log_loss", "log loss", Classification, Lower, FROM_ZERO, "nats", Mean(|sums| &sums.log_loss),
        "mean of −ln of the probability of the true class; probabilities below 1e-15 count as 1e-15";
    "brier", "Brier score", Classification, Lower, [0.0, 2.0], "", Mean(|sums| &sums.brier),
        "mean over rows of the squared differences of all class probabilities from 1 or 0; at most 2";
    "expected_calibration_error", "calibration error", Classification, Lower, SHARE, "", Of(sums::calibration_error),
        "mean difference of accuracy and largest probability, in 15 bins of that probability";
    "rmse", "RMSE", Regression, Lower, FROM_ZERO, TARGET, Root(|sums| &sums.squares),
        "root of the mean squared difference";
    "mae", "MAE", Regression, Lower, FROM_ZERO, TARGET, Mean(|sums| &sums.sizes),
        "mean absolute difference";
    "faded_rmse", "faded RMSE", Regression, Lower, FROM_ZERO, TARGET, Of(|sums| sums::faded(sums).map(f64::sqrt)),
        "RMSE in which a row tested k rows ago has weight .999^k";
    "r2", "R²", Regression, Higher, TO_ONE, "", Of(sums::r2),
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

    /// Returns the title, and which direction is better.
    pub fn axis_name(self) -> String {
        format!("{} ({})", self.title, self.better.words())
    }

    /// Returns the ends and the mean of an interval, cut to the range of the metric.
    pub(crate) fn cut(self, interval: [f64; 3]) -> [f64; 3] {
        let [least, most] = self.range;
        interval.map(|end| end.clamp(least, most))
    }
}

/// Every metric of a task, added up over the same rows.
pub(crate) struct Scores {
    task: TaskKind,
    sums: Sums,
}

impl Scores {
    /// Returns the metrics of a task, of no rows yet.
    pub(crate) fn new(task: TaskKind) -> Self {
        let sums = Sums::default();
        Self { task, sums }
    }

    pub(crate) fn add(&mut self, row: &Tested<'_>) {
        match self.task {
            TaskKind::Classification => self.sums.add_class(row),
            TaskKind::Regression => self.sums.add_number(row),
        }
    }

    /// Returns the main metric; `None` before the first row.
    pub(crate) fn main_value(&self) -> Option<f64> {
        Metric::of(self.task).measure.value(&self.sums)
    }

    /// Returns the metrics that have a finite value, by name.
    pub(crate) fn metrics(&self) -> BTreeMap<String, f64> {
        self.by_name(Measure::value)
    }

    /// Returns their standard errors over the rows, where they have one.
    pub(crate) fn standard_errors(&self) -> BTreeMap<String, f64> {
        self.by_name(Measure::standard_error)
    }

    fn by_name(&self, value: fn(Measure, &Sums) -> Option<f64>) -> BTreeMap<String, f64> {
        let mut values = BTreeMap::new();
        for metric in Metric::of_task(self.task) {
            let value = value(metric.measure, &self.sums).filter(|value| value.is_finite());
            values.extend(value.map(|value| (metric.name.to_owned(), value)));
        }
        values
    }
}

impl FromStr for Metric {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let names = METRICS.each_ref().map(|metric| metric.name);
        let found = METRICS.iter().find(|metric| metric.name == text).copied();
        found.ok_or_else(|| {
            let hint = did_you_mean(text, names);
            let available = names.join(", ");
            let message = format!("unknown metric `{text}`{hint}; available: {available}");
            SetupError::new(Some("--metric"), message)
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
            let score = |value| metric(name).better.score(value);
            assert!(score(better) > score(worse), "{name}");
        }
        let interval = [-0.1, 0.99, 1.1];
        assert_eq!(metric("accuracy").cut(interval), [0.0, 0.99, 1.0]);
        assert_eq!(metric("log_loss").cut(interval), [0.0, 0.99, 1.1]);
    }
}
