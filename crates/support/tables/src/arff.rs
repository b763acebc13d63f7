//! ARFF: Weka's format, as its book and wiki describe it (Witten, Frank and Hall, *Data Mining*, section 2.4).
//!
//! Read: `@relation`, `@attribute` with `numeric`, `real`, `integer`, `string`, `date` or `{nominal, values}`, names
//! and values quoted with `'` or `"` and escaped by `\`, lines that begin with `%` as comments, dense rows, and sparse
//! rows `{index value, …}`, in which the index counts from 0 and omitted values are 0 or the first declared value.
//! Values are separated by commas or tabs. Weights of rows and relational attributes are refused.

use crate::error::{MAX_COLUMNS, Result, refuse, short};
use crate::input::Lines;
use crate::record::{Column, Kind, Source};
use crate::{Header, Record, TableError};

/// The rows behind `@data`.
pub(crate) struct Arff<'a> {
    lines: Lines<'a>,
    /// What a cell is that a sparse row leaves out.
    left_out: Vec<String>,
}

impl<'a> Arff<'a> {
    /// Reads the declarations.
    pub(crate) fn open(mut lines: Lines<'a>) -> Result<(Header, Box<dyn Source + 'a>)> {
        let mut columns: Vec<Column> = Vec::new();
        while let Some(line) = content(&mut lines)? {
            let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let column = match keyword.to_ascii_lowercase().as_str() {
                "@relation" => continue,
                "@attribute" if columns.len() == MAX_COLUMNS => Err(TableError::too_many_columns()),
                "@attribute" => attribute(rest),
                "@data" => {
                    let left_out = columns.iter().map(|column| match &column.kind {
                        Kind::Numeric => "0".to_owned(),
                        Kind::Nominal(values) => values.first().cloned().unwrap_or_default(),
                        _ => String::new(),
                    });
                    let left_out = left_out.collect();
                    return Ok((
                        Header::declared(columns),
                        Box::new(Self { lines, left_out }),
                    ));
                }
                _ => Err(TableError::new(format!(
                    "`{}` is not @relation, @attribute or @data",
                    short(keyword)
                ))),
            };
            columns.push(column.map_err(|fault| fault.at(lines.number))?);
        }
        refuse!("no @data section");
    }
}

impl Source for Arff<'_> {
    fn read(&mut self, record: &mut Record) -> Result<bool> {
        let Some(line) = content(&mut self.lines)? else {
            return Ok(false);
        };
        let row = match line.strip_prefix('{') {
            None => cells(line),
            Some(sparse) => sparse_cells(sparse, &self.left_out),
        };
        record.line = self.lines.number;
        record.cells = row.map_err(|fault| fault.at(record.line))?.into();
        Ok(true)
    }
}

/// Returns the next line that is neither empty nor a comment, without blanks around it.
fn content<'l>(lines: &'l mut Lines<'_>) -> Result<Option<&'l str>> {
    while lines.advance()? {
        let line = lines.latest()?.trim();
        if !line.is_empty() && !line.starts_with('%') {
            return Ok(Some(lines.latest()?.trim()));
        }
    }
    Ok(None)
}

/// Returns name and kind of what follows `@attribute`.
fn attribute(text: &str) -> Result<Column> {
    let (name, rest) = token(text.trim_start(), |c| c.is_whitespace() || c == '{')?;
    let rest = rest.trim();
    if let Some(list) = rest.strip_prefix('{') {
        let Some(inner) = list.strip_suffix('}') else {
            refuse!("`{}` lacks its closing brace", short(rest));
        };
        return Ok(Column::new(name, Kind::Nominal(cells(inner)?)));
    }
    let word = rest.split(char::is_whitespace).next().unwrap_or_default();
    let kind = match word.to_ascii_lowercase().as_str() {
        "numeric" | "real" | "integer" => Kind::Numeric,
        "string" => Kind::Unstated,
        "date" => Kind::Date,
        _ => refuse!(
            "attribute `{}` is of type `{}`, not numeric, string, date or nominal",
            short(&name),
            short(rest)
        ),
    };
    Ok(Column::new(name, kind))
}

/// Returns the cells of a row written as `index value, …}`.
fn sparse_cells(text: &str, left_out: &[String]) -> Result<Vec<String>> {
    let Some(inner) = text.trim_end().strip_suffix('}') else {
        refuse!("a sparse row lacks its closing brace");
    };
    let mut row = left_out.to_vec();
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (index, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let index = index.parse().unwrap_or(usize::MAX);
        let Some(cell) = row.get_mut(index) else {
            let rest = short(rest);
            let all = left_out.len();
            refuse!("`{rest}` does not begin with the index of one of {all} attributes, from 0");
        };
        let (value, behind) = token(value.trim_start(), |c| matches!(c, ',' | '\t'))?;
        *cell = value;
        rest = after_separator(behind)?.unwrap_or_default().trim_start();
    }
    Ok(row)
}

/// Returns values separated by commas.
fn cells(mut text: &str) -> Result<Vec<String>> {
    let mut cells = Vec::new();
    loop {
        let (cell, rest) = token(text.trim_start(), |c| matches!(c, ',' | '\t'))?;
        cells.push(cell);
        match after_separator(rest)? {
            Some(rest) => text = rest,
            None => return Ok(cells),
        }
    }
}

/// Returns what follows the separator behind a value; `None` at the end.
fn after_separator(rest: &str) -> Result<Option<&str>> {
    let value = rest.trim_start();
    match value.strip_prefix(',') {
        Some(rest) => Ok(Some(rest)),
        None if value.is_empty() => Ok(None),
        None if rest[..rest.len() - value.len()].contains('\t') => Ok(Some(value)),
        None => refuse!("a comma is missing before `{}`", short(value)),
    }
}

/// Returns one value and what follows it: quoted up to its closing quote, else up to the first `ends`.
fn token(text: &str, ends: impl Fn(char) -> bool) -> Result<(String, &str)> {
    let Some(quote @ ('\'' | '"')) = text.chars().next() else {
        let (value, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
        return Ok((value.trim_end().to_owned(), rest));
    };
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
            _ if char == quote => return Ok((value, &text[at + 1..])),
            _ => value.push(char),
        }
    }
    refuse!("{quote}{} lacks its closing quote", short(&text[1..]));
}
