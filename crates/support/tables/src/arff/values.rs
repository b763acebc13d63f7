//! Values of a row: quoted or not, all of them or those that are not left out.

use crate::{Fault, short};

/// Returns the cells of a row written as `index value, …}`.
pub(super) fn sparse_cells(text: &str, left_out: &[String]) -> Result<Vec<String>, Fault> {
    let inner = text.trim_end().strip_suffix('}');
    let inner = inner.ok_or_else(|| Fault::new("a sparse row lacks its closing brace"))?;
    let mut row = left_out.to_vec();
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (index, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let index = index
            .parse::<usize>()
            .ok()
            .filter(|index| *index < row.len());
        let index = index.ok_or_else(|| {
            Fault::new(format!(
                "`{}` does not begin with the index of one of {} attributes, counted from 0",
                short(rest),
                row.len()
            ))
        })?;
        let (cell, behind) = token(value.trim_start(), is_separator)?;
        row[index] = cell;
        rest = after_separator(behind)?.unwrap_or_default().trim_start();
    }
    Ok(row)
}

/// Returns values separated by commas.
pub(super) fn cells(mut text: &str) -> Result<Vec<String>, Fault> {
    let mut cells = Vec::new();
    loop {
        let (cell, rest) = token(text.trim_start(), is_separator)?;
        cells.push(cell);
        match after_separator(rest)? {
            Some(rest) => text = rest,
            None => return Ok(cells),
        }
    }
}

/// Weka separates values by commas, and by tabs.
fn is_separator(char: char) -> bool {
    matches!(char, ',' | '\t')
}

/// What follows the separator behind a value; `None` at the end.
fn after_separator(rest: &str) -> Result<Option<&str>, Fault> {
    let value = rest.trim_start();
    let has_tab = rest[..rest.len() - value.len()].contains('\t');
    match value.strip_prefix(',') {
        Some(rest) => Ok(Some(rest)),
        None if value.is_empty() => Ok(None),
        None if has_tab => Ok(Some(value)),
        None => Err(Fault::new(format!(
            "a comma is missing before `{}`",
            short(value)
        ))),
    }
}

/// Returns one value and what follows it: quoted up to its closing quote, else up to the first `ends`.
pub(super) fn token(text: &str, ends: impl Fn(char) -> bool) -> Result<(String, &str), Fault> {
    match text.chars().next() {
        Some(quote @ ('\'' | '"')) => quoted(&text[1..], quote),
        _ => {
            let (value, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
            Ok((value.trim_end().to_owned(), rest))
        }
    }
}

fn quoted(text: &str, quote: char) -> Result<(String, &str), Fault> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
            _ if char == quote => return Ok((value, &text[at + char.len_utf8()..])),
            _ => value.push(char),
        }
    }
    Err(Fault::new(format!(
        "{quote}{} lacks its closing quote",
        short(text)
    )))
}
