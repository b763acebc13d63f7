//! `summary.md`: the tables as Markdown.

use super::overall::{Overall, overall};
use super::section::Rank;
use super::section::{Row, Section};
use super::table::{self, Cell};

pub(super) fn render(sections: &[Section], command: &str) -> String {
    let tables: String = sections.iter().map(render_section).collect();
    let all = overall(sections).into_iter();
    let all = all.filter(|overall| overall.matrix.sets().len() > 1);
    let all: String = all.map(|overall| over_all_sets(&overall)).collect();
    let legend = table::legend();
    format!("# Comparison\n\n```console\n$ {command}\n```\n\n{all}{tables}{legend}\n")
}

fn render_section(section: &Section) -> String {
    let table = table(section.header(), section.lines());
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

fn table<'a>(header: Vec<String>, rows: impl Iterator<Item = (&'a Row, Vec<Cell>)>) -> String {
    layout(header, rows.map(row))
}

fn layout(header: Vec<String>, lines: impl Iterator<Item = String>) -> String {
    let rule = (0..header.len()).map(|column| if column == 0 { "---" } else { "---:" });
    let rule = line(rule.map(str::to_owned));
    let lines: String = lines.collect();
    format!(
        "{}{rule}{lines}",
        line(header.iter().map(|name| escape(name)))
    )
}

fn over_all_sets(overall: &Overall) -> String {
    let lines = overall.lines().into_iter();
    let lines = lines.map(|cells| line(cells.iter().map(|cell| escape(cell))));
    let table = layout(overall.header(), lines);
    let notes = overall.notes().into_iter();
    let notes: String = notes.map(|note| format!("- {}\n", escape(&note))).collect();
    format!("## {}\n\n{table}\n{notes}\n", escape(&overall.title()))
}

fn row((row, cells): (&Row, Vec<Cell>)) -> String {
    let bold = row.rank == Rank::Best;
    line(cells.iter().map(|cell| match escape(&cell.text) {
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
