//! Options of a table: those that another table may have, and their text as on a command line.

use serde_json::Value;
use tables::{HeaderLine, Indices, TableOptions};

/// The format of a table, where it differs from the one that the model has learned.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Tables")]
pub struct ReadingOptions {
    /// Separator of cells: a character, tab, or blanks [default: as for `train`]
    #[arg(long, value_name = "CHAR|tab|blanks", value_parser = tables::parse_delimiter)]
    pub delimiter: Option<char>,

    /// Whether the first line names the columns [default: as for `train`]
    #[arg(long, value_enum)]
    pub header: Option<HeaderLine>,

    /// Skip lines that begin with this character [default: as for `train`]
    #[arg(long, value_name = "CHAR", value_parser = tables::parse_ascii)]
    pub comment: Option<char>,

    /// The table is in LIBSVM format (`label index:value …`), and features have these indices [default: as for `train`,
    /// unless one of the options above is given]
    #[arg(long, value_name = "FIRST-LAST", conflicts_with_all = ["delimiter", "header", "comment"])]
    pub indices: Option<Indices>,

    /// The encoding of the text [default: as its byte order mark says, else as for `train`]
    #[arg(long, value_name = "NAME", value_parser = tables::parse_encoding)]
    pub encoding: Option<String>,
}

impl ReadingOptions {
    /// The names of these options.
    pub const NAMES: [&str; 5] = [
        "--delimiter",
        "--header",
        "--comment",
        "--indices",
        "--encoding",
    ];

    /// Returns those that were given among the options of a table.
    pub fn of(table: &TableOptions) -> Self {
        Self {
            delimiter: table.delimiter,
            header: table.header,
            comment: table.comment,
            indices: table.indices,
            encoding: table.encoding.clone(),
        }
    }

    /// Returns the options of the model's table, overridden by these.
    pub fn over(&self, model: TableOptions) -> TableOptions {
        let has_cells = self.delimiter.is_some() || self.header.is_some() || self.comment.is_some();
        TableOptions {
            indices: self.indices.or(model.indices.filter(|_| !has_cells)),
            delimiter: self.delimiter.or(model.delimiter),
            header: self.header.or(model.header),
            comment: self.comment.or(model.comment),
            encoding: self.encoding.clone().or(model.encoding),
            ..model
        }
    }
}

/// Returns every option that is decided, with its value: `--missing`, `median`.
pub fn table_pairs(options: &TableOptions) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let Ok(Value::Object(fields)) = serde_json::to_value(options) else {
        return pairs;
    };
    for (name, value) in fields {
        let text = match value {
            Value::String(text) => match text.as_str() {
                // Delimiters that are not seen.
                "\t" => "tab".to_owned(),
                " " => "blanks".to_owned(),
                _ => text,
            },
            Value::Array(words) if !words.is_empty() => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                words.join(",")
            }
            _ => continue,
        };
        pairs.push((format!("--{}", name.replace('_', "-")), text));
    }
    pairs
}

/// Returns the options that are decided, as they are written in a shell: `--missing median --drop 'first name'`.
pub(crate) fn table_text(options: &TableOptions) -> String {
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
        let options = TableOptions {
            delimiter: Some(' '),
            missing: Some(tables::Missing::Median),
            drop: vec!["id".to_owned(), "it's".to_owned()],
            ..TableOptions::default()
        };
        let text = r"--delimiter blanks --drop 'id,it'\''s' --missing median";
        assert_eq!(table_text(&options), text);
    }
}
