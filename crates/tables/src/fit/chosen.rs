//! Which columns and rows are fitted on.

use crate::column_cells::ColumnCells;
use crate::target_column::find;
use crate::{Fault, GapsIn, Header, Missing, Record, TableOptions, TargetColumn};

/// Which columns are what.
pub(super) struct Chosen {
    pub(super) target: usize,
    pub(super) features: Vec<usize>,
    pub(super) categorical: Vec<usize>,
}

impl Chosen {
    pub(super) fn of(
        names: &[String],
        target: &TargetColumn,
        options: &TableOptions,
    ) -> Result<Self, Fault> {
        let all = |wanted: &[String]| -> Result<Vec<usize>, Fault> {
            wanted.iter().map(|name| find(name, names)).collect()
        };
        let target = target.find(names)?;
        let dropped = all(&options.drop)?;
        let mut features = match options.columns.is_empty() {
            true => (0..names.len()).collect(),
            false => all(&options.columns)?,
        };
        features.retain(|column| *column != target && !dropped.contains(column));
        match features.is_empty() {
            true => Err(Fault::NoFeatures),
            false => Ok(Self {
                target,
                features,
                categorical: all(&options.categorical)?,
            }),
        }
    }

    /// The features and the target.
    pub(super) fn used(&self) -> impl Iterator<Item = usize> {
        self.features.iter().copied().chain([self.target])
    }

    /// The rows to be fitted on; all of them unless rows with gaps are dropped.
    pub(super) fn rows<'a>(
        &self,
        header: &Header,
        records: &'a [Record],
        missing: Missing,
    ) -> Result<Vec<&'a Record>, Fault> {
        if records.is_empty() {
            return Err(Fault::Empty);
        }
        let rows: Vec<&Record> = records.iter().collect();
        let used: Vec<usize> = self.used().collect();
        match missing {
            Missing::Refuse => refuse_gaps(header, &rows, &used, GapsIn::Anywhere)?,
            Missing::Mean | Missing::Median | Missing::Indicator => {
                refuse_gaps(header, &rows, &[self.target], GapsIn::Target)?;
            }
            Missing::Drop => {
                let whole = whole_rows(header, &rows, &used);
                if whole.is_empty() {
                    refuse_gaps(header, &rows, &used, GapsIn::Anywhere)?;
                }
                return Ok(whole);
            }
        }
        Ok(rows)
    }
}

impl TableOptions {
    /// The columns that these options make features, and the target.
    ///
    /// # Errors
    /// A column that is not there, or no features.
    pub fn used_columns(
        &self,
        names: &[String],
        target: &TargetColumn,
    ) -> Result<Vec<usize>, Fault> {
        Chosen::of(names, target, self).map(|chosen| chosen.used().collect())
    }
}

/// The rows without gaps in some columns.
fn whole_rows<'a>(header: &Header, rows: &[&'a Record], columns: &[usize]) -> Vec<&'a Record> {
    let is_gap = |row: &Record, index: usize| {
        let cell = row.cells.get(index).unwrap_or_default();
        header.columns[index].is_gap(cell)
    };
    let is_whole = |row: &&&Record| !columns.iter().any(|index| is_gap(row, *index));
    rows.iter().filter(is_whole).copied().collect()
}

/// An error with all counts, if there are gaps in some columns.
fn refuse_gaps(
    header: &Header,
    rows: &[&Record],
    columns: &[usize],
    place: GapsIn,
) -> Result<(), Fault> {
    let gaps = |index: &usize| {
        let (column, index) = (&header.columns[*index], *index);
        ColumnCells {
            column,
            index,
            rows,
        }
        .gaps()
    };
    let columns: Vec<_> = columns.iter().filter_map(gaps).collect();
    match columns.is_empty() {
        true => Ok(()),
        false => Err(Fault::MissingValues {
            columns,
            rows: rows.len(),
            place,
        }),
    }
}
