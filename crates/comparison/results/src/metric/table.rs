//! The table of metrics.

use std::ops::RangeInclusive;

use super::{Accumulate, Better, INTERVAL_LEVEL, MetricEntry, classes, numbers};

/// The ranges of a share of rows, and of values without an upper bound.
const SHARE: RangeInclusive<f64> = 0.0..=1.0;
const FROM_ZERO: RangeInclusive<f64> = 0.0..=f64::INFINITY;

/// Every metric, in the order in which users see them. A run has all metrics of its task.
pub static METRICS: &[MetricEntry] = &[
    MetricEntry {
        name: "accuracy",
        title: "accuracy",
        meaning: "share of test rows whose most probable class is the true one",
        better: Better::Higher,
        range: SHARE,
        unit: "",
        accumulate: Accumulate::Classes(classes::accuracy),
    },
    MetricEntry {
        name: "balanced_accuracy",
        title: "balanced accuracy",
        meaning: "mean recall of the classes that occur",
        better: Better::Higher,
        range: SHARE,
        unit: "",
        accumulate: Accumulate::Classes(classes::balanced_accuracy),
    },
    MetricEntry {
        name: "macro_f1",
        title: "macro F1",
        meaning: "mean of 2·right / (occurring + predicted) over the classes that occur or are predicted",
        better: Better::Higher,
        range: SHARE,
        unit: "",
        accumulate: Accumulate::Classes(classes::macro_f1),
    },
    MetricEntry {
        name: "kappa",
        title: "Cohen's κ",
        meaning: "excess of accuracy over that of the same predictions in a random order, as a share of the possible excess",
        better: Better::Higher,
        range: -1.0..=1.0,
        unit: "",
        accumulate: Accumulate::Classes(classes::kappa),
    },
    MetricEntry {
        name: "log_loss",
        title: "log loss",
        meaning: "mean of −ln of the probability of the true class; probabilities below 1e-15 count as 1e-15",
        better: Better::Lower,
        range: FROM_ZERO,
        unit: "nats",
        accumulate: Accumulate::Classes(classes::log_loss),
    },
    MetricEntry {
        name: "brier",
        title: "Brier score",
        meaning: "mean over rows of the squared differences of all class probabilities from 1 or 0; at most 2",
        better: Better::Lower,
        range: 0.0..=2.0,
        unit: "",
        accumulate: Accumulate::Classes(classes::brier),
    },
    MetricEntry {
        name: "expected_calibration_error",
        title: "calibration error",
        meaning: "mean difference of accuracy and largest probability, in 15 bins of that probability",
        better: Better::Lower,
        range: SHARE,
        unit: "",
        accumulate: Accumulate::Classes(classes::calibration_error),
    },
    MetricEntry {
        name: "rmse",
        title: "RMSE",
        meaning: "root of the mean squared difference",
        better: Better::Lower,
        range: FROM_ZERO,
        unit: "of the target",
        accumulate: Accumulate::Numbers(numbers::rmse),
    },
    MetricEntry {
        name: "mae",
        title: "MAE",
        meaning: "mean absolute difference",
        better: Better::Lower,
        range: FROM_ZERO,
        unit: "of the target",
        accumulate: Accumulate::Numbers(numbers::mae),
    },
    MetricEntry {
        name: "r2",
        title: "R²",
        meaning: "1 − squared differences / squared differences from the mean of the test rows",
        better: Better::Higher,
        range: f64::NEG_INFINITY..=1.0,
        unit: "",
        accumulate: Accumulate::Numbers(numbers::r2),
    },
    MetricEntry {
        name: "coverage_90",
        title: "90 % coverage",
        meaning: "share of observed targets within their 90 % interval, of learners that have intervals",
        better: Better::Near(INTERVAL_LEVEL),
        range: SHARE,
        unit: "",
        accumulate: Accumulate::Numbers(numbers::coverage),
    },
    MetricEntry {
        name: "width_90",
        title: "90 % width",
        meaning: "mean width of 90 % intervals, of learners that have intervals",
        better: Better::Lower,
        range: FROM_ZERO,
        unit: "of the target",
        accumulate: Accumulate::Numbers(numbers::width),
    },
];
