//! Warnings as sentences.

use std::fmt;

use super::Warning;
use crate::{Decimal, FirstRow, Numbers};

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
            Self::OneTarget {
                target,
                value,
                rows,
            } => write!(
                f,
                "the target `{target}` is `{value}` in all of {rows} rows, from which nothing else can be learned; is it the \
                 right column (--target)?"
            ),
            Self::FirstRowGuessed {
                cells,
                taken: FirstRow::Names,
            } => write!(
                f,
                "the first line ({cells}) is read as the names of the columns; if it is a row, say --header no, else \
                 --header yes"
            ),
            Self::FirstRowGuessed {
                cells,
                taken: FirstRow::Row,
            } => write!(
                f,
                "the first line ({cells}) is read as a row; if it names the columns, say --header yes, else --header no"
            ),
            Self::DelimiterGuessed { taken, other } => write!(
                f,
                "cells are separated by `{taken}`, but `{other}` fits the first lines, too; decide with --delimiter"
            ),
            Self::CommentsGuessed { lines, first } => write!(
                f,
                "{lines} lines before the first row that begin with `#` are left out as comments (`{first}`); say --comment '#' \
                 to leave out all such lines"
            ),
            Self::IndexLeftOut { column } => write!(
                f,
                "column `{column}` is taken for the number or name of the row, and is no feature; if \
                 it is one, list all features with --columns, else leave it out with --drop {column}"
            ),
            Self::WeightsLeftOut { rows, first_line } => write!(
                f,
                "{rows} rows have a weight (first on line {first_line}), which is left out: every row counts once"
            ),
            Self::GroupsLeftOut => write!(
                f,
                "rows have a group (`qid:…`), which is left out: it is no feature, and rows are learned one by one"
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
