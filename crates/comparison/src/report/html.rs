//! Renders `report.html`, a self-contained file. It asks who is best, what it costs and how it learns; then come all numbers.

use indexmap::{IndexMap, IndexSet};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts::{self, NamedChart, Part};
use super::names;
use super::output::Index;
use super::overall::{Detail, Overall};
use super::section::{Rank, Section, legend};
use crate::number::counted;
use crate::plot::chart::WithoutLegend;
use crate::plot::{Medium, Picture as _, palette};

const TITLE: &str = "Comparison of online forests";
const STYLE: &str = include_str!("style.css");
/// Sorts tables when the name of a column is clicked. The content of the page does not depend on it.
const SCRIPT: &str = include_str!("sort.js");

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
                style { (PreEscaped(STYLE)) (PreEscaped(palette::css())) }
            }
            body {
                (header(index, sections))
                (contents(sections))
                section id="best" { h2 { "Who is best?" } (best(overall)) }
                section id="cost" { h2 { "What does it cost?" } (figures(Part::Cost, sections, charts)) }
                section id="learning" { h2 { "How does it learn?" } (figures(Part::Learning, sections, charts)) }
                section id="tables" {
                    h2 { "All numbers, set by set" }
                    p.about { (legend()) }
                    @for (number, section) in sections.iter().enumerate() {
                        (one_set(number, section, &charts[number]))
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn header(index: &Index, sections: &[Section]) -> Markup {
    let trees = sections.iter().flat_map(|section| &section.trees);
    let trees = trees.copied().collect();
    html! {
        header {
            h1 { (TITLE) }
            pre { code { "$ " (index.command) } }
            p.facts {
                (counted(index.runs, "run")) ", "
                @if let Some(trees) = names::trees(&trees) { (trees) ", " }
                (counted(index.seeds as usize, "seed")) ", "
                (counted(index.threads, "thread"))
                " · revision " (index.host.revision) " · " (index.host.cpu)
            }
            (files(index))
            @if !index.complete {
                p.warning { "Interrupted, or a part is missing: this report covers the finished runs only." }
            }
        }
    }
}

/// Links to the files beside the page, each with its content.
fn files(index: &Index) -> Markup {
    let mut meanings = vec![
        ("runs.jsonl", "every run"),
        ("results.csv", "every mean, of every metric"),
        ("tables.tex", "the tables for LaTeX"),
    ];
    meanings.retain(|(name, _)| index.files.iter().any(|file| file == name));
    html! {
        @if !meanings.is_empty() {
            p.facts {
                "Files: "
                @for (number, (name, meaning)) in meanings.iter().enumerate() {
                    @if number > 0 { ", " }
                    a href=(name) { (name) } " (" (meaning) ")"
                }
            }
        }
    }
}

fn contents(sections: &[Section]) -> Markup {
    let parts = [
        ("best", "Who is best?"),
        ("cost", "What does it cost?"),
        ("learning", "How does it learn?"),
    ];
    html! {
        nav { ul {
            @for (id, name) in parts { li { a href={ "#" (id) } { (name) } } }
            @for (number, section) in sections.iter().enumerate() {
                li { a href={ "#s" (number) } { (section.title()) } }
            }
        } }
    }
}

fn best(overall: &[Overall]) -> Markup {
    html! {
        @if overall.is_empty() {
            p.about { "No two algorithms have a result on the same sets." }
        } @else {
            p.about {
                "A row for each algorithm, the best mean rank first. Each cell has the mean over seeds ± its 95 % interval \
                 (Student's t; it covers seeds, not the choice of test rows), and the rank in the set. Different metrics \
                 are not averaged: each has a matrix of its own. " (Rank::RULE) "."
            }
        }
        @for overall in overall {
            (overall.table(Detail::Full).html())
            @if let Some(chart) = charts::ranks(overall) { (lone_figure(&chart)) }
        }
    }
}

fn one_set(number: usize, section: &Section, charts: &[NamedChart]) -> Markup {
    html! {
        section.set id={ "s" (number) } {
            @for one in section.tables() { (one.html()) }
            @for chart in charts.iter().filter(|chart| chart.part == Part::Standing) { (lone_figure(chart)) }
            p.checksum { "data sha256 " code { (section.setting.data_sha256) } }
            p.checksum { "rows sha256 " code { (section.setting.rows_sha256) } }
        }
    }
}

/// Renders the figures of a part: those of the same subject together, with one legend and one sentence of instructions.
fn figures(part: Part, sections: &[Section], charts: &[Vec<NamedChart>]) -> Markup {
    let mut groups: IndexMap<(&str, &str), Vec<&NamedChart>> = IndexMap::new();
    for chart in charts.iter().flatten().filter(|chart| chart.part == part) {
        let key = (chart.heading.as_str(), chart.reading.as_str());
        groups.entry(key).or_default().push(chart);
    }
    html! {
        @if groups.is_empty() {
            p.about { "No run has a curve: only the stream protocols have curves." }
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

/// Renders a figure with instructions of its own.
fn lone_figure(chart: &NamedChart) -> Markup {
    html! { div.figures { (figure(chart, &chart.reading)) } }
}

/// Renders a figure that scrolls rather than shrink its letters beyond reading.
fn figure(chart: &NamedChart, caption: &str) -> Markup {
    let plain = WithoutLegend(&chart.chart);
    let least = plain.size().0 * 4 / 5;
    html! {
        figure {
            figcaption { (caption) }
            div.picture { div style={ "min-width:" (least) "px" } { (plain.inline(&format!("{} {}", chart.heading, chart.title))) } }
        }
    }
}

/// Renders every algorithm with its line and its mark.
fn legend_of(sections: &[Section]) -> Markup {
    let looks = charts::looks(sections);
    let results = sections.iter().flat_map(|section| &section.rows);
    let drawn: IndexSet<&str> = results
        .filter(|row| row.result.is_some())
        .map(|row| row.label.as_str())
        .collect();
    html! {
        ul.legend {
            @for look in looks.iter().filter(|look| drawn.contains(look.label)) {
                li {
                    svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true" {
                        (look.stroke.line([(0.0, 7.0), (34.0, 7.0)], Medium::Page))
                        (look.stroke.mark((17.0, 7.0), 5.0, Medium::Page))
                    }
                    @if !look.key.is_empty() { b { (look.key) } } (look.label)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Host;
    use crate::report::charts::charts;
    use crate::report::overall::overall;
    use crate::report::section::Row;

    fn page() -> String {
        let rows = |shift: f64| {
            let mut tied = Row::example("obsp", false, &[0.91 + shift, 0.89 + shift]);
            let mut best = Row::example("amf", false, &[0.92 + shift, 0.90 + shift]);
            (tied.rank, best.rank) = (Rank::Tied, Rank::Best);
            let baseline = Row::example("majority", true, &[0.1 + shift; 2]);
            vec![baseline, tied, best]
        };
        let set = |name: &str, shift: f64| {
            Section::example(name, "accuracy".parse().unwrap(), rows(shift))
        };
        let sections = [set("one", 0.0), set("two", 0.015)];
        let index = Index {
            command: "compare".to_owned(),
            threads: 1,
            host: Host {
                revision: String::new(),
                cpu: String::new(),
            },
            trees: 1,
            seeds: 2,
            runs: 12,
            complete: true,
            files: Vec::new(),
        };
        render(&index, &sections, &overall(&sections), &charts(&sections))
    }

    #[test]
    fn the_page_has_all_numbers_in_order_without_network_or_script() {
        let page = page();
        let place = |id: &str| page.find(&format!("id=\"{id}\"")).expect(id);
        let places = ["best", "cost", "learning", "tables", "s0", "s1"].map(place);
        assert!(places.is_sorted(), "{places:?}");
        assert!(place("best") < page.find("<svg").unwrap());
        for foreign in ["<link", "<img", "src=", "url(", "http:", "https:"] {
            let own = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(foreign), "{foreign}");
        }
        assert_eq!(page.matches("<script>").count(), 1);
        let without = &page[..page.find("<script>").unwrap()];
        for number in ["0.9100 ± 0.1271", "0.1150", "0.9250", "rank 3", "tie"] {
            assert!(without.contains(number), "{number} needs the script");
        }
        // Tables can be sorted by number.
        assert_eq!(without.matches("<table data-sortable").count(), 3);
        assert_eq!(page.matches("<table").count(), 3);
        assert!(page.contains("<td data-value=\"0.91\">0.9100 ± 0.1271</td>"));
        assert!(SCRIPT.contains("[data-sortable]") && SCRIPT.contains("dataset.value"));
        let matrix = &page[place("best")..place("cost")];
        for (name, cells) in [
            (
                "amf",
                &[
                    "0.9100 ± 0.1271",
                    "rank 1 · best",
                    "0.9250 ± 0.1271",
                    "1.00",
                ][..],
            ),
            ("obsp", &["0.9000 ± 0.1271", "rank 2 · tie"]),
            ("majority", &["0.1000", "rank 3<"]),
        ] {
            let start = matrix
                .find(&format!("<th scope=\"row\">{name}"))
                .expect(name);
            let row = matrix[start..].split("</tr>").next().unwrap();
            cells
                .iter()
                .for_each(|cell| assert!(row.contains(cell), "{name}: {cell}"));
        }
        assert!(matrix.contains("no critical-difference diagram"));
    }
}
