//! Errors along a stream, and an offline boundary forest.

use anyhow::Result;
use boundary_forest::{BoundaryClassifier, TreeSettings};
use comparison::metric::Tested;
use comparison::{BatchTask, Scores};
use datasets::{Dataset, Target};
use forest_core::{Classification, OnlineLearner as _, Regression, Schema, argmax};
use ndarray::s;

use super::{Arguments, Function, labels};
use crate::runs::Row;

/// Errors part by part, each row predicted just before it is learned; x is the number of rows since `from`.
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
    let row = |panel: &str, x, scores: &Scores<T>| Row {
        values: scores.measured().metrics,
        ..Row::new(panel, &series, x)
    };
    let (mut all, mut rows) = (Scores::<T>::all(), Vec::new());
    for part in 0..parts {
        let (from, until) = (part * data.rows() / parts, (part + 1) * data.rows() / parts);
        let features = data.features.slice(s![from..until, ..]);
        let predictions = learner.predict_then_learn(features, &observed[from..until])?;
        let mut scores = Scores::<T>::all();
        for (prediction, row) in predictions.iter().zip(from..until) {
            let (truth, observed) = (truth[row], observed[row]);
            let tested = Tested {
                prediction,
                truth,
                observed,
                interval: None,
            };
            scores.add(&tested);
            all.add(&tested);
        }
        let x = until as f64 - first;
        if x > 0.0 {
            rows.push(row(&panel, Some(x), &scores));
        }
    }
    rows.push(row(&format!("{panel}, all rows"), None, &all));
    Ok(rows)
}

/// Every tree learns the rows in its own order (Mathy et al. 2015, Table 2).
pub(super) const OFFLINE_BOUNDARY_FOREST: Function = Function {
    name: "offline-boundary-forest",
    parameters: &["panel", "data", "train", "trees"],
    run: |arguments| {
        let data = arguments.dataset()?;
        let labels = labels(&data)?;
        let test = data.split.unwrap_or(data.rows());
        let train = arguments.count("train")?.min(test);
        let (schema, settings) = (Schema::new(data.n_features())?, TreeSettings::default());
        let mut forest = BoundaryClassifier::new(schema, settings, arguments.forest()?)?;
        forest.learn_shuffled(data.features.slice(s![..train, ..]), &labels[..train])?;
        let predictions = forest.predict(data.features.slice(s![test.., ..]))?;
        let (mut wrong, truth) = (0, &labels[test..]);
        for (prediction, truth) in predictions.rows().into_iter().zip(truth) {
            wrong += usize::from(argmax(&prediction.to_vec()) != *truth as usize);
        }
        let error = 100.0 * wrong as f64 / truth.len() as f64;
        Ok(vec![
            Row::new(&arguments.text("panel")?, "OBF", None).with("error", error),
        ])
    },
};

#[cfg(test)]
mod tests {
    use super::super::rows_of;
    use super::*;

    #[test]
    fn parts_after_the_start_have_the_rows_since_it_and_all_rows_are_counted() {
        let rows = rows_of(
            &CURVE,
            &[
                ("panel", "p".into()),
                ("series", "s".into()),
                ("data", "friedman:n=400,test=0".into()),
                ("parts", 4.into()),
                ("from", 200.into()),
                ("algorithm", "mean".into()),
                ("trees", 1.into()),
            ],
        );
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
