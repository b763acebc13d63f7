//! Decodes bytes to text, and reads one bounded line after another.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use encoding_rs_io::DecodeReaderBytesBuilder;

use crate::limits::MAX_ROW;
use crate::packed::unpacked;
use crate::{Encoding, Fault, RowError};

/// Anything that can be read from, in another thread too.
pub(crate) type Bytes<'a> = Box<dyn Read + Send + 'a>;

/// UTF-8, as far as the input was text.
pub(crate) type Text<'a> = Box<dyn BufRead + Send + 'a>;

/// The byte order mark of UTF-8, which some editors write.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes by which packed and columnar files are known.
const LONGEST_MAGIC: usize = 6;

/// Bytes by which files of any other format are known: the header of a tar archive has its mark at byte 257.
const LONGEST_HEAD: usize = 512;

/// Returns the first bytes, and everything from the first byte on. There are enough to know packed and columnar files, and more
/// if the input has them at once: a pipe may wait for responses before it sends more.
pub(crate) fn peek<'a, R: Read + Send + 'a>(
    mut input: R,
) -> io::Result<(Vec<u8>, impl Read + Send + 'a)> {
    let (mut head, mut filled) = (vec![0; LONGEST_HEAD], 0);
    while filled < LONGEST_MAGIC {
        match input.read(&mut head[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(filled);
    Ok((head.clone(), Cursor::new(head).chain(input)))
}

/// Returns the input as UTF-8: a byte order mark decides, else the option, else it is taken for UTF-8.
pub(crate) fn text<'a>(
    input: impl Read + Send + 'a,
    encoding: Option<Encoding>,
) -> io::Result<Text<'a>> {
    let (magic, input) = peek(input)?;
    // The decoder passes UTF-8 through, mark and all, only if nothing else was said.
    let encoding = encoding.filter(|_| !magic.starts_with(UTF_8_MARK));
    let decoder = DecodeReaderBytesBuilder::new()
        .encoding(encoding.map(Encoding::standard))
        .utf8_passthru(true)
        .strip_bom(true)
        .bom_override(true)
        .build(input);
    Ok(Box::new(BufReader::with_capacity(1 << 16, decoder)))
}

/// Lines of text, none longer than [`MAX_ROW`] bytes.
pub struct Lines<'a> {
    text: Text<'a>,
    number: u64,
    line: Vec<u8>,
    /// Lines that were put back, and where the next one begins.
    again: (Vec<u8>, usize),
}

impl<'a> Lines<'a> {
    /// Returns the lines of an input, which is unpacked and decoded.
    ///
    /// # Errors
    /// If the first bytes cannot be read.
    pub fn new(input: impl Read + Send + 'a, encoding: Option<Encoding>) -> Result<Self, Fault> {
        Ok(Self::of(text(unpacked(input)?, encoding)?))
    }

    pub(crate) fn of(text: Text<'a>) -> Self {
        Self {
            text,
            number: 0,
            line: Vec::new(),
            again: (Vec::new(), 0),
        }
    }

    /// Returns the number of the latest line, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line, without blanks at either end; returns `None` at the end.
    ///
    /// # Errors
    /// Returns an error for a line that is not text or too long, which is skipped; or an input that cannot be read.
    pub fn read(&mut self) -> Result<Option<&str>, RowError> {
        if self.advance()? {
            self.latest().map(|line| Some(line.trim()))
        } else {
            Ok(None)
        }
    }

    /// Reads the next line; `false` at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, RowError> {
        let number = self.number + 1;
        let length = self.fill().map_err(|fault| fault.at(number));
        // There is no line behind the last one.
        if length != Ok(0) {
            self.number = number;
        }
        Ok(length? > 0)
    }

    /// Returns the line that was read last, with its end.
    pub(crate) fn latest(&self) -> Result<&str, RowError> {
        str::from_utf8(&self.line).map_err(|_| Fault::not_text().at(self.number))
    }

    /// Returns its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.line
    }

    /// Puts back the latest lines, which are read again before all others.
    pub(crate) fn put_back(&mut self, lines: &str) {
        let (again, at) = &mut self.again;
        again.splice(..*at, lines.bytes());
        *at = 0;
        self.number -= lines.split_inclusive('\n').count() as u64;
    }

    fn fill(&mut self) -> Result<usize, Fault> {
        self.line.clear();
        let (again, at) = &mut self.again;
        if *at < again.len() {
            let length = (&again[*at..]).read_until(b'\n', &mut self.line)?;
            *at += length;
            return Ok(length);
        }
        let mut bounded = (&mut self.text).take(MAX_ROW as u64 + 1);
        let length = bounded.read_until(b'\n', &mut self.line)?;
        if length > MAX_ROW {
            self.line = Vec::new();
            self.text.skip_until(b'\n')?;
            return Err(Fault::row_too_long());
        }
        Ok(length)
    }
}
