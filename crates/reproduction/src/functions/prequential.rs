//! Test then train, in stream order.

use anyhow::Result;
use datasets::Target;
use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema, argmax};
use ndarray::{ArrayView2, s};
use online_forests::{Algorithm, NamedTask};

use super::{Arguments, Function, mean};
use crate::record::Row;

/// Accuracy, or root mean squared error, over at most `rows` rows, each answered before it is learned.
pub const PREQUENTIAL: Function = Function {
    name: "prequential",
    parameters: &["panel", "series", "data", "rows", "algorithm", "trees"],
    run: |arguments| {
        let data = arguments.library.open(&arguments.text("data")?)?;
        let rows = arguments.count("rows")?.min(data.rows());
        let features = data.features.slice(s![..rows, ..]);
        let row = Row::new(&arguments.text("panel")?, &arguments.text("series")?, None);
        Ok(vec![match &data.target {
            Target::Classes { labels, .. } => {
                let right = |answer: &[f64], label: u32| {
                    let is_right = !answer.is_empty() && argmax(answer) == label as usize;
                    f64::from(u8::from(is_right))
                };
                let accuracy =
                    along::<Classification>(arguments, features, &labels[..rows], right)?;
                row.with("accuracy", accuracy)
            }
            Target::Values { values, .. } => {
                let square = |answer: &[f64], value: f64| (answer[0] - value).powi(2);
                let mse = along::<Regression>(arguments, features, &values[..rows], square)?;
                row.with("rmse", mse.sqrt())
            }
        }])
    },
};

/// Rows handed over at a time; a batch means its rows one after another.
const BATCH: usize = 1000;

/// The mean score of the answers.
fn along<T: NamedTask>(
    arguments: &Arguments<'_>,
    features: ArrayView2<'_, f32>,
    targets: &[T::Target],
    score: impl Fn(&[f64], T::Target) -> f64,
) -> Result<f64> {
    let algorithm: Algorithm = arguments.text("algorithm")?.parse()?;
    let forest = ForestSettings {
        trees: arguments.count("trees")?,
        seed: arguments.seed,
        ..ForestSettings::default()
    };
    let mut learner = algorithm.build::<T>(Schema::new(features.ncols())?, forest)?;
    let mut scores = Vec::with_capacity(targets.len());
    for first in (0..targets.len()).step_by(BATCH) {
        let part = first..targets.len().min(first + BATCH);
        let answers = learner
            .predict_then_learn(features.slice(s![part.clone(), ..]), &targets[part.clone()])?;
        let pairs = answers.iter().zip(&targets[part]);
        scores.extend(pairs.map(|(answer, &target)| score(answer, target)));
    }
    Ok(mean(scores.into_iter()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use toml::Value;

    use super::*;
    use crate::data::Library;
    use crate::record::CallTask;

    #[test]
    fn the_previous_label_is_right_where_two_in_a_row_are_equal() {
        let data = "stagger:n=2500,seed=3";
        let parameters = [
            ("panel", "p"),
            ("series", "s"),
            ("data", data),
            ("rows", "2100"),
            ("algorithm", "no-change"),
            ("trees", "1"),
        ];
        let value = |text: &str| text.parse::<i64>().map_or(text.into(), Value::Integer);
        let call = CallTask {
            function: PREQUENTIAL.name.to_owned(),
            parameters: parameters
                .map(|(name, text)| (name.to_owned(), value(text)))
                .into(),
        };
        let library = Library::new(Path::new(""));
        let dataset = library.open(data).unwrap();
        let Target::Classes { labels, .. } = &dataset.target else {
            panic!("it has classes");
        };
        let equal = labels[..2100].windows(2).filter(|pair| pair[0] == pair[1]);
        let arguments = Arguments {
            call: &call,
            seed: 0,
            x: None,
            library: &library,
        };
        let rows = (PREQUENTIAL.run)(&arguments).unwrap();
        // Of the first row the baseline knows nothing, and may be right by chance.
        let right = rows[0].values["accuracy"] * 2100.0;
        assert!((right - equal.count() as f64 - 0.5).abs() < 0.6, "{right}");
    }
}
