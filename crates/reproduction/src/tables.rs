//! The results of an item as CSV, Markdown and LaTeX.

use std::fmt::Write as _;

use anyhow::Result;

use crate::item::{Item, Number, Published};
use crate::metric::{decimals, number};
use crate::results::{Cell, Mean, Results};

/// A table with a row for each panel and `x`, and a column for each line.
struct Wide<'a> {
    metric: &'a str,
    series: Vec<&'a str>,
    rows: Vec<(String, Vec<Option<Mean>>)>,
}

impl Item {
    /// The paper's number for a place.
    pub fn published(&self, cell: &Cell, metric: &str) -> Option<Number> {
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

    /// Whether each record is a place of a picture, so that a table would be of no use.
    fn is_a_picture(&self) -> bool {
        use super::item::ChartKind;
        self.chart.kind != ChartKind::Means
    }
}

/// Every mean, beside the paper's value where it has one.
pub fn csv(item: &Item, results: &Results) -> Result<String> {
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
    for cell in &results.cells {
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
                own(mean.normal_interval()),
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
    fn new(results: &'a Results, metric: &'a str) -> Self {
        let measured = |series: &&str| {
            let mut cells = results.cells.iter().filter(|cell| cell.series == *series);
            cells.any(|cell| cell.mean(metric).is_some())
        };
        let series: Vec<&str> = results.series().into_iter().filter(measured).collect();
        let mut rows = Vec::new();
        for panel in results.panels() {
            let xs = results.xs(panel).into_iter().map(Some);
            for x in xs.chain([None]) {
                let mean = |series: &&str| results.cell(panel, series, x)?.mean(metric);
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

    /// How many values each mean is of, if all are of as many.
    fn n(&self) -> Option<usize> {
        let mut ns = self
            .rows
            .iter()
            .flat_map(|(_, means)| means.iter().flatten());
        let first = ns.next()?.n;
        ns.all(|mean| mean.n == first).then_some(first)
    }

    fn cell(&self, mean: Option<Mean>, plus_minus: &str) -> String {
        let Some(mean) = mean else {
            return "–".to_owned();
        };
        let mut text = number(mean.mean);
        if mean.n > 1 {
            let (interval, decimals) = (mean.normal_interval(), decimals(mean.mean));
            let _ = write!(text, " {plus_minus} {interval:.decimals$}");
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
        format!("{}: {n}", self.metric.replace('_', " "))
    }
}

fn place(panel: &str, x: Option<f64>) -> String {
    match (panel, x) {
        (panel, None) => panel.to_owned(),
        ("", Some(x)) => x.to_string(),
        (panel, Some(x)) => format!("{panel}, {x}"),
    }
}

/// A table for each metric.
pub fn markdown(item: &Item, results: &Results) -> String {
    let mut text = String::new();
    for metric in item.metrics.iter().filter(|_| !item.is_a_picture()) {
        let wide = Wide::new(results, metric);
        if wide.rows.is_empty() {
            continue;
        }
        let header: Vec<&str> = [item.chart.x.as_str()]
            .into_iter()
            .chain(wide.series.clone())
            .collect();
        let _ = writeln!(text, "{}\n\n| {} |", wide.caption(), header.join(" | "));
        let _ = writeln!(text, "|---|{}", "---:|".repeat(wide.series.len()));
        for (place, means) in &wide.rows {
            let cells: Vec<String> = means.iter().map(|mean| wide.cell(*mean, "±")).collect();
            let _ = writeln!(text, "| {place} | {} |", cells.join(" | "));
        }
        text.push('\n');
    }
    text
}

/// Our means beside the paper's numbers; empty if it has none.
pub fn beside_paper(item: &Item, results: &Results) -> String {
    let mut rows = String::new();
    for metric in &item.metrics {
        for cell in &results.cells {
            let (Some(mean), Some(paper)) = (cell.mean(metric), item.published(cell, metric))
            else {
                continue;
            };
            let published = match paper {
                Number::Alone(value) => value.to_string(),
                Number::WithInterval([value, interval]) => format!("{value} ± {interval}"),
            };
            let _ = writeln!(
                rows,
                "| {} | {} | {} | {} ± {} | {} | {published} | {} |",
                place(&cell.panel, cell.x),
                cell.series,
                metric.replace('_', " "),
                number(mean.mean),
                number(mean.normal_interval()),
                mean.n,
                signed(mean.mean - paper.value()),
            );
        }
    }
    match rows.is_empty() {
        true => rows,
        false => format!("{BESIDE}{rows}\n"),
    }
}

const BESIDE: &str = "| where | line | what | ours | n | paper | ours − paper |\n|---|---|---|---:|---:|---:|---:|\n";

fn signed(difference: f64) -> String {
    match difference < 0.0 {
        true => format!("−{}", number(-difference)),
        false => format!("+{}", number(difference)),
    }
}

/// A `tabular` for each metric, for `\input`.
pub fn latex(item: &Item, results: &Results) -> String {
    let mut text = String::new();
    for metric in item.metrics.iter().filter(|_| !item.is_a_picture()) {
        let wide = Wide::new(results, metric);
        let columns = "r".repeat(wide.series.len());
        let header: Vec<String> = wide.series.iter().map(|name| escape(name)).collect();
        let _ = writeln!(text, "% {}; needs \\usepackage{{booktabs}}", wide.caption());
        let _ = writeln!(
            text,
            "\\begin{{tabular}}{{l{columns}}}\n\\toprule\n& {} \\\\\n\\midrule",
            header.join(" & ")
        );
        for (place, means) in &wide.rows {
            let cells = means.iter().map(|mean| wide.cell(*mean, "\\pm"));
            let cells: Vec<String> = cells
                .map(|cell| format!("${}$", cell.replace('–', "-")))
                .collect();
            let _ = writeln!(text, "{} & {} \\\\", escape(place), cells.join(" & "));
        }
        text.push_str("\\bottomrule\n\\end{tabular}\n");
    }
    text
}

fn escape(text: &str) -> String {
    let special = |c: char| match c {
        '%' | '&' | '_' | '#' | '$' | '{' | '}' => format!("\\{c}"),
        '∞' => "$\\infty$".to_owned(),
        'τ' => "$\\tau$".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(special).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_text_has_no_special_characters() {
        assert_eq!(escape("k = ∞, 10 %_a"), "k = $\\infty$, 10 \\%\\_a");
    }
}
