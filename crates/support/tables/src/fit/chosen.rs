//! Chooses the columns and rows to fit.

use std::collections::BTreeMap;

use crate::column_cells::ColumnCells;
use crate::missing::MissingRule;
use crate::target_column::find_all;
use crate::{Fault, Header, Missing, MissingWords, Record, TableOptions, TargetColumn, short};

const REMEDY: &str = "use --missing median, indicator or drop, or keep if the algorithm takes missing values, or leave columns \
     out with --drop COLUMN";

const REMEDY_OF_TARGET: &str =
    "a target cannot be filled in; use --missing drop to leave the rows out";

/// The roles of columns.
pub(super) struct Chosen {
    pub(super) target: usize,
    pub(super) features: Vec<usize>,
    pub(super) categorical: Vec<usize>,
    /// Columns that number or name the rows, and therefore are not features.
    pub(super) index: Vec<usize>,
}

impl Chosen {
    pub(super) fn of(
        header: &Header,
        target: &TargetColumn,
        options: &TableOptions,
    ) -> Result<Self, Fault> {
        let names = header.names();
        let target = target.find_in(header)?;
        let dropped = find_all(&options.drop, &names)?;
        refuse_equal_names(&names, &dropped)?;
        let mut features = if options.columns.is_empty() {
            (0..names.len()).collect()
        } else {
            find_all(&options.columns, &names)?
        };
        features.retain(|column| *column != target && !dropped.contains(column));
        let categorical = find_all(&options.categorical, &names)?;
        let index = if options.columns.is_empty() {
            leave_out_index(header, &mut features, &categorical)
        } else {
            Vec::new()
        };
        if features.is_empty() {
            Err(Fault::no_features())
        } else {
            Ok(Self {
                target,
                features,
                categorical,
                index,
            })
        }
    }

    /// Returns the features and the target.
    pub(super) fn used(&self) -> impl Iterator<Item = usize> {
        self.features.iter().copied().chain([self.target])
    }

    /// Returns the rows to fit; all of them unless rows with missing values are dropped.
    pub(super) fn rows<'a>(
        &self,
        header: &Header,
        records: &'a [Record],
        rule: &MissingRule,
    ) -> Result<Vec<&'a Record>, Fault> {
        if records.is_empty() {
            return Err(Fault::empty());
        }
        let rows: Vec<&Record> = records.iter().collect();
        let used: Vec<usize> = self.used().collect();
        let words = &rule.words;
        match rule.missing {
            Missing::Refuse => refuse_missing(header, &rows, &used, words, REMEDY)?,
            Missing::Median | Missing::Indicator | Missing::Keep => {
                refuse_missing(header, &rows, &[self.target], words, REMEDY_OF_TARGET)?;
            }
            Missing::Drop => {
                let whole = whole_rows(header, &rows, &used, words);
                if whole.is_empty() {
                    refuse_missing(header, &rows, &used, words, REMEDY)?;
                }
                return Ok(whole);
            }
        }
        Ok(rows)
    }
}

/// Takes the columns that number or name the rows out of the features, unless nothing else is left; which they are.
fn leave_out_index(
    header: &Header,
    features: &mut Vec<usize>,
    categorical: &[usize],
) -> Vec<usize> {
    let is_index =
        |column: &usize| header.columns[*column].is_index() && !categorical.contains(column);
    let (index, others): (Vec<usize>, Vec<usize>) = features.iter().partition(|it| is_index(it));
    if others.is_empty() {
        return Vec::new();
    }
    *features = others;
    index
}

/// Rejects two columns of one name, unless all but one are dropped.
fn refuse_equal_names(names: &[String], dropped: &[usize]) -> Result<(), Fault> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let kept = names.iter().enumerate();
    for (second, name) in kept.filter(|(column, _)| !dropped.contains(column)) {
        if let Some(first) = places.insert(name, second) {
            let (first, second) = (first + 1, second + 1);
            return Err(Fault::new(format!(
                "columns {first} and {second} are both called `{}`; rename one of them, or leave one out by its number: \
                 --drop {second}",
                short(name)
            )));
        }
    }
    Ok(())
}

impl TableOptions {
    /// Returns the columns that these options make features, and the target.
    ///
    /// # Errors
    /// Returns an error for an unknown column, or without features.
    pub fn used_columns(
        &self,
        header: &Header,
        target: &TargetColumn,
    ) -> Result<Vec<usize>, Fault> {
        Chosen::of(header, target, self).map(|chosen| chosen.used().collect())
    }
}

/// Returns the rows without missing values in some columns.
fn whole_rows<'a>(
    header: &Header,
    rows: &[&'a Record],
    columns: &[usize],
    words: &MissingWords,
) -> Vec<&'a Record> {
    let is_missing = |row: &Record, index: usize| {
        let cell = row.cells.get(index).unwrap_or_default();
        header.columns[index].is_missing(cell, words)
    };
    let is_whole = |row: &&&Record| !columns.iter().any(|index| is_missing(row, *index));
    rows.iter().filter(is_whole).copied().collect()
}

/// Returns an error with all counts, if values are missing in some columns.
fn refuse_missing(
    header: &Header,
    rows: &[&Record],
    columns: &[usize],
    missing_words: &MissingWords,
    remedy: &str,
) -> Result<(), Fault> {
    let (mut counts, mut first_word) = (Vec::new(), "");
    for &index in columns {
        let cells = ColumnCells {
            header,
            index,
            rows,
            missing_words,
        };
        if let Some((missing, line, word)) = cells.missing() {
            let name = short(&cells.column().name);
            counts.push(format!(
                "{missing} of {} cells of column `{name}` (first on line {line})",
                rows.len()
            ));
            if first_word.is_empty() {
                first_word = word;
            }
        }
    }
    let hint = if first_word.is_empty() {
        String::new()
    } else {
        format!("; if `{first_word}` is a value, use --not-missing {first_word}")
    };
    if counts.is_empty() {
        return Ok(());
    }
    let counts = counts.join(", ");
    Err(Fault::new(format!(
        "missing values: {counts}; {remedy}{hint}"
    )))
}
