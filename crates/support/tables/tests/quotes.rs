//! Quotes without an end: the line that opens one is a bad row, and the lines behind it are rows.

use proptest::prelude::*;
use tables::{HeaderLine, Record, Records, RowError, TableOptions};

fn rows(text: &str) -> Vec<Result<Record, RowError>> {
    let records = Records::new(text.as_bytes(), &TableOptions::default()).unwrap();
    records.collect()
}

/// Returns the line of every row, and its fault.
fn lines(text: &str) -> Vec<(u64, Option<String>)> {
    let line = |row: &Result<Record, RowError>| match row {
        Ok(row) => (row.line, None),
        Err(error) => (error.line, Some(error.fault.to_string())),
    };
    rows(text).iter().map(line).collect()
}

#[test]
fn a_quote_without_an_end_costs_its_own_line_only() {
    let mut text: Vec<String> = (0..3000).map(|i| format!("{i},0.5,x")).collect();
    text[100] = "\"12 inch,0.5,x".to_owned();
    let found = lines(&format!("a,b,y\n{}\n", text.join("\n")));
    assert_eq!(found.len(), 3000);
    let bad: Vec<_> = found.iter().filter(|row| row.1.is_some()).collect();
    assert_eq!(bad.len(), 1);
    let says = bad[0].1.as_deref().unwrap();
    assert_eq!(bad[0].0, 102);
    assert!(says.contains("begins on this line"), "{says}");
}

#[test]
fn two_quotes_without_an_end_do_not_make_one_cell() {
    let found = lines("a,b,y\n1,2,x\n\"12 inch,3,x\n4,5,y\n\"14 inch,6,x\n7,8,y\n");
    let bad: Vec<u64> = found
        .iter()
        .filter(|row| row.1.is_some())
        .map(|row| row.0)
        .collect();
    assert_eq!((found.len(), bad), (5, vec![3, 5]));
    // Nor where the second stands at the end of a cell.
    let found = lines("a,b,y\n1,2,x\n\"12 inch,3,x\n4,5,y\n5,14\",x\n7,8,y\n");
    assert_eq!(
        found.iter().map(|row| row.0).collect::<Vec<_>>(),
        [2, 3, 4, 5, 6]
    );
}

#[test]
fn quoted_cells_with_line_ends_are_still_one_row() {
    let text = "a,b,y\n\"one\n\ntwo\",2,x\n\"stray,3,y\n\"three\r\nfour, \"\"five\"\"\",4,x\n";
    let found = rows(text);
    assert_eq!(found.len(), 3);
    assert_eq!(&found[0].as_ref().unwrap().cells[0], "one\n\ntwo");
    let error = found[1].as_ref().unwrap_err();
    let says = "line 5: the quoted cell that begins on this line does not end";
    assert!(error.to_string().starts_with(says), "{error}");
    assert_eq!(
        &found[2].as_ref().unwrap().cells[0],
        "three\r\nfour, \"five\""
    );
}

#[test]
fn the_line_of_a_quote_that_opens_within_a_row_is_named() {
    let found = rows("a,b,y\n\"one\ntwo\",\"stray,2,x\n3,4,y\n");
    let error = found[0].as_ref().unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.to_string().contains("begins on line 3"), "{error}");
    // Nothing says where the first cell would have ended, so its second line is a bad row, too.
    assert_eq!(found[1].as_ref().unwrap_err().line, 3);
    assert_eq!(found[2].as_ref().unwrap().line, 4);
}

#[test]
fn a_cell_that_is_cut_off_by_the_end_is_not_a_cell() {
    let found = rows("a,b\n1,2\n3,\"fo");
    let error = found[1].as_ref().unwrap_err().to_string();
    assert!(
        error.contains("does not end where a cell should"),
        "{error}"
    );
}

#[test]
fn stray_quotes_everywhere_take_linear_time() {
    // Each of these lines closes the quote of the line before and opens another.
    let line = "a\",\"b\n";
    let found = rows(&format!("x,y,z\n1,2,3\n{}", line.repeat(200_000)));
    assert_eq!(found.len(), 200_001);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn rows_of_one_line_are_read_as_if_another_had_no_quote(
        table in prop::collection::vec(prop::collection::vec("[a-z]([a-z,\"\n]{0,5})", 3), 2..30),
        stray in 0_usize..30,
    ) {
        let options = TableOptions { header: HeaderLine::Yes, ..TableOptions::default() };
        let quoted = |cell: &String| if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() };
        let mut rows: Vec<String> = table.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
        let stray = stray.min(rows.len() - 1);
        rows[stray] = "a,b,c".to_owned();
        let read = |rows: &[String]| {
            let text = format!("x,y,z\n{}\n", rows.join("\n"));
            Records::new(text.as_bytes(), &options).unwrap().filter_map(Result::ok).collect::<Vec<_>>()
        };
        let expected = read(&rows);
        rows[stray].insert(0, '"');
        let found = read(&rows);
        let is_line = |at: usize| at != stray && !rows[at].contains('\n');
        for (_, row) in expected.iter().enumerate().filter(|(at, _)| is_line(*at)) {
            prop_assert!(found.contains(row), "{:?} is not in {:?}", row, found);
        }
    }
}
