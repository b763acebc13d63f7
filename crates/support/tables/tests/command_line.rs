//! `TableOptions` as options of a command.

use clap::{CommandFactory, Parser};
use tables::{Categories, Decimal, HeaderLine, Missing, TableOptions};

#[derive(Debug, Parser)]
struct Command {
    #[command(flatten)]
    table: TableOptions,
}

fn parse(words: &[&str]) -> Result<TableOptions, String> {
    let words = ["command"].iter().chain(words);
    let parsed = Command::try_parse_from(words);
    parsed
        .map(|command| command.table)
        .map_err(|error| error.to_string())
}

#[test]
fn nothing_said_is_the_default() {
    Command::command().debug_assert();
    assert_eq!(parse(&[]).unwrap(), TableOptions::default());
}

#[test]
fn everything_can_be_said() {
    let words = "--delimiter tab --header no --comment # --decimal comma --thousands . --missing indicator --columns a,b \
                 --columns c --ignore d --categorical e --categories hash:8 --missing-values missing,-9 --not-missing NA,- --dates %d/%m/%Y --encoding utf-16";
    let words: Vec<&str> = words.split_whitespace().collect();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let expected = TableOptions {
        delimiter: Some('\t'),
        header: Some(HeaderLine::No),
        comment: Some('#'),
        // It excludes the three above.
        indices: None,
        decimal: Some(Decimal::Comma),
        thousands: Some('.'),
        missing: Some(Missing::Indicator),
        missing_values: names(&["missing", "-9"]),
        not_missing: names(&["NA", "-"]),
        columns: names(&["a", "b", "c"]),
        drop: names(&["d"]),
        categorical: names(&["e"]),
        categories: Some(Categories::Hashing(8)),
        dates: Some("%d/%m/%Y".to_owned()),
        encoding: Some("utf-16".to_owned()),
    };
    assert_eq!(parse(&words).unwrap(), expected);
}

#[test]
fn indices_are_said_instead_of_what_stands_between_cells() {
    let libsvm = parse(&["--indices", "1-126"]).unwrap();
    assert_eq!(libsvm.indices, Some("1-126".parse().unwrap()));
    let both = parse(&["--indices", "1-126", "--header", "no"]).unwrap_err();
    assert!(both.contains("cannot be used with"), "{both}");
}

#[test]
fn words_that_mean_nothing_come_with_what_is_meant() {
    for (words, says) in [
        (
            ["--delimiter", "ab"],
            "one ASCII character, `tab` or `blanks`",
        ),
        (
            ["--missing", "zero"],
            "possible values: refuse, median, indicator, drop",
        ),
        (
            ["--categories", "hash"],
            "expected one-hot, one-hot:LIMIT, ordinal, native, or hash:N",
        ),
        (["--dates", "dmy"], "a pattern such as %d/%m/%Y"),
        (["--comment", "//"], "one ASCII character"),
        (
            ["--indices", "126"],
            "FIRST-LAST, whole numbers such as 1-126",
        ),
    ] {
        let error = parse(&words).unwrap_err();
        assert!(error.contains(says), "{words:?}: {error}");
    }
}
