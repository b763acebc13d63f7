//! Metrics: one table, each with its accumulation over test rows.

mod classes;
mod in_order;
mod mean;
mod numbers;
mod table;

use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::str::FromStr;

use datasets::TaskKind;
use forest_core::parameters::did_you_mean;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::statistics::Estimate;

pub use classes::LOG_LOSS_FLOOR;
pub use numbers::INTERVAL_LEVEL;
pub use table::METRICS;

/// A row of [`METRICS`].
#[derive(Debug)]
pub struct MetricEntry {
    /// Its key in a record, and its name on a command line.
    pub name: &'static str,
    /// Its name in a table.
    pub title: &'static str,
    /// A one-line description.
    pub meaning: &'static str,
    /// Which values are better.
    pub better: Better,
    /// The range of its values.
    pub range: RangeInclusive<f64>,
    /// Its unit; empty for a share.
    pub unit: &'static str,
    /// Makes its accumulator.
    pub accumulate: Accumulate,
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

impl Better {
    /// Describes it for readers: `higher is better`.
    pub fn words(self) -> String {
        match self {
            Self::Higher => "higher is better".to_owned(),
            Self::Lower => "lower is better".to_owned(),
            Self::Near(value) => format!("best at {value}"),
        }
    }

    /// Returns a number that is larger the better `value` is.
    pub fn score(self, value: f64) -> f64 {
        match self {
            Self::Higher => value,
            Self::Lower => -value,
            Self::Near(best) => -(value - best).abs(),
        }
    }
}

/// Makes an accumulator of a metric of one task.
#[derive(Clone, Copy, Debug)]
pub enum Accumulate {
    /// A metric of class probabilities.
    Classes(fn() -> Box<dyn Accumulator<u32>>),
    /// A metric of numbers.
    Numbers(fn() -> Box<dyn Accumulator<f64>>),
}

/// A test row with its prediction; `V` is a class or a number.
#[derive(Clone, Copy, Debug)]
pub struct Tested<'a, V> {
    /// The probabilities of the classes known so far (perhaps empty), or the mean.
    pub prediction: &'a [f64],
    /// The target that the prediction is compared with.
    pub truth: V,
    /// The target as observed; the truth of generated data may be without its noise.
    pub observed: V,
    /// The bounds of the 90 % interval, if the learner has intervals.
    pub interval: Option<[f64; 2]>,
}

/// Accumulates a metric over test rows.
pub trait Accumulator<V>: Send {
    /// Adds a row.
    fn add(&mut self, row: &Tested<'_, V>);

    /// Returns the metric of the rows so far; `None` where it is undefined.
    fn value(&self) -> Option<f64>;

    /// Returns the standard error of the value over test rows, which are taken to be independent; `None` without a simple
    /// formula.
    fn standard_error(&self) -> Option<f64> {
        None
    }
}

/// A row of [`METRICS`], known by its name.
#[derive(Clone, Copy)]
pub struct Metric(&'static MetricEntry);

impl Metric {
    /// Returns the main metric of a task: accuracy, or RMSE.
    pub fn of(task: TaskKind) -> Self {
        Self::of_task(task).next().expect("every task has metrics")
    }

    /// Returns every metric of a task, the main one first.
    pub fn of_task(task: TaskKind) -> impl Iterator<Item = Self> {
        METRICS
            .iter()
            .map(Self)
            .filter(move |metric| metric.task() == task)
    }

    /// Returns the metrics that a table shows by default: accuracy and log loss, or RMSE and MAE.
    pub fn defaults(task: TaskKind) -> [Self; 2] {
        let names = match task {
            TaskKind::Classification => ["accuracy", "log_loss"],
            TaskKind::Regression => ["rmse", "mae"],
        };
        names.map(|name| name.parse().expect("they are in the table"))
    }

    /// Returns its row of the table.
    pub fn entry(self) -> &'static MetricEntry {
        self.0
    }

    /// Returns the task it belongs to.
    pub fn task(self) -> TaskKind {
        match self.accumulate {
            Accumulate::Classes(_) => TaskKind::Classification,
            Accumulate::Numbers(_) => TaskKind::Regression,
        }
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
        let (least, most) = (self.range.start(), self.range.end());
        estimate.interval().map(|end| end.clamp(*least, *most))
    }
}

/// The error for an unknown name of a metric.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown metric `{name}`{suggestion}; available: {known}")]
pub struct UnknownMetric {
    name: String,
    suggestion: String,
    known: String,
}

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Self, UnknownMetric> {
        let found = METRICS.iter().find(|metric| metric.name == text);
        found.map(Self).ok_or_else(|| {
            let names: Vec<_> = METRICS.iter().map(|metric| metric.name).collect();
            UnknownMetric {
                name: text.to_owned(),
                suggestion: did_you_mean(text, names.iter().copied()),
                known: names.join(", "),
            }
        })
    }
}

impl Deref for Metric {
    type Target = MetricEntry;

    fn deref(&self) -> &MetricEntry {
        self.0
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
    fn names_are_unique_and_read_back() {
        for metric in METRICS {
            let read: Metric = metric.name.parse().unwrap();
            assert!(std::ptr::eq(read.0, metric), "{}", metric.name);
            let json = serde_json::to_string(&read).unwrap();
            assert_eq!(serde_json::from_str::<Metric>(&json).unwrap(), read);
        }
        let error = "acuracy".parse::<Metric>().unwrap_err().to_string();
        assert!(error.contains("did you mean `accuracy`"), "{error}");
        assert_eq!(Metric::of(TaskKind::Classification).name, "accuracy");
        assert_eq!(Metric::of(TaskKind::Regression).name, "rmse");
    }

    #[test]
    fn no_interval_leaves_the_range_of_its_metric() {
        let metric = |name: &str| name.parse::<Metric>().unwrap();
        let near_one = Estimate::of(&[0.98, 1.0]).unwrap();
        let [low, mean, high] = near_one.interval();
        assert!(low < 0.98 && high > 1.0);
        assert_eq!(metric("accuracy").interval(&near_one), [low, mean, 1.0]);
        assert_eq!(metric("log_loss").interval(&near_one), [low, mean, high]);
        let near_zero = Estimate::of(&[0.0, 0.2]).unwrap();
        assert_eq!(metric("rmse").interval(&near_zero)[0], 0.0);
    }

    #[test]
    fn better_values_have_higher_scores() {
        let score = |name: &str, value| name.parse::<Metric>().unwrap().score(value);
        assert!(score("accuracy", 0.9) > score("accuracy", 0.8));
        assert!(score("rmse", 1.0) > score("rmse", 2.0));
        assert!(score("coverage_90", 0.91) > score("coverage_90", 0.88));
        assert!(score("coverage_90", 0.91) > score("coverage_90", 0.99));
    }
}
