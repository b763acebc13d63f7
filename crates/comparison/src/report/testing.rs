//! Records and sections of tests.

use serde_json::json;

use super::{Section, sections_by};
use crate::metric::Metric;
use crate::protocol::Preprocessing;
use crate::record::{Outcome, Record, task_name};

/// Returns a run of one tree in a hold-out of one row; `majority` and `mean` are baselines.
pub(super) fn record(set: &str, metric: &str, label: &str, seed: u64, value: f64) -> Record {
    let metric: Metric = metric.parse().unwrap();
    let is_baseline = ["majority", "mean"].contains(&label);
    let record = json!({
        "key": label, "label": label, "algorithm": label, "params": {}, "seed": seed, "date": "", "threads": 1,
        "revision": "", "cpu": "", "baseline": is_baseline, "offline": false, "trees": 1, "asked_trees": 1,
        "dataset": set, "data_sha256": set, "rows_sha256": set, "target": null, "task": task_name(metric.task),
        "protocol": "holdout", "preprocessing": Preprocessing::default(), "n_train": 1, "n_test": 1, "n_features": 1,
        "n_classes": null, "metric": metric.name, "reference": "observed", "window": null, "changes": [],
        "best_accuracy": null, "value": value, "metrics": {}, "learn_seconds": 1e-6, "predict_seconds": null,
        "nodes": 1, "stored_samples": 0, "model_bytes": 1, "curve": null, "around_changes": [],
    });
    serde_json::from_value(record).unwrap()
}

/// Returns the section of algorithms with a value for each of the seeds 0, 1, …, as `a 0.5 0.6 | b 0.7 NaN`; NaN is
/// a failure.
pub(super) fn section(set: &str, metric: &str, rows: &str) -> Section {
    let mut records = Vec::new();
    for row in rows.split('|') {
        let mut words = row.split_whitespace();
        let label = words.next().unwrap();
        for (seed, value) in (0..).zip(words.map(|word| word.parse::<f64>().unwrap())) {
            let mut run = record(set, metric, label, seed, value.max(0.0));
            let error = "why".to_owned();
            if value.is_nan() {
                run.outcome = Outcome::Failed { error };
            }
            records.push(run);
        }
    }
    sections_by(&records, &[metric.parse().unwrap()]).remove(0)
}
