//! Writes the page of each paper, of which every item is a section, and `README.md`, which counts verdicts.

use std::fmt::Write as _;

use comparison::markdown;

use crate::claim::Verdict;
use crate::execute::Job;
use crate::item::Item;
use crate::log::OF_PAGES;
use crate::page::Page;
use crate::record::Scale;

const ABOUT: &str = "\
Every table and figure of the papers that we can run, with what the papers claim about it, and experiments of our own. Verdicts are
computed from the records by the rule beside each claim. *Better*, *at least* and *at most* are decided by the 95 % interval over
seeds (Student's t), of the paired difference or of the mean; a place whose interval lies on both sides is *undecided*. A claim *holds* if its
rule holds at every place it is about, *holds in part* if at some, *does not hold* if at none, and *cannot be tested here* if there are no
records. The rules are in `xtask/experiments`.
";

const OTHER: &str = "\
Its pages are made from the records beside these pages (FOLDER is the folder of this file) without running anything; `--csv` and `--tex` also write
the numbers of each item as CSV and LaTeX:
";

const VERDICTS: [Verdict; 4] = [
    Verdict::Holds,
    Verdict::InPart,
    Verdict::DoesNotHold,
    Verdict::Untested,
];

/// Pages of all items at a scale, sorted by paper.
pub(crate) struct Pages<'a> {
    scale: Scale,
    pages: Vec<(&'a Item, Page<'a>)>,
}

type Shown<'a> = Vec<&'a (&'a Item, Page<'a>)>;

impl<'a> Pages<'a> {
    /// Makes the pages of each job's item.
    pub(crate) fn new(scale: Scale, items: &'a [Item], jobs: &'a [Job]) -> Self {
        let pages = items.iter().zip(jobs);
        let pages = pages.map(|(item, job)| (item, Page::new(item, scale, job)));
        Self {
            scale,
            pages: pages.collect(),
        }
    }

    /// Returns those that have records, in groups of a paper.
    fn papers(&self) -> Vec<Shown<'_>> {
        let shown: Shown<'_> = self
            .pages
            .iter()
            .filter(|(_, page)| page.has_records())
            .collect();
        let papers = shown.chunk_by(|one, other| one.0.paper == other.0.paper);
        papers.map(<[_]>::to_vec).collect()
    }

    /// Counts the verdicts of each paper, and of all; `name` returns the title of a paper.
    fn summary(&self, name: impl Fn(&str) -> String) -> String {
        let header = ["paper".to_owned(), "claims".to_owned()].into_iter();
        let header = header.chain(VERDICTS.map(|verdict| verdict.to_string()));
        let papers = self.papers();
        let rows = papers
            .iter()
            .map(|pages| counts(name(&pages[0].0.paper), pages));
        let rows = rows.chain([counts("all".to_owned(), &papers.concat())]);
        markdown::table(&header.collect::<Vec<_>>(), rows)
    }
}

/// Returns each paper with the text of its page. A section shows the first scale, or the other if it has no records at the first.
pub(crate) fn papers(items: &[Item], [first, other]: &[Pages<'_>; 2]) -> Vec<(String, String)> {
    let both = first.pages.iter().zip(&other.pages);
    let shown =
        both.map(|((_, first), (_, other))| if first.has_records() { first } else { other });
    let sections: Vec<(&Item, &Page<'_>)> = items.iter().zip(shown).collect();
    let mut papers = Vec::new();
    for of_paper in sections.chunk_by(|(one, _), (next, _)| one.paper == next.paper) {
        let paper = &of_paper[0].0.paper;
        let (with, without): (Vec<_>, Vec<_>) =
            of_paper.iter().partition(|(_, page)| page.has_records());
        if with.is_empty() {
            continue;
        }
        let mut text = format!(
            "# {paper}: what is claimed, and what we measure\n\nHow to read this page: [results](README.md). \
             Every run is a line of [the records]({paper}/{OF_PAGES}).\n"
        );
        for (_, page) in with {
            let _ = write!(text, "\n{}", page.section());
        }
        if !without.is_empty() {
            let names: Vec<String> = without.iter().map(|(item, _)| item.address()).collect();
            let _ = writeln!(text, "\nWithout records: {}.", names.join(", "));
        }
        papers.push((paper.clone(), text));
    }
    papers
}

/// Returns the text of the overview: counts of verdicts at both scales.
pub(crate) fn write([first, other]: &[Pages<'_>; 2]) -> String {
    let scale = first.scale;
    let mut text = format!("# What the papers claim, and what we measure\n\n{ABOUT}\n");
    let _ = writeln!(
        text,
        "```sh\ncargo xtask-all reproduce --scale {scale}\n```\n"
    );
    text += &first.summary(|paper| format!("[{paper}]({paper}.md)"));
    if !other.papers().is_empty() {
        let (scale, summary) = (other.scale, other.summary(str::to_owned));
        let _ = writeln!(text, "\n## At {scale} scale\n\n{OTHER}\n```sh");
        let command = "cargo xtask-all reproduce --report-from FOLDER --scale";
        let _ = write!(text, "{command} {scale} --out {scale}\n```\n\n{summary}");
    }
    text
}

fn counts(name: String, pages: &[&(&Item, Page<'_>)]) -> Vec<String> {
    let judgements = pages.iter().flat_map(|(_, page)| &page.judgements);
    let verdicts: Vec<Verdict> = judgements.map(|judgement| judgement.verdict).collect();
    let of = |wanted| {
        let same = verdicts.iter().filter(|verdict| **verdict == wanted);
        same.count()
    };
    let counts = [verdicts.len()].into_iter().chain(VERDICTS.map(of));
    let counts = counts.map(|count| count.to_string());
    [name].into_iter().chain(counts).collect()
}
