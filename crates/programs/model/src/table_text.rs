//! Options of a table as they are written on a command line.

use clap::ValueEnum;
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
    let words = given.map(|(option, value)| {
        if value.contains([' ', '\'', '"']) {
            format!("{option} '{}'", value.replace('\'', r"'\''"))
        } else {
            format!("{option} {value}")
        }
    });
    words.collect::<Vec<_>>().join(" ")
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
    fn options_that_differ_from_the_defaults_are_written_as_in_a_shell() {
        assert_eq!(table_text(&TableOptions::default()), "");
        let options = TableOptions {
            delimiter: Some(tables::Delimiter::Blanks),
            missing: tables::Missing::Median,
            drop: vec!["id".to_owned(), "it's".to_owned()],
            ..TableOptions::default()
        };
        let text = r"--delimiter blanks --missing median --drop 'id,it'\''s'";
        assert_eq!(table_text(&options), text);
    }
}
