//! `summary.md`: the tables, for where Markdown is read.

use super::grid::{self, Grid, Line};
use super::report_section::ReportSection;
use super::standing::Standing;

/// The whole document.
pub fn render(report_sections: &[ReportSection<'_>], command: &str) -> String {
    let sections: String = report_sections
        .iter()
        .map(|report_section| section(&report_section.grid))
        .collect();
    format!(
        "# Comparison\n\n```console\n$ {command}\n```\n\n{sections}{}\n",
        grid::legend()
    )
}

fn section(grid: &Grid) -> String {
    let Grid { title, about, .. } = grid;
    let lines: String = grid.lines.iter().map(line).collect();
    let notes: String = grid
        .notes
        .iter()
        .map(|note| format!("- {}\n", escape(note)))
        .collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!(
        "## {}\n\n{}\n\n{}{lines}\n{notes}{gap}",
        escape(title),
        escape(about),
        head(grid)
    )
}

fn head(grid: &Grid) -> String {
    let rule = |index: usize| if index == 0 { " --- |" } else { " ---: |" };
    let rules: String = (0..grid.header.len()).map(rule).collect();
    format!("{}|{rules}\n", row(grid.header.iter().cloned()))
}

fn line(line: &Line) -> String {
    let bold = line.standing == Standing::Best;
    row(line.cells.iter().map(|text| {
        let text = escape(text);
        if bold && !text.is_empty() {
            format!("**{text}**")
        } else {
            text
        }
    }))
}

fn row(cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|text| format!(" {text} |")).collect();
    format!("|{cells}\n")
}

/// Names come from files and users: what Markdown would take as its own is kept from it.
fn escape(text: &str) -> String {
    let special = |c: char| "\\|*_`<>[]#".contains(c);
    let guard = |c: char| if special(c) { vec!['\\', c] } else { vec![c] };
    text.replace('\n', " ").chars().flat_map(guard).collect()
}
