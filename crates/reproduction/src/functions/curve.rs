//! Errors along a stream, part by part, each row predicted just before it is learned.

use anyhow::Result;
use comparison::metric::Tested;
use comparison::{BatchTask, Scores};
use datasets::{Dataset, Target};
use forest_core::{Classification, OnlineLearner as _, Regression, Schema};
use ndarray::s;

use super::{Arguments, Function};
use crate::record::Row;

/// Measures every metric over each of `parts` parts of a stream, against the targets without noise where they are known. `x` is the number
/// of rows after row `from` at the end of a part; earlier parts are left out. The panel `PANEL, all rows` has the metrics over all rows.
pub(super) const CURVE: Function = Function {
    name: "curve",
    parameters: &[
        "panel",
        "series",
        "data",
        "parts",
        "from",
        "algorithm",
        "trees",
    ],
    run: |arguments| {
        let data = arguments.dataset()?;
        match &data.target {
            Target::Classes { labels, .. } => {
                follow::<Classification>(arguments, &data, labels, labels)
            }
            Target::Values { values, noise_free } => {
                let truth = noise_free.as_ref().unwrap_or(values);
                follow::<Regression>(arguments, &data, values, truth)
            }
        }
    },
};

fn follow<T: BatchTask>(
    arguments: &Arguments<'_>,
    data: &Dataset,
    observed: &[T::Target],
    truth: &[T::Target],
) -> Result<Vec<Row>> {
    let (panel, series) = (arguments.text("panel")?, arguments.text("series")?);
    let (parts, first) = (arguments.count("parts")?, arguments.number("from")?);
    let schema = Schema::<T>::new(data.n_features())?;
    let mut learner = arguments
        .algorithm()?
        .build::<T>(schema, arguments.forest()?)?;
    let (mut all, mut lines) = (Scores::<T>::all(), Vec::new());
    for part in 0..parts {
        let (from, until) = (part * data.rows() / parts, (part + 1) * data.rows() / parts);
        let rows = data.features.slice(s![from..until, ..]);
        let predictions = learner.predict_then_learn(rows, &observed[from..until])?;
        let mut scores = Scores::<T>::all();
        for (prediction, row) in predictions.iter().zip(from..until) {
            let tested = Tested {
                prediction,
                truth: truth[row],
                observed: observed[row],
                interval: None,
            };
            scores.add(&tested);
            all.add(&tested);
        }
        let x = until as f64 - first;
        if x > 0.0 {
            lines.push(line(&panel, &series, Some(x), &scores));
        }
    }
    lines.push(line(&format!("{panel}, all rows"), &series, None, &all));
    Ok(lines)
}

fn line<T: BatchTask>(panel: &str, series: &str, x: Option<f64>, scores: &Scores<T>) -> Row {
    let mut row = Row::new(panel, series, x);
    row.values = scores.measured().metrics;
    row
}

#[cfg(test)]
mod tests {
    use super::super::rows_of;
    use super::*;

    #[test]
    fn parts_after_the_start_have_the_rows_since_it_and_all_rows_are_counted() {
        let parameters = [
            ("panel", "p".into()),
            ("series", "s".into()),
            ("data", "friedman:n=400,test=0".into()),
            ("parts", 4.into()),
            ("from", 200.into()),
            ("algorithm", "mean".into()),
            ("trees", 1.into()),
        ];
        let rows = rows_of(&CURVE, &parameters);
        let places: Vec<_> = rows.iter().map(|row| (row.panel.as_str(), row.x)).collect();
        assert_eq!(
            places,
            [
                ("p", Some(100.0)),
                ("p", Some(200.0)),
                ("p, all rows", None)
            ]
        );
        // Friedman's function has a standard deviation of about 4.9.
        assert!(
            (4.0..6.0).contains(&rows[2].values["rmse"]),
            "{:?}",
            rows[2]
        );
    }
}
