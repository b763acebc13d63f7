//! Tables for a terminal.

use comfy_table::{
    Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table,
    TableStyle, presets,
};

use super::overall::{Overall, overall};
use super::section::Rank;
use super::section::{Row, Section};
use super::table;

/// The style: lines only above the header, below it, and below the table.
const STYLE: TableStyle = presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());

/// Renders the tables of all sections, with their legend.
pub fn render(sections: &[Section]) -> String {
    let tables: String = sections.iter().map(section).collect();
    let all: String = overall(sections)
        .into_iter()
        .filter(|overall| overall.matrix.sets().len() > 1)
        .map(|overall| over_all_sets(&overall))
        .collect();
    format!("{tables}{all}{}\n", table::legend())
}

fn section(section: &Section) -> String {
    let notes = section.notes().into_iter();
    let notes: String = notes.map(|note| format!("  {note}\n")).collect();
    let (title, description) = (section.title(), section.description());
    let table = table(section.header(), section.lines());
    let changes = if section.has_changes() {
        changes(section)
    } else {
        String::new()
    };
    format!("{title}\n{description}\n{table}\n{notes}{changes}\n")
}

fn over_all_sets(overall: &Overall) -> String {
    let lines = overall.lines().into_iter();
    let cells = lines.map(|line| line.into_iter().map(Cell::new).collect());
    let table = layout(overall.header(), cells);
    let notes = overall.notes().into_iter();
    let notes: String = notes.map(|note| format!("  {note}\n")).collect();
    format!("{}\n{table}\n{notes}\n", overall.title())
}

fn changes(section: &Section) -> String {
    let table = table(section.changes_header(), section.changes_lines());
    format!("\n{}\n{table}\n", section.changes_caption())
}

fn table<'a, N: Into<Cell>>(
    header: Vec<N>,
    lines: impl Iterator<Item = (&'a Row, Vec<table::Cell>)>,
) -> Table {
    layout(header, lines.map(|(row, cells)| styled(row, &cells)))
}

/// Lays out a table: where the terminal is narrow, numbers may wrap but names may not.
fn layout<N: Into<Cell>>(header: Vec<N>, lines: impl Iterator<Item = Vec<Cell>>) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table.add_rows(lines);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
        column.set_cell_alignment(CellAlignment::Right);
    }
    if let Some(names) = table.column_mut(0) {
        names.set_cell_alignment(CellAlignment::Left);
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}

fn styled(row: &Row, cells: &[table::Cell]) -> Vec<Cell> {
    let cell = |cell: &table::Cell| match row.rank {
        Rank::Best => Cell::new(&cell.text).add_attribute(Attribute::Bold),
        _ if row.baseline => Cell::new(&cell.text).add_attribute(Attribute::Dim),
        _ => Cell::new(&cell.text),
    };
    cells.iter().map(cell).collect()
}
