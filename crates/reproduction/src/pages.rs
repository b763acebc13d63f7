//! Pages made from records alone: a section for each item on the page of its paper, its picture, and `README.md`, which counts verdicts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Result;
use comparison::files;
use comparison::number::{counted, significant};
use comparison::plot::Picture as _;
use comparison::plot::titled::TitledCharts;

use crate::cells::{Cells, words};
use crate::claim::{Judgement, Verdict};
use crate::item::{Item, Reference};
use crate::runs::{Job, Log, OF_PAGES, Outcome, Record, Scale};
use crate::{Request, chart};

const ABOUT: &str = "\
Every table and figure of the papers that we can run, with what the papers claim about it, and experiments of our own. Verdicts are
computed from the records by the rule beside each claim. *Better*, *at least* and *at most* are decided by the 95 % interval over
seeds (Student's t), of the paired difference or of the mean; a place whose interval lies on both sides is *undecided*. A claim *holds* if its
rule holds at every place it is about, *holds in part* if at some, *does not hold* if at none, and *cannot be tested here* if there are no
records. The rules are in `xtask/experiments`.
";

const OTHER: &str = "\
Its pages are made from the records beside these pages (FOLDER is the folder of this file) without running anything; `--csv` also writes
the numbers of each item as CSV:
";

const VERDICTS: [Verdict; 4] = [
    Verdict::Holds,
    Verdict::InPart,
    Verdict::DoesNotHold,
    Verdict::Untested,
];

/// Significant digits of numbers.
const DIGITS: i32 = 4;

/// An item with what came of it at a scale.
pub(crate) struct Page<'a> {
    pub item: &'a Item,
    scale: Scale,
    missing: &'a [(String, String)],
    records: Vec<&'a Record>,
    cells: Cells,
    judgements: Vec<Judgement>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(item: &'a Item, scale: Scale, job: &'a Job) -> Self {
        let records: Vec<&Record> = job
            .tasks
            .iter()
            .filter_map(|task| job.log.latest(task))
            .collect();
        let cells = Cells::new(records.iter().flat_map(|record| match &record.outcome {
            Outcome::Rows(rows) => rows.iter().map(|row| (record.task.seed, row)).collect(),
            Outcome::Error(_) => Vec::new(),
        }));
        let mut panels = item.panels();
        for panel in cells.panels() {
            if panels.iter().all(|known| known != panel) {
                panels.push(panel.to_owned());
            }
        }
        let reference = |panel: &str, series: &str, x, metric: &str| {
            item.reference(panel, series, x, metric)
                .map(Reference::value)
        };
        let judge = |claim: &crate::claim::Claim| {
            claim.judge(&cells, &panels, item.main_metric(), &reference)
        };
        let judgements = item.claims.iter().map(judge).collect();
        Self {
            item,
            scale,
            missing: &job.missing,
            records,
            cells,
            judgements,
        }
    }

    /// Writes the records, the picture, and what else is asked for.
    pub(crate) fn write(&self, request: &Request) -> Result<()> {
        let folder = request.pages.join(&self.item.paper);
        files::make_folder(&folder)?;
        Log::write_of_page(&request.pages, self.item, self.scale, &self.records)?;
        let mut texts = Vec::new();
        if request.csv && !self.cells.cells.is_empty() {
            texts.push(("csv", self.csv()?));
        }
        texts.extend(self.picture().map(|picture| ("svg", picture.svg())));
        for (ending, text) in texts {
            let path = folder.join(format!("{}.{ending}", self.item.name));
            files::write_atomically(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// Returns its charts; a table beside that of the paper says what they would.
    fn picture(&self) -> Option<TitledCharts> {
        let is_table = self.cells.cells.iter().all(|cell| cell.x.is_none());
        if self.cells.cells.is_empty() || (is_table && self.beside_paper().is_some()) {
            return None;
        }
        chart::picture(self.item, &self.cells)
    }

    fn csv(&self) -> Result<String> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let header = "panel x line metric mean interval n paper paper_interval difference";
        csv.write_record(header.split(' '))?;
        for cell in &self.cells.cells {
            for metric in &self.item.metrics {
                let Some(mean) = cell.mean(metric) else {
                    continue;
                };
                let paper = self
                    .item
                    .reference(&cell.panel, &cell.series, cell.x, metric);
                let interval = match paper {
                    Some(Reference::WithInterval([_, interval])) => Some(interval),
                    _ => None,
                };
                let paper = paper.map(Reference::value);
                let number =
                    |number: Option<f64>| number.map_or_else(String::new, |n| n.to_string());
                csv.write_record([
                    cell.panel.clone(),
                    number(cell.x),
                    cell.series.clone(),
                    metric.clone(),
                    number(Some(mean.mean)),
                    number(Some(mean.normal_half_width())),
                    mean.n.to_string(),
                    number(paper),
                    number(interval),
                    number(paper.map(|paper| mean.mean - paper)),
                ])?;
            }
        }
        Ok(String::from_utf8(csv.into_inner()?)?)
    }

    /// Returns the table of what has reference values, beside them.
    fn beside_paper(&self) -> Option<String> {
        let mut rows = Vec::new();
        for metric in &self.item.metrics {
            for cell in &self.cells.cells {
                let reference = self
                    .item
                    .reference(&cell.panel, &cell.series, cell.x, metric);
                let (Some(mean), Some(paper)) = (cell.mean(metric), reference) else {
                    continue;
                };
                let difference = mean.mean - paper.value();
                let sign = if difference < 0.0 { '−' } else { '+' };
                rows.push(vec![
                    place(&cell.panel, cell.x),
                    cell.series.clone(),
                    words(metric),
                    format!(
                        "{} ± {}",
                        significant(mean.mean, DIGITS),
                        significant(mean.normal_half_width(), DIGITS)
                    ),
                    mean.n.to_string(),
                    match paper {
                        Reference::Alone(value) => value.to_string(),
                        Reference::WithInterval([value, interval]) => {
                            format!("{value} ± {interval}")
                        }
                    },
                    format!("{sign}{}", significant(difference.abs(), DIGITS)),
                ]);
            }
        }
        let header = [
            "where",
            "line",
            "what",
            "ours",
            "n",
            "reference",
            "ours − reference",
        ];
        (!rows.is_empty())
            .then(|| markdown(&header, "|---|---|---|---:|---:|---:|---:|", rows) + "\n")
    }

    /// Returns its section on the page of the paper.
    fn section(&self) -> String {
        let Item {
            title,
            source,
            caption,
            paper,
            name,
            ..
        } = self.item;
        let mut text = format!("## {title}\n\n*{source}.* {}\n\n", caption.trim());
        if self.picture().is_some() {
            let _ = writeln!(text, "![{title}]({paper}/{name}.svg)\n");
        }
        let mut claims = Vec::new();
        for (claim, Judgement { verdict, detail }) in self.item.claims.iter().zip(&self.judgements)
        {
            let rule = if *detail == claim.sentence.replace("untestable: ", "") {
                "–"
            } else {
                &claim.sentence
            };
            let text = claim.text.trim().to_owned();
            claims.push(vec![
                text,
                words(rule),
                format!("**{verdict}**"),
                detail.clone(),
            ]);
        }
        text += &markdown(
            &["claim", "rule", "verdict", "what we see"],
            "|---|---|---|---|",
            claims,
        );
        text += "\n";
        if let Some(note) = &self.item.note {
            let _ = writeln!(text, "**Where we differ.** {}\n", note.trim());
        }
        for (panel, reason) in self.missing {
            let _ = writeln!(text, "**Missing: {panel}.** {}\n", reason.trim());
        }
        for record in &self.records {
            if let Outcome::Error(error) = &record.outcome {
                let _ = writeln!(text, "**A run failed:** {}: {error}\n", record.task);
            }
        }
        if let Some(beside) = self.beside_paper() {
            let _ = write!(text, "Beside the reference values:\n\n{beside}");
            for published in &self.item.published {
                let line = format!("- reference values: {}\n", published.source.trim());
                if !text.contains(&line) {
                    text.push_str(&line);
                }
            }
            text.push('\n');
        }
        text + &self.origin()
    }

    fn origin(&self) -> String {
        let (address, scale) = (self.item.address(), self.scale);
        let seeds: BTreeSet<u64> = self.records.iter().map(|record| record.task.seed).collect();
        let seeds = counted(seeds.len(), "seed");
        let mut text =
            format!("Made by `cargo xtask-all reproduce {address} --scale {scale}`, {seeds}");
        if !self.item.algorithms.is_empty() {
            let trees = counted(self.item.size(scale).trees.get(), "tree");
            let _ = write!(text, "; {trees} unless a line says otherwise");
        }
        text.push('.');
        let hosts: BTreeSet<_> = self.records.iter().map(|record| &record.host).collect();
        for host in hosts {
            let _ = write!(text, " Revision {}, {}.", host.revision, host.cpu);
        }
        text + "\n"
    }
}

fn place(panel: &str, x: Option<f64>) -> String {
    match (panel, x) {
        (panel, None) => panel.to_owned(),
        ("", Some(x)) => x.to_string(),
        (panel, Some(x)) => format!("{panel}, {x}"),
    }
}

/// Returns a table of Markdown, whose cells may have marks.
fn markdown(header: &[&str], rule: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n{rule}\n", header.join(" | "));
    rows.into_iter()
        .for_each(|row| text += &format!("| {} |\n", row.join(" | ")));
    text
}

/// Returns the page of each paper that has records: each item at the first of two scales that has records.
pub(crate) fn papers([first, other]: &[Vec<Page<'_>>; 2]) -> Vec<(String, String)> {
    let mut papers = Vec::new();
    let both: Vec<_> = first.iter().zip(other).collect();
    for pages in both.chunk_by(|one, next| one.0.item.paper == next.0.item.paper) {
        let paper = &pages[0].0.item.paper;
        let mut text = format!(
            "# {paper}: what is claimed, and what we measure\n\nHow to read this page: [results](README.md). \
             Every run is a line of [the records]({paper}/{OF_PAGES}).\n"
        );
        let mut without = Vec::new();
        for (first, other) in pages {
            match [first, other]
                .into_iter()
                .find(|page| !page.records.is_empty())
            {
                Some(page) => text += &format!("\n{}", page.section()),
                None => without.push(first.item.address()),
            }
        }
        if without.len() == pages.len() {
            continue;
        }
        if !without.is_empty() {
            let _ = writeln!(text, "\nWithout records: {}.", without.join(", "));
        }
        papers.push((paper.clone(), text));
    }
    papers
}

/// Returns `README.md`, which counts the verdicts of both scales.
pub(crate) fn overview(
    [(scale, first), (other_scale, other)]: [(Scale, &[Page<'_>]); 2],
) -> String {
    let mut text = format!(
        "# What the papers claim, and what we measure\n\n{ABOUT}\n```sh\ncargo xtask-all reproduce --scale {scale}\n```\n\n"
    );
    text += &summary(first, |paper| format!("[{paper}]({paper}.md)"));
    if other.iter().any(|page| !page.records.is_empty()) {
        let _ = writeln!(text, "\n## At {other_scale} scale\n\n{OTHER}\n```sh");
        let command = "cargo xtask-all reproduce --report-from FOLDER --scale";
        let _ = write!(text, "{command} {other_scale} --out {other_scale}\n```\n\n");
        text += &summary(other, str::to_owned);
    }
    text
}

fn summary(pages: &[Page<'_>], name: impl Fn(&str) -> String) -> String {
    let shown: Vec<&Page<'_>> = pages
        .iter()
        .filter(|page| !page.records.is_empty())
        .collect();
    let counts = |name: String, pages: &[&Page<'_>]| {
        let verdicts: Vec<Verdict> = pages
            .iter()
            .flat_map(|page| &page.judgements)
            .map(|one| one.verdict)
            .collect();
        let of = |wanted| {
            verdicts
                .iter()
                .filter(|verdict| **verdict == wanted)
                .count()
        };
        let counts = [verdicts.len()].into_iter().chain(VERDICTS.map(of));
        [name]
            .into_iter()
            .chain(counts.map(|count| count.to_string()))
            .collect()
    };
    let papers = shown.chunk_by(|one, next| one.item.paper == next.item.paper);
    let rows = papers.map(|pages| counts(name(&pages[0].item.paper), pages));
    let rows: Vec<Vec<String>> = rows.chain([counts("all".to_owned(), &shown)]).collect();
    let verdicts = VERDICTS.map(|verdict| verdict.to_string());
    let header: Vec<&str> = ["paper", "claims"]
        .into_iter()
        .chain(verdicts.iter().map(String::as_str))
        .collect();
    markdown(&header, "|---|---:|---:|---:|---:|---:|", rows)
}
