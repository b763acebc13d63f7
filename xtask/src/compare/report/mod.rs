//! `report.html`: one file that needs nothing else, for a browser.

mod page;

use anyhow::Result;
use maud::{Markup, PreEscaped, html};

use super::chapter::Chapter;
use super::grid::{self, Grid, Line};
use super::output::Index;
use super::plot::Plot;
use super::standing::Standing;
use crate::draw::Picture;

/// The whole file.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn render(index: &Index, chapters: &[Chapter<'_>]) -> Result<String> {
    let bodies = chapters
        .iter()
        .enumerate()
        .map(|(number, chapter)| body(number, chapter));
    let bodies = bodies.collect::<Result<Vec<Markup>>>()?;
    let content = html! {
        (heading(index))
        (contents(chapters))
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

fn contents(chapters: &[Chapter<'_>]) -> Markup {
    html! {
        nav { ul {
            @for (number, chapter) in chapters.iter().enumerate() {
                li { a href={ "#s" (number) } { (chapter.grid.title) } }
            }
        } }
    }
}

fn body(number: usize, chapter: &Chapter<'_>) -> Result<Markup> {
    let figures = chapter
        .plots
        .iter()
        .map(figure)
        .collect::<Result<Vec<Markup>>>()?;
    let setting = &chapter.section.setting;
    Ok(html! {
        section id={ "s" (number) } {
            h2 { (chapter.grid.title) }
            p.about { (chapter.grid.about) }
            (table(&chapter.grid))
            @for note in &chapter.grid.notes { p.note { (note) } }
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
