//! Warnings of guesses about a table, each with the option that decides.

mod found;
mod labels;
mod text;
mod words;

pub(crate) use found::{dates_without_column, example, feature_warnings, one_target};
pub(crate) use labels::{labels_alike, many_classes};
pub(crate) use words::{numbers_among_words, written_otherwise};

use crate::{DateFormat, Delimiter, FirstRow, Numbers};

/// A guess about a table, or a property that may be unintended. Its text names the option that decides.
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
    /// A column of words some cells of which are numbers.
    NumbersAmongWords {
        /// Name of the column.
        column: String,
        /// Cells that are numbers.
        numbers: usize,
        /// Cells with a value.
        cells: usize,
        /// The first number.
        number: String,
        /// The first other cell.
        word: String,
    },
    /// Labels of the target that are written in more than one way and are one class.
    LabelsMerged {
        /// Name of the target.
        target: String,
        /// The name of the class.
        class: String,
        /// Another way in which it is written.
        other: String,
    },
    /// Labels of the target that are one number and two classes.
    LabelsApart {
        /// Name of the target.
        target: String,
        /// A class.
        class: String,
        /// Another class.
        other: String,
    },
    /// A target of text with a class for nearly every row.
    ManyClasses {
        /// Name of the target.
        target: String,
        /// The first cell.
        example: String,
        /// Classes.
        classes: usize,
        /// Rows.
        rows: usize,
    },
    /// A column of words that are numbers with a unit to a person.
    Units {
        /// Name of the column.
        column: String,
        /// The first cell.
        example: String,
    },
    /// A column of words that are hexadecimal numbers.
    Hexadecimal {
        /// Name of the column.
        column: String,
        /// The first cell.
        example: String,
    },
    /// A column of words that are dates to a person, in a format that is not recognised.
    DatesAsWords {
        /// Name of the column.
        column: String,
        /// The first cell.
        example: String,
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
    /// Whether the first row is names or a row is uncertain.
    FirstRowGuessed {
        /// Its first cells.
        cells: String,
        /// What it was taken for.
        taken: FirstRow,
    },
    /// Another separator fits, too.
    DelimiterGuessed {
        /// The separator used.
        taken: Delimiter,
        /// The other one.
        other: Delimiter,
    },
    /// Lines before the first row that begin with `#` were left out.
    CommentsGuessed {
        /// How many.
        lines: usize,
        /// The first of them.
        first: String,
    },
    /// A column that numbers or names the rows is not a feature.
    IndexLeftOut {
        /// Name of the column.
        column: String,
    },
    /// Weights of rows were left out.
    WeightsLeftOut {
        /// Rows with a weight other than 1.
        rows: u64,
        /// The line of the first of them.
        first_line: u64,
    },
    /// Groups of rows (`qid:1`) were left out.
    GroupsLeftOut,
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

impl Warning {
    /// Returns whether it says that the task was guessed.
    pub fn is_about_task(&self) -> bool {
        matches!(
            self,
            Self::ClassesGuessed { .. } | Self::NumbersGuessed { .. }
        )
    }

    /// With the number of classes: several of many digits may be one number of `f64`.
    pub(crate) fn with_classes(self, classes: usize) -> Self {
        match self {
            Self::ClassesGuessed { target, .. } => Self::ClassesGuessed {
                target,
                values: classes,
            },
            other => other,
        }
    }
}
