//! `report.html`: one file that needs no other.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts::{self, NamedChart};
use super::output::Index;
use super::overall::{Overall, overall};
use super::rank::Rank;
use super::summary::{Row, Section};
use super::table;
use crate::plot::Picture as _;

const TITLE: &str = "Comparison of online forests";
const STYLE: &str = include_str!("style.css");

/// `charts` has an entry per section.
pub(super) fn render(index: &Index, sections: &[Section], charts: &[Vec<NamedChart>]) -> String {
    let content = html! {
        (header(index))
        (contents(sections))
        @for overall in overall(sections) { (over_all_sets(&overall)) }
        @for (number, section) in sections.iter().enumerate() {
            section id={ "s" (number) } {
                (table(section))
                @if section.has_changes() { (changes(section)) }
                div.figures { @for chart in &charts[number] { (figure(chart)) } }
                p.checksum { "data sha256 " code { (section.setting.data_sha256) } }
            }
        }
        footer { p { (table::legend()) } }
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
                style { (PreEscaped(STYLE)) }
            }
            body { (content) }
        }
    }
}

fn header(index: &Index) -> Markup {
    html! {
        header {
            h1 { (TITLE) }
            pre { code { "$ " (index.command) } }
            p.facts {
                (index.runs) " runs, " (index.trees) " trees, " (index.seeds) " seeds, "
                (index.host.threads) " threads · revision " (index.host.revision) " · " (index.host.cpu)
            }
            @if !index.complete {
                p.warning { "Interrupted: this report has only the runs that were finished." }
            }
        }
    }
}

fn contents(sections: &[Section]) -> Markup {
    html! {
        nav { ul {
            @for (number, section) in sections.iter().enumerate() {
                li { a href={ "#s" (number) } { (section.title()) } }
            }
        } }
    }
}

fn table(section: &Section) -> Markup {
    html! {
        h2 { (section.title()) }
        p.about { (section.description()) }
        div.table { table {
            thead { tr { @for name in section.header() { th { (name) } } } }
            tbody {
                @for (row, cells) in section.lines() {
                    tr class=(class(row)) { @for cell in cells { td { (cell) } } }
                }
            }
        } }
        @for note in section.notes() { p.note { (note) } }
    }
}

fn over_all_sets(overall: &Overall) -> Markup {
    html! {
        section {
            h2 { (overall.title()) }
            div.table { table {
                thead { tr { @for name in overall.header() { th { (name) } } } }
                tbody {
                    @for line in overall.lines() { tr { @for cell in line { td { (cell) } } } }
                }
            } }
            @for note in overall.notes() { p.note { (note) } }
            div.figures { (figure(&charts::ranks(overall))) }
        }
    }
}

fn changes(section: &Section) -> Markup {
    html! {
        p.about.changes { (section.changes_caption()) }
        div.table { table {
            thead { tr { @for name in section.changes_header() { th { (name) } } } }
            tbody {
                @for (row, cells) in section.changes_lines() {
                    tr class=(class(row)) { @for cell in cells { td { (cell) } } }
                }
            }
        } }
    }
}

fn class(row: &Row) -> &'static str {
    match row.rank {
        Rank::Best => "best",
        _ if row.baseline => "baseline",
        _ => "",
    }
}

/// A picture that cannot be drawn says why in its place.
fn figure(chart: &NamedChart) -> Markup {
    let picture = match chart.chart.inline() {
        Ok(svg) => PreEscaped(svg),
        Err(error) => html! { p.warning { (error) } },
    };
    html! {
        figure { figcaption { (chart.caption) } (picture) }
    }
}
