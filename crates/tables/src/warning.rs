//! What was guessed about a table, each with the option that decides it.

mod found;
mod text;
mod words;

pub(crate) use found::{dates_without_column, numbers_as_header, of_feature, of_target};

use crate::{DateFormat, Notation, Numbers};

/// Something about a table that was guessed or may not be meant. Its text names the option that decides it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A column of words was read as dates.
    Dates {
        /// Name of the column.
        column: String,
        /// The first cell.
        example: String,
        /// How the dates are read.
        format: DateFormat,
        /// Another way that fits all of them.
        other: Option<DateFormat>,
    },
    /// A column of words with hundreds of values.
    ManyCategories {
        /// Name of the column.
        column: String,
        /// Different values.
        values: usize,
        /// Rows with a value.
        rows: usize,
        /// Features that it becomes.
        features: usize,
    },
    /// A column of words that would be numbers if they were written with other separators.
    NumbersAsWords {
        /// Name of the column.
        column: String,
        /// The first cell.
        example: String,
        /// How they would be numbers.
        numbers: Numbers,
        /// How they would be other numbers.
        other: Option<Numbers>,
    },
    /// Cells that were read as numbers although more than digits is written in them.
    Written {
        /// Name of the column.
        column: String,
        /// A cell.
        example: String,
        /// What it is read as.
        number: f64,
        /// How the numbers of the column are written.
        notation: Notation,
    },
    /// A column of words nearly all of which are numbers, but not with the same unit.
    MixedUnits {
        /// Name of the column.
        column: String,
        /// The units, the most frequent first.
        units: Vec<String>,
    },
    /// A column of words most of which contain digits.
    DigitsInWords {
        /// Name of the column.
        column: String,
        /// The first of these cells.
        example: String,
        /// How many of the cells contain digits.
        cells: usize,
        /// Rows with a value.
        rows: usize,
        /// Different values.
        values: usize,
    },
    /// A pattern of dates that was given, and that no column has.
    NoSuchDates {
        /// The pattern.
        pattern: String,
    },
    /// A number was subtracted from a column, so that `f32` keeps different numbers apart.
    Origin {
        /// Name of the column.
        column: String,
        /// The name of the feature, which says what is subtracted.
        feature: String,
        /// Different numbers in the table.
        distinct: usize,
        /// Different numbers as features, if nothing were subtracted.
        kept: usize,
    },
    /// Different numbers of a column that are one number as `f32`, whatever is subtracted from them.
    Merged {
        /// Name of the column.
        column: String,
        /// Different numbers in the table.
        distinct: usize,
        /// Different numbers as features.
        kept: usize,
    },
    /// A feature that is the target in every row.
    RepeatsTarget {
        /// Name of the feature.
        column: String,
        /// Name of the target.
        target: String,
    },
    /// A target that is the same in every row.
    OneTarget {
        /// Name of the target.
        target: String,
        /// What it is.
        value: String,
        /// Rows.
        rows: usize,
    },
    /// The first row, which was taken for one like the others, counts 0, 1, 2, ….
    NumbersAsHeader {
        /// Its first cell.
        first: String,
        /// Its last cell.
        last: String,
    },
    /// Whole numbers in the target were taken for classes.
    ClassesGuessed {
        /// Name of the target.
        target: String,
        /// Different values.
        values: usize,
    },
    /// Whole numbers in the target were taken for measurements.
    NumbersGuessed {
        /// Name of the target.
        target: String,
        /// Different values.
        values: usize,
    },
}
