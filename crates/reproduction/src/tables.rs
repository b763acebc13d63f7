//! Writes the results of an item as CSV, Markdown and LaTeX.

use std::fmt::Write as _;

use anyhow::Result;
use comparison::number::{decimals, significant};
use comparison::report::{self, Mark, Table, TableRow};
use comparison::statistics::Estimate;

use crate::cells::{Cell, Cells};
use crate::item::{Item, Number, Published};
use crate::metric;

/// A table with a row for each panel and `x`, and a column for each line.
struct Wide<'a> {
    metric: &'a str,
    series: Vec<&'a str>,
    rows: Vec<(String, Vec<Option<Estimate>>)>,
}

impl Item {
    /// Returns the published number for a place.
    pub(crate) fn published(&self, cell: &Cell, metric: &str) -> Option<Number> {
        let fits = |published: &&Published| {
            let panel = published
                .on
                .as_ref()
                .is_none_or(|panel| *panel == cell.panel);
            let own = published.metric.as_deref().unwrap_or(self.main_metric());
            panel && own == metric && (published.x.is_none() || published.x == cell.x)
        };
        let mut fitting = self.published.iter().filter(fits);
        fitting.find_map(|published| published.values.get(&cell.series).copied())
    }
}

/// Returns every mean, beside the published value where there is one.
pub(crate) fn csv(item: &Item, cells: &Cells) -> Result<String> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record([
        "panel",
        "x",
        "line",
        "metric",
        "mean",
        "interval",
        "n",
        "paper",
        "paper_interval",
        "difference",
    ])?;
    for cell in &cells.cells {
        for metric in &item.metrics {
            let Some(mean) = cell.mean(metric) else {
                continue;
            };
            let paper = item.published(cell, metric);
            let own = |number: f64| number.to_string();
            let paper_interval = match paper {
                Some(Number::WithInterval([_, interval])) => own(interval),
                _ => String::new(),
            };
            csv.write_record([
                cell.panel.clone(),
                cell.x.map(own).unwrap_or_default(),
                cell.series.clone(),
                metric.clone(),
                own(mean.mean),
                own(mean.normal_half_width()),
                mean.n.to_string(),
                paper.map(|paper| own(paper.value())).unwrap_or_default(),
                paper_interval,
                paper
                    .map(|paper| own(mean.mean - paper.value()))
                    .unwrap_or_default(),
            ])?;
        }
    }
    Ok(String::from_utf8(csv.into_inner()?)?)
}

impl<'a> Wide<'a> {
    fn new(cells: &'a Cells, metric: &'a str) -> Self {
        let measured = |series: &&str| {
            let mut cells = cells.cells.iter().filter(|cell| cell.series == *series);
            cells.any(|cell| cell.mean(metric).is_some())
        };
        let series: Vec<&str> = cells.series().into_iter().filter(measured).collect();
        let mut rows = Vec::new();
        for panel in cells.panels() {
            let xs = cells.xs(panel).into_iter().map(Some);
            for x in xs.chain([None]) {
                let mean = |series: &&str| cells.cell(panel, series, x)?.mean(metric);
                let means: Vec<_> = series.iter().map(mean).collect();
                if means.iter().any(Option::is_some) {
                    rows.push((place(panel, x), means));
                }
            }
        }
        Self {
            metric,
            series,
            rows,
        }
    }

    /// Returns the number of values behind each mean, if it is the same for all.
    fn n(&self) -> Option<usize> {
        let mut ns = self
            .rows
            .iter()
            .flat_map(|(_, means)| means.iter().flatten());
        let first = ns.next()?.n;
        ns.all(|mean| mean.n == first).then_some(first)
    }

    fn cell(&self, mean: Option<Estimate>) -> String {
        let Some(mean) = mean else {
            return "–".to_owned();
        };
        let mut text = number(mean.mean);
        if mean.n > 1 {
            let (interval, decimals) = (mean.normal_half_width(), decimals(mean.mean, DIGITS));
            let _ = write!(text, " ± {interval:.decimals$}");
        }
        if self.n().is_none() {
            let _ = write!(text, " ({})", mean.n);
        }
        text
    }

    fn caption(&self) -> String {
        let n = match self.n() {
            Some(1) => "one run".to_owned(),
            Some(n) => format!("mean ± 1.96 standard errors, n = {n}"),
            None => "mean ± 1.96 standard errors (n)".to_owned(),
        };
        format!("{}: {n}", metric::words(self.metric))
    }
}

fn place(panel: &str, x: Option<f64>) -> String {
    match (panel, x) {
        (panel, None) => panel.to_owned(),
        ("", Some(x)) => x.to_string(),
        (panel, Some(x)) => format!("{panel}, {x}"),
    }
}

/// Returns our means beside the reference values; `None` if the item does not have any.
pub(crate) fn beside_paper(item: &Item, cells: &Cells) -> Option<String> {
    let mut rows = Vec::new();
    for metric in &item.metrics {
        for cell in &cells.cells {
            if let (Some(mean), Some(paper)) = (cell.mean(metric), item.published(cell, metric)) {
                rows.push(beside(cell, metric, mean, paper));
            }
        }
    }
    let head = "| where | line | what | ours | n | reference | ours − reference |\n|---|---|---|---:|---:|---:|---:|\n";
    let table = [head, &rows.concat(), "\n"].concat();
    (!rows.is_empty()).then_some(table)
}

fn beside(cell: &Cell, metric: &str, mean: Estimate, paper: Number) -> String {
    let published = match paper {
        Number::Alone(value) => value.to_string(),
        Number::WithInterval([value, interval]) => format!("{value} ± {interval}"),
    };
    format!(
        "| {} | {} | {} | {} ± {} | {} | {published} | {} |\n",
        place(&cell.panel, cell.x),
        cell.series,
        metric::words(metric),
        number(mean.mean),
        number(mean.normal_half_width()),
        mean.n,
        signed(mean.mean - paper.value()),
    )
}

/// Significant digits.
const DIGITS: i32 = 4;

fn number(value: f64) -> String {
    significant(value, DIGITS)
}

fn signed(difference: f64) -> String {
    let sign = if difference < 0.0 { '−' } else { '+' };
    format!("{sign}{}", number(difference.abs()))
}

/// Returns a `tabular` for each metric, for `\input`; they need the package `booktabs`.
pub(crate) fn latex(item: &Item, cells: &Cells) -> String {
    let mut text = String::new();
    for metric in &item.metrics {
        let wide = Wide::new(cells, metric);
        let names = wide.series.iter().map(|name| report::Cell::from(*name));
        let mut table = Table {
            title: wide.caption(),
            header: ["".into()].into_iter().chain(names).collect(),
            ..Table::default()
        };
        for (place, means) in &wide.rows {
            let means = means.iter().map(|mean| wide.cell(*mean).into());
            table.rows.push(TableRow {
                mark: Mark::Plain,
                cells: [place.into()].into_iter().chain(means).collect(),
            });
        }
        text += &table.latex();
    }
    text
}
