//! Which column of a table is the target.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Fault, Header};

/// Which column of a table is the target. Written `first`, `last`, a column's name, or its number from 1.
///
/// A column that has the given word as its name wins over a number that would mean another one.
///
/// ```
/// use tables::TargetColumn;
/// assert_eq!("last".parse(), Ok(TargetColumn::Last));
/// assert_eq!("price".parse(), Ok(TargetColumn::Named("price".into())));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum TargetColumn {
    /// The first column.
    First,
    /// The last column: the habit of most files.
    #[default]
    Last,
    /// The column of this name or, if no column has it, of this number, counted from 1.
    Named(String),
}

impl TargetColumn {
    /// Returns the index into `names`.
    ///
    /// # Errors
    /// Returns an error that names the nearest names.
    pub fn find(&self, names: &[String]) -> Result<usize, Fault> {
        match self {
            TargetColumn::First => Ok(0),
            TargetColumn::Last => Ok(names.len().saturating_sub(1)),
            TargetColumn::Named(name) => find(name, names),
        }
    }
}

impl TargetColumn {
    /// Index of the column: as [`TargetColumn::find`] but the first or last that does not number or name the rows.
    ///
    /// # Errors
    /// Returns an error that names the nearest names.
    pub fn find_in(&self, header: &Header) -> Result<usize, Fault> {
        let mut columns = header.columns.iter();
        let found = match self {
            TargetColumn::First => columns.position(|column| !column.is_index()),
            TargetColumn::Last => columns.rposition(|column| !column.is_index()),
            TargetColumn::Named(_) => None,
        };
        found.map_or_else(|| self.find(&header.names()), Ok)
    }
}

/// Returns the column of this name or, if no column has it, of this number, counted from 1.
pub(crate) fn find(wanted: &str, names: &[String]) -> Result<usize, Fault> {
    let named = names.iter().position(|name| name == wanted);
    named
        .or_else(|| number(wanted, names.len()))
        .ok_or_else(|| Fault::no_column(wanted, names))
}

/// Returns the columns of these names or numbers.
pub(crate) fn find_all(wanted: &[String], names: &[String]) -> Result<Vec<usize>, Fault> {
    wanted.iter().map(|wanted| find(wanted, names)).collect()
}

fn number(text: &str, columns: usize) -> Option<usize> {
    let number: usize = text.parse().ok()?;
    (1..=columns).contains(&number).then(|| number - 1)
}

impl fmt::Display for TargetColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TargetColumn::First => "first",
            TargetColumn::Last => "last",
            TargetColumn::Named(name) => name,
        })
    }
}

impl From<String> for TargetColumn {
    fn from(text: String) -> Self {
        match text.as_str() {
            "first" => TargetColumn::First,
            "last" => TargetColumn::Last,
            _ => TargetColumn::Named(text),
        }
    }
}

impl From<TargetColumn> for String {
    fn from(column: TargetColumn) -> Self {
        column.to_string()
    }
}

impl FromStr for TargetColumn {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.to_owned().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_win_over_numbers_and_near_names_are_suggested() {
        let names = ["price", "3", "date"].map(str::to_owned);
        let find = |text: &str| TargetColumn::from(text.to_owned()).find(&names);
        for (text, index) in [("first", 0), ("last", 2), ("3", 1), ("2", 1)] {
            assert_eq!(find(text).unwrap(), index, "{text}");
        }
        let says = find("prize").unwrap_err().to_string();
        assert_eq!(
            says,
            "no column `prize` (did you mean `price`?); columns: price, 3, date"
        );
        assert!(find("4").is_err() && find("0").is_err());
    }
}
