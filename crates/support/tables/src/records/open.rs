//! From the first bytes and lines to a reader of rows.

use std::collections::VecDeque;
use std::io::{Cursor, Read};

use super::first_lines::FirstLines;
use super::look_ahead::{first_row, rows_are_longer};
use super::{Records, Source};
use crate::arff::Arff;
use crate::header::FirstRow;
use crate::input::{self, Bytes, Text};
use crate::libsvm::Libsvm;
use crate::packed::unpacked;
use crate::separated::Separated;
use crate::signatures::{check_format, check_text};
use crate::{Fault, Header, Record, TableError, TableOptions, Warning, columnar, listed};

const UNNAMED: &str = "each row has one cell more than the header has names; give the first column a name, as write.csv does in R, or \
     write.table with col.names = NA";

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Cells between separators or blanks, one row a line, with or without a header line (RFC 4180 quoting).
    Csv,
    /// Weka's Attribute-Relation File Format, dense or sparse rows.
    Arff,
    /// Parquet, and Arrow's IPC files and streams (Feather version 2). Files are read whole before the first row.
    Columnar,
}

impl<'a> Records<'a> {
    pub(super) fn open(
        input: impl Read + Send + 'a,
        format: Option<TableFormat>,
        options: &TableOptions,
        known: Option<&Header>,
    ) -> Result<Self, TableError> {
        let unpacked = unpacked(input).map_err(Fault::from)?;
        let (head, bytes) = input::peek(unpacked).map_err(Fault::from)?;
        check_format(&head)?;
        if let Some(indices) = options.indices {
            let text = input::text(bytes, options.encoding).map_err(Fault::from)?;
            let (header, source) = Libsvm::open(text, indices);
            return Ok(Self::with_header(header, Box::new(source)));
        }
        if format == Some(TableFormat::Columnar) || columnar::is_columnar(&head) {
            let (header, source) = columnar::open(&head, Box::new(bytes))?;
            return Ok(Self::with_header(header, source));
        }
        check_text(&head, options.encoding)?;
        Self::from_text(Box::new(bytes), format, options, known)
    }

    fn from_text(
        bytes: Bytes<'a>,
        format: Option<TableFormat>,
        options: &TableOptions,
        known: Option<&Header>,
    ) -> Result<Self, TableError> {
        let mut text = input::text(bytes, options.encoding).map_err(Fault::from)?;
        let mut first = FirstLines::read(&mut text, options).map_err(Fault::from)?;
        if format.is_none() {
            first.check()?;
        }
        let is_arff = match format {
            None => first.declare_arff(),
            Some(format) => format == TableFormat::Arff,
        };
        if is_arff {
            let text: Text<'a> = Box::new(Cursor::new(first.bytes).chain(text));
            let (header, source) = Arff::open(text)?;
            return Ok(Self::with_header(header, Box::new(source)));
        }
        first.check_line_ends()?;
        let delimiter = first.delimiter(&mut text, options);
        let (delimiter, doubt) = delimiter.map_err(Fault::from)?;
        let text: Text<'a> = Box::new(Cursor::new(first.bytes).chain(text));
        let source = Separated::new(text, delimiter, options.comment);
        let mut records = Self::with_first_row(Box::new(source), options, known)?;
        records.warnings.splice(0..0, doubt);
        Ok(records)
    }

    fn with_header(header: Header, source: Box<dyn Source + 'a>) -> Self {
        Self {
            header,
            source,
            names: None,
            is_remark: false,
            ahead: VecDeque::new(),
            warnings: Vec::new(),
            ended: false,
        }
    }

    /// Reads the first row as the header, or as a row like the others.
    fn with_first_row(
        mut source: Box<dyn Source + 'a>,
        options: &TableOptions,
        known: Option<&Header>,
    ) -> Result<Self, TableError> {
        let mut first = Record::default();
        if !source.read(&mut first)? {
            return Err(Fault::empty().into());
        }
        source.expect(first.cells.len());
        let mut ahead = VecDeque::new();
        let (taken, is_guess) = first_row(&first, source.as_mut(), &mut ahead, options, known);
        let cells = listed(&first.cells);
        let warning = match taken {
            FirstRow::Names => format!(
                "the first line ({cells}) is read as the names of the columns; if it is a row, use --header no, otherwise \
                 --header yes"
            ),
            FirstRow::Row => read_as_row(&cells),
        };
        let is_remark = first
            .cells
            .iter()
            .next()
            .is_some_and(|cell| cell.starts_with('#'));
        let (header, names) = match taken {
            FirstRow::Names => {
                if rows_are_longer(&first, source.as_mut(), &mut ahead) {
                    return Err(Fault::new(UNNAMED).into());
                }
                (Header::named(&first.cells), Some(first.cells))
            }
            FirstRow::Row => {
                let header = Header::numbered(first.cells.len());
                ahead.push_front(Ok(first));
                (header, None)
            }
        };
        source.expect(header.columns.len());
        Ok(Self {
            names,
            ahead,
            is_remark,
            warnings: is_guess
                .then(|| Warning::new(warning))
                .into_iter()
                .collect(),
            ..Self::with_header(header, source)
        })
    }
}

/// Says that the first line, of which these are the cells, is read as a row.
pub(crate) fn read_as_row(cells: &str) -> String {
    format!(
        "the first line ({cells}) is read as a row; if it names the columns, use --header yes, otherwise --header no"
    )
}
