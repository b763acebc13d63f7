//! Pages made from records alone: a section for each item on the page of its paper, its picture, and `README.md`, which counts verdicts.

use std::collections::BTreeSet;

use anyhow::Result;
use comparison::files;
use comparison::number::{counted, significant};
use comparison::plot::Picture;
use comparison::statistics::Estimate;

use crate::cells::{Cell, Cells, words};
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
        let latest = job.tasks.iter().filter_map(|task| job.log.latest(task));
        let records: Vec<&Record> = latest.collect();
        let mut rows = Vec::new();
        for record in &records {
            if let Outcome::Rows(found) = &record.outcome {
                rows.extend(found.iter().map(|row| (record.task.seed, row)));
            }
        }
        let cells = Cells::new(rows);
        let mut panels = item.panels();
        for panel in cells.panels() {
            if panels.iter().all(|known| known != panel) {
                panels.push(panel.to_owned());
            }
        }
        let reference = |panel: &str, series: &str, x, metric: &str| {
            let reference = item.reference(panel, series, x, metric);
            reference.map(Reference::value)
        };
        let (mut judgements, metric) = (Vec::new(), item.main_metric());
        for claim in &item.claims {
            judgements.push(claim.judge(&cells, &panels, metric, &reference));
        }
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
    fn picture(&self) -> Option<Picture> {
        let is_table = self.cells.cells.iter().all(|cell| cell.x.is_none());
        let is_shown = !is_table || self.beside_paper().is_none();
        is_shown.then(|| chart::picture(self.item, &self.cells))?
    }

    /// Returns every mean with its metric, and the reference value if there is one.
    fn means(&self) -> Vec<(&Cell, &String, Estimate, Option<Reference>)> {
        let mut means = Vec::new();
        for metric in &self.item.metrics {
            for cell in &self.cells.cells {
                let (panel, series) = (&cell.panel, &cell.series);
                let paper = self.item.reference(panel, series, cell.x, metric);
                means.extend(cell.mean(metric).map(|mean| (cell, metric, mean, paper)));
            }
        }
        means
    }

    fn csv(&self) -> Result<String> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let header = "panel x line metric mean interval n paper paper_interval difference";
        csv.write_record(header.split(' '))?;
        for (cell, metric, mean, paper) in self.means() {
            let interval = match paper {
                Some(Reference::WithInterval([_, interval])) => Some(interval),
                _ => None,
            };
            let paper = paper.map(Reference::value);
            let ours = (mean.mean, mean.normal_half_width(), mean.n);
            let beside = (paper, interval, paper.map(|paper| mean.mean - paper));
            csv.serialize((&cell.panel, cell.x, &cell.series, metric, ours, beside))?;
        }
        Ok(String::from_utf8(csv.into_inner()?)?)
    }

    /// Returns the table of what has reference values, beside them.
    fn beside_paper(&self) -> Option<String> {
        let mut rows = Vec::new();
        for (cell, metric, mean, paper) in self.means() {
            let Some(paper) = paper else { continue };
            let difference = mean.mean - paper.value();
            let sign = if difference < 0.0 { '−' } else { '+' };
            let [ours, half, difference] = [mean.mean, mean.normal_half_width(), difference.abs()]
                .map(|one| significant(one, 4));
            let place = match (cell.panel.as_str(), cell.x) {
                (panel, None) => panel.to_owned(),
                ("", Some(x)) => x.to_string(),
                (panel, Some(x)) => format!("{panel}, {x}"),
            };
            let paper = match paper {
                Reference::Alone(value) => value.to_string(),
                Reference::WithInterval([value, interval]) => format!("{value} ± {interval}"),
            };
            let (series, metric, n) = (&cell.series, words(metric), mean.n);
            rows.push(format!("{place} | {series} | {metric} | {ours} ± {half} | {n} | {paper} | {sign}{difference}"));
        }
        let header = "where | line | what | ours | n | reference | ours − reference";
        (!rows.is_empty())
            .then(|| markdown(header, "---|---|---|---:|---:|---:|---:", &rows) + "\n")
    }

    /// Returns its section on the page of the paper.
    fn section(&self) -> String {
        let item = self.item;
        let (title, caption) = (&item.title, item.caption.trim());
        let mut text = format!("## {title}\n\n*{}.* {caption}\n\n", item.source);
        if self.picture().is_some() {
            text += &format!("![{title}]({}.svg)\n\n", item.address());
        }
        let mut claims = Vec::new();
        for (claim, Judgement { verdict, detail }) in item.claims.iter().zip(&self.judgements) {
            let is_reason = *detail == claim.sentence.replace("untestable: ", "");
            let rule = words(if is_reason { "–" } else { &claim.sentence });
            let text = claim.text.trim();
            claims.push(format!("{text} | {rule} | **{verdict}** | {detail}"));
        }
        let header = "claim | rule | verdict | what we see";
        text += &markdown(header, "---|---|---|---", &claims);
        text += "\n";
        if let Some(note) = &item.note {
            text += &format!("**Where we differ.** {}\n\n", note.trim());
        }
        for (panel, reason) in self.missing {
            text += &format!("**Missing: {panel}.** {}\n\n", reason.trim());
        }
        for record in &self.records {
            if let Outcome::Error(error) = &record.outcome {
                text += &format!("**A run failed:** {}: {error}\n\n", record.task);
            }
        }
        if let Some(beside) = self.beside_paper() {
            text += &format!("Beside the reference values:\n\n{beside}");
            for published in &item.published {
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
        let tasks = self.records.iter().map(|record| &record.task);
        let seeds: BTreeSet<u64> = tasks.map(|task| task.seed).collect();
        let seeds = counted(seeds.len(), "seed");
        let command = format!("cargo xtask-all reproduce {address} --scale {scale}");
        let mut text = format!("Made by `{command}`, {seeds}");
        if !self.item.algorithms.is_empty() {
            let trees = counted(self.item.size(scale).trees.get(), "tree");
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
            let mut scales = [first, other].into_iter();
            match scales.find(|page| !page.records.is_empty()) {
                Some(page) => text += &format!("\n{}", page.section()),
                None => without.push(first.item.address()),
            }
        }
        if !without.is_empty() {
            text += &format!("\nWithout records: {}.\n", without.join(", "));
        }
        papers.extend((without.len() < pages.len()).then(|| (paper.clone(), text)));
    }
    papers
}

/// Returns `README.md`, which counts the verdicts of two scales.
pub(crate) fn overview(scales: [(Scale, &[Page<'_>]); 2]) -> String {
    let [(scale, first), (other_scale, other)] = scales;
    let command = "cargo xtask-all reproduce";
    let mut text = format!("# What the papers claim, and what we measure\n\n{ABOUT}\n");
    text += &format!("```sh\n{command} --scale {scale}\n```\n\n");
    text += &summary(first, |paper| format!("[{paper}]({paper}.md)"));
    if other.iter().any(|page| !page.records.is_empty()) {
        text += &format!("\n## At {other_scale} scale\n\n{OTHER}\n```sh\n");
        text += &format!(
            "{command} --report-from FOLDER --scale {other_scale} --out {other_scale}\n```\n\n"
        );
        text += &summary(other, str::to_owned);
    }
    text
}

fn summary(pages: &[Page<'_>], name: impl Fn(&str) -> String) -> String {
    let mut shown: Vec<&Page<'_>> = pages.iter().collect();
    shown.retain(|page| !page.records.is_empty());
    let mut rows = Vec::new();
    let papers = shown.chunk_by(|one, next| one.item.paper == next.item.paper);
    let papers = papers.map(|pages| (name(&pages[0].item.paper), pages));
    for (paper, pages) in papers.chain([("all".to_owned(), &shown[..])]) {
        let verdicts: Vec<&Judgement> = pages.iter().flat_map(|page| &page.judgements).collect();
        let mut row = format!("{paper} | {}", verdicts.len());
        for verdict in VERDICTS {
            let count = verdicts.iter().filter(|one| one.verdict == verdict);
            row += &format!(" | {}", count.count());
        }
        rows.push(row);
    }
    let verdicts = VERDICTS.map(|verdict| verdict.to_string()).join(" | ");
    markdown(
        &format!("paper | claims | {verdicts}"),
        "---|---:|---:|---:|---:|---:",
        &rows,
    )
}
