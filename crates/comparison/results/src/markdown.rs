//! Tables in Markdown.

use std::iter;

/// A table: the first column begins at the left, numbers in the others end at the right. Cells are written as they are.
pub fn table(header: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let others = header.len().saturating_sub(1);
    let rule = format!("|---|{}\n", "---:|".repeat(others));
    let rows: String = rows.into_iter().map(|cells| line(&cells)).collect();
    [line(header), rule, rows].concat()
}

/// A table of text: every column begins at the left.
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

/// Text that Markdown does not interpret.
pub fn escape(text: &str) -> String {
    let special = |c: char| "\\|*_`<>[]#".contains(c);
    let escape = |c: char| special(c).then_some('\\').into_iter().chain([c]);
    text.replace('\n', " ").chars().flat_map(escape).collect()
}
