//! `summary.csv`: the tables in full precision. The names of fields are the header.

use serde::Serialize;

use super::section::{Row, Section};
use crate::record::Protocol;
use crate::record::task_name;

#[derive(Debug, Serialize)]
struct Line<'a> {
    dataset: &'a str,
    protocol: Protocol,
    task: &'a str,
    algorithm: &'a str,
    baseline: bool,
    offline: bool,
    trees: usize,
    metric: &'a str,
    n: usize,
    mean: Option<f64>,
    half_width: Option<f64>,
    standing: &'a str,
    learn_us_per_sample_and_tree: Option<f64>,
    predict_us_per_sample_and_tree: Option<f64>,
    nodes: Option<f64>,
    stored_samples: Option<f64>,
    model_bytes: Option<f64>,
    errors: String,
    /// Words that tell a setting or an algorithm apart from others with these names.
    distinction: String,
}

pub(super) fn render(sections: &[Section]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for section in sections {
        for row in &section.rows {
            writer.serialize(line(section, row))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("every field is text"))
}

fn line<'a>(section: &'a Section, row: &'a Row) -> Line<'a> {
    let (setting, result) = (&section.setting, row.result.as_ref());
    Line {
        dataset: &setting.dataset,
        protocol: setting.protocol,
        task: task_name(setting.task),
        algorithm: &row.algorithm,
        baseline: row.baseline,
        offline: row.offline,
        trees: row.trees,
        metric: section.columns[0].name,
        n: result.map_or(0, |result| result.value.n),
        mean: result.map(|result| result.value.mean),
        half_width: result.and_then(|result| result.value.half_width()),
        standing: row.rank.word(),
        learn_us_per_sample_and_tree: result.map(|result| result.learn_us),
        predict_us_per_sample_and_tree: result.and_then(|result| result.predict_us),
        nodes: result.and_then(|result| result.nodes),
        stored_samples: result.and_then(|result| result.stored_samples),
        model_bytes: result.and_then(|result| result.bytes),
        errors: row.errors.join("; "),
        distinction: section.distinction_of(row),
    }
}
