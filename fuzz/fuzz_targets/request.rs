//! The body of a request, or single rows of it, are refused, whatever it holds, and the number of rows is bounded. The
//! first byte chooses its type.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use online_forests_cli::serve::RequestReader;
use tables::{Columns, Records, TableOptions};

const TYPES: [Option<&str>; 5] = [
    None,
    Some("application/json"),
    Some("application/jsonl"),
    Some("text/csv"),
    Some("application/octet-stream"),
];

/// Rows of a request, at most.
const MOST: usize = 100;

static READER: LazyLock<RequestReader> = LazyLock::new(|| {
    let table =
        "size,colour,when,kind\n1.5,red,2026-01-02,a\n2,blue,2026-02-03,b\n2.5,red,2026-03-04,a\n";
    let options = TableOptions::default();
    let records = Records::new(table.as_bytes(), &options).expect("a table");
    let header = records.header().clone();
    let records: Vec<_> = records.map(|record| record.expect("a row")).collect();
    let (columns, _) = Columns::fit(&header, &records, "kind", None, &options).expect("columns");
    RequestReader::new(&columns, &options, MOST)
});

fuzz_target!(|data: &[u8]| {
    let Some((kind, body)) = data.split_first() else {
        return;
    };
    match READER.read(TYPES[usize::from(*kind) % TYPES.len()], body) {
        Ok(rows) => assert!(rows.rows.len() <= MOST),
        Err(refusal) => assert!(refusal.status.is_client_error() && !refusal.reason.is_empty()),
    }
});
