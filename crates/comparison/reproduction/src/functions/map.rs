//! Maps of truth, prediction and error (Fan et al. 2020, Figure 8).

use anyhow::Result;
use evaluation::protocol::Fold;
use forest_core::{OnlineLearner, Regression, Schema};

use super::{Arguments, Function, mean};
use crate::data::{Columns, DataTask, ScaleKind, SplitKind, TargetStep, WeightKind};
use crate::record::Row;

/// Learns a fifth of the rows, draws `shown` others, and measures how errors of neighbours correlate.
pub(super) const MAP: Function = Function {
    name: "map",
    parameters: &["data", "algorithm", "trees", "up", "across", "log", "shown"],
    run: map,
};

fn map(arguments: &Arguments<'_>) -> Result<Vec<Row>> {
    let data = arguments.dataset()?;
    let task = DataTask {
        address: arguments.text("data")?,
        split: SplitKind::Random,
        train: Some(0.2),
        test: Some(arguments.number("shown")?),
        pca: None,
        scale: ScaleKind::Minmax,
        columns: Columns::Named(vec![arguments.text("up")?, arguments.text("across")?]),
        target: match arguments.text("log")?.as_str() {
            "yes" => vec![TargetStep::Log, TargetStep::Standard],
            _ => vec![TargetStep::Standard],
        },
        weights: WeightKind::Equal,
    };
    let (values, _) = task.values(&data)?;
    let Fold { train, test } = task.fold(&data, &values, &values, arguments.seed)?;
    let schema = Schema::new(2)?;
    let algorithm = arguments.algorithm()?;
    let mut forest = algorithm.build::<Regression>(schema, arguments.forest()?)?;
    forest.learn(train.features.view(), &train.observed)?;
    let predictions = forest.predict(test.features.view())?.column(0).to_vec();
    let errors: Vec<f64> = predictions
        .iter()
        .zip(&test.observed)
        .map(|(a, t)| a - t)
        .collect();
    let points: Vec<[f64; 2]> = test
        .features
        .rows()
        .into_iter()
        .map(|row| [row[0], row[1]].map(f64::from))
        .collect();
    let neighbours = neighbours(&points);
    let mut all = vec![
        Row::new("neighbours", "truth", None)
            .with("correlation", correlation(&test.observed, &neighbours)),
        Row::new("neighbours", "error", None)
            .with("correlation", correlation(&errors, &neighbours)),
    ];
    let short = |value: f64| (value * 1e3).round() / 1e3;
    for (panel, values) in [
        ("truth", &test.observed),
        ("prediction", &predictions),
        ("error", &errors),
    ] {
        let points = points.iter().zip(values).enumerate();
        all.extend(points.map(|(number, ([up, across], value))| {
            Row::new(panel, "rows", Some(number as f64))
                .with("across", short(*across))
                .with("up", short(*up))
                .with("value", short(*value))
        }));
    }
    Ok(all)
}

/// Returns the nearest other point of each point.
fn neighbours(points: &[[f64; 2]]) -> Vec<usize> {
    let nearest = |here: usize| {
        let distance = |there: usize| {
            let [a, b] = [points[here], points[there]];
            (a[0] - b[0]).hypot(a[1] - b[1])
        };
        let others = (0..points.len()).filter(|there| *there != here);
        let least = others.min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        least.unwrap_or(here)
    };
    (0..points.len()).map(nearest).collect()
}

/// Returns the correlation between values and those of their neighbours.
fn correlation(values: &[f64], neighbours: &[usize]) -> f64 {
    let centre = mean(values.iter().copied());
    let variance = mean(values.iter().map(|value| (value - centre).powi(2)));
    let products = values.iter().zip(neighbours);
    let products = products.map(|(value, other)| (value - centre) * (values[*other] - centre));
    mean(products) / variance
}
