//! Writes `README.md` over all pages: a row per paper, then a row per claim.

use std::fmt::Write as _;

use results::markdown;

use crate::claim::{Judgement, Verdict};
use crate::execute::Job;
use crate::item::Item;
use crate::page::Page;
use crate::record::Scale;

const ABOUT: &str = "\
Every table and figure of the papers that we can run, with what the papers claim about it, and experiments of our own. Verdicts are
computed from the records by the rule that the item's page states. *Better*, *at least* and *at most* are decided by the 95 % interval over
seeds (Student's t), of the paired difference or of the mean; a place whose interval lies on both sides is *undecided*. A claim *holds* if its
rule holds at every place it is about, *holds in part* if at some, *does not hold* if at none, and *cannot be tested here* if there are no
records. The rules are in `xtask/experiments`.
";

const OTHER: &str = "\
This scale has been run in part. Its pages are made from the records beside these pages (FOLDER is the folder of this file) without running
anything; `--csv` and `--tex` also write the numbers of each page as CSV and LaTeX:
";

const VERDICTS: [Verdict; 4] = [
    Verdict::Holds,
    Verdict::InPart,
    Verdict::DoesNotHold,
    Verdict::Untested,
];

/// Items with their pages at a scale, sorted by paper.
pub(crate) struct Pages<'a> {
    scale: Scale,
    shown: Vec<(&'a Item, Page<'a>)>,
    /// Without records.
    without: Vec<String>,
}

impl<'a> Pages<'a> {
    /// Makes the pages of each job's item.
    pub(crate) fn new(scale: Scale, items: &'a [Item], jobs: &'a [Job]) -> Self {
        let pages = items.iter().zip(jobs);
        let pages = pages.map(|(item, job)| (item, Page::new(item, scale, job)));
        let (shown, without): (Vec<_>, Vec<_>) = pages.partition(|(_, page)| page.has_records());
        let without = without.iter().map(|(item, _)| item.address()).collect();
        Self {
            scale,
            shown,
            without,
        }
    }

    fn papers(&self) -> impl Iterator<Item = (&str, &[(&'a Item, Page<'a>)])> {
        let papers = self
            .shown
            .chunk_by(|(one, _), (other, _)| one.paper == other.paper);
        papers.map(|pages| (pages[0].0.paper.as_str(), pages))
    }

    /// Counts the verdicts of each paper; `name` returns the title of a paper.
    fn summary(&self, name: impl Fn(&str) -> String) -> String {
        let header = ["paper".to_owned(), "claims".to_owned()].into_iter();
        let header = header.chain(VERDICTS.map(|verdict| verdict.to_string()));
        let rows = self
            .papers()
            .map(|(paper, pages)| counts(name(paper), pages));
        let rows = rows.chain([counts("all".to_owned(), &self.shown)]);
        markdown::table(&header.collect::<Vec<_>>(), rows)
    }
}

/// Returns the text of the overview of a scale, with a summary of the other.
pub(crate) fn write(pages: &Pages<'_>, other: &Pages<'_>) -> String {
    let scale = pages.scale;
    let mut text = format!("# What the papers claim, and what we measure\n\n{ABOUT}\n");
    let _ = writeln!(text, "```sh\ncargo xtask reproduce --scale {scale}\n```\n");
    let _ = write!(
        text,
        "{}",
        pages.summary(|paper| format!("[{paper}](#{paper})"))
    );
    if !other.shown.is_empty() {
        let (scale, summary) = (other.scale, other.summary(str::to_owned));
        let _ = writeln!(text, "\n## At {scale} scale\n\n{OTHER}\n```sh");
        let command = "cargo xtask reproduce --report-from FOLDER --scale";
        let _ = write!(text, "{command} {scale} --out {scale}\n```\n\n{summary}");
    }
    for (paper, pages) in pages.papers() {
        let _ = write!(text, "\n## {paper}\n\n{}", claims(pages));
    }
    if !pages.without.is_empty() {
        let names = pages.without.join(", ");
        let _ = writeln!(text, "\nWithout records at this scale: {names}.");
    }
    text
}

fn counts(name: String, pages: &[(&Item, Page<'_>)]) -> Vec<String> {
    let judgements = pages.iter().flat_map(|(_, page)| &page.judgements);
    let verdicts: Vec<Verdict> = judgements.map(|judgement| judgement.verdict).collect();
    let of = |wanted| {
        verdicts
            .iter()
            .filter(|verdict| **verdict == wanted)
            .count()
    };
    let counts = [verdicts.len()].into_iter().chain(VERDICTS.map(of));
    let counts = counts.map(|count| count.to_string());
    [name].into_iter().chain(counts).collect()
}

/// Returns a table with a row per claim.
fn claims(pages: &[(&Item, Page<'_>)]) -> String {
    let rows = pages.iter().flat_map(|(item, page)| {
        let judged = item.claim.iter().zip(&page.judgements);
        judged.map(|(claim, judgement)| row(item, claim.text.trim(), judgement))
    });
    let header = ["item", "claim", "verdict", "what we see"];
    markdown::text_table(header, rows)
}

fn row(item: &Item, claim: &str, judgement: &Judgement) -> [String; 4] {
    let address = item.address();
    [
        format!("[{address}]({address}.md)"),
        claim.to_owned(),
        format!("**{}**", judgement.verdict),
        judgement.detail.clone(),
    ]
}
