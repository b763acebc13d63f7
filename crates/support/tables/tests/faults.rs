//! Everything that is refused, and what is said about it.

use tables::{Columns, Encoding, Fault, Missing, Records, TableOptions, TargetColumn};

use crate::{features_of, fit, read};

#[track_caller]
fn assert_says(error: impl ToString, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

/// Returns the fault of a text when it is fitted and its rows are read.
#[track_caller]
fn fault(text: &str, options: &TableOptions) -> String {
    let read = fit(text, options).and_then(|(columns, _)| features_of(&columns, text, options));
    read.unwrap_err().to_string()
}

fn says(text: &str) -> String {
    fault(text, &TableOptions::default())
}

#[test]
fn missing_values_are_refused_with_all_counts() {
    let text = "a,b,c,y\n1,,3,4\n2,NA,?,5\n3,x,N/A,6\nnull,x,NaN,7\n";
    assert_says(
        says(text),
        &[
            "missing values: 1 of 4 cells of column `a` (first on line 5), 2 of 4 cells of column `b` (first on line 2), 3 of 4 cells of column `c` (first on line 3)",
            "--missing mean, median, indicator or drop",
            "--drop COLUMN",
        ],
    );
}

#[test]
fn a_missing_target_is_not_filled_in() {
    let mean = TableOptions {
        missing: Missing::Mean,
        ..TableOptions::default()
    };
    assert_says(
        fault("a,y\n1,2\n2,\n", &mean),
        &[
            "1 of 2 cells of column `y` (first on line 3)",
            "--missing drop",
        ],
    );
    assert_says(
        fault("a,y\n,2\n,3\n", &mean),
        &["no row has a value in column `a`", "--drop a"],
    );
    let drop = TableOptions {
        missing: Missing::Drop,
        ..TableOptions::default()
    };
    assert_says(
        fault("a,y\n,2\n,3\n", &drop),
        &["2 of 2 cells of column `a`"],
    );
}

#[test]
fn a_missing_value_in_a_later_table_is_refused_with_its_line() {
    let options = TableOptions::default();
    let (columns, _) = fit("a,y\n1,2\n2,3\n", &options).unwrap();
    assert_says(
        features_of(&columns, "a\n\n?\n", &options).unwrap_err(),
        &["line 3: no value in column `a`"],
    );
}

#[test]
fn cells_that_do_not_fit_their_column() {
    assert_says(
        says("a,y\n1,2\nx,3\n"),
        &["line 3: `x` in column `a` is not a number", "--categorical"],
    );
    assert_says(
        says("a,y\n1,2\n-inf,3\n"),
        &["line 3: `-inf` in column `a` is not a finite"],
    );
    assert_says(
        says("a,y\n1e39,2\n1,3\n"),
        &["line 2: `1e39` in column `a`"],
    );
    let options = TableOptions::default();
    let (columns, _) = fit("when,y\n2014-05-02,1\n2014-05-03,2\n", &options).unwrap();
    let error = features_of(&columns, "when\n2014-05-04\nlater\n", &options).unwrap_err();
    assert_says(
        error,
        &["line 3: `later` in column `when` is not a date like the others (ISO 8601)"],
    );
    // One of many is a mistake among the rows fitted on, too.
    let mut rows = vec!["2014-05-02,1"; 40];
    rows[30] = "later,1";
    assert_says(
        says(&format!("when,y\n{}\n", rows.join("\n"))),
        &["line 32: `later` in column `when` is not a date like the others (ISO 8601)"],
    );
    let arff = "@attribute a {x,y}\n@attribute b real\n@data\nx,1\nz,2\n";
    assert_says(
        says(arff),
        &["line 5: `z` is not among the declared values of column `a`: x, y"],
    );
}

#[test]
fn targets_that_do_not_fit_their_column() {
    let options = TableOptions::default();
    let (header, rows) = read("a,y\n1,2\n2,x\n3,inf\n4,5\n", &options).unwrap();
    let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::Last, None, &options).unwrap();
    let target = |row: usize| {
        columns
            .target(&columns.own_layout(), &rows[row])
            .unwrap_err()
    };
    assert_says(target(1), &["line 3: `x` in column `y` is not a number"]);
    assert_says(
        target(2),
        &["line 4: `inf` in column `y` is not a finite number"],
    );
    let (other, rows) = read("a\n1\n", &options).unwrap();
    let layout = columns.layout(&other).unwrap();
    assert_says(
        columns.target(&layout, &rows[0]).unwrap_err(),
        &["no column `y`"],
    );
}

#[test]
fn columns_that_are_not_there() {
    let choose = |columns: &str, drop: &str| TableOptions {
        columns: columns.split_terminator(',').map(str::to_owned).collect(),
        drop: drop.split_terminator(',').map(str::to_owned).collect(),
        ..TableOptions::default()
    };
    let text = "price,area\n1,2\n3,4\n";
    assert_says(
        fault(text, &choose("prize", "")),
        &["no column `prize` (did you mean `price`?)", "price, area"],
    );
    assert_says(
        fault(text, &choose("", "prize")),
        &["did you mean `price`?"],
    );
    assert_says(fault(text, &choose("", "price")), &["no features"]);
    assert_says(says("y\n1\n2\n"), &["no features"]);
    assert_says(says("@data\n{}\n{}\n"), &["no features"]);
}

#[test]
fn nothing_and_a_lonely_header_are_empty() {
    for text in ["", "\n \n", "a,b\n"] {
        assert_says(says(text), &["holds no rows"]);
    }
}

#[test]
fn a_ragged_row_is_named_and_passed_over() {
    let rows = Records::new("a,b\n1,2\n\n3\n4,5\n".as_bytes(), &TableOptions::default()).unwrap();
    let rows: Vec<_> = rows.collect();
    assert_says(
        rows[1].as_ref().unwrap_err(),
        &["line 4: 1 cell instead of 2"],
    );
    assert_eq!(rows[2].as_ref().unwrap().line, 5);
    assert_says(says("1 2\n3 4 5\n"), &["line 2: 3 cells instead of 2"]);
}

#[test]
fn bytes_that_are_not_text_are_named_and_passed_over() {
    let rows = Records::new(&b"a,b\n1,2\n3,\xff\n5,6\n"[..], &TableOptions::default()).unwrap();
    let rows: Vec<_> = rows.collect();
    assert_says(
        rows[1].as_ref().unwrap_err(),
        &["line 3: is not text (UTF-8)", "--encoding latin-1"],
    );
    assert_eq!(&rows[2].as_ref().unwrap().cells[1], "6");
    let latin = TableOptions {
        encoding: Some(Encoding::Latin1),
        ..TableOptions::default()
    };
    let mut rows = Records::new(&b"a,b\n1,\xff\n"[..], &latin).unwrap();
    assert_eq!(&rows.next().unwrap().unwrap().cells[1], "ÿ");
}

#[test]
fn damaged_gzip_ends_the_table() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let text: String = (0..20000).map(|i| format!("{i},{}\n", i * 7919)).collect();
    std::io::Write::write_all(&mut gzip, text.as_bytes()).unwrap();
    let whole = gzip.finish().unwrap();
    let rows: Vec<_> = Records::new(&whole[..whole.len() / 2], &TableOptions::default())
        .unwrap()
        .collect();
    let (last, before) = rows.split_last().unwrap();
    assert!(before.len() > 1000 && before.iter().all(Result::is_ok));
    let error = last.as_ref().unwrap_err();
    assert!(
        error.ends_the_table() && matches!(error.fault, Fault::Compressed { codec: "gzip", .. })
    );
    assert_says(error, &["gzip data is damaged or cut short"]);
}

#[test]
fn long_cells_are_cut_in_messages() {
    let long = "x".repeat(500_000);
    let error = says(&format!("a,y\n1,2\n{long},3\n"));
    assert!(
        error.len() < 400 && error.contains("… (500000 bytes)"),
        "{}",
        error.len()
    );
    let named = format!("{long},y\n1,2\nx,3\n");
    assert!(says(&named).len() < 400);
    let arff = format!("@attribute a real\n@data\n'{long}\n");
    assert!(says(&arff).len() < 400);
    let absent = TableOptions {
        drop: vec![long],
        ..TableOptions::default()
    };
    assert!(fault("a,y\n1,2\n", &absent).len() < 400);
}
