//! Options of a table as they are written on a command line.

use clap::ValueEnum;
use tables::TableOptions;

/// The options that decide what columns become, if they are not the defaults: `--missing median --drop id`.
pub fn table_text(options: &TableOptions) -> String {
    let default = TableOptions::default();
    let given = [
        (options.missing != default.missing)
            .then(|| format!("--missing {}", name(&options.missing))),
        (options.decimal != default.decimal)
            .then(|| format!("--decimal {}", name(&options.decimal))),
        options
            .thousands
            .map(|thousands| format!("--thousands {thousands}")),
        listed("--columns", &options.columns),
        listed("--drop", &options.drop),
        listed("--categorical", &options.categorical),
        (options.categories != default.categories)
            .then(|| format!("--categories {}", options.categories)),
        (options.dates != default.dates).then(|| format!("--dates {}", options.dates)),
    ];
    given.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// As the value is written on a command line.
fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or(String::new(), |value| value.get_name().to_owned())
}

fn listed(option: &str, columns: &[String]) -> Option<String> {
    (!columns.is_empty()).then(|| format!("{option} {}", columns.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_left_out() {
        assert_eq!(table_text(&TableOptions::default()), "");
        let options = TableOptions {
            missing: tables::Missing::Median,
            drop: vec!["id".to_owned(), "name".to_owned()],
            decimal: tables::Decimal::Comma,
            categories: tables::Categories::Hashing { buckets: 64 },
            ..TableOptions::default()
        };
        let text = "--missing median --decimal comma --drop id,name --categories hash:64";
        assert_eq!(table_text(&options), text);
    }
}
