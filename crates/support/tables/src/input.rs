//! Conversion of bytes to bounded lines of text; detection of packed files, and of files that are not tables.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use bzip2::read::MultiBzDecoder;
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use crate::TableError;
use crate::error::{MAX_ROW, Result, refuse};

/// An input that can be read in another thread.
pub(crate) type Bytes<'a> = Box<dyn Read + Send + 'a>;

/// The byte order mark of UTF-8, which some editors write.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of bytes by which packed and columnar files are recognised.
const LONGEST_MAGIC: usize = 6;

/// The number of bytes by which files that are not tables are recognised.
const LONGEST_HEAD: usize = 512;

/// The memory limit of the xz decoder, in KiB: `xz -9` needs 64 MiB, and a file may claim 4 GiB.
const MAX_XZ_MEMORY: u32 = 1 << 20;

/// Returns the first bytes, and the input from the first byte on. They suffice to recognise packed and columnar files;
/// there are more if the input has them at once, since a pipe may wait for responses before it sends more.
pub(crate) fn peek<'a>(
    mut input: impl Read + Send + 'a,
) -> io::Result<(Vec<u8>, impl Read + Send + 'a)> {
    let mut head = vec![0; LONGEST_HEAD];
    let mut filled = 0;
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

/// Returns the input, unpacked if its first bytes are those of gzip, bzip2, xz or (with the feature `columnar`)
/// Zstandard.
///
/// # Errors
/// Returns an error if the first bytes cannot be read.
pub fn unpacked<'a>(input: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    let (magic, input) = peek(input)?;
    let Some(codec) = codec(&magic) else {
        return Ok(Box::new(input));
    };
    Ok(match codec {
        "gzip" => Box::new(MultiGzDecoder::new(input)),
        "bzip2" => Box::new(MultiBzDecoder::new(input)),
        #[cfg(feature = "columnar")]
        "Zstandard" => Box::new(zstd::Decoder::new(input)?),
        _ => {
            let input = BufReader::new(input);
            Box::new(XzReader::new_mem_limit(input, true, MAX_XZ_MEMORY))
        }
    })
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

/// Formats that are not tables, by their first bytes in small letters.
const SIGNATURES: [(&[&str], &str); 4] = [
    (
        &["sqlite format 3"],
        "a SQLite database; export one of its tables: sqlite3 -header -csv FILE 'SELECT * FROM NAME'",
    ),
    (
        &["pk\x03\x04"],
        "a zip archive or an office document; unpack it and give one of its files, or save the sheet as CSV",
    ),
    (
        &[
            "version https://git-lfs.github.com/spec/",
            "/annex/objects/",
        ],
        "a pointer to a file that is stored elsewhere; run git lfs pull or git annex get",
    ),
    (
        &["<!doctype", "<html", "<?xml"],
        "an HTML or XML document; convert it to CSV; if it should be a table, the download failed",
    ),
];

/// Refuses content whose first bytes, of which about 500 are enough, are those of a format that cannot be read as a
/// table. Packed content has to be unpacked before.
///
/// # Errors
/// Returns an error that names the format and says what to do.
pub fn check_format(head: &[u8]) -> Result {
    let text = head.strip_prefix(UTF_8_MARK).unwrap_or(head);
    let text = text.trim_ascii_start();
    for (starts, format) in SIGNATURES {
        let begins = |start: &&str| {
            let found = text.get(..start.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
        };
        if starts.iter().any(begins) {
            refuse!("is {format}");
        }
    }
    let shown = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    let shown: Vec<u8> = shown.copied().take(2).collect();
    if matches!(shown[..], [b'{', b'"' | b'}'] | [b'[', b'{' | b'[' | b'"']) {
        refuse!("is JSON; convert it to CSV, for example with pandas.read_json(FILE).to_csv(…)");
    }
    Ok(())
}

/// Refuses content with bytes that do not occur in text, unless it is text in UTF-16: by its byte order mark, or by
/// the encoding that the options state.
pub(crate) fn check_text(head: &[u8], stated: Option<&str>) -> Result {
    let wide = [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE];
    let stated = stated.and_then(encoding);
    let is_wide = stated.is_some_and(|encoding| wide.contains(&encoding))
        || head.starts_with(b"\xff\xfe")
        || head.starts_with(b"\xfe\xff");
    // Files of DOS end with 0x1a, and terminal colours begin with 0x1b.
    let is_binary = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t'..=b'\r' | 0x1a | 0x1b);
    if !is_wide && head.iter().any(is_binary) {
        refuse!(
            "contains bytes that do not occur in text, and is neither a Parquet nor an Arrow file; export it as CSV \
             or Parquet from the program that wrote it; if it is text in UTF-16, use --encoding utf-16le or utf-16be"
        );
    }
    Ok(())
}

/// Returns the encoding of this name; `None` for an unknown one.
pub(crate) fn encoding(name: &str) -> Option<&'static encoding_rs::Encoding> {
    encoding_rs::Encoding::for_label(name.to_lowercase().replace("latin-", "latin").as_bytes())
}

/// Lines of text, none longer than [`MAX_ROW`] bytes.
pub(crate) struct Lines<'a> {
    /// UTF-8, if the input is text.
    text: Box<dyn BufRead + Send + 'a>,
    /// The number of the latest line, counted from 1.
    pub(crate) number: u64,
    /// Its bytes, including the line end.
    pub(crate) bytes: Vec<u8>,
    /// Lines that were put back and are read again.
    again: VecDeque<u8>,
}

impl<'a> Lines<'a> {
    /// Returns the lines of unpacked bytes. The encoding is that of a byte order mark, else the one that the options
    /// state, else UTF-8.
    pub(crate) fn new(input: impl Read + Send + 'a, stated: Option<&str>) -> io::Result<Self> {
        let (head, input) = peek(input)?;
        // Without an encoding the decoder passes UTF-8 through unchanged.
        let stated = stated.filter(|_| !head.starts_with(UTF_8_MARK));
        let decoder = DecodeReaderBytesBuilder::new()
            .encoding(stated.and_then(encoding))
            .utf8_passthru(true)
            .strip_bom(true)
            .bom_override(true)
            .build(input);
        Ok(Self {
            text: Box::new(BufReader::with_capacity(1 << 16, decoder)),
            number: 0,
            bytes: Vec::new(),
            again: VecDeque::new(),
        })
    }

    /// Reads the next line; `false` at the end. One that is too long is skipped.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        let length = self.fill().map_err(|fault| fault.at(self.number + 1));
        // A line that is too long counts, and the end does not.
        self.number += u64::from(length != Ok(0));
        Ok(length? > 0)
    }

    /// Returns the latest line, including its end.
    pub(crate) fn latest(&self) -> Result<&str> {
        str::from_utf8(&self.bytes).map_err(|_| {
            let text = "is not text (UTF-8); if it is text in another encoding, use --encoding latin-1 or utf-16le";
            TableError::new(text).at(self.number)
        })
    }

    /// Returns whether the latest line is a first line such as `sep=;`, which Excel reads.
    pub(crate) fn states_separator(&self) -> bool {
        let line = self.bytes.strip_prefix(b"\"").unwrap_or(&self.bytes);
        let start = line.get(..4).unwrap_or_default();
        self.number == 1 && start.eq_ignore_ascii_case(b"sep=")
    }

    /// Puts back the latest lines, which are read again before all others.
    pub(crate) fn put_back(&mut self, lines: &[u8]) {
        for byte in lines.iter().rev() {
            self.again.push_front(*byte);
        }
        self.number -= lines.split_inclusive(|byte| *byte == b'\n').count() as u64;
    }

    fn fill(&mut self) -> Result<usize> {
        self.bytes.clear();
        if !self.again.is_empty() {
            return Ok(self.again.read_until(b'\n', &mut self.bytes)?);
        }
        let mut bounded = (&mut self.text).take(MAX_ROW as u64 + 1);
        let length = bounded.read_until(b'\n', &mut self.bytes)?;
        if length > MAX_ROW {
            self.bytes = Vec::new();
            self.text.skip_until(b'\n')?;
            refuse!("a row of more than 16 MiB; is a quote left open, or is this not a table?");
        }
        Ok(length)
    }
}
