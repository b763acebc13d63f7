//! From the first bytes and lines to a reader of rows.

use std::collections::VecDeque;
use std::io::{Cursor, Read};

use super::first_lines::FirstLines;
use super::look_ahead::is_header;
use super::{Records, Source};
use crate::arff::Arff;
use crate::blanks::Blanks;
use crate::input::{self, Bytes, Text};
use crate::libsvm::Libsvm;
use crate::packed::unpacked;
use crate::separated::Separated;
use crate::signatures::{check_format, check_text};
use crate::{Delimiter, Fault, Header, HeaderLine, Record, TableError, TableOptions, columnar};

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
        Self::of_text(Box::new(bytes), format, options)
    }

    fn of_text(
        bytes: Bytes<'a>,
        format: Option<TableFormat>,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let mut text = input::text(bytes, options.encoding).map_err(Fault::from)?;
        let first = FirstLines::read(&mut text, options).map_err(Fault::from)?;
        if format.is_none() {
            first.check()?;
        }
        let is_arff = match format {
            None => first.declare_arff(),
            Some(format) => format == TableFormat::Arff,
        };
        let delimiter = options
            .delimiter
            .unwrap_or_else(|| first.delimiter(options));
        let text: Text<'a> = Box::new(Cursor::new(first.bytes).chain(text));
        if is_arff {
            let (header, source) = Arff::open(text)?;
            return Ok(Self::with_header(header, Box::new(source)));
        }
        let source: Box<dyn Source + 'a> = match delimiter {
            Delimiter::Blanks => Box::new(Blanks::new(text, options.comment_char())),
            Delimiter::Byte(byte) => Box::new(Separated::new(text, byte, options.comment)),
        };
        Self::with_first_row(source, options)
    }

    fn with_header(header: Header, source: Box<dyn Source + 'a>) -> Self {
        Self {
            header,
            source,
            ahead: VecDeque::new(),
            ended: false,
        }
    }

    /// The first row is the header, or a row like the others.
    fn with_first_row(
        mut source: Box<dyn Source + 'a>,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let mut first = Record::default();
        if !source.read(&mut first)? {
            return Err(Fault::Empty.into());
        }
        let mut ahead = VecDeque::new();
        let is_header = match options.header {
            HeaderLine::Yes => true,
            HeaderLine::No => false,
            HeaderLine::Auto => is_header(&first, source.as_mut(), &mut ahead, options),
        };
        let header = if is_header {
            Header::named(&first.cells)
        } else {
            let header = Header::numbered(first.cells.len());
            ahead.push_front(Ok(first));
            header
        };
        Ok(Self {
            ahead,
            ..Self::with_header(header, source)
        })
    }
}
