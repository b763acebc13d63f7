//! Options of a table as they are written on a command line.

use std::iter;

use clap::{Parser as _, ValueEnum};
use shlex::Quoter;
use tables::TableOptions;

/// Returns every option that is set, with its value: `--missing`, `median`.
pub fn table_pairs(options: &TableOptions) -> Vec<(&'static str, String)> {
    let shown = |byte: u8| char::from(byte).to_string();
    let pairs = [
        ("--delimiter", options.delimiter.map(|it| it.to_string())),
        ("--header", Some(name(&options.header))),
        ("--comment", options.comment.map(shown)),
        ("--indices", options.indices.map(|it| it.to_string())),
        ("--decimal", Some(name(&options.decimal))),
        ("--thousands", options.thousands.map(|it| it.to_string())),
        ("--missing", Some(name(&options.missing))),
        ("--missing-values", listed(&options.missing_values)),
        ("--not-missing", listed(&options.not_missing)),
        ("--columns", listed(&options.columns)),
        ("--drop", listed(&options.drop)),
        ("--categorical", listed(&options.categorical)),
        ("--categories", Some(options.categories.to_string())),
        ("--dates", Some(options.dates.to_string())),
        ("--encoding", options.encoding.as_ref().map(name)),
    ];
    let said = |(option, value): (_, Option<String>)| Some((option, value?));
    pairs.into_iter().filter_map(said).collect()
}

/// Returns the options that differ from the defaults, as they are written in a shell: `--missing median --drop 'first name'`.
pub fn table_text(options: &TableOptions) -> String {
    let defaults = table_pairs(&TableOptions::default());
    let pairs = table_pairs(options).into_iter();
    let given = pairs.filter(|pair| !defaults.contains(pair));
    let words: Vec<String> = given
        .flat_map(|(option, value)| words(option, value))
        .collect();
    let quoter = Quoter::new().allow_nul(true);
    let text = quoter.join(words.iter().map(String::as_str));
    text.expect("only NUL cannot be quoted, and it is allowed")
}

/// A value that begins with a hyphen would be read as another option.
fn words(option: &str, value: String) -> Vec<String> {
    if value.starts_with('-') {
        vec![format!("{option}={value}")]
    } else {
        vec![option.to_owned(), value]
    }
}

/// Parses the options of such a text; `None` if it is not one.
pub(crate) fn table_options(text: &str) -> Option<TableOptions> {
    #[derive(clap::Parser)]
    struct Words {
        #[command(flatten)]
        options: TableOptions,
    }
    let words = iter::once(String::new()).chain(shlex::split(text)?);
    Words::try_parse_from(words).ok().map(|words| words.options)
}

/// Returns the value as it is written on a command line.
fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or(String::new(), |value| value.get_name().to_owned())
}

fn listed(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_left_out() {
        assert_eq!(table_text(&TableOptions::default()), "");
        assert_eq!(table_options(""), Some(TableOptions::default()));
    }

    #[test]
    fn a_text_is_read_as_the_options_that_it_was_written_from() {
        let options = TableOptions {
            delimiter: Some(tables::Delimiter::Byte(b'|')),
            header: tables::HeaderLine::No,
            comment: Some(b'#'),
            // With it, the three above are not accepted.
            indices: None,
            decimal: tables::Decimal::Comma,
            thousands: Some('-'),
            missing: tables::Missing::Median,
            missing_values: vec!["no value".to_owned(), "-9".to_owned()],
            not_missing: vec!["NA".to_owned(), String::new()],
            columns: vec!["-x".to_owned()],
            drop: vec!["id".to_owned(), "first name".to_owned()],
            categorical: vec!["it's".to_owned()],
            categories: tables::Categories::Hashing { buckets: 64 },
            dates: tables::Dates::Pattern("%d %b".to_owned()),
            encoding: Some(tables::Encoding::Latin1),
        };
        let text = table_text(&options);
        assert_eq!(table_options(&text), Some(options), "{text}");
        let simple = "--delimiter blanks --header yes --missing median --drop 'first name'";
        assert_eq!(table_text(&table_options(simple).unwrap()), simple);
        let libsvm = "--indices 0-125 --missing median";
        assert_eq!(table_text(&table_options(libsvm).unwrap()), libsvm);
        for text in [
            "--indices 0-125 --header no",
            "median",
            "--missing",
            "--missing some",
            "'--missing",
            "--trees 3",
        ] {
            assert_eq!(table_options(text), None, "{text}");
        }
    }
}
