//! One answer, and why.

use ndarray::{ArrayView1, Axis};
use online_forests::{DecisionPath, OnlineLearner};
use serde::Serialize;
use tables::{Header, Record, TargetColumn};

use super::{Args, trees};
use crate::CommandError;
use crate::model::Model;
use crate::prediction::Prediction;
use crate::table_task::TableTask;

/// The answer to a row, and its path through one tree.
#[derive(Debug, Serialize)]
pub(crate) struct Explained<'m> {
    prediction: Prediction<'m>,
    /// Of the classes in their order, or the number.
    answer: Vec<f64>,
    tree: usize,
    path: DecisionPath,
}

/// Explains the answer to `text`, which is `column=value,…`.
pub fn row<T: TableTask>(
    model: &Model<T>,
    text: &str,
    tree: usize,
    args: &Args,
) -> Result<String, CommandError> {
    let features = features(model, text)?;
    let explained = explained(model, &features, tree)?;
    Ok(match args.json {
        true => serde_json::to_string_pretty(&explained).expect("plain data can be written"),
        false => words(model, &explained),
    })
}

fn features<T: TableTask>(model: &Model<T>, text: &str) -> Result<Vec<f32>, CommandError> {
    let wrong = |reason: String| CommandError::ExplainedRow {
        row: tables::short(text),
        reason,
    };
    let (names, record) = parsed(text).map_err(wrong)?;
    // A wrong name is reported, not the one that is missing for it.
    let known = model.columns().header().names();
    let unknown = |name: &String| TargetColumn::Named(name.clone()).find(&known).err();
    if let Some(fault) = names.iter().find_map(unknown) {
        return Err(wrong(fault.to_string()));
    }
    let header = Header::named(names.iter().map(String::as_str));
    let layout = model.columns().layout(&header);
    let layout = layout.map_err(|fault| wrong(fault.to_string()))?;
    let mut features = Vec::new();
    match model.columns().features(&layout, &record, &mut features) {
        Ok(tables::Row::Encoded { .. }) => Ok(features),
        Ok(tables::Row::Dropped) => Err(wrong("a value is missing".to_owned())),
        Err(error) => Err(wrong(error.fault.to_string())),
    }
}

/// Names and cells of `name=value,…`; a pair with a comma in it is quoted as a cell of CSV.
/// The features of a row as it arrived, or why it has none.
#[cfg(feature = "serve")]
pub(crate) fn features_of<T: TableTask>(
    model: &Model<T>,
    layout: &tables::Layout,
    row: &crate::input::Row,
) -> Result<Vec<f32>, String> {
    let mut features = Vec::new();
    match row.features(model.columns(), layout, &mut features, &mut 0) {
        crate::input::Outcome::Taken => Ok(features),
        crate::input::Outcome::Dropped => Err("a value is missing".to_owned()),
        crate::input::Outcome::Bad(reason) => Err(reason),
    }
}

fn parsed(text: &str) -> Result<(Vec<String>, Record), String> {
    let mut reader = csv::ReaderBuilder::new();
    let mut rows = reader
        .has_headers(false)
        .from_reader(text.as_bytes())
        .into_records();
    let pairs = rows
        .next()
        .ok_or("it is empty")?
        .map_err(|error| error.to_string())?;
    let (mut names, mut record) = (Vec::new(), Record::default());
    for pair in &pairs {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| format!("expected COLUMN=VALUE, but found `{}`", tables::short(pair)))?;
        names.push(name.trim().to_owned());
        record.cells.push_field(value.trim());
    }
    Ok((names, record))
}

pub(crate) fn explained<'m, T: TableTask>(
    model: &'m Model<T>,
    features: &[f32],
    tree: usize,
) -> Result<Explained<'m>, CommandError> {
    let answer = model.predict_one(features)?;
    let rows = ArrayView1::from(features).insert_axis(Axis(0));
    let seen = model.transformed(rows)?.into_raw_vec_and_offset().0;
    let mut path = trees::explain(model, "--explain")?.decision_path(tree, &seen)?;
    if let Some(lines) = trees::lines(model) {
        path = path.before(&lines, features);
    }
    let names = model.pipeline().class_names();
    Ok(Explained {
        prediction: T::prediction(&answer, names),
        answer,
        tree,
        path: path
            .with_feature_names(&model.columns().feature_names())
            .with_class_names(names.names()),
    })
}

fn words<T: TableTask>(model: &Model<T>, explained: &Explained<'_>) -> String {
    let names = model.pipeline().class_names().names();
    let shares = names.iter().zip(&explained.answer);
    let shares: Vec<String> = shares
        .map(|(name, share)| format!("{name}: {share:.4}"))
        .collect();
    let prediction = match explained.prediction {
        Prediction::Number(number) => number.to_string(),
        Prediction::Class(name) => format!("{name} ({})", shares.join(", ")),
    };
    let (tree, trees) = (explained.tree, model.settings().trees);
    let path = explained.path.to_string().replace('\n', "\n  ");
    format!("prediction of all {trees} trees: {prediction}\ntree {tree}:\n  {path}")
}
