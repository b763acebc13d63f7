//! Options of a table as they are written on a command line.

use serde_json::Value;
use tables::TableOptions;

/// Returns every option that is decided, with its value: `--missing`, `median`.
pub fn table_pairs(options: &TableOptions) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    if let Ok(Value::Object(fields)) = serde_json::to_value(options) {
        for (name, value) in fields {
            let text = match value {
                Value::String(text) => text,
                Value::Array(words) if !words.is_empty() => {
                    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                    words.join(",")
                }
                _ => continue,
            };
            pairs.push((format!("--{}", name.replace('_', "-")), text));
        }
    }
    pairs
}

/// Returns the options that are decided, as they are written in a shell: `--missing median --drop 'first name'`.
pub fn table_text(options: &TableOptions) -> String {
    let mut words = Vec::new();
    for (option, value) in table_pairs(options) {
        if value.contains([' ', '\'', '"', ';', '|', '\t']) {
            words.push(format!("{option} '{}'", value.replace('\'', r"'\''")));
        } else {
            words.push(format!("{option} {value}"));
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_are_decided_are_written_as_in_a_shell() {
        assert_eq!(table_text(&TableOptions::default()), "");
        let options = TableOptions {
            delimiter: Some(tables::Delimiter::Blanks),
            missing: Some(tables::Missing::Median),
            drop: vec!["id".to_owned(), "it's".to_owned()],
            ..TableOptions::default()
        };
        let text = r"--delimiter blanks --drop 'id,it'\''s' --missing median";
        assert_eq!(table_text(&options), text);
    }
}
