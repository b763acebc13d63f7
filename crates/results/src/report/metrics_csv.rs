//! `metrics.csv`: every metric of every algorithm. The names of fields are the header.

use serde::Serialize;

use super::section::{Row, Section};
use crate::metric::Metric;
use crate::record::Protocol;

#[derive(Debug, Serialize)]
struct Line<'a> {
    dataset: &'a str,
    protocol: Protocol,
    algorithm: &'a str,
    metric: &'a str,
    unit: &'a str,
    n: usize,
    mean: f64,
    half_width: Option<f64>,
    /// Words that tell a setting or an algorithm apart from others with these names.
    distinction: String,
}

pub(super) fn render(sections: &[Section]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for section in sections {
        for line in section.rows.iter().flat_map(|row| lines(section, row)) {
            writer.serialize(line)?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("every field is text"))
}

fn lines<'a>(section: &'a Section, row: &'a Row) -> impl Iterator<Item = Line<'a>> {
    let metrics = row.result.iter().flat_map(|result| {
        Metric::of_task(section.setting.task)
            .filter_map(|metric| Some((metric, result.metrics.get(metric.name)?)))
    });
    metrics.map(|(metric, estimate)| Line {
        dataset: &section.setting.dataset,
        protocol: section.setting.protocol,
        algorithm: &row.algorithm,
        metric: metric.entry().name,
        unit: metric.entry().unit,
        n: estimate.n,
        mean: estimate.mean,
        half_width: estimate.half_width(),
        distinction: section.distinction_of(row),
    })
}
