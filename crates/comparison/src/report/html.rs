//! Renders `report.html`, a self-contained file. It asks who is best, what it costs and how it learns; then come all numbers.

mod matrix;
mod parts;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts::{NamedChart, Part};
use super::index::Index;
use super::overall::overall;
use super::section::Rank;
use super::section::{Row, Section};
use super::table::{self, Cell};
use super::trees;
use crate::number::counted;
use crate::plot::palette;

const TITLE: &str = "Comparison of online forests";
const STYLE: &str = include_str!("style.css");
/// Sorts tables when the name of a column is clicked. The content of the page does not depend on it.
const SCRIPT: &str = include_str!("sort.js");

/// Renders the page; `charts` has an entry per section.
pub(super) fn render(index: &Index, sections: &[Section], charts: &[Vec<NamedChart>]) -> String {
    let content = html! {
        (header(index, sections))
        (contents(sections))
        section id="best" { h2 { "Who is best?" } (matrix::all(&overall(sections))) }
        section id="cost" { h2 { "What does it cost?" } (parts::figures(Part::Cost, sections, charts)) }
        section id="learning" {
            h2 { "How does it learn?" }
            (parts::figures(Part::Learning, sections, charts))
        }
        section id="tables" {
            h2 { "All numbers, set by set" }
            p.about { (table::legend()) }
            @for (number, section) in sections.iter().enumerate() {
                (one_set(number, section, &charts[number]))
            }
        }
    };
    page(&content).into_string()
}

fn page(content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (TITLE) }
                style { (PreEscaped(STYLE)) (PreEscaped(palette::css())) }
            }
            body { (content) script { (PreEscaped(SCRIPT)) } }
        }
    }
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
                @if let Some(trees) = trees::list(&trees) { (trees) ", " }
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
    let meanings = [
        ("runs.jsonl", "every run"),
        ("summary.csv", "the tables"),
        ("metrics.csv", "every metric"),
        ("seeds.csv", "the values behind the means, seed by seed"),
        ("tables.tex", "the tables for LaTeX"),
    ];
    let there = meanings
        .iter()
        .filter(|(name, _)| index.files.iter().any(|file| file == name));
    html! {
        @if there.clone().next().is_some() {
            p.facts {
                "Files: "
                @for (number, (name, meaning)) in there.enumerate() {
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

fn one_set(number: usize, section: &Section, charts: &[NamedChart]) -> Markup {
    let standing = charts.iter().filter(|chart| chart.part == Part::Standing);
    html! {
        section.set id={ "s" (number) } {
            h3 { (section.title()) }
            p.about { (section.description()) }
            (table(&section.title(), &section.header(), section.lines()))
            @for note in section.notes() { p.note { (note) } }
            @if section.has_changes() {
                p.about.changes { (section.changes_caption()) }
                (table(&section.changes_caption(), &section.changes_header(), section.changes_lines()))
            }
            @for chart in standing { (parts::lone_figure(chart)) }
            p.checksum { "data sha256 " code { (section.setting.data_sha256) } }
            p.checksum { "rows sha256 " code { (section.setting.rows_sha256) } }
        }
    }
}

fn table<'a>(
    name: &str,
    header: &[String],
    lines: impl Iterator<Item = (&'a Row, Vec<Cell>)>,
) -> Markup {
    scrolling(
        name,
        &html! {
            (heads(header))
            tbody {
                @for (row, cells) in lines { tr class=(class(row)) { (self::cells(&cells)) } }
            }
        },
    )
}

/// Renders a sortable table in a scrolling box, whose shadow shows that the table continues.
fn scrolling(name: &str, content: &Markup) -> Markup {
    html! {
        div.table tabindex="0" role="region" aria-label=(name) {
            table data-sortable aria-label=(name) { (content) }
        }
    }
}

fn heads(names: &[String]) -> Markup {
    html! { thead { tr { @for name in names { th scope="col" { (name) } } } } }
}

/// Renders cells, the first as the name of the row. The attribute holds the key for sorting.
fn cells(cells: &[Cell]) -> Markup {
    html! {
        @if let Some((name, values)) = cells.split_first() {
            th scope="row" { (name.text) }
            @for cell in values { td data-value=[cell.value] { (cell.text) } }
        }
    }
}

fn class(row: &Row) -> &'static str {
    match row.rank {
        Rank::Best => "best",
        _ if row.baseline => "baseline",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Host;
    use crate::report::charts::charts;

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
        render(&index, &sections, &charts(&sections))
    }

    #[test]
    fn questions_come_in_order_and_tables_after_them() {
        let page = page();
        let place = |id: &str| page.find(&format!("id=\"{id}\"")).expect(id);
        let places = ["best", "cost", "learning", "tables", "s0", "s1"].map(place);
        assert!(places.is_sorted(), "{places:?}");
        assert!(place("best") < page.find("<svg").unwrap());
    }

    #[test]
    fn the_page_needs_neither_network_nor_script() {
        let page = page();
        for foreign in ["<link", "<img", "src=", "url(", "http:", "https:"] {
            let own = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(foreign), "{foreign}");
        }
        assert_eq!(page.matches("<script>").count(), 1);
        let without = &page[..page.find("<script>").unwrap()];
        for number in ["0.9100 ± 0.1271", "0.1150", "0.9250", "rank 3", "tie"] {
            assert!(without.contains(number), "{number} needs the script");
        }
        assert!(without.contains("</table>") && !page[without.len()..].contains("<table"));
    }

    #[test]
    fn tables_can_be_sorted_by_number() {
        let page = page();
        assert_eq!(page.matches("<table data-sortable").count(), 3);
        assert_eq!(page.matches("<table").count(), 3);
        assert!(page.contains("<td data-value=\"0.91\">0.9100 ± 0.1271</td>"));
        assert!(SCRIPT.contains("[data-sortable]") && SCRIPT.contains("dataset.value"));
    }

    /// In one set: amf 0.91, obsp 0.90, majority 0.10; in the other, all are 0.015 higher.
    #[test]
    fn the_matrix_has_values_ranks_and_ties() {
        let page = page();
        let matrix = &page[page.find("id=\"best\"").unwrap()..page.find("id=\"cost\"").unwrap()];
        let row = |name: &str| {
            let start = matrix
                .find(&format!("<th scope=\"row\">{name}"))
                .expect(name);
            matrix[start..].split("</tr>").next().unwrap()
        };
        assert!(row("amf").contains("0.9100 ± 0.1271") && row("amf").contains("rank 1 · best"));
        assert!(row("amf").contains("0.9250 ± 0.1271") && row("amf").contains("1.00"));
        assert!(row("obsp").contains("0.9000 ± 0.1271") && row("obsp").contains("rank 2 · tie"));
        assert!(row("majority").contains("0.1000") && row("majority").contains("rank 3<"));
        assert!(matrix.contains("no critical-difference diagram"));
        assert!(matrix.contains("±"));
    }
}
