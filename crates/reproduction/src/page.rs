//! Writes the section of an item on the page of its paper, and its picture, from its records alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Result;
use comparison::plot::Picture as _;
use comparison::plot::titled::TitledCharts;
use comparison::{files, markdown, number};

use crate::cells::Cells;
use crate::claim::Judgement;
use crate::execute::Job;
use crate::item::{Item, Number};
use crate::log::Log;
use crate::record::{Outcome, Record, Scale};
use crate::{Request, chart, metric, tables};

/// An item with its records and verdicts.
pub(crate) struct Page<'a> {
    item: &'a Item,
    scale: Scale,
    missing: &'a [(String, String)],
    /// The records of the plan, in its order.
    records: Vec<&'a Record>,
    cells: Cells,
    /// A judgement for each claim.
    pub judgements: Vec<Judgement>,
}

impl<'a> Page<'a> {
    /// Returns whether any of its runs has ended.
    pub(crate) fn has_records(&self) -> bool {
        !self.records.is_empty()
    }

    pub(crate) fn new(item: &'a Item, scale: Scale, job: &'a Job) -> Self {
        let tasks = job.plan.tasks.iter();
        let records: Vec<&Record> = tasks.filter_map(|task| job.log.latest(task)).collect();
        let cells = Cells::new(records.iter().copied());
        let mut page = Self {
            item,
            scale,
            missing: &job.plan.missing,
            records,
            cells,
            judgements: Vec::new(),
        };
        page.judgements = page.judge();
        page
    }

    fn judge(&self) -> Vec<Judgement> {
        let named = self.item.data.iter().map(|data| data.name.clone());
        let mut panels: Vec<String> = named.collect();
        for panel in self.cells.panels() {
            if !panels.iter().any(|known| known == panel) {
                panels.push(panel.to_owned());
            }
        }
        let paper = |cell: &_, metric: &str| self.item.published(cell, metric).map(Number::value);
        let claims = self.item.claim.iter();
        let judge = |claim: &super::claim::Claim| {
            claim.judge(&self.cells, &panels, self.item.main_metric(), &paper)
        };
        claims.map(judge).collect()
    }

    /// Writes its records, its picture and the requested tables.
    pub(crate) fn write(&self, request: &Request) -> Result<()> {
        let folder = request.pages.join(&self.item.paper);
        files::make_folder(&folder)?;
        let write = |ending: &str, text: &str| {
            let path = folder.join(format!("{}.{ending}", self.item.name));
            files::write_atomically(&path, text.as_bytes())
        };
        Log::write_of_page(&request.pages, self.item, self.scale, &self.records)?;
        if self.cells.cells.is_empty() {
            return Ok(());
        }
        if request.csv {
            write("csv", &tables::csv(self.item, &self.cells)?)?;
        }
        if request.tex {
            write("tex", &tables::latex(self.item, &self.cells))?;
        }
        if let Some(picture) = self.picture() {
            write("svg", &picture.svg())?;
        }
        Ok(())
    }

    /// Returns the picture, unless the table beside the reference values shows the same.
    fn picture(&self) -> Option<TitledCharts> {
        let is_table = self.cells.cells.iter().all(|cell| cell.x.is_none());
        if is_table && tables::beside_paper(self.item, &self.cells).is_some() {
            return None;
        }
        chart::picture(self.item, &self.cells)
    }

    /// Returns the section of the item.
    pub(crate) fn section(&self) -> String {
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
        let _ = writeln!(text, "{}", self.claims());
        if let Some(note) = &self.item.note {
            let _ = writeln!(text, "**Where we differ.** {}\n", note.trim());
        }
        self.write_missing(&mut text);
        if let Some(beside) = tables::beside_paper(self.item, &self.cells) {
            let _ = write!(text, "Beside the reference values:\n\n{beside}");
            for published in &self.item.published {
                let source = published.source.trim();
                let line = format!("- reference values: {source}\n");
                if !text.contains(&line) {
                    text.push_str(&line);
                }
            }
            text.push('\n');
        }
        self.write_origin(&mut text);
        text
    }

    fn claims(&self) -> String {
        let judged = self.item.claim.iter().zip(&self.judgements);
        let rows = judged.map(|(claim, judgement)| {
            let panels = claim.on.as_ref();
            let panels = panels.map(|on| format!(" on {}", on.join(", ")));
            let metric = claim.metric.as_ref();
            let metric = metric.map(|metric| format!("{}: ", metric::words(metric)));
            let everywhere = claim.share >= 1.0;
            let share = || format!(", at {} % of the places", 100.0 * claim.share);
            [
                claim.text.trim().to_owned(),
                [
                    metric.unwrap_or_default(),
                    claim.rule.to_string(),
                    panels.unwrap_or_default(),
                    claim.at.to_string(),
                    (!everywhere).then(share).unwrap_or_default(),
                ]
                .concat(),
                format!("**{}**", judgement.verdict),
                judgement.detail.clone(),
            ]
        });
        let header = ["claim", "rule", "verdict", "what we see"];
        markdown::text_table(header, rows)
    }

    fn write_missing(&self, text: &mut String) {
        for (panel, reason) in self.missing {
            let _ = writeln!(text, "**Missing: {panel}.** {}\n", reason.trim());
        }
        for record in &self.records {
            if let Outcome::Error(error) = &record.outcome {
                let _ = writeln!(text, "**A run failed:** {}: {error}\n", record.task);
            }
        }
    }

    fn write_origin(&self, text: &mut String) {
        let (address, scale) = (self.item.address(), self.scale);
        let trees = if self.item.algorithm.is_empty() {
            String::new()
        } else {
            let trees = self.item.size(scale).trees;
            format!(
                "; {} unless a line says otherwise",
                number::counted(trees, "tree")
            )
        };
        let seeds: BTreeSet<u64> = self.records.iter().map(|record| record.task.seed).collect();
        let seeds = number::counted(seeds.len(), "seed");
        let _ = write!(
            text,
            "Made by `cargo xtask-all reproduce {address} --scale {scale}`, {seeds}{trees}."
        );
        let hosts: BTreeSet<_> = self.records.iter().map(|record| &record.host).collect();
        for host in hosts {
            let _ = write!(text, " Revision {}, {}.", host.revision, host.cpu);
        }
        text.push('\n');
    }
}
