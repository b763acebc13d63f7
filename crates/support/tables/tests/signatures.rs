//! A file that is not a table is refused, with its name and what to do.

use std::io::{self, Read};

use tables::{Encoding, Fault, Records, TableFormat, TableOptions};

/// What is said about these bytes, behind any of them that a table would need.
fn says(head: &[u8]) -> String {
    let content = [head, &[0; 600]].concat();
    refused(&content, &TableOptions::default())
}

fn refused(content: &[u8], options: &TableOptions) -> String {
    Records::new(content, options).err().unwrap().to_string()
}

#[test]
fn other_formats_are_refused_with_what_to_do() {
    let cases: [(&[u8], &str, &str); 18] = [
        (
            b"SQLite format 3\0",
            "is a SQLite database",
            "sqlite3 -header -csv",
        ),
        (
            b"PK\x03\x04",
            "is a zip archive or an office document",
            "save the sheet",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "neither a Parquet",
            "export it as CSV",
        ),
        (
            b"7z\xbc\xaf\x27\x1c",
            "neither a Parquet",
            "export it as CSV",
        ),
        (b"\x80\x05\x95", "neither a Parquet", "export it as CSV"),
        (b"\x93NUMPY", "neither a Parquet", "export it as CSV"),
        (
            b"\x89HDF\r\n\x1a\n",
            "neither a Parquet",
            "export it as CSV",
        ),
        (b"Obj\x01", "neither a Parquet", "export it as CSV"),
        (b"ORC\n\x06", "neither a Parquet", "export it as CSV"),
        (b"FEA1\0\0", "neither a Parquet", "export it as CSV"),
        (b"RDX3\nX\n", "neither a Parquet", "export it as CSV"),
        (b"%PDF-1.4\n", "neither a Parquet", "export it as CSV"),
        (
            b"\n<!DOCTYPE HTML>\n<html>",
            "is an HTML or XML document",
            "the download failed",
        ),
        (
            b"<?xml version=\"1.0\"?>\n",
            "is an HTML or XML document",
            "convert it to CSV",
        ),
        (
            b"{\"a\": 1, \"y\": \"x\"}\n{\"a\": 2}\n",
            "is JSON",
            "read_json(FILE)",
        ),
        (
            b"\xef\xbb\xbf[\n  {\"a\": 1}]",
            "is JSON",
            "read_json(FILE)",
        ),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            "is a pointer to a file that is stored elsewhere",
            "git lfs pull",
        ),
        (b"\0\0\0\0ustar", "neither a Parquet", "export it as CSV"),
    ];
    for (head, format, advice) in cases {
        let says = says(head);
        assert!(
            says.contains(format) && says.contains(advice),
            "{format}: {says}"
        );
    }
}

/// By its name it may be CSV, and an encoding may have been stated.
#[test]
fn no_option_makes_a_table_of_another_format() {
    for format in [TableFormat::Csv, TableFormat::Arff, TableFormat::Columnar] {
        let options = TableOptions {
            encoding: Some(Encoding::Latin1),
            indices: "1-3".parse().ok(),
            ..TableOptions::default()
        };
        let error = Records::in_format(&b"SQLite format 3\0"[..], format, &options)
            .err()
            .unwrap();
        assert!(matches!(error.fault, Fault::OtherFormat { .. }), "{error}");
    }
}

/// Bytes behind gzip are what the file is.
#[test]
fn what_is_packed_is_looked_at_too() {
    let gzip = |bytes: &[u8]| {
        let mut packed = Vec::new();
        flate2::read::GzEncoder::new(bytes, flate2::Compression::fast())
            .read_to_end(&mut packed)
            .unwrap();
        packed
    };
    let mut tar = vec![0; 600];
    tar[..5].copy_from_slice(b"s.csv");
    tar[257..262].copy_from_slice(b"ustar");
    let options = TableOptions::default();
    assert!(refused(&gzip(&tar), &options).contains("contains bytes that do not occur in text"));
    assert!(
        refused(&gzip(&gzip(b"a,b\n1,2\n")), &options).contains("is packed twice; unpack it once")
    );
}

#[test]
fn words_that_begin_like_another_format_are_words() {
    let cases: [&[u8]; 11] = [
        b"ORC,ELF\n1,2\n",
        b"FEA1,FEA2\n1,2\n",
        b"PAR1,PAR2\n1,2\n",
        b"ARROW1,x\n1,2\n",
        b"PK,FK\n1,2\n",
        b"Object,x\n1,2\n",
        b"BZh,x\n1,2\n",
        b"[1 2 3],4\n[2 3 4],5\n",
        b"[a],[b]\n1,2\n",
        b"version,x\n1,2\n",
        b"<5,x\n>5,y\n",
    ];
    for content in cases {
        let rows = Records::new(content, &TableOptions::default()).unwrap();
        let rows: Vec<_> = rows.collect();
        assert!(
            rows.iter().all(Result::is_ok) && !rows.is_empty(),
            "{}",
            String::from_utf8_lossy(content)
        );
    }
}

#[test]
fn bytes_that_no_text_has_are_not_read_as_text() {
    let binary = b"\x01\x02\0\0a,b\n1,2\n";
    let says = refused(binary, &TableOptions::default());
    assert!(
        says.contains("bytes that do not occur in text") && says.contains("--encoding utf-16le"),
        "{says}"
    );
    // Without a NUL among the first bytes, too.
    let pickle = refused(b"\x80\x05\x95\x17a,b\n1,2\n", &TableOptions::default());
    assert!(
        pickle.contains("bytes that do not occur in text"),
        "{pickle}"
    );
    let dos = Records::new(&b"a,b\n1,2\n\x1a\n"[..], &TableOptions::default());
    assert!(dos.is_ok(), "the end of a file of DOS");
    let utf_16: Vec<u8> = "a,b\n1,2\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert!(matches!(
        Records::new(utf_16.as_slice(), &TableOptions::default())
            .err()
            .unwrap()
            .fault,
        Fault::Binary
    ));
    let options = TableOptions {
        encoding: Some(Encoding::Utf16Le),
        ..TableOptions::default()
    };
    assert_eq!(
        Records::new(utf_16.as_slice(), &options).unwrap().count(),
        1
    );
}

fn refusal(text: &str) -> Option<String> {
    let read = Records::new(text.as_bytes(), &TableOptions::default());
    read.err().map(|error| error.to_string())
}

#[test]
fn rows_with_several_labels_and_namespaces_are_refused_by_name() {
    let several = "LIBSVM's format with several labels a row; learn one label at a time";
    for text in ["0,1 1:0.5 2:3\n1 1:2\n", "3,4,7 0:1\n"] {
        assert!(
            refusal(text).is_some_and(|it| it.contains(several)),
            "{text}"
        );
    }
    let later = tables::LibsvmRow::parse("0,1 1:0.5")
        .unwrap_err()
        .to_string();
    assert!(later.contains("with several labels"), "{later}");
    for text in [
        "1 |f a:1 b:0.5\n",
        "-1 0.5 'tag|first x:1 y |second z:3\n",
        "| price:.23 sqft:.25 age:.05 2006\n",
    ] {
        let says = "is Vowpal Wabbit's format; convert it to CSV or LIBSVM";
        assert!(
            refusal(text).is_some_and(|it| it.starts_with(says)),
            "{text}"
        );
    }
    for text in [
        "1 | 2 | 3\n4 | 5 | 6\n",
        "1|12:30|x\n2|13:30|y\n",
        "a|b c:1\nx|y\n",
        "1,2 3:4,x\n3,4 5:6,y\n",
    ] {
        assert_eq!(refusal(text), None, "{text}");
    }
}

/// Fails when it is asked for more than a first line.
struct Waiting<'a>(&'a [u8]);

impl Read for Waiting<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            panic!("a pipe may wait for replies before it sends more")
        } else {
            self.0.read(out)
        }
    }
}

#[test]
fn a_pipe_is_not_asked_for_more_than_the_first_rows() {
    let options = TableOptions {
        header: tables::HeaderLine::Yes,
        ..TableOptions::default()
    };
    let mut rows = Records::new(Waiting(b"a,b\n1,2\n"), &options).unwrap();
    assert_eq!(&rows.next().unwrap().unwrap().cells[1], "2");
}
