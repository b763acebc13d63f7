//! What was guessed about a table, each with the option that decides it.

use std::fmt;

use crate::column_cells::ColumnCells;
use crate::feature::{Feature, Meaning};
use crate::{
    Categories, DateFormat, Decimal, Header, HeaderLine, Numbers, Record, TableOptions, short,
};

/// A column of words with more values than this may be a list of names.
const MANY_CATEGORIES: usize = 100;

/// A share of different numbers that become equal, above which it is said.
const MERGED_SHARE: f64 = 0.01;

/// Fewer rows than this say nothing about two columns that are equal.
const FEW_ROWS: usize = 3;

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
    },
    /// Different numbers of a column that are one number as `f32`.
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

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dates {
                column,
                example,
                format,
                other,
            } => {
                let format = format.as_str();
                write!(
                    f,
                    "column `{column}` looks like dates (`{example}`), and is read as days since 1970 ({format}"
                )?;
                if let Some(other) = other {
                    write!(f, "; {} fits, too", other.as_str())?;
                }
                write!(
                    f,
                    "); decide with --dates PATTERN, or --dates text for categories"
                )
            }
            Self::ManyCategories {
                column,
                values,
                rows,
                features,
            } => write!(
                f,
                "column `{column}` is text with {values} different values in {rows} rows: {features} columns; if it is an \
                 identifier, leave it out with --drop; else decide with --categories one-hot:LIMIT, ordinal or hash:N"
            ),
            Self::NumbersAsWords {
                column,
                example,
                numbers,
            } => write!(
                f,
                "column `{column}` is text, but looks like numbers (`{example}`); if it is, say {}",
                options_of(numbers)
            ),
            Self::Merged {
                column,
                distinct,
                kept,
            } => write!(
                f,
                "column `{column}` has {distinct} different numbers, but only {kept} as features, which have 24 bits (f32); \
                 subtract a constant from it, say --categorical, or leave it out with --drop"
            ),
            Self::RepeatsTarget { column, target } => write!(
                f,
                "column `{column}` is the target `{target}` in every row; leave it out with --drop"
            ),
            Self::NumbersAsHeader { first, last } => write!(
                f,
                "the first line counts from {first} to {last} and is read as a row; if it names the columns, say --header yes, \
                 else --header no"
            ),
            Self::ClassesGuessed { target, values } => write!(
                f,
                "the target `{target}` has {values} different whole numbers, which are taken for classes; decide with \
                 --task classify or --task regress"
            ),
            Self::NumbersGuessed { target, values } => write!(
                f,
                "the target `{target}` has {values} different whole numbers, which are taken for measurements; decide with \
                 --task classify or --task regress"
            ),
        }
    }
}

fn options_of(numbers: &Numbers) -> String {
    let decimal = match numbers.decimal {
        Decimal::Comma => "--decimal comma",
        Decimal::Point if numbers.thousands.is_none() => "--decimal point",
        Decimal::Point => "",
    };
    let thousands = numbers
        .thousands
        .map_or(String::new(), |char| format!("--thousands '{char}'"));
    format!("{decimal} {thousands}").trim().to_owned()
}

/// Everything worth saying about a feature.
pub(crate) fn of_feature(
    feature: &Feature,
    cells: ColumnCells<'_>,
    target: ColumnCells<'_>,
    dates: &[DateFormat],
    options: &TableOptions,
) -> Vec<Warning> {
    let about_meaning = match &feature.meaning {
        Meaning::Date(_) if options.dates != crate::Dates::Auto => None,
        Meaning::Date(format) => Some(read_as_dates(cells, format, dates)),
        Meaning::Number => merged(cells, options.numbers()),
        Meaning::OneHot(values) | Meaning::Ordinal(values) if values.are_declared => None,
        Meaning::OneHot(_) | Meaning::Ordinal(_) | Meaning::Hashed { .. } => {
            numbers_as_words(cells, options).or_else(|| many_categories(feature, cells, options))
        }
    };
    let repeats = repeats_target(cells, target, options.numbers());
    about_meaning.into_iter().chain(repeats).collect()
}

fn name(cells: ColumnCells<'_>) -> String {
    short(&cells.column.name)
}

fn example(cells: ColumnCells<'_>) -> String {
    short(cells.present().next().unwrap_or_default())
}

fn read_as_dates(cells: ColumnCells<'_>, format: &DateFormat, fitting: &[DateFormat]) -> Warning {
    Warning::Dates {
        column: name(cells),
        example: example(cells),
        format: format.clone(),
        other: fitting.iter().find(|other| *other != format).cloned(),
    }
}

/// Where categories are hashed or numbered they were chosen, but not for an identifier.
fn many_categories(
    feature: &Feature,
    cells: ColumnCells<'_>,
    options: &TableOptions,
) -> Option<Warning> {
    let is_chosen = options.categories != Categories::default();
    let values = cells.distinct().len();
    (values > MANY_CATEGORIES && !is_chosen).then(|| Warning::ManyCategories {
        column: name(cells),
        values,
        rows: cells.present().count(),
        features: feature.width(),
    })
}

fn numbers_as_words(cells: ColumnCells<'_>, options: &TableOptions) -> Option<Warning> {
    let with = |decimal, thousands| Numbers { decimal, thousands };
    let others = [
        with(Decimal::Point, None),
        with(Decimal::Comma, None),
        with(Decimal::Point, Some(',')),
        with(Decimal::Comma, Some('.')),
        with(Decimal::Comma, Some(' ')),
        with(Decimal::Point, Some(' ')),
    ];
    let fits = |numbers: &Numbers| cells.present().all(|cell| numbers.parse(cell).is_some());
    let is_other = |numbers: &Numbers| *numbers != options.numbers();
    let numbers = others
        .into_iter()
        .find(|numbers| is_other(numbers) && fits(numbers))?;
    Some(Warning::NumbersAsWords {
        column: name(cells),
        example: example(cells),
        numbers,
    })
}

/// Different numbers that are the same feature.
fn merged(cells: ColumnCells<'_>, numbers: Numbers) -> Option<Warning> {
    let mut values: Vec<f64> = cells
        .numbers(numbers)
        .filter(|value| value.is_finite())
        .collect();
    if values
        .iter()
        .all(|value| f64::from(*value as f32) == *value)
    {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let distinct = values.len();
    values.dedup_by_key(|value| *value as f32);
    let kept = values.len();
    ((distinct - kept) as f64 > MERGED_SHARE * distinct as f64).then(|| Warning::Merged {
        column: name(cells),
        distinct,
        kept,
    })
}

fn repeats_target(
    cells: ColumnCells<'_>,
    target: ColumnCells<'_>,
    numbers: Numbers,
) -> Option<Warning> {
    let is_same = |(cell, target): (&str, &str)| {
        let number = |cell| numbers.parse(cell);
        cell == target || number(cell).is_some_and(|value| number(target) == Some(value))
    };
    let repeats = cells.rows.len() >= FEW_ROWS && cells.all().zip(target.all()).all(is_same);
    repeats.then(|| Warning::RepeatsTarget {
        column: name(cells),
        target: name(target),
    })
}

/// A first row of `0,1,2,…` where a header is looked for.
pub(crate) fn numbers_as_header(
    header: &Header,
    records: &[Record],
    options: &TableOptions,
) -> Option<Warning> {
    let is_guessed = options.header == HeaderLine::Auto && !header.is_named;
    let first = records.first().filter(|_| is_guessed)?;
    let values = first.cells.iter().map(|cell| cell.parse::<u32>().ok());
    let values = values.collect::<Option<Vec<_>>>()?;
    let counts = values
        .windows(2)
        .all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    (counts && values.len() >= FEW_ROWS).then(|| Warning::NumbersAsHeader {
        first: values.first().map_or(String::new(), u32::to_string),
        last: values.last().map_or(String::new(), u32::to_string),
    })
}
