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
            } => {
                let (kind, unit) = if format.has_days() {
                    ("dates", "days since 1970")
                } else {
                    ("times of day", "parts of a day since midnight")
                };
                write!(
                    f,
                    "column `{column}` looks like {kind} (`{example}`), and is read as {unit} ({}); choose with --dates PATTERN, or \
                     --dates text for categories",
                    format.as_str()
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
                 identifier, leave it out with --drop; else choose with --categories one-hot:LIMIT, ordinal or hash:N"
            ),
            Self::NumbersAsWords {
                column,
                example,
                numbers,
                other,
            } => write!(
                f,
                "column `{column}` is text, but looks like numbers (`{example}`); if they are, use {}{}",
                options_of(numbers),
                other.map_or(String::new(), |other| format!(" or {}", options_of(&other)))
            ),
            Self::NumbersAmongWords {
                column,
                numbers,
                cells,
                number,
                word,
            } => write!(
                f,
                "{numbers} of {cells} cells of column `{column}` are numbers (`{number}`) and the others are not (`{word}`), so every \
                 value is a category; if `{word}` means a missing value, use --missing-values {word}; if all of them are categories, use \
                 --categorical {column}"
            ),
            Self::LabelsMerged {
                target,
                class,
                other,
            } => write!(
                f,
                "the class `{class}` of the target `{target}` is also written `{other}`; if these are two classes, use \
                 --categorical {target}"
            ),
            Self::LabelsApart {
                target,
                class,
                other,
            } => write!(
                f,
                "`{class}` and `{other}` are two classes of the target `{target}`, since leading zeros count; if they are one class, \
                 write them in the same way"
            ),
            Self::ManyClasses {
                target,
                example,
                classes,
                rows,
            } => write!(
                f,
                "the target `{target}` is text (`{example}`) with {classes} classes in {rows} rows; if these are not classes, \
                 choose another column with --target; if they are, use --task classify"
            ),
            Self::Units { column, example } => write!(
                f,
                "column `{column}` is text, but looks like numbers with a unit (`{example}`), which is not converted; write the digits \
                 alone, for example in Python: t['{column}'] = t['{column}'].str.extract(r'(-?[0-9.]+)'); if its values are categories, \
                 use --categorical {column}"
            ),
            Self::Hexadecimal { column, example } => write!(
                f,
                "column `{column}` is text, but looks like hexadecimal numbers (`{example}`); write them in decimal, for example in \
                 Python: t['{column}'] = t['{column}'].map(lambda cell: int(cell, 16)); if its values are categories, use --categorical \
                 {column}"
            ),
            Self::DatesAsWords { column, example } => write!(
                f,
                "column `{column}` is text, but looks like dates (`{example}`); state their format, such as \
                 --dates '%d/%m/%Y' or --dates '%m/%d/%Y %I:%M %p'; if its values are categories, use --categorical {column}"
            ),
            Self::DigitsInWords {
                column,
                example,
                cells,
                rows,
                values,
            } => write!(
                f,
                "column `{column}` is text, but {cells} of {rows} cells contain digits (`{example}`), and its {values} values \
                 are categories; if they are, use --categorical {column}; write numbers as digits alone, state the format of dates \
                 with --dates PATTERN, or leave it out with --drop"
            ),
            Self::NoSuchDates { pattern } => write!(
                f,
                "no column has dates of the format --dates {pattern} (in 95 % of its cells, which must be text); leave --dates out to \
                 have them recognised"
            ),
            Self::Origin {
                column,
                feature,
                distinct,
                kept,
            } => write!(
                f,
                "column `{column}` is read as `{feature}`: features have 24 bits (f32), which hold only {kept} of \
                 {distinct} different numbers, or not their differences; if it is an identifier, leave it out with --drop, or use \
                 --categorical {column}"
            ),
            Self::Merged {
                column,
                distinct,
                kept,
            } => write!(
                f,
                "column `{column}` has {distinct} different numbers, but only {kept} as features, which have 24 bits (f32); \
                 write it with fewer digits, use --categorical {column}, or leave it out with --drop"
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
                "the first line ({cells}) is read as the names of the columns; if it is a row, use --header no, otherwise \
                 --header yes"
            ),
            Self::FirstRowGuessed {
                cells,
                taken: FirstRow::Row,
            } => write!(
                f,
                "the first line ({cells}) is read as a row; if it names the columns, use --header yes, otherwise --header no"
            ),
            Self::DelimiterGuessed { taken, other } => write!(
                f,
                "cells are separated by `{taken}`, but `{other}` fits the first lines, too; choose with --delimiter"
            ),
            Self::CommentsGuessed { lines, first } => write!(
                f,
                "{lines} lines before the first row that begin with `#` are left out as comments (`{first}`); use --comment '#' \
                 to leave out all such lines; if they name the columns, remove the `#`"
            ),
            Self::IndexLeftOut { column } => write!(
                f,
                "column `{column}` looks like a row index and is not used as a feature; if \
                 it is a feature, list all features with --columns; otherwise leave it out with --drop {column}"
            ),
            Self::WeightsLeftOut { rows, first_line } => write!(
                f,
                "{rows} rows have a weight (first on line {first_line}), which is left out: every row counts once"
            ),
            Self::GroupsLeftOut => write!(
                f,
                "rows have a group (`qid:…`), which is left out: it is not a feature, and rows are learned one by one"
            ),
            Self::ClassesGuessed { target, values } => write!(
                f,
                "the target `{target}` has {values} different whole numbers, which are treated as classes; choose with \
                 --task classify or --task regress"
            ),
            Self::NumbersGuessed { target, values } => write!(
                f,
                "the target `{target}` has {values} different whole numbers, which are treated as measurements; choose with \
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
    let thousands = numbers.thousands.map_or(String::new(), |char| match char {
        '\'' => "--thousands \"'\"".to_owned(),
        char => format!("--thousands '{char}'"),
    });
    format!("{decimal} {thousands}").trim().to_owned()
}
