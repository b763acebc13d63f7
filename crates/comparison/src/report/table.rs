//! A table as a value, with its writers for a terminal, the page, Markdown and LaTeX.

use comfy_table::{
    Attribute, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, presets,
};
use maud::{Markup, html};

/// A table with its words.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its title; empty for a table that belongs to the previous one.
    pub title: String,
    /// What it shows, in a line; may be empty.
    pub about: String,
    /// The names of its columns.
    pub header: Vec<Cell>,
    /// Its rows.
    pub rows: Vec<TableRow>,
    /// Notes for readers.
    pub notes: Vec<String>,
}

/// A row of a table; its first cell is its name.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// How all of its cells are set off.
    pub mark: Mark,
    /// Its cells.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// What the page shows in small letters below the text.
    pub small: String,
    /// The number that its column is sorted by; a text without one is sorted as text.
    pub value: Option<f64>,
    /// How it is set off.
    pub mark: Mark,
}

/// How a row or a cell is set off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It is not.
    #[default]
    Plain,
    /// As the best.
    Best,
    /// As tied with the best.
    Tied,
    /// As a baseline.
    Baseline,
}

impl Mark {
    /// Returns the class of the page's style.
    fn class(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Best => Some("best"),
            Self::Tied => Some("tie"),
            Self::Baseline => Some("baseline"),
        }
    }
}

impl Cell {
    /// Returns the cell of a number.
    pub fn new(text: String, value: f64) -> Self {
        Self {
            value: Some(value),
            ..text.into()
        }
    }

    /// Returns the cell of a value, or a dash for an unknown one.
    pub(super) fn or_dash(value: Option<f64>, text: impl Fn(f64) -> String) -> Self {
        value.map_or_else(|| "–".into(), |value| Self::new(text(value), value))
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

/// The style in a terminal: lines only above the header, below it, and below the table.
const STYLE: TableStyle = presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());

impl Table {
    /// Returns the table for a terminal: where it is narrow, numbers may wrap but names may not.
    pub fn terminal(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(STYLE);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header(self.header.iter().map(|cell| &cell.text));
        for row in &self.rows {
            table.add_row(row.cells.iter().map(|cell| {
                let cell = comfy_table::Cell::new(&cell.text);
                match row.mark {
                    Mark::Best => cell.add_attribute(Attribute::Bold),
                    Mark::Baseline => cell.add_attribute(Attribute::Dim),
                    Mark::Plain | Mark::Tied => cell,
                }
            }));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
            column.set_cell_alignment(CellAlignment::Right);
        }
        if let Some(names) = table.column_mut(0) {
            names.set_cell_alignment(CellAlignment::Left);
            names.set_constraint(ColumnConstraint::ContentWidth);
        }
        let mut text = String::new();
        for line in [&self.title, &self.about] {
            if !line.is_empty() {
                text += &format!("{line}\n");
            }
        }
        text += &format!("{table}\n");
        for note in &self.notes {
            text += &format!("  {note}\n");
        }
        text + "\n"
    }

    /// Returns the table for the page: sortable, in a scrolling box, whose shadow shows that the table continues, between its words.
    pub(super) fn html(&self) -> Markup {
        let name = self.name();
        let small = |text: &str| html! { @if !text.is_empty() { br; small { (text) } } };
        html! {
            @if !self.title.is_empty() { h3 { (self.title) } }
            @if !self.about.is_empty() { p.about { (self.about) } }
            div.table tabindex="0" role="region" aria-label=(name) {
                table data-sortable aria-label=(name) {
                    thead { tr { @for cell in &self.header { th scope="col" { (cell.text) (small(&cell.small)) } } } }
                    tbody {
                        @for row in &self.rows {
                            tr class=[row.mark.class()] {
                                th scope="row" { (row.cells[0].text) }
                                // The attribute holds the key for sorting.
                                @for cell in &row.cells[1..] {
                                    td class=[cell.mark.class()] data-value=[cell.value] { (cell.text) (small(&cell.small)) }
                                }
                            }
                        }
                    }
                }
            }
            @for note in &self.notes { p.note { (note) } }
        }
    }

    /// Returns its title, or what it shows.
    fn name(&self) -> &str {
        if self.title.is_empty() {
            &self.about
        } else {
            &self.title
        }
    }

    /// Returns the table with its heading as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            text += &format!("## {}\n\n", escape(&self.title));
        }
        if !self.about.is_empty() {
            text += &format!("{}\n\n", escape(&self.about));
        }
        let cells = |cells: &[Cell], mark| {
            let cells = cells.iter().map(|cell| match escape(&cell.text) {
                text if mark == Mark::Best && !text.is_empty() => format!("**{text}**"),
                text => text,
            });
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        text += &cells(&self.header, Mark::Plain);
        text += &format!(
            "|---|{}\n",
            "---:|".repeat(self.header.len().saturating_sub(1))
        );
        self.rows
            .iter()
            .for_each(|row| text += &cells(&row.cells, row.mark));
        text += "\n";
        self.notes
            .iter()
            .for_each(|note| text += &format!("- {}\n", escape(note)));
        text + if self.notes.is_empty() { "" } else { "\n" }
    }

    /// Returns the table as a `tabular` environment with the rules of the package `booktabs`; its words are comments.
    pub fn latex(&self) -> String {
        let mut text = "\n".to_owned();
        for line in [self.name()]
            .into_iter()
            .chain(self.notes.iter().map(String::as_str))
        {
            text += &format!("% {}\n", line.replace('\n', " "));
        }
        let columns = "r".repeat(self.header.len() - 1);
        text += &format!("\\begin{{tabular}}{{l{columns}}}\n\\toprule\n");
        text += &latex_row(&self.header, Mark::Plain);
        text += "\\midrule\n";
        for row in &self.rows {
            text += &latex_row(&row.cells, row.mark);
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }
}

fn latex_row(cells: &[Cell], mark: Mark) -> String {
    let cells = cells.iter().map(|cell| match in_latex(&cell.text) {
        text if mark == Mark::Best && !text.is_empty() => format!("\\textbf{{{text}}}"),
        text => text,
    });
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// Escapes what Markdown would take for its own; lines become one.
pub fn escape(text: &str) -> String {
    let special = |c: char| "\\|*_`<>[]#".contains(c);
    let escape = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.replace('\n', " ").chars().flat_map(escape).collect()
}

/// Escapes characters that LaTeX takes for commands, and those that its fonts lack.
fn in_latex(text: &str) -> String {
    let of = |character: char| match character {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{character}"),
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '<' | '>' => format!("${character}$"),
        '±' => "$\\pm$".to_owned(),
        '–' => "--".to_owned(),
        '−' => "$-$".to_owned(),
        '∞' => "$\\infty$".to_owned(),
        'τ' => "$\\tau$".to_owned(),
        '·' => "$\\cdot$".to_owned(),
        '²' => "$^2$".to_owned(),
        'κ' => "$\\kappa$".to_owned(),
        'µ' => "$\\mu$".to_owned(),
        '→' => "$\\to$".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let row = |mark, name: &str, value: f64| TableRow {
            mark,
            cells: vec![name.into(), Cell::new(format!("{value} ± 0.1"), value)],
        };
        Table {
            title: "one & two".to_owned(),
            about: "two rows".to_owned(),
            header: vec!["algorithm".into(), "Cohen's κ".into()],
            rows: vec![
                row(Mark::Best, "a_b:c=50%", 0.9),
                row(Mark::Plain, "d", 0.8),
            ],
            notes: vec!["of *one* seed".to_owned()],
        }
    }

    #[test]
    fn a_table_is_written_for_terminals_markdown_and_latex() {
        let rules = example().terminal();
        let lines: Vec<&str> = rules.lines().map(str::trim_end).collect();
        assert_eq!(lines[..2], ["one & two", "two rows"]);
        assert!(lines[5].starts_with("a_b:c=50%") && lines[5].ends_with("0.9 ± 0.1"));
        assert_eq!(lines[8..], ["  of *one* seed", ""]);
        assert_eq!(
            example().markdown(),
            "## one & two\n\ntwo rows\n\n| algorithm | Cohen's κ |\n|---|---:|\n| **a\\_b:c=50%** | **0.9 ± 0.1** |\n\
             | d | 0.8 ± 0.1 |\n\n- of \\*one\\* seed\n\n"
        );
        assert_eq!(
            example().latex(),
            "\n% one & two\n% of *one* seed\n\\begin{tabular}{lr}\n\\toprule\nalgorithm & Cohen's $\\kappa$ \\\\\n\\midrule\n\
             \\textbf{a\\_b:c=50\\%} & \\textbf{0.9 $\\pm$ 0.1} \\\\\nd & 0.8 $\\pm$ 0.1 \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }
}
