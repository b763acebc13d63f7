//! Markdown tables.

use std::iter;

/// Formats a table: the first column is left-aligned, numbers in the others are right-aligned. Cells are not escaped.
pub fn table(header: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let others = header.len().saturating_sub(1);
    let rule = format!("|---|{}\n", "---:|".repeat(others));
    let rows: String = rows.into_iter().map(|cells| line(&cells)).collect();
    [line(header), rule, rows].concat()
}

/// Formats a table of text: every column is left-aligned.
pub fn text_table<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let rule = format!("|{}\n", "---|".repeat(N));
    let rows = rows.into_iter().map(|cells| line(&cells));
    let header = iter::once(line(&header.map(str::to_owned)));
    header.chain([rule]).chain(rows).collect()
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Escapes text, so that Markdown does not interpret it.
pub fn escape(text: &str) -> String {
    let special = |c: char| "\\|*_`<>[]#".contains(c);
    let escape = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.replace('\n', " ").chars().flat_map(escape).collect()
}
