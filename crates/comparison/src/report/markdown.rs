//! Renders `summary.md`: the tables as Markdown.

use super::overall::{Overall, overall};
use super::section::Rank;
use super::section::{Row, Section};
use super::table::{self, Cell};
use crate::markdown::{self, escape};

pub(super) fn render(sections: &[Section], command: &str) -> String {
    let tables: String = sections.iter().map(render_section).collect();
    let all: String = overall(sections)
        .into_iter()
        .filter(|overall| overall.matrix.sets().len() > 1)
        .map(|overall| over_all_sets(&overall))
        .collect();
    let legend = table::legend();
    format!("# Comparison\n\n```console\n$ {command}\n```\n\n{all}{tables}{legend}\n")
}

fn render_section(section: &Section) -> String {
    let table = table(&section.header(), section.lines());
    let mut notes = list(section.notes());
    if !notes.is_empty() {
        notes.push('\n');
    }
    let (title, description) = (escape(&section.title()), escape(&section.description()));
    let changes = if section.has_changes() {
        changes(section)
    } else {
        String::new()
    };
    format!("## {title}\n\n{description}\n\n{table}\n{notes}{changes}")
}

fn changes(section: &Section) -> String {
    let caption = escape(&section.changes_caption());
    let table = table(&section.changes_header(), section.changes_lines());
    format!("{caption}\n\n{table}\n")
}

fn table<'a>(header: &[String], rows: impl Iterator<Item = (&'a Row, Vec<Cell>)>) -> String {
    let cells = rows.map(|(row, cells)| {
        let bold = row.rank == Rank::Best;
        let cells = cells.iter().map(|cell| match escape(&cell.text) {
            text if bold && !text.is_empty() => format!("**{text}**"),
            text => text,
        });
        cells.collect()
    });
    markdown::table(&escaped(header), cells)
}

fn over_all_sets(overall: &Overall) -> String {
    let lines = overall.lines().into_iter().map(|cells| escaped(&cells));
    let table = markdown::table(&escaped(&overall.header()), lines);
    format!(
        "## {}\n\n{table}\n{}\n",
        escape(&overall.title()),
        list(overall.notes())
    )
}

fn list(notes: Vec<String>) -> String {
    let notes = notes.iter().map(|note| format!("- {}\n", escape(note)));
    notes.collect()
}

fn escaped(cells: &[String]) -> Vec<String> {
    cells.iter().map(|cell| escape(cell)).collect()
}
