//! Whatever comes in, nothing panics; and rows mean the same one by one and all together.

use std::io::{self, Read};

use proptest::prelude::*;
use tables::{Columns, Missing, Record, Records, TableOptions};

/// Everything a table goes through.
fn read_all(input: impl Read + Send, options: &TableOptions) -> Vec<Vec<f32>> {
    let Ok(records) = Records::new(input, options) else {
        return vec![];
    };
    let header = records.header().clone();
    let rows: Vec<Record> = records.filter_map(Result::ok).collect();
    let Ok((columns, warnings)) = Columns::fit(&header, &rows, "last", None, options) else {
        return vec![];
    };
    warnings
        .iter()
        .for_each(|warning| assert!(!warning.to_string().is_empty()));
    let layout = columns.layout(&header).unwrap();
    let row = |row| {
        let _ = columns.target(&layout, row);
        let mut out = Vec::new();
        let kept = columns.features(&layout, row, &mut out).is_ok();
        assert!(out.is_empty() || (kept && out.len() == columns.width()));
        assert!(out.iter().all(|x| x.is_finite()));
        out
    };
    rows.iter().map(row).collect()
}

fn options() -> impl Strategy<Value = TableOptions> {
    let missing = prop::sample::select(vec![
        Missing::Refuse,
        Missing::Median,
        Missing::Indicator,
        Missing::Drop,
    ]);
    let categories = prop::sample::select(vec!["one-hot", "one-hot:2", "ordinal", "hash:3"]);
    let encoding = prop::sample::select(vec![
        None,
        Some("utf-16le".to_owned()),
        Some("latin-1".to_owned()),
    ]);
    let comment = prop::sample::select(vec![None, Some('#')]);
    let indices = prop::sample::select(vec![None, Some("0-3".parse().unwrap())]);
    let all = (missing, categories, encoding, comment, indices);
    all.prop_map(
        |(missing, categories, encoding, comment, indices)| TableOptions {
            missing: Some(missing),
            categories: categories.parse().ok(),
            encoding,
            comment,
            indices,
            ..TableOptions::default()
        },
    )
}

/// What files of several formats begin with.
fn heads() -> impl Strategy<Value = &'static [u8]> {
    let heads: [&[u8]; 5] = [
        b"",
        b"@attribute a {",
        b"PAR1\0",
        b"ARROW1\0\0",
        b"\xff\xff\xff\xff",
    ];
    prop::sample::select(heads.to_vec())
}

/// Hands out a few bytes at a time, as a slow pipe does.
struct Slow<'a> {
    rest: &'a [u8],
    step: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.step.min(out.len());
        self.rest.read(&mut out[..most])
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), head in heads(), options in options()) {
        read_all([head, &bytes].concat().as_slice(), &options);
    }

    #[test]
    fn nearly_right_text_never_panics(text in "([-+0-9.e:,;|?@'\"{}a%# \t\r\n\\\\/]|nan|NA|@data\n|@attribute a |2014-05-0){0,60}", head in heads(), options in options()) {
        read_all([head, text.as_bytes()].concat().as_slice(), &options);
    }

    #[test]
    fn the_size_of_reads_does_not_matter(text in "[0-9a,;\"#\r\n ]{0,80}", step in 1_usize..8, options in options()) {
        let slow = Slow { rest: text.as_bytes(), step };
        prop_assert_eq!(read_all(slow, &options), read_all(text.as_bytes(), &options));
    }

    #[test]
    fn rows_do_not_depend_on_what_was_read_before(rows in prop::collection::vec("(-?[0-9]{1,3}|NA|),(red|blue|\\?),[0-9]", 2..20), skip in 0_usize..20) {
        let options = TableOptions { missing: Some(Missing::Indicator), ..TableOptions::default() };
        let text = |rows: &[String]| format!("a,b,y\n{}\n", rows.join("\n"));
        let whole = text(&rows);
        let records: Vec<Record> = Records::new(whole.as_bytes(), &options).unwrap().map(Result::unwrap).collect();
        let header = Records::new(whole.as_bytes(), &options).unwrap().header().clone();
        let Ok((columns, _)) = Columns::fit(&header, &records, "last", None, &options) else { return Ok(()) };
        let layout = columns.own_layout();
        let mut all = Vec::new();
        for record in &records {
            columns.features(&layout, record, &mut all).unwrap();
        }
        // One by one, from a row in the middle on, into the same record.
        let skip = skip.min(rows.len() - 1);
        let later = text(&rows[skip..]);
        let mut reader = Records::new(later.as_bytes(), &options).unwrap();
        let mut record = Record::default();
        let mut one_by_one = Vec::new();
        while reader.read(&mut record).unwrap() {
            columns.features(&layout, &record, &mut one_by_one).unwrap();
        }
        prop_assert_eq!(&all[skip * columns.width()..], one_by_one.as_slice());
    }
}
