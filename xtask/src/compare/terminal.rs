//! Tables for a terminal.

use std::io::{self, Write as _};

use anyhow::{Context, Result};
use comfy_table::{
    Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table,
    TableStyle, presets,
};

use super::grid::{self, Grid, Line};
use super::report_section::ReportSection;
use super::standing::Standing;

/// Nothing but rules above the header, below it, and below the table.
const RULES: TableStyle = presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());

/// Prints all tables, and how to read them.
///
/// # Errors
/// If nobody reads standard output any more.
pub fn print(report_sections: &[ReportSection<'_>]) -> Result<()> {
    let mut text: String = report_sections
        .iter()
        .map(|report_section| render(&report_section.grid))
        .collect();
    text.push_str(&grid::legend());
    writeln!(io::stdout(), "{text}").context("cannot write to standard output")
}

fn render(grid: &Grid) -> String {
    let notes: String = grid
        .notes
        .iter()
        .map(|note| format!("  {note}\n"))
        .collect();
    format!("{}\n{}\n{}\n{notes}\n", grid.title, grid.about, table(grid))
}

/// Rules across and none down; where the terminal is narrow, numbers may wrap but names may not.
fn table(grid: &Grid) -> Table {
    let mut table = Table::new();
    table.load_style(RULES);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(&grid.header);
    table.add_rows(grid.lines.iter().map(cells));
    let gap = gap(&table);
    for column in table.column_iter_mut() {
        column.set_padding((0, gap));
        column.set_cell_alignment(CellAlignment::Right);
    }
    if let Some(names) = table.column_mut(0) {
        names.set_cell_alignment(CellAlignment::Left);
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}

/// Two spaces between columns if the terminal has room for them.
fn gap(table: &Table) -> u16 {
    let widths = table.column_max_content_widths();
    let roomy: u16 = widths.iter().map(|width| width + 2).sum();
    if table.width().is_some_and(|terminal| terminal < roomy) {
        1
    } else {
        2
    }
}

fn cells(line: &Line) -> Vec<Cell> {
    line.cells
        .iter()
        .map(|text| dress(Cell::new(text), line))
        .collect()
}

fn dress(cell: Cell, line: &Line) -> Cell {
    match line.standing {
        Standing::Best => cell.add_attribute(Attribute::Bold),
        _ if line.baseline => cell.add_attribute(Attribute::Dim),
        _ => cell,
    }
}
