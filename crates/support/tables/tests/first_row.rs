//! Whether the first row is names or a row: every column and several rows count, and a guess is reported.

use tables::{Fault, HeaderLine, Record, Records, TableOptions};

/// Names, rows that are read, faults of others, and warnings.
struct Seen {
    names: Vec<String>,
    rows: usize,
    faults: Vec<String>,
    warnings: Vec<String>,
}

fn seen(text: &str) -> Seen {
    seen_with(text, &TableOptions::default())
}

fn seen_with(text: &str, options: &TableOptions) -> Seen {
    let mut records = Records::new(text.as_bytes(), options).unwrap();
    let names = records.header().names();
    let rows: Vec<_> = records.by_ref().collect();
    let faults = rows.iter().filter_map(|row| row.as_ref().err());
    Seen {
        names,
        rows: rows.iter().flatten().count(),
        faults: faults.map(ToString::to_string).collect(),
        warnings: records.warnings().iter().map(ToString::to_string).collect(),
    }
}

/// Returns a text of a first line and rows below it.
fn table(first: &str, rows: usize, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..rows).map(|i| row(i) + "\n").collect();
    format!("{first}\n{rows}")
}

/// Chooses one of some words.
fn one_of<'a>(words: &[&'a str], i: usize) -> &'a str {
    words[i * 7 % words.len()]
}

/// Returns a number in [0, 100) with two decimals.
fn number(i: usize) -> f64 {
    (i * 7919 % 10_000) as f64 / 100.0
}

fn years(rows: usize) -> String {
    table("country,2019,2020,2021", rows, |i| {
        let country = one_of(&["IE", "FR", "NL"], i);
        format!(
            "{country},{},{},{}",
            number(i),
            number(i + 3),
            number(i + 5)
        )
    })
}

#[test]
fn years_are_names_above_numbers_that_are_none() {
    let Seen {
        names,
        rows,
        warnings,
        ..
    } = seen(&years(40));
    assert_eq!(
        (names.join(" "), rows),
        ("country 2019 2020 2021".into(), 40)
    );
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("country, 2019, 2020, 2021") && warnings[0].contains("--header no")
    );
    // Without a word among them, too.
    let alone = table("2019,2020,2021", 40, |i| format!("{0},{0},1.5", number(i)));
    assert_eq!(seen(&alone).names, ["2019", "2020", "2021"]);
    assert!(seen(&alone).warnings[0].contains("--header no"));
}

#[test]
fn a_first_line_that_could_be_either_is_reported() {
    let few = seen(&years(3));
    assert_eq!(few.rows, 4, "few rows say nothing about a number");
    assert!(few.warnings[0].contains("read as a row") && few.warnings[0].contains("--header yes"));
    let stated = TableOptions {
        header: HeaderLine::Yes,
        ..TableOptions::default()
    };
    let stated = seen_with(&years(3), &stated);
    assert_eq!((stated.rows, stated.warnings.len()), (3, 0));
    let words = seen("class,cap\np,x\ne,x\n");
    assert_eq!(words.names, ["class", "cap"]);
    assert!(
        words.warnings[0].contains("--header no"),
        "{:?}",
        words.warnings
    );
}

#[test]
fn rows_of_numbers_and_words_without_names_are_rows() {
    let letters = |i| {
        format!(
            "{},{},{},5",
            one_of(&["A", "B", "C", "D"], i),
            i * 5 % 16,
            i * 3 % 16
        )
    };
    let text = table("C,2,8,5", 100, letters);
    let Seen { rows, warnings, .. } = seen(&text);
    assert_eq!((rows, warnings.len()), (101, 0), "{warnings:?}");
    // Numbers that grow are rows, though the first of them is less than all others.
    let growing = seen(&table("w0,0", 50, |i| format!("w{},{}", i + 1, i + 1)));
    assert_eq!(growing.rows, 51);
    let dates = seen(&table("2020-01-01,a", 30, |i| {
        format!("2020-02-{:02},b{i}", i % 28 + 1)
    }));
    assert_eq!(dates.rows, 31);
}

#[test]
fn names_that_are_read_as_numbers_are_names_beside_a_word_above_numbers() {
    let text = table("nan,inf,y", 40, |i| format!("{i},{},{}", i % 5, i % 2));
    let Seen {
        names,
        rows,
        faults,
        ..
    } = seen(&text);
    assert_eq!((names.join(" "), rows), ("nan inf y".into(), 40));
    assert!(faults.is_empty());
    assert_eq!(seen("nan,inf\n1,2\n").names, ["nan", "inf"]);
}

#[test]
fn a_header_above_words_is_found_though_it_is_repeated_further_down() {
    let row = |i| match i {
        50 => "cap,odor,class".to_owned(),
        _ => format!(
            "{},{},{}",
            one_of(&["a", "b", "c"], i),
            one_of(&["r", "p"], i),
            one_of(&["edible", "poisonous"], i / 2)
        ),
    };
    let Seen {
        names,
        rows,
        faults,
        ..
    } = seen(&table("cap,odor,class", 101, row));
    assert_eq!((names.join(" "), rows), ("cap odor class".into(), 100));
    assert_eq!(faults, ["line 52: repeats the header line; remove it"]);
}

#[test]
fn a_class_that_is_called_like_its_column_does_not_make_the_header_a_row() {
    let row = |i| {
        format!(
            "{},{},{}",
            one_of(&["a", "b"], i),
            one_of(&["r", "p"], i),
            one_of(&["x", "y"], i)
        )
    };
    let Seen { names, rows, .. } = seen(&table("cap,odor,y", 60, row));
    assert_eq!((names.join(" "), rows), ("cap odor y".into(), 60));
}

#[test]
fn a_header_above_numbers_that_is_repeated_is_a_bad_row_for_that_reason() {
    let Seen { rows, faults, .. } = seen("a,b,y\n1,2,x\na,b,y\n3,4,y\n");
    assert_eq!(rows, 2);
    assert_eq!(faults, ["line 3: repeats the header line; remove it"]);
}

#[test]
fn a_first_row_of_known_names_is_a_header_above_however_few_rows() {
    let years = years(40);
    let known = Records::new(years.as_bytes(), &TableOptions::default()).unwrap();
    let text = "2021,country,2020,2019\n1,IE,2,3\n";
    let later = Records::like(known.header(), text.as_bytes(), &TableOptions::default()).unwrap();
    assert_eq!(later.header().names(), ["2021", "country", "2020", "2019"]);
    assert!(later.warnings().is_empty());
    assert_eq!(later.count(), 1);
    // A table without names stays one.
    let rows = Records::like(
        known.header(),
        "IE,1,2,3\nFR,2,2,3\n".as_bytes(),
        &TableOptions::default(),
    );
    assert_eq!(rows.unwrap().count(), 2);
}

#[test]
fn lines_of_remarks_above_a_header_are_left_out_and_reported() {
    let rows = table("# made by sensor 1\n# units: m, s, kg\na;b;y", 50, |i| {
        format!("{};{};x", number(i), number(i + 1))
    });
    let Seen {
        names,
        rows,
        faults,
        warnings,
    } = seen(&rows);
    assert_eq!((names.join(" "), rows), ("a b y".into(), 50));
    assert!(faults.is_empty());
    assert!(
        warnings[0].contains("2 lines before the first row")
            && warnings[0].contains("--comment '#'"),
        "{warnings:?}"
    );
    let lines = Records::new(
        "# a remark\na,b\n1,2\n".as_bytes(),
        &TableOptions::default(),
    )
    .unwrap();
    let lines: Vec<Record> = lines.collect::<Result<_, _>>().unwrap();
    assert_eq!(lines[0].line, 3, "lines that are left out are counted");
}

#[test]
fn a_header_that_begins_with_a_number_sign_names_the_columns() {
    assert_eq!(seen("#chrom,start\nx,1\ny,2\n").names, ["#chrom", "start"]);
    let numpy = seen("# a,b\n1,2\n2,3\n");
    assert_eq!(numpy.names, ["column_1", "column_2"]);
    assert!(
        numpy.warnings[0].contains("(`# a,b`)") && numpy.warnings[0].contains("remove the `#`")
    );
    assert_eq!(seen("# a remark, this\na,b\n1,2\n").names, ["a", "b"]);
}

#[test]
fn a_remark_among_rows_is_a_bad_row_whose_reason_names_the_option() {
    let Seen { rows, faults, .. } = seen("a,b\n1,2\n# stopped\n3,4\n");
    assert_eq!(rows, 2);
    assert!(
        faults[0].starts_with("line 3: begins with `#`") && faults[0].contains("--comment '#'")
    );
}

#[test]
fn a_first_row_of_different_words_that_come_again_is_reported() {
    let words = |first: &str| {
        seen(&table(first, 60, |i| {
            format!(
                "{},{}",
                one_of(&["a", "b", "c"], i),
                one_of(&["b", "class"], i)
            )
        }))
    };
    let different = words("a,class");
    assert_eq!(different.rows, 61);
    assert!(
        different.warnings[0].contains("(a, class) is read as a row")
            && different.warnings[0].contains("--header yes")
    );
    // Names are not equal.
    assert!(words("b,b").warnings.is_empty());
}

#[test]
fn rows_with_one_cell_more_than_names_are_refused_with_the_remedy() {
    let text = "a b y\n\"1\" 0.108 0.205 \"x z\"\n\"2\" 0.3 0.4 \"y\"\n";
    let error = Records::new(text.as_bytes(), &TableOptions::default())
        .err()
        .unwrap();
    let says = error.to_string();
    assert!(says.contains("give the first column a name") && says.contains("col.names = NA"));
    // One row that is too long is a bad row.
    let ragged = Records::new("a,b\n1,2,3\n4,5\n".as_bytes(), &TableOptions::default()).unwrap();
    let faults: Vec<_> = ragged.filter_map(Result::err).collect();
    assert!(
        matches!(faults[..], [ref fault] if matches!(fault.fault, Fault::Ragged { expected: 2, found: 3 }))
    );
}
