//! What stands between cells, where the first line could be read in several ways.

use tables::{Decimal, Records, TableOptions};

fn table(text: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
    table_with(text, &TableOptions::default())
}

/// Names, the cells of the first row, and warnings.
fn table_with(text: &str, options: &TableOptions) -> (Vec<String>, Vec<String>, Vec<String>) {
    let mut records = Records::new(text.as_bytes(), options).unwrap();
    let row = records.next().unwrap().unwrap();
    let warnings = records.warnings().iter().map(ToString::to_string).collect();
    let cells = row.cells.iter().map(str::to_owned).collect();
    (records.header().names(), cells, warnings)
}

#[test]
fn the_separator_is_the_one_that_later_lines_have_as_often() {
    let text = "Weight, kg;Height, cm;Age, years;y\n0.261;0.690;0.931;x\n0.9;0.1;0.8;y\n";
    let (names, row, warnings) = table(text);
    assert_eq!(names, ["Weight, kg", "Height, cm", "Age, years", "y"]);
    assert_eq!(row, ["0.261", "0.690", "0.931", "x"]);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn of_two_separators_that_fit_the_one_between_numbers_is_taken_and_the_other_is_reported() {
    let (_, row, warnings) = table("1,5;2,5;3,5\n1,5;2,5;4,5\n2,0;1,0;0,5\n");
    assert_eq!(row, ["1,5", "2,5", "3,5"]);
    assert!(
        warnings[0].contains("separated by `;`, but `,` fits")
            && warnings[0].contains("--delimiter"),
        "{warnings:?}"
    );
    let comma = TableOptions {
        decimal: Decimal::Comma,
        ..TableOptions::default()
    };
    let (_, _, warnings) = table_with("1,5;2,5;3,5\n1,5;2,5;4,5\n", &comma);
    assert!(
        !warnings.iter().any(|it| it.contains("--delimiter")),
        "{warnings:?}"
    );
}

#[test]
fn a_line_that_names_the_separator_is_read_and_counted() {
    for first in ["sep=;", "\"sep=;\"", "SEP=;\r"] {
        let text = format!("{first}\na,1;b\n0.3;x\n0.4;y\n");
        let mut records = Records::new(text.as_bytes(), &TableOptions::default()).unwrap();
        assert_eq!(records.header().names(), ["a,1", "b"]);
        assert_eq!(records.next().unwrap().unwrap().line, 3);
    }
    let (names, _, _) = table("sep=\t\na\tb\n1\t2\n");
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn tabs_among_blanks_that_align_columns_are_blanks() {
    let text = "18.0   8   307.0\t\"chevrolet chevelle\"\n15.0   8   350.0\t\"buick\"\n";
    let (_, row, _) = table(text);
    assert_eq!(row, ["18.0", "8", "307.0", "chevrolet chevelle"]);
    // Between names that hold blanks they are separators.
    let (names, row, _) = table("full name\tage\nJohn Smith\t5\nJane Doe\t7\n");
    assert_eq!(
        (names.join("|"), row.join("|")),
        ("full name|age".into(), "John Smith|5".into())
    );
}
