//! What follows `@attribute`.

use super::values::{cells, token};
use crate::record::Column;
use crate::{Fault, Kind, short};

/// Returns name and kind of what follows `@attribute`.
pub(super) fn attribute(text: &str) -> Result<Column, Fault> {
    let (name, rest) = token(text.trim_start(), |c| c.is_whitespace() || c == '{')?;
    let kind = match rest.trim() {
        list if list.starts_with('{') => Kind::Nominal(nominal(list)?),
        word => kind(&name, word)?,
    };
    Ok(Column { name, kind })
}

fn kind(name: &str, word: &str) -> Result<Kind, Fault> {
    let first = word.split_whitespace().next().unwrap_or_default();
    match first.to_ascii_lowercase().as_str() {
        "numeric" | "real" | "integer" => Ok(Kind::Numeric),
        "string" => Ok(Kind::Unstated),
        "date" => date(word.trim_start()[first.len()..].trim()),
        _ => Err(Fault::new(format!(
            "attribute `{}` is of type `{}`; numeric, string, date and nominal ones are read",
            short(name),
            short(word)
        ))),
    }
}

/// Parses a date in the pattern that follows; without one, in ISO 8601.
fn date(pattern: &str) -> Result<Kind, Fault> {
    match token(pattern, |_| false)?.0 {
        pattern if pattern.is_empty() => Ok(Kind::Unstated),
        pattern => Ok(Kind::Date(pattern)),
    }
}

fn nominal(list: &str) -> Result<Vec<String>, Fault> {
    let inner = list
        .strip_prefix('{')
        .and_then(|list| list.strip_suffix('}'));
    let inner =
        inner.ok_or_else(|| Fault::new(format!("`{}` lacks its closing brace", short(list))))?;
    cells(inner)
}

/// What a cell is that a sparse row leaves out.
pub(super) fn left_out(column: &Column) -> String {
    match &column.kind {
        Kind::Numeric => "0".to_owned(),
        Kind::Nominal(values) => values.first().cloned().unwrap_or_default(),
        Kind::Unstated | Kind::Date(_) | Kind::Index | Kind::Unreadable(_) => String::new(),
    }
}
