//! Pages made from records alone: a section and a picture for each item, and `README.md`, which counts verdicts.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use comparison::number::{counted, significant};
use comparison::plot::{Axis, AxisScale, Chart, Kind, Picture, Series, Stroke};
use comparison::{files, write_packed};

use crate::reproduce::claim::VERDICTS;
use crate::reproduce::item::{ChartSpec, Item};
use crate::reproduce::record::{PACKED, Record, Scale};
use crate::reproduce::results::{Results, axis, words};

const ABOUT: &str = "\
Every table and figure of the papers that we can run, with what the papers claim about it, and experiments of our own.
Verdicts are computed from the records by the rule beside each claim. *Better*, *at least* and *at most* are decided by
the 95 % interval over seeds (Student's t), of the paired difference or of the mean; a place whose interval lies on both
sides is *undecided*. A claim *holds* if its rule holds at every place it is about, *holds in part* if at some, *does
not hold* if at none, and *cannot be tested here* if there are no records. The rules are in `xtask/experiments`.
";

const COMMAND: &str = "cargo xtask-all reproduce";

/// An item with what came of it at a scale.
pub(crate) struct Page<'a> {
    pub item: &'a Item,
    pub scale: Scale,
    pub records: Vec<&'a Record>,
    results: Results<'a>,
    /// Verdicts on its claims, and the numbers or places behind them.
    judgements: Vec<(&'static str, String)>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(item: &'a Item, scale: Scale, records: Vec<&'a Record>) -> Result<Self> {
        let results = Results::new(&records);
        let judgements = item.judge(&results)?;
        Ok(Self {
            item,
            scale,
            records,
            results,
            judgements,
        })
    }

    /// Returns its charts, for each metric and panel; `None` where the table beside the paper has the same numbers.
    pub(crate) fn picture(&self) -> Option<Picture> {
        let is_table = self.results.places().iter().all(|place| place.2.is_none());
        if is_table && self.beside_paper().is_some() {
            return None;
        }
        let metrics = &self.item.metrics;
        let mut charts = Vec::new();
        for (number, metric) in metrics.iter().enumerate() {
            for panel in self.results.panels() {
                let title = match (panel, metrics.len()) {
                    ("", _) => words(metric),
                    (panel, 1) => panel.to_owned(),
                    (panel, _) => format!("{panel}: {}", words(metric)),
                };
                let name = self.item.chart.y.get(number);
                let name = name.filter(|name| !name.is_empty());
                let name = name.cloned().unwrap_or_else(|| axis(metric));
                let chart = self.chart(panel, metric, &name);
                charts.extend(chart.map(|chart| chart.picture().under(&title)));
            }
        }
        Picture::grid(&charts, 2)
    }

    /// Draws lines by x, or the intervals of means.
    fn chart(&self, panel: &str, metric: &str, name: &str) -> Option<Chart> {
        let xs = self.results.xs(panel);
        let mut places: Vec<_> = xs.iter().copied().map(Some).collect();
        places.extend(xs.is_empty().then_some(None));
        let mut series = Vec::new();
        let mut labels = Vec::new();
        let (mut across, mut up) = (Vec::new(), Vec::new());
        for (number, label) in self.results.lines().into_iter().enumerate() {
            let row = labels.len();
            let mut points = Vec::new();
            for x in &places {
                let Some(mean) = self.results.mean((panel, label, *x), metric) else {
                    continue;
                };
                let half = mean.normal_half_width();
                let [low, mean, high] = [-half, 0.0, half].map(|by| mean.mean + by);
                match x {
                    Some(x) => points.push((*x, mean)),
                    None => points.extend([low, mean, high].map(|value| (value, row as f64))),
                }
                across.extend(*x);
                up.extend([low, high]);
            }
            if !points.is_empty() {
                let (stroke, kind) = if xs.is_empty() {
                    (Stroke::of(row), Kind::Interval)
                } else {
                    (Stroke::of(number), Kind::MarkedLine)
                };
                series.push(Series::new(label, stroke, kind, points));
                labels.push(label.to_owned());
            }
        }
        if series.is_empty() {
            return None;
        }
        let ChartSpec { x, log, .. } = &self.item.chart;
        let axis = |axis: &str, name: &str, values| {
            let mut scale = AxisScale::Linear;
            if log.iter().any(|log| log == axis) {
                scale = AxisScale::Log;
            }
            Axis::spanning(name, scale, values)
        };
        if xs.is_empty() {
            let x = axis("x", name, up);
            return Some(Chart::by_row(x, labels, series, String::new()));
        }
        let x = axis("x", x, across);
        let y = axis("y", name, up);
        Some(Chart::new(x, y, series, String::new()))
    }

    /// Returns the table of what has reference values, beside them.
    fn beside_paper(&self) -> Option<String> {
        let mut rows = Vec::new();
        for metric in &self.item.metrics {
            for place @ (panel, line, x) in self.results.places() {
                let mean = self.results.mean(place, metric);
                let reference = self.item.reference(panel, line, metric);
                if let (Some(mean), Some(values)) = (mean, reference) {
                    let by = mean.mean - values[0];
                    let sign = if by < 0.0 { '−' } else { '+' };
                    let numbers = [mean.mean, mean.normal_half_width(), by.abs()];
                    let [ours, half, by] = numbers.map(|number| significant(number, 4));
                    let values: Vec<_> = values.iter().map(f64::to_string).collect();
                    let place = x.map_or(panel.to_owned(), |x| format!("{panel}, {x}"));
                    rows.push(format!(
                        "{place} | {line} | {} | {ours} ± {half} | {} | {} | {sign}{by}",
                        words(metric),
                        mean.n,
                        values.join(" ± ")
                    ));
                }
            }
        }
        let header = "where | line | what | ours | n | reference | ours − reference";
        let rule = "---|---|---|---:|---:|---:|---:";
        (!rows.is_empty()).then(|| markdown(header, rule, &rows))
    }

    fn section(&self) -> String {
        let item = self.item;
        let title = &item.title;
        let caption = item.caption.trim();
        let mut text = format!("## {title}\n\n*{}.* {caption}\n\n", item.source);
        if self.picture().is_some() {
            text += &format!("![{title}]({}.svg)\n\n", item.address);
        }
        let mut rows = Vec::new();
        for ([claim, sentence], (verdict, detail)) in item.claims.iter().zip(&self.judgements) {
            let is_tested = !sentence.starts_with("untestable: ");
            let rule = words(if is_tested { sentence } else { "–" });
            rows.push(format!("{claim} | {rule} | **{verdict}** | {detail}"));
        }
        let header = "claim | rule | verdict | what we see";
        text += &(markdown(header, "---|---|---|---", &rows) + "\n");
        if let Some(note) = &item.note {
            text += &format!("**Where we differ.** {}\n\n", note.trim());
        }
        let failure = |record: &&'a Record| Some((&record.run, record.error.as_ref()?));
        let failed: Vec<_> = self.records.iter().filter_map(failure).collect();
        if let [(run, error), ..] = failed[..] {
            let runs = counted(failed.len(), "run");
            text += &format!("**{runs} failed**, the first was {run}: {error}\n\n");
        }
        if let Some(beside) = self.beside_paper() {
            text += &format!("Beside the reference values:\n\n{beside}\n");
            for published in &item.published {
                let line = format!("- reference values: {}\n", published.source.trim());
                if !text.contains(&line) {
                    text.push_str(&line);
                }
            }
            text.push('\n');
        }
        let address = &item.address;
        let scale = self.scale;
        let seeds: BTreeSet<u64> = self.records.iter().map(|record| record.run.seed).collect();
        let seeds = counted(seeds.len(), "seed");
        text += &format!("Made by `{COMMAND} {address} --scale {scale}`, {seeds}");
        if !item.algorithms.is_empty() {
            let trees = counted(item.size(scale).trees.unwrap_or(1) as usize, "tree");
            text += &format!("; {trees} unless a line says otherwise");
        }
        text.push('.');
        let hosts = self.records.iter().map(|record| &record.host);
        for host in hosts.collect::<BTreeSet<_>>() {
            text += &format!(" Revision {}, {}.", host.revision, host.cpu);
        }
        text + "\n"
    }
}

/// Returns a table of Markdown, whose cells may have marks.
fn markdown(header: &str, rule: &str, rows: &[String]) -> String {
    let mut text = format!("| {header} |\n|{rule}|\n");
    rows.iter().for_each(|row| text += &format!("| {row} |\n"));
    text
}

/// Writes the page of a paper, its pictures and its records: items that have records, preferably at this scale.
pub(crate) fn write_paper(
    items: &[Item],
    pages: &[Page<'_>],
    out: &Path,
    scale: Scale,
) -> Result<()> {
    let name = items[0].paper();
    let own = pages.iter().filter(|page| page.item.paper() == name);
    let records: Vec<_> = own.flat_map(|page| &page.records).collect();
    if records.is_empty() {
        return Ok(());
    }
    files::make_folder(&out.join(name))?;
    write_packed(&out.join(name).join(PACKED), records)?;
    let mut text = format!(
        "# {name}: what is claimed, and what we measure\n\nHow to read this page: [results](README.md). \
         Every run is a line of [the records]({name}/{PACKED}).\n"
    );
    let mut without = Vec::new();
    for item in items {
        let own = pages.iter().filter(|it| it.item.address == item.address);
        let Some(page) = own.min_by_key(|page| page.scale != scale) else {
            without.push(&item.address[..]);
            continue;
        };
        text += &format!("\n{}", page.section());
        if let Some(picture) = page.picture() {
            let path = out.join(format!("{}.svg", item.address));
            files::write_atomically(&path, picture.svg().as_bytes())?;
        }
    }
    if !without.is_empty() {
        text += &format!("\nWithout records: {}.\n", without.join(", "));
    }
    let path = out.join(format!("{name}.md"));
    Ok(files::write_atomically(&path, text.as_bytes())?)
}

/// Returns `README.md`, which counts the verdicts at a scale, and at the other.
pub(crate) fn overview(pages: &[Page<'_>], scale: Scale) -> String {
    let mut text = format!(
        "# What the papers claim, and what we measure\n\n{ABOUT}\n```sh\n{COMMAND} --scale {scale}\n```\n\n"
    );
    let (first, other): (Vec<_>, Vec<_>) = pages.iter().partition(|page| page.scale == scale);
    text += &summary(&first, |paper| format!("[{paper}]({paper}.md)"));
    if let Some(Page { scale, .. }) = other.first() {
        text += &format!(
            "\n## At {scale} scale\n\nIts pages are made from the records beside these pages (FOLDER is the folder of \
             this file) without running anything:\n\n\
             ```sh\n{COMMAND} --report-from FOLDER --scale {scale} --out {scale}\n```\n\n"
        );
        text += &summary(&other, str::to_owned);
    }
    text
}

fn summary(pages: &[&Page<'_>], name: fn(&str) -> String) -> String {
    let mut rows = Vec::new();
    let papers = pages.chunk_by(|one, next| one.item.paper() == next.item.paper());
    let papers = papers.map(|pages| (name(pages[0].item.paper()), pages));
    for (name, pages) in papers.chain([("all".to_owned(), pages)]) {
        let verdicts = pages.iter().flat_map(|page| &page.judgements);
        let mut row = format!("{name} | {}", verdicts.clone().count());
        for verdict in VERDICTS {
            let count = verdicts.clone().filter(|one| one.0 == verdict).count();
            row += &format!(" | {count}");
        }
        rows.push(row);
    }
    let header = format!("paper | claims | {}", VERDICTS.join(" | "));
    markdown(&header, "---|---:|---:|---:|---:|---:", &rows)
}
