//! How a table is written that a model is to answer.

use tables::{Columns, Delimiter, Encoding, HeaderLine, TableOptions};

/// How a table is written; everything else about it is in the model.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Tables")]
pub struct ReadingOptions {
    /// What stands between cells: a character, tab, or blanks [default: as the first line suggests]
    #[arg(long, value_name = "CHAR|tab|blanks")]
    pub delimiter: Option<Delimiter>,

    /// Whether the first line names the columns
    #[arg(long, value_enum, default_value_t)]
    pub header: HeaderLine,

    /// Lines that begin with this character are left out
    #[arg(long, value_name = "CHAR", value_parser = tables::parse_ascii)]
    pub comment: Option<u8>,

    /// The encoding of the text [default: as its byte order mark says, else utf-8]
    #[arg(long, value_enum)]
    pub encoding: Option<Encoding>,
}

impl ReadingOptions {
    /// With numbers written as those that the columns were fitted on.
    pub fn table_options(&self, columns: &Columns) -> TableOptions {
        let numbers = columns.numbers();
        TableOptions {
            delimiter: self.delimiter,
            header: self.header,
            comment: self.comment,
            encoding: self.encoding,
            decimal: numbers.decimal,
            thousands: numbers.thousands,
            ..TableOptions::default()
        }
    }
}
