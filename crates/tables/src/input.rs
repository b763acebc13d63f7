//! From bytes to text: unpack, decode, and hand out one bounded line after another.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use bzip2::read::MultiBzDecoder;
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;

use crate::error::Damage;
use crate::limits::MAX_ROW;
use crate::{Encoding, Fault, RowError};

/// Anything that can be read from, in another thread too.
pub(crate) type Bytes<'a> = Box<dyn Read + Send + 'a>;

/// UTF-8, as far as the input was text.
pub(crate) type Text<'a> = Box<dyn BufRead + Send + 'a>;

/// The byte order mark of UTF-8, which some editors write.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes by which packed and columnar files are known.
const LONGEST_MAGIC: usize = 6;

/// The bytes, unpacked if the first of them say that they are packed with gzip or bzip2.
///
/// Damage comes as an `io::Error` from which [`Fault::from`] makes [`Fault::Compressed`].
///
/// # Errors
/// If the first bytes cannot be read.
pub fn unpacked<'a>(input: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    let (magic, input) = peek(input)?;
    Ok(match codec(&magic) {
        Some(codec @ "gzip") => Box::new(Unpacker {
            decoder: MultiGzDecoder::new(input),
            codec,
        }),
        Some(codec) => Box::new(Unpacker {
            decoder: MultiBzDecoder::new(input),
            codec,
        }),
        None => Box::new(input),
    })
}

/// Whether content is packed with gzip or bzip2, by its first bytes.
pub fn is_packed(content: &[u8]) -> bool {
    codec(content).is_some()
}

fn codec(magic: &[u8]) -> Option<&'static str> {
    match magic {
        [0x1f, 0x8b, ..] => Some("gzip"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some("bzip2"),
        _ => None,
    }
}

/// The first bytes, and everything from the first byte on.
pub(crate) fn peek<'a, R: Read + Send + 'a>(
    mut input: R,
) -> io::Result<(Vec<u8>, impl Read + Send + 'a)> {
    let mut magic = Vec::with_capacity(LONGEST_MAGIC);
    input
        .by_ref()
        .take(LONGEST_MAGIC as u64)
        .read_to_end(&mut magic)?;
    Ok((magic.clone(), Cursor::new(magic).chain(input)))
}

/// A decoder whose faults say which codec found them.
struct Unpacker<D> {
    decoder: D,
    codec: &'static str,
}

impl<D: Read> Read for Unpacker<D> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(out).map_err(|error| {
            let (codec, cause) = (self.codec, error.to_string());
            io::Error::other(Damage { codec, cause })
        })
    }
}

/// The input as UTF-8: a byte order mark decides, else what was said, else it is taken for UTF-8.
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
}

impl<'a> Lines<'a> {
    /// The lines of an input, which is unpacked and decoded.
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
        }
    }

    /// The number of the latest line, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line, without blanks at either end; `None` at the end.
    ///
    /// # Errors
    /// A line that is no text or too long, which is passed over; or an input that cannot be read.
    pub fn read(&mut self) -> Result<Option<&str>, RowError> {
        self.number += 1;
        let number = self.number;
        match self.fill() {
            Err(fault) => Err(fault.at(number)),
            Ok(0) => Ok(None),
            Ok(_) => match str::from_utf8(&self.line) {
                Ok(line) => Ok(Some(line.trim())),
                Err(_) => Err(Fault::NotText.at(number)),
            },
        }
    }

    /// The line that was read last; empty if it was no text.
    pub(crate) fn latest(&self) -> &str {
        str::from_utf8(&self.line).unwrap_or_default().trim()
    }

    fn fill(&mut self) -> Result<usize, Fault> {
        self.line.clear();
        let mut bounded = (&mut self.text).take(MAX_ROW as u64 + 1);
        let length = bounded.read_until(b'\n', &mut self.line)?;
        if length > MAX_ROW {
            self.line = Vec::new();
            self.text.skip_until(b'\n')?;
            return Err(Fault::RowTooLong);
        }
        Ok(length)
    }
}
