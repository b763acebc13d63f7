//! `report.html`: one file that needs no other.

use anyhow::Result;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts::NamedChart;
use super::output::Index;
use super::rank::Rank;
use super::summary::Section;
use super::table::{self, TextRow, TextTable};
use crate::draw::Picture as _;

const TITLE: &str = "Comparison of online forests";
const STYLE: &str = include_str!("style.css");

/// `charts` has an entry per section.
pub fn render(index: &Index, sections: &[Section], charts: &[Vec<NamedChart>]) -> Result<String> {
    let tables: Vec<TextTable> = sections.iter().map(TextTable::new).collect();
    let content = html! {
        (header(index))
        (contents(&tables))
        @for (number, table) in tables.iter().enumerate() {
            section id={ "s" (number) } {
                (text(table))
                div.figures { @for chart in &charts[number] { (figure(chart)?) } }
                p.checksum { "data sha256 " code { (sections[number].setting.data_sha256) } }
            }
        }
        footer { p { (table::legend()) } }
    };
    Ok(page(&content).into_string())
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

fn contents(tables: &[TextTable]) -> Markup {
    html! {
        nav { ul {
            @for (number, table) in tables.iter().enumerate() {
                li { a href={ "#s" (number) } { (table.title) } }
            }
        } }
    }
}

fn text(table: &TextTable) -> Markup {
    html! {
        h2 { (table.title) }
        p.about { (table.description) }
        div.table { table {
            thead { tr { @for name in &table.header { th { (name) } } } }
            tbody { @for text_row in &table.rows { (row(text_row)) } }
        } }
        @for note in &table.notes { p.note { (note) } }
    }
}

fn row(row: &TextRow) -> Markup {
    let class = match row.rank {
        Rank::Best => "best",
        _ if row.baseline => "baseline",
        _ => "",
    };
    html! { tr class=(class) { @for cell in &row.cells { td { (cell) } } } }
}

fn figure(chart: &NamedChart) -> Result<Markup> {
    let svg = chart.chart.inline()?;
    Ok(html! {
        figure { figcaption { (chart.caption) } (PreEscaped(svg)) }
    })
}
