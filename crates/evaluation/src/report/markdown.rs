//! `summary.md`: the tables as Markdown.

use super::rank::Rank;
use super::summary::{Row, Section};
use super::table;

pub(super) fn render(sections: &[Section], command: &str) -> String {
    let tables: String = sections.iter().map(render_section).collect();
    let legend = table::legend();
    format!("# Comparison\n\n```console\n$ {command}\n```\n\n{tables}{legend}\n")
}

fn render_section(section: &Section) -> String {
    let header = section.header().into_iter().map(str::to_owned);
    let table = table(header.collect(), section.lines());
    let notes = section.notes().into_iter();
    let mut notes: String = notes.map(|note| format!("- {}\n", escape(&note))).collect();
    if !notes.is_empty() {
        notes.push('\n');
    }
    let (title, description) = (escape(&section.title()), escape(&section.description()));
    let changes = match section.has_changes() {
        true => changes(section),
        false => String::new(),
    };
    format!("## {title}\n\n{description}\n\n{table}\n{notes}{changes}")
}

fn changes(section: &Section) -> String {
    let caption = escape(&section.changes_caption());
    let table = table(section.changes_header(), section.changes_lines());
    format!("{caption}\n\n{table}\n")
}

fn table<'a>(header: Vec<String>, rows: impl Iterator<Item = (&'a Row, Vec<String>)>) -> String {
    let rule = (0..header.len()).map(|column| if column == 0 { "---" } else { "---:" });
    let rule = line(rule.map(str::to_owned));
    let rows: String = rows.map(row).collect();
    format!("{}{rule}{rows}", line(header.into_iter()))
}

fn row((row, cells): (&Row, Vec<String>)) -> String {
    let bold = row.rank == Rank::Best;
    line(cells.iter().map(|cell| match escape(cell) {
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
