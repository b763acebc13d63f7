//! Renders `report.html`, a self-contained file: who is best, what it costs, how it learns, and all numbers.

use indexmap::IndexMap;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

use super::charts::{self, NamedChart, Question};
use super::names;
use super::overall::Overall;
use super::section::Section;
use super::set::{RULE, legend};
use crate::number::counted;
use crate::plot;
use crate::record::Host;

const TITLE: &str = "Comparison of online forests";
const STYLE: &str = include_str!("style.css");
/// Sorts tables when the name of a column is clicked. The content of the page does not depend on it.
const SCRIPT: &str = include_str!("sort.js");

/// The files beside the page that it links, each with its content.
const FILES: [(&str, &str); 3] = [
    ("runs.jsonl", "every run"),
    ("results.csv", "every mean, of every metric"),
    ("tables.tex", "the tables for LaTeX"),
];

/// The content of `index.json`: command, host, and the files beside it. The names of fields are its keys.
#[derive(Default, Serialize)]
pub(super) struct Index {
    pub command: String,
    /// Those of the last run, and its host.
    pub threads: usize,
    #[serde(flatten)]
    pub host: Host,
    /// Trees of every forest; the least if they differ.
    pub trees: usize,
    pub seeds: usize,
    /// Runs in `runs.jsonl`.
    pub runs: usize,
    /// Whether these are all requested runs.
    pub complete: bool,
    pub files: Vec<String>,
}

/// Renders the page; `charts` has an entry per section.
pub(super) fn render(
    index: &Index,
    sections: &[Section],
    overall: &[Overall],
    charts: &[Vec<NamedChart>],
) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (TITLE) }
                style { (PreEscaped(STYLE)) (PreEscaped(plot::css())) }
            }
            body {
                (header(index, sections))
                nav { ul {
                    li { a href="#best" { "Who is best?" } }
                    li { a href="#cost" { "What does it cost?" } }
                    li { a href="#learning" { "How does it learn?" } }
                    @for (number, section) in sections.iter().enumerate() {
                        li { a href={ "#s" (number) } { (section.title()) } }
                    }
                } }
                section id="best" { h2 { "Who is best?" } (best(overall)) }
                section id="cost" { h2 { "What does it cost?" } (figures(Question::Cost, sections, charts)) }
                section id="learning" { h2 { "How does it learn?" } (figures(Question::Learning, sections, charts)) }
                section id="tables" {
                    h2 { "All numbers, set by set" }
                    p.about { (legend()) }
                    @for (number, (section, charts)) in sections.iter().zip(charts).enumerate() {
                        section.set id={ "s" (number) } {
                            @for table in section.tables() { (table.html()) }
                            @for chart in charts.iter().filter(|chart| chart.question == Question::Standing) {
                                div.figures { (figure(chart, &chart.reading)) }
                            }
                            p.checksum { "data sha256 " code { (section.setting.data_sha256) } }
                            p.checksum { "rows sha256 " code { (section.setting.rows_sha256) } }
                        }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn header(index: &Index, sections: &[Section]) -> Markup {
    let trees = names::trees(sections);
    let mut files = FILES.to_vec();
    files.retain(|(name, _)| index.files.iter().any(|file| file == name));
    html! {
        header {
            h1 { (TITLE) }
            pre { code { "$ " (index.command) } }
            p.facts {
                (counted(index.runs, "run")) ", "
                @if let Some(trees) = trees { (trees) ", " }
                (counted(index.seeds, "seed")) ", "
                (counted(index.threads, "thread"))
                " · revision " (index.host.revision) " · " (index.host.cpu)
            }
            @if !files.is_empty() {
                p.facts {
                    "Files: "
                    @for (number, (name, meaning)) in files.iter().enumerate() {
                        @if number > 0 { ", " }
                        a href=(name) { (name) } " (" (meaning) ")"
                    }
                }
            }
            @if !index.complete {
                p.warning { "Interrupted, or a part is missing: this report covers the finished runs only." }
            }
        }
    }
}

fn best(overall: &[Overall]) -> Markup {
    html! {
        @if overall.is_empty() {
            p.about { "No two algorithms have a result on the same sets." }
        } @else {
            p.about {
                "A row for each algorithm, the best mean rank first. Each cell has the mean over seeds with the rank \
                 in the set, and its 95 % interval (Student's t; it covers seeds, not the choice of test rows). \
                 Different metrics are not averaged: each has a matrix of its own. " (RULE) "."
            }
        }
        @for overall in overall {
            (overall.table(usize::MAX).html())
            @if let Some(chart) = charts::ranks(overall) { div.figures { (figure(&chart, &chart.reading)) } }
        }
    }
}

/// Renders the figures of a question: those of one subject together, with one legend and one instruction.
fn figures(question: Question, sections: &[Section], charts: &[Vec<NamedChart>]) -> Markup {
    let mut groups: IndexMap<(&str, &str), Vec<&NamedChart>> = IndexMap::new();
    for chart in charts.iter().flatten() {
        if chart.question == question {
            let subject = (chart.heading, chart.reading.as_str());
            groups.entry(subject).or_default().push(chart);
        }
    }
    let without = match question {
        Question::Learning => "No run has a curve: only the stream protocols have curves.",
        Question::Standing | Question::Cost => "No algorithm but baselines has a result.",
    };
    html! {
        @if groups.is_empty() {
            p.about { (without) }
        } @else {
            (legend_of(sections))
        }
        @for ((heading, reading), charts) in groups {
            h3 { (heading) }
            p.about { (reading) }
            div.figures { @for chart in charts { (figure(chart, &chart.title)) } }
        }
    }
}

/// Renders a figure that scrolls rather than shrink its letters beyond reading.
fn figure(chart: &NamedChart, caption: &str) -> Markup {
    let picture = chart.chart.without_legend();
    html! {
        figure {
            figcaption { (caption) }
            div.picture { div style={ "min-width:" (picture.size.0 * 4 / 5) "px" } {
                (picture.inline(&format!("{} {}", chart.heading, chart.title)))
            } }
        }
    }
}

/// Renders every algorithm that has a result with its line and its mark.
fn legend_of(sections: &[Section]) -> Markup {
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let mut looks = charts::looks(sections);
    looks.retain(|label, _| rows().any(|row| row.label == *label && row.value.is_some()));
    html! {
        ul.legend {
            @for (label, look) in looks {
                li {
                    svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true" {
                        (look.line(&[(0.0, 7.0), (34.0, 7.0)])) (look.mark((17.0, 7.0), 5.0))
                    }
                    (label)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::overall::overall;
    use crate::report::testing::section;

    #[test]
    fn the_page_has_all_numbers_in_order_without_network_or_script() {
        let of = |set: &str, rows: &str| section(set, "accuracy", rows);
        let one = of("one", "majority .1 .1 | obsp .91 .89 | amf .9 .92");
        let two = of("two", "majority .1 .1 | obsp .92 .9 | amf .915 .935");
        let sections = [one, two];
        let page = |sections: &[Section]| {
            let charts = charts::charts(sections);
            render(&Index::default(), sections, &overall(sections), &charts)
        };
        let alone = page(&[of("one", "majority .1 .1")]);
        let cost = &alone[alone.find("id=\"cost\"").unwrap()..];
        assert!(cost.find("baselines has a result") < cost.find("has a curve"));
        let page = page(&sections);
        let place = |id: &str| page.find(&format!("id=\"{id}\"")).expect(id);
        let places = ["best", "cost", "learning", "tables", "s0", "s1"].map(place);
        assert!(places.is_sorted() && place("best") < page.find("<svg").unwrap());
        let own = page.replace("http://www.w3.org/2000/svg", "");
        for foreign in ["<link", "<img", "src=", "url(", "http:", "https:"] {
            assert!(!own.contains(foreign), "{foreign}");
        }
        assert_eq!(page.matches("<script>").count(), 1);
        let without = &page[..page.find("<script>").unwrap()];
        // Tables can be sorted by number.
        assert_eq!(without.matches("<table data-sortable").count(), 3);
        assert!(SCRIPT.contains("[data-sortable]") && SCRIPT.contains("dataset.value"));
        assert!(without.contains("<td data-value=\"0.91\">0.9100 (0.7829 to 1.0000)</td>"));
        let best = &without[place("best")..place("cost")];
        assert!(best.contains("0.9100 (1)<br><small>(0.7829 to 1.0000) · best"));
    }
}
