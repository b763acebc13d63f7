//! Recognises the format of a file: by extension if it is known, else by its first bytes.

use serde::Deserialize;

use super::Content;

/// The formats that can be read, each also packed with gzip, bzip2, xz or (with the feature `columnar`) Zstandard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// CSV and its relatives.
    Csv,
    /// Weka's format.
    Arff,
    /// Parquet and Arrow.
    Columnar,
    /// `label index:value …`, zeros left out (the format of the LIBSVM and SVMlight tools).
    Libsvm,
    /// MNIST's format: big-endian dimensions, then unsigned bytes; images in one file, labels in another.
    Idx,
}

impl Format {
    pub(crate) fn of(content: &Content) -> Self {
        match content.extension().as_str() {
            "arff" => Format::Arff,
            "libsvm" | "svm" => Format::Libsvm,
            "csv" | "tsv" => Format::Csv,
            "parquet" | "arrow" | "feather" | "ipc" => Format::Columnar,
            "idx" => Format::Idx,
            _ => sniff(&content.bytes),
        }
    }
}

fn sniff(bytes: &[u8]) -> Format {
    if tables::is_columnar(bytes) {
        return Format::Columnar;
    }
    // IDX: two zero bytes, element type 0x08 (u8), at most a handful of dimensions.
    if let [0, 0, 0x08, 1..=4, ..] = bytes {
        return Format::Idx;
    }
    let line = first_line(bytes);
    if line.starts_with('@') {
        Format::Arff
    } else if tables::looks_like_libsvm(&line) {
        Format::Libsvm
    } else {
        Format::Csv
    }
}

/// Returns the first line that is neither blank nor an ARFF comment.
fn first_line(bytes: &[u8]) -> String {
    let mark = b"\xef\xbb\xbf";
    let lines = bytes
        .strip_prefix(mark)
        .unwrap_or(bytes)
        .split(|byte| *byte == b'\n')
        .map(|line| line.trim_ascii());
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"%"));
    String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_the_format() {
        let cases: [(&[u8], Format); 8] = [
            (b"\0\0\x08\x03\0\0\0\x01", Format::Idx),
            (b"% about\n\n@RELATION x\n", Format::Arff),
            (b"+1 3:0.5 7:1\n", Format::Libsvm),
            (b"1,2,3\n", Format::Csv),
            (b"92 115 120 3\n", Format::Csv),
            (b"\xef\xbb\xbf+1 3:0.5\n", Format::Libsvm),
            (b"PAR1", Format::Columnar),
            (b"", Format::Csv),
        ];
        for (bytes, format) in cases {
            assert_eq!(sniff(bytes), format, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
