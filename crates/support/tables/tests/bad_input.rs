//! What is refused, and what is said about it: for each input, the options and the parts of the sentence.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tables::{Encoding, HeaderLine, Missing, Records, TableFormat, TableOptions};

use crate::{features_of, fit};

/// Returns the sentence about a text that is fitted and whose rows are read.
#[track_caller]
fn fault(bytes: &[u8], options: &TableOptions) -> String {
    if let Ok(text) = str::from_utf8(bytes) {
        let read = fit(text, options).and_then(|(columns, _)| features_of(&columns, text, options));
        return read.unwrap_err().to_string();
    }
    match Records::new(bytes, options) {
        Err(error) => error.to_string(),
        Ok(mut rows) => rows.find_map(Result::err).unwrap().to_string(),
    }
}

#[track_caller]
fn assert_says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn what_is_refused_by_default() {
    let counts = "missing values: 1 of 4 cells of column `a` (first on line 5), 2 of 4 cells of column `b` (first on line 2), \
         3 of 4 cells of column `c` (first on line 3)";
    let mut dates = vec!["2014-05-02,1"; 40];
    dates[30] = "later,1";
    let dates = format!("when,y\n{}\n", dates.join("\n"));
    let long = "x".repeat(500_000);
    let long = format!("a,y\n1,2\n{long},3\n");
    let cases: [(&str, &[&str]); 24] = [
        ("", &["holds no rows"]),
        ("\n \n", &["holds no rows"]),
        ("a,b\n", &["holds no rows"]),
        ("y\n1\n2\n", &["no features"]),
        ("@data\n{}\n{}\n", &["no features"]),
        ("1 2\n3 4 5\n", &["line 2: 3 cells instead of 2"]),
        ("a,b\n1;2\n", &["1 cell instead of 2", "--delimiter"]),
        (
            "a,b\n1,2\n# stopped\n3,4\n",
            &["line 3: 1 cell instead of 2", "--comment '#'"],
        ),
        ("# by sensor 1\na,b\n1,2\n", &["line 2", "--comment '#'"]),
        (
            "a,b,y\n1,2,x\na,b,y\n3,4,y\n",
            &["line 3: repeats the header line; remove it"],
        ),
        (
            "a,b,a,y\n1,5,2,x\n2,4,3,y\n",
            &["columns 1 and 3 are both called `a`", "--drop 3"],
        ),
        (
            "a,a=p,y\np,0,x\nq,1,y\n",
            &["two features would be called `a=p`", "--drop 'a=p'"],
        ),
        (
            "a,b,c,y\n1,,3,4\n2,NA,?,5\n3,x,N/A,6\nnull,x,NaN,7\n",
            &[counts, "--missing median", "--not-missing null"],
        ),
        (
            "a,y\n1,2\nx,3\n",
            &["line 3: `x` in column `a` is not a number", "--categorical"],
        ),
        (
            "a,y\n1,2\n-inf,3\n",
            &["line 3: `-inf` in column `a` is not a finite"],
        ),
        ("a,y\n1e39,2\n1,3\n", &["line 2: `1e39` in column `a`"]),
        (
            &dates,
            &["line 32: `later` in column `when` is not a date like the others (ISO 8601)"],
        ),
        (
            "@attribute a {x,y}\n@attribute b real\n@data\nx,1\nz,2\n",
            &["line 5: `z` is not among the declared values of column `a`: x, y"],
        ),
        (
            "1 1:0.5 3:1\n0 2:1\n",
            &["looks like LIBSVM", "--indices 1-LAST"],
        ),
        (
            "a b y\n\"1\" 0.108 0.205 \"x z\"\n\"2\" 0.3 0.4 \"y\"\n",
            &["give the first column a name", "col.names = NA"],
        ),
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            &["is a pointer", "git lfs pull"],
        ),
        (
            "\n<!DOCTYPE HTML>\n<html>",
            &["is an HTML or XML document", "the download failed"],
        ),
        ("\u{feff}[\n  {\"a\": 1}]", &["is JSON", "read_json(FILE)"]),
        (&long, &["… (500000 bytes)"]),
    ];
    for (text, parts) in cases {
        let said = fault(text.as_bytes(), &TableOptions::default());
        assert_says(&said, parts);
        assert!(said.len() < 500, "{said}");
    }
}

#[test]
fn bytes_that_are_not_a_table() {
    let zeros = [0; 600];
    let utf_16 = "a,b\n1,2\n".encode_utf16();
    let utf_16: Vec<u8> = utf_16.flat_map(u16::to_le_bytes).collect();
    let binary = "bytes that do not occur in text";
    let cases: [(Vec<u8>, &[&str]); 8] = [
        (
            [b"SQLite format 3\0", &zeros[..]].concat(),
            &["is a SQLite database", "sqlite3 -header -csv"],
        ),
        (
            [b"PK\x03\x04", &zeros[..]].concat(),
            &["is a zip archive or an office document", "save the sheet"],
        ),
        (
            [b"\x93NUMPY", &zeros[..]].concat(),
            &[binary, "export it as CSV"],
        ),
        ([b"%PDF-1.4\n", &zeros[..]].concat(), &[binary]),
        (utf_16, &[binary, "--encoding utf-16le"]),
        (gzip(&[b"s.csv", &zeros[..]].concat()), &[binary]),
        (
            gzip(&gzip(b"a,b\n1,2\n")),
            &["is packed twice; unpack it once"],
        ),
        (
            b"a,b\n1,2\n3,\xff\n5,6\n".to_vec(),
            &["line 3: is not text (UTF-8)", "--encoding latin-1"],
        ),
    ];
    for (bytes, parts) in cases {
        let said = match Records::new(bytes.as_slice(), &TableOptions::default()) {
            Err(error) => error.to_string(),
            Ok(mut rows) => rows.find_map(Result::err).unwrap().to_string(),
        };
        assert_says(&said, parts);
    }
}

#[test]
fn what_is_refused_with_options() {
    let with = |missing, drop: &str| TableOptions {
        missing,
        drop: drop.split_terminator(',').map(str::to_owned).collect(),
        ..TableOptions::default()
    };
    let refuse = |drop| with(Missing::Refuse, drop);
    let cases: [(TableOptions, &str, &[&str]); 7] = [
        (
            with(Missing::Median, ""),
            "a,y\n1,2\n2,\n",
            &[
                "1 of 2 cells of column `y` (first on line 3)",
                "--missing drop",
            ],
        ),
        (
            with(Missing::Median, ""),
            "a,y\n,2\n,3\n",
            &["no row has a value in column `a`", "--drop a"],
        ),
        (
            with(Missing::Drop, ""),
            "a,y\n,2\n,3\n",
            &["2 of 2 cells of column `a`"],
        ),
        (
            with(Missing::Indicator, ""),
            "a,a is missing,y\n,0,x\n1,1,y\n2,0,x\n",
            &["two features would be called `a is missing`"],
        ),
        (
            refuse("prize"),
            "price,area\n1,2\n3,4\n",
            &["no column `prize` (did you mean `price`?)", "price, area"],
        ),
        (refuse("price"), "price,area\n1,2\n3,4\n", &["no features"]),
        (
            refuse("Weight, kg"),
            "\"Weight, kg\",y\n1,2\n2,3\n",
            &["no column `Weight` (did you mean `Weight, kg`?)"],
        ),
    ];
    for (options, text, parts) in cases {
        assert_says(&fault(text.as_bytes(), &options), parts);
    }
}

#[test]
fn later_tables_are_refused_by_their_lines_and_columns() {
    let options = TableOptions::default();
    let (columns, _) = fit("a,b,y\n1,5,x\n2,4,y\n", &options).unwrap();
    for (text, says) in [
        ("a,b\n\n?,1\n", "line 3: no value in column `a`"),
        ("a,b,a\n1,2,3\n", "column 3 is also called `a`"),
        ("y,a,b,y\nx,1,2,x\n", "column 4 is also called `y`"),
        ("a\n1\n", "no column `b`; columns: a"),
    ] {
        let error = features_of(&columns, text, &options).unwrap_err();
        assert_says(&error.to_string(), &[says]);
    }
    // Columns that are not used may be there as often as they like.
    let rows = features_of(&columns, "b,a,c,c\n2,1,3,4\n", &options).unwrap();
    assert_eq!(rows, [[1.0, 2.0]]);
}

#[test]
fn a_bad_row_is_passed_over_and_damage_ends_the_table() {
    let text = b"a,b\n1,2\n\n3\n4,\xff\n5,6\n";
    let rows: Vec<_> = Records::new(&text[..], &TableOptions::default())
        .unwrap()
        .collect();
    assert_eq!(
        rows.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [true, false, false, true]
    );
    assert_eq!(rows[3].as_ref().unwrap().line, 6);
    let text: String = (0..20000).map(|i| format!("{i},{}\n", i * 7919)).collect();
    let whole = gzip(text.as_bytes());
    let cut = Records::new(&whole[..whole.len() / 2], &TableOptions::default());
    let rows: Vec<_> = cut.unwrap().collect();
    let (last, before) = rows.split_last().unwrap();
    assert!(before.len() > 1000 && before.iter().all(Result::is_ok));
    let error = last.as_ref().unwrap_err();
    assert!(error.ends_the_table());
    assert_says(&error.to_string(), &["gzip data is damaged or cut short"]);
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
        let database = Records::in_format(&b"SQLite format 3\0"[..], format, &options);
        assert_says(
            &database.err().unwrap().to_string(),
            &["is a SQLite database"],
        );
    }
    let arff = Records::in_format(
        "a,b\n1,2\n".as_bytes(),
        TableFormat::Arff,
        &TableOptions::default(),
    );
    assert_says(&arff.err().unwrap().to_string(), &["is not @relation"]);
}

#[test]
fn words_that_begin_like_another_format_are_words() {
    for text in [
        "ORC,ELF\n1,2\n",
        "PAR1,PAR2\n1,2\n",
        "ARROW1,x\n1,2\n",
        "PK,FK\n1,2\n",
        "BZh,x\n1,2\n",
        "[1 2 3],4\n[2 3 4],5\n",
        "[a],[b]\n1,2\n",
        "version,x\n1,2\n",
        "<5,x\n>5,y\n",
    ] {
        let rows: Vec<_> = Records::new(text.as_bytes(), &TableOptions::default())
            .unwrap()
            .collect();
        assert!(rows.iter().all(Result::is_ok) && !rows.is_empty(), "{text}");
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
        header: HeaderLine::Yes,
        ..TableOptions::default()
    };
    let mut rows = Records::new(Waiting(b"a,b\n1,2\n"), &options).unwrap();
    assert_eq!(&rows.next().unwrap().unwrap().cells[1], "2");
}
