//! From bytes to lines: unpacked, decoded, bounded; and which files are not tables.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use bzip2::read::MultiBzDecoder;
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use crate::error::{MAX_ROW, Result, refuse};
use crate::{Encoding, TableError};

/// Anything that can be read from, in another thread too.
pub(crate) type Bytes<'a> = Box<dyn Read + Send + 'a>;

/// The byte order mark of UTF-8, which some editors write.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes by which packed and columnar files are known.
const LONGEST_MAGIC: usize = 6;

/// Bytes by which files of any other format are known: the header of a tar archive has its mark at byte 257.
const LONGEST_HEAD: usize = 512;

/// Memory that a decoder of xz may take, in KiB: `xz -9` needs 64 MiB, and a file may claim 4 GiB.
const MAX_XZ_MEMORY: u32 = 1 << 20;

/// The first bytes of a frame of Zstandard.
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";

/// Returns the first bytes, and everything from the first byte on. There are enough to know packed and columnar files, and more
/// if the input has them at once: a pipe may wait for responses before it sends more.
pub(crate) fn peek<'a>(
    mut input: impl Read + Send + 'a,
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

/// Returns the bytes, unpacked if the first of them say that they are packed with gzip, bzip2, xz or (with the feature `columnar`)
/// Zstandard.
///
/// Damage comes as an `io::Error` from which [`TableError::from`](crate::TableError) makes a fault of the input.
///
/// # Errors
/// If the first bytes cannot be read.
pub fn unpacked<'a>(input: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    let (magic, input) = peek(input)?;
    let Some(codec) = codec(&magic) else {
        return Ok(Box::new(input));
    };
    let decoder: Bytes<'a> = match codec {
        "gzip" => Box::new(MultiGzDecoder::new(input)),
        "bzip2" => Box::new(MultiBzDecoder::new(input)),
        #[cfg(feature = "columnar")]
        "Zstandard" => Box::new(zstd::Decoder::new(input)?),
        _ => {
            let input = BufReader::new(input);
            Box::new(XzReader::new_mem_limit(input, true, MAX_XZ_MEMORY))
        }
    };
    Ok(Box::new(Unpacker { decoder, codec }))
}

/// Returns whether content is packed in a way that [`unpacked`] knows, by its first bytes.
pub fn is_packed(content: &[u8]) -> bool {
    codec(content).is_some()
}

fn codec(magic: &[u8]) -> Option<&'static str> {
    match magic {
        [0x1f, 0x8b, ..] => Some("gzip"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some("bzip2"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("xz"),
        // A frame, or one that decoders skip, with which some writers begin.
        #[cfg(feature = "columnar")]
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some("Zstandard"),
        _ => None,
    }
}

/// A decoder whose faults say which codec found them.
struct Unpacker<'a> {
    decoder: Bytes<'a>,
    codec: &'static str,
}

impl Read for Unpacker<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(out).map_err(|error| {
            let what = format!("{} data is damaged or cut short ({error})", self.codec);
            io::Error::other(TableError::of_input(
                what + "; fetch or copy the file again",
            ))
        })
    }
}

/// Formats that are not tables, by their first bytes in small letters.
const SIGNATURES: [(&[u8], &str); 12] = [
    (
        b"sqlite format 3\0",
        "a SQLite database; export one of its tables: sqlite3 -header -csv FILE 'SELECT * FROM NAME'",
    ),
    (
        b"pk\x03\x04",
        "a zip archive or an office document; unpack it and give one of the files in it, or save the sheet with the table as CSV",
    ),
    (b"\x1f\x8b\x08", TWICE),
    (b"bzh91ay&sy", TWICE),
    (ZSTANDARD, TWICE),
    (b"version https://git-lfs.github.com/spec/", POINTER),
    (b"/annex/objects/", POINTER),
    (b"<!doctype", MARKUP),
    (b"<html", MARKUP),
    (b"<head", MARKUP),
    (b"<body", MARKUP),
    (b"<?xml", MARKUP),
];

const TWICE: &str = "packed twice; unpack it once, and give what is in it";

const POINTER: &str =
    "a pointer to a file that is stored elsewhere; run git lfs pull or git annex get";

const MARKUP: &str =
    "an HTML or XML document; convert it to CSV; if it should be a table, the download failed";

/// Refuses what its first bytes show to be of a format that cannot be read as a table: about 500 bytes are enough. What is packed has
/// to be unpacked before.
///
/// # Errors
/// The error says what it is and what to do with it.
pub fn check_format(head: &[u8]) -> Result {
    if cfg!(not(feature = "columnar")) && head.starts_with(ZSTANDARD) {
        return Err(TableError::not_built("Zstandard"));
    }
    let text = head.strip_prefix(UTF_8_MARK).unwrap_or(head);
    let text = text.trim_ascii_start();
    for (bytes, format) in SIGNATURES {
        let start = text.get(..bytes.len());
        if start.is_some_and(|start| start.eq_ignore_ascii_case(bytes)) {
            refuse!("is {format}");
        }
    }
    // An object begins with a name in quotes; an array with an object, an array, a text, or with numbers to the end of the line:
    // a cell of numbers in brackets has other cells behind it.
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let ends_a_line = |end: usize| line[end + 1..].trim_ascii().is_empty();
    let rest = text.get(1..).unwrap_or_default();
    let second = rest.trim_ascii_start().first();
    let is_json = match (text.first(), second) {
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{' | b'[' | b'"')) => true,
        (Some(b'['), Some(b'0'..=b'9' | b'-')) => {
            let end = line.iter().position(|byte| *byte == b']');
            end.is_none_or(ends_a_line)
        }
        _ => false,
    };
    if is_json {
        refuse!(
            "is JSON; convert it to CSV, for example in Python: pandas.read_json(FILE).to_csv(...)"
        );
    }
    Ok(())
}

/// Refuses what has bytes that no text has, unless it is text of two bytes a character.
pub(crate) fn check_text(head: &[u8], encoding: Option<Encoding>) -> Result {
    let is_wide = matches!(encoding, Some(Encoding::Utf16Le | Encoding::Utf16Be))
        || head.starts_with(b"\xff\xfe")
        || head.starts_with(b"\xfe\xff");
    // Files of DOS end with 0x1a, and 0x1b begins colours.
    let is_binary = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t'..=b'\r' | 0x1a | 0x1b);
    if !is_wide && head.iter().any(is_binary) {
        refuse!(
            "contains bytes that do not occur in text, and is neither a Parquet nor an Arrow file; export it as CSV or Parquet from \
             the program that wrote it; if it is text in UTF-16, use --encoding utf-16le or --encoding utf-16be"
        );
    }
    Ok(())
}

/// Lines of text, none longer than [`MAX_ROW`] bytes.
pub(crate) struct Lines<'a> {
    /// UTF-8, as far as the input was text.
    text: Box<dyn BufRead + Send + 'a>,
    /// The number of the latest line, counted from 1.
    pub(crate) number: u64,
    /// Its bytes, with its end.
    pub(crate) bytes: Vec<u8>,
    /// Lines that were put back, and where the next one begins.
    again: (Vec<u8>, usize),
}

impl<'a> Lines<'a> {
    /// Returns the lines of unpacked bytes: a byte order mark decides on the encoding, else the option, else it is taken for UTF-8.
    pub(crate) fn new(
        input: impl Read + Send + 'a,
        encoding: Option<Encoding>,
    ) -> io::Result<Self> {
        let (magic, input) = peek(input)?;
        // The decoder passes UTF-8 through, mark and all, only if nothing else was said.
        let encoding = encoding.filter(|_| !magic.starts_with(UTF_8_MARK));
        let decoder = DecodeReaderBytesBuilder::new()
            .encoding(encoding.map(|encoding| match encoding {
                Encoding::Utf8 => encoding_rs::UTF_8,
                Encoding::Utf16Le => encoding_rs::UTF_16LE,
                Encoding::Utf16Be => encoding_rs::UTF_16BE,
                Encoding::Latin1 => encoding_rs::WINDOWS_1252,
            }))
            .utf8_passthru(true)
            .strip_bom(true)
            .bom_override(true)
            .build(input);
        Ok(Self {
            text: Box::new(BufReader::with_capacity(1 << 16, decoder)),
            number: 0,
            bytes: Vec::new(),
            again: (Vec::new(), 0),
        })
    }

    /// Reads the next line; `false` at the end. One that is too long is skipped.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        let length = self.fill().map_err(|fault| fault.at(self.number + 1));
        // There is no line behind the last one.
        self.number += u64::from(length != Ok(0));
        Ok(length? > 0)
    }

    /// Returns the line that was read last, with its end.
    pub(crate) fn latest(&self) -> Result<&str> {
        str::from_utf8(&self.bytes).map_err(|_| {
            let text = "is not text (UTF-8); if it is text in another encoding, use --encoding latin-1 or --encoding utf-16le";
            TableError::new(text).at(self.number)
        })
    }

    /// Puts back the latest lines, which are read again before all others.
    pub(crate) fn put_back(&mut self, lines: &[u8]) {
        let (again, at) = &mut self.again;
        again.splice(..*at, lines.iter().copied());
        *at = 0;
        self.number -= lines.split_inclusive(|byte| *byte == b'\n').count() as u64;
    }

    fn fill(&mut self) -> Result<usize> {
        self.bytes.clear();
        let (again, at) = &mut self.again;
        if *at < again.len() {
            let length = (&again[*at..]).read_until(b'\n', &mut self.bytes)?;
            *at += length;
            return Ok(length);
        }
        let mut bounded = (&mut self.text).take(MAX_ROW as u64 + 1);
        let length = bounded.read_until(b'\n', &mut self.bytes)?;
        if length > MAX_ROW {
            self.bytes = Vec::new();
            self.text.skip_until(b'\n')?;
            refuse!(
                "a row of more than 16 MiB; is the quote at its end missing, or is this not a table?"
            );
        }
        Ok(length)
    }
}
