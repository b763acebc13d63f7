//! A table as a value, with its writers for a terminal, the page, Markdown and LaTeX.

use comfy_table::{Attribute, CellAlignment, ColumnConstraint, ContentArrangement};
use comfy_table::{LineStyle, TableStyle, presets};
use maud::{Markup, html};

use crate::metric::Metric;
use crate::number;
use crate::statistics::Estimate;

/// A table with its words.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Empty for a table that belongs to the previous one.
    pub title: String,
    /// What it shows, in a line; may be empty.
    pub about: String,
    pub header: Vec<Cell>,
    pub rows: Vec<TableRow>,
    pub notes: Vec<String>,
}

/// A row of a table; its first cell is its name.
#[derive(Clone, Debug)]
pub(super) struct TableRow {
    pub mark: Mark,
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub text: String,
    /// What the page shows in small letters below the text.
    pub small: String,
    /// The number that its column is sorted by; a text without one is sorted as text.
    pub value: Option<f64>,
    pub mark: Mark,
}

/// How a row or a cell is set off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    Plain,
    /// The best mean, or one that is equal to it.
    Best,
    /// The 95 % interval of its paired difference from the best includes 0.
    Tied,
    Baseline,
}

impl Mark {
    fn class(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Baseline => Some("baseline"),
            Self::Best | Self::Tied => Some(self.word()),
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Tied => "tie",
            Self::Plain | Self::Baseline => "",
        }
    }
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            text,
            ..Self::default()
        }
    }

    pub(super) fn number(text: String, value: f64) -> Self {
        let mut cell = Self::new(text);
        cell.value = Some(value);
        cell
    }

    pub(super) fn interval(metric: Metric, value: &Estimate, decimals: usize) -> Self {
        let interval = number::interval(metric, value, decimals);
        let text = format!("{:.decimals$} {interval}", value.mean);
        Self::number(text.trim_end().to_owned(), value.mean)
    }

    /// Returns the cell of a value, or a dash for an unknown one.
    pub(super) fn or_dash(value: Option<f64>, text: impl Fn(f64) -> String) -> Self {
        value.map_or_else(|| Self::new("–"), |value| Self::number(text(value), value))
    }
}

/// The style in a terminal: lines only above the header, below it, and below the table.
const STYLE: TableStyle = presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());

impl Table {
    /// Returns the table for a terminal: where it is narrow, numbers may wrap but names may not.
    pub(super) fn terminal(&self) -> String {
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

    /// Returns the table for the page: sortable, in a scrolling box, between its words.
    pub(super) fn html(&self) -> Markup {
        let small = |text: &str| html! { @if !text.is_empty() { br; small { (text) } } };
        html! {
            @if !self.title.is_empty() { h3 { (self.title) } }
            @if !self.about.is_empty() { p.about { (self.about) } }
            div.table tabindex="0" role="region" aria-label=(self.name()) {
                table data-sortable aria-label=(self.name()) {
                    thead { tr { @for cell in &self.header { th scope="col" { (cell.text) (small(&cell.small)) } } } }
                    tbody {
                        @for row in &self.rows {
                            tr class=[row.mark.class()] {
                                th scope="row" { (row.cells[0].text) }
                                // The attribute holds the key for sorting.
                                @for cell in &row.cells[1..] {
                                    td class=[cell.mark.class()] data-value=[cell.value] {
                                        (cell.text) (small(&cell.small))
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @for note in &self.notes { p.note { (note) } }
        }
    }

    fn name(&self) -> &str {
        if self.title.is_empty() {
            return &self.about;
        }
        &self.title
    }

    pub(super) fn markdown(&self) -> String {
        let mut text = String::new();
        for (hashes, line) in [("## ", &self.title), ("", &self.about)] {
            if !line.is_empty() {
                text += &format!("{hashes}{}\n\n", escape(line));
            }
        }
        let mut lines = self.lines(escape, ["**", "**"], " | ").into_iter();
        let rule = "---:|".repeat(self.header.len() - 1);
        text += &format!("| {} |\n|---|{rule}\n", lines.next().unwrap_or_default());
        for line in lines {
            text += &format!("| {line} |\n");
        }
        text += "\n";
        for note in &self.notes {
            text += &format!("- {}\n", escape(note));
        }
        text + if self.notes.is_empty() { "" } else { "\n" }
    }

    /// Returns the table as a `tabular` environment with the rules of the package `booktabs`; its words are comments.
    pub(super) fn latex(&self) -> String {
        let mut text = format!("\n% {}\n", self.name().replace('\n', " "));
        for note in &self.notes {
            text += &format!("% {}\n", note.replace('\n', " "));
        }
        let mut lines = self.lines(in_latex, ["\\textbf{", "}"], " & ").into_iter();
        let columns = "r".repeat(self.header.len() - 1);
        text += &format!("\\begin{{tabular}}{{l{columns}}}\n\\toprule\n");
        text += &format!("{} \\\\\n\\midrule\n", lines.next().unwrap_or_default());
        for line in lines {
            text += &format!("{line} \\\\\n");
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }

    /// Returns the header and the rows as lines of escaped cells, bold in the row of the best.
    fn lines(&self, escape: fn(&str) -> String, bold: [&str; 2], by: &str) -> Vec<String> {
        let rows = self.rows.iter().map(|row| (row.mark, &row.cells));
        let mut lines = Vec::new();
        for (mark, cells) in [(Mark::Plain, &self.header)].into_iter().chain(rows) {
            let mut texts = Vec::new();
            for text in cells.iter().map(|cell| escape(&cell.text)) {
                let is_bold = mark == Mark::Best && !text.is_empty();
                texts.push(if is_bold { bold.join(&text) } else { text });
            }
            lines.push(texts.join(by));
        }
        lines
    }
}

/// Escapes what Markdown would take for its own; lines become one.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.replace('\n', " ").chars() {
        if "\\|*_`<>[]#".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
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

    #[test]
    fn a_table_is_written_for_terminals_markdown_and_latex() {
        let mut table = Table {
            title: "one & two".to_owned(),
            about: "two rows".to_owned(),
            header: vec![Cell::new("algorithm"), Cell::new("Cohen's κ")],
            rows: Vec::new(),
            notes: vec!["of *one* seed".to_owned()],
        };
        for (mark, name, value) in [
            (Mark::Best, "a_b:c=50%", "0.9 ± 0.1"),
            (Mark::Plain, "d", "0.8 ± 0.1"),
        ] {
            let cells = vec![Cell::new(name), Cell::new(value)];
            table.rows.push(TableRow { mark, cells });
        }
        let text = table.terminal();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines[..2], ["one & two", "two rows"]);
        assert!(lines[5].starts_with("a_b:c=50%") && lines[5].ends_with("0.9 ± 0.1"));
        assert_eq!(lines[8..], ["  of *one* seed", ""]);
        assert_eq!(
            table.markdown(),
            "## one & two\n\ntwo rows\n\n| algorithm | Cohen's κ |\n|---|---:|\n| **a\\_b:c=50%** | **0.9 ± 0.1** |\n\
             | d | 0.8 ± 0.1 |\n\n- of \\*one\\* seed\n\n"
        );
        assert_eq!(
            table.latex(),
            "\n% one & two\n% of *one* seed\n\\begin{tabular}{lr}\n\\toprule\nalgorithm & Cohen's $\\kappa$ \\\\\n\\midrule\n\
             \\textbf{a\\_b:c=50\\%} & \\textbf{0.9 $\\pm$ 0.1} \\\\\nd & 0.8 $\\pm$ 0.1 \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }
}
