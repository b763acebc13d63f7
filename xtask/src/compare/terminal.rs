//! Tables for a terminal.

use std::io::{self, Write as _};

use anyhow::{Context, Result};
use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, Table, presets};

use super::chapter::Chapter;
use super::grid::{self, Grid, Line};
use super::standing::Standing;

/// Prints all tables, and how to read them.
///
/// # Errors
/// If nobody reads standard output any more.
pub fn print(chapters: &[Chapter<'_>]) -> Result<()> {
    let mut text: String = chapters
        .iter()
        .map(|chapter| render(&chapter.grid))
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

fn table(grid: &Grid) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(&grid.header);
    table.add_rows(grid.lines.iter().map(cells));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
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
