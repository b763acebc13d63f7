//! `summary.md`: the tables as Markdown.

use super::rank::Rank;
use super::summary::Section;
use super::table::{self, TextRow, TextTable};

pub fn render(sections: &[Section], command: &str) -> String {
    let tables: String = sections.iter().map(section).collect();
    let legend = table::legend();
    format!("# Comparison\n\n```console\n$ {command}\n```\n\n{tables}{legend}\n")
}

fn section(section: &Section) -> String {
    let table = TextTable::new(section);
    let header = line(table.header.iter().map(|name| (*name).to_owned()));
    let rule =
        line((0..table.header.len()).map(|i| if i == 0 { "---" } else { "---:" }.to_owned()));
    let rows: String = table.rows.iter().map(row).collect();
    let notes = table
        .notes
        .iter()
        .map(|note| format!("- {}\n", escape(note)));
    let mut notes: String = notes.collect();
    if !notes.is_empty() {
        notes.push('\n');
    }
    let (title, description) = (escape(&table.title), escape(&table.description));
    format!("## {title}\n\n{description}\n\n{header}{rule}{rows}\n{notes}")
}

fn row(row: &TextRow) -> String {
    let bold = row.rank == Rank::Best;
    line(row.cells.iter().map(|cell| match escape(cell) {
        text if bold && !text.is_empty() => format!("**{text}**"),
        text => text,
    }))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|text| format!(" {text} |")).collect();
    format!("|{cells}\n")
}

/// Names come from files and users: Markdown must not interpret them.
fn escape(text: &str) -> String {
    let special = |c: char| "\\|*_`<>[]#".contains(c);
    let escape = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.replace('\n', " ").chars().flat_map(escape).collect()
}
