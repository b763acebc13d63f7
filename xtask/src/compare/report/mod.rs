//! `report.html`: one file that needs nothing else, for a browser.

mod page;

use anyhow::Result;
use maud::{Markup, PreEscaped, html};

use super::grid::{self, Grid, Line};
use super::output::Index;
use super::plot::Plot;
use super::report_section::ReportSection;
use super::standing::Standing;
use crate::draw::Picture;

/// The whole file.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn render(index: &Index, report_sections: &[ReportSection<'_>]) -> Result<String> {
    let bodies = report_sections
        .iter()
        .enumerate()
        .map(|(number, report_section)| body(number, report_section));
    let bodies = bodies.collect::<Result<Vec<Markup>>>()?;
    let content = html! {
        (heading(index))
        (contents(report_sections))
        @for body in &bodies { (body) }
        footer { p { (grid::legend()) } }
    };
    Ok(page::render(&content).into_string())
}

fn heading(index: &Index) -> Markup {
    html! {
        header {
            h1 { "Comparison of online forests" }
            pre { code { "$ " (index.command) } }
            p.facts {
                (index.runs) " runs, " (index.trees) " trees, " (index.seeds) " seeds, "
                (index.host.threads) " threads · revision " (index.host.revision) " · " (index.host.cpu)
            }
            @if !index.complete {
                p.warning { "Interrupted: this report holds the runs that had finished." }
            }
        }
    }
}

fn contents(report_sections: &[ReportSection<'_>]) -> Markup {
    html! {
        nav { ul {
            @for (number, report_section) in report_sections.iter().enumerate() {
                li { a href={ "#s" (number) } { (report_section.grid.title) } }
            }
        } }
    }
}

fn body(number: usize, report_section: &ReportSection<'_>) -> Result<Markup> {
    let figures = report_section
        .plots
        .iter()
        .map(figure)
        .collect::<Result<Vec<Markup>>>()?;
    let setting = &report_section.section.setting;
    Ok(html! {
        section id={ "s" (number) } {
            h2 { (report_section.grid.title) }
            p.about { (report_section.grid.about) }
            (table(&report_section.grid))
            @for note in &report_section.grid.notes { p.note { (note) } }
            div.figures { @for figure in &figures { (figure) } }
            p.checksum { "data sha256 " code { (setting.data_sha256) } }
        }
    })
}

fn figure(plot: &Plot<'_>) -> Result<Markup> {
    let drawing = plot.inline()?;
    Ok(html! {
        figure { figcaption { (plot.caption) } (PreEscaped(drawing)) }
    })
}

fn table(grid: &Grid) -> Markup {
    html! {
        div.table { table {
            thead { tr { @for name in &grid.header { th { (name) } } } }
            tbody { @for line in &grid.lines { (row(line)) } }
        } }
    }
}

fn row(line: &Line) -> Markup {
    let class = match line.standing {
        Standing::Best => "best",
        _ if line.baseline => "baseline",
        _ => "",
    };
    html! { tr class=(class) { @for cell in &line.cells { td { (cell) } } } }
}
