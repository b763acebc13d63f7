//! Whether the first row is names or a row, by three rules; a guess is reported.

use tables::{HeaderLine, Records, TableOptions};

/// Returns the names, the number of rows that are read, and the warnings.
fn seen(text: &str, options: &TableOptions) -> (String, usize, Vec<String>) {
    let mut records = Records::new(text.as_bytes(), options).unwrap();
    let names = records.header().names().join(" ");
    let rows = records.by_ref().filter(Result::is_ok).count();
    let warnings = records.warnings();
    (
        names,
        rows,
        warnings.iter().map(ToString::to_string).collect(),
    )
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

fn words(i: usize) -> String {
    let third = one_of(&["edible", "y"], i / 2);
    format!(
        "{},{},{third}",
        one_of(&["a", "b", "c"], i),
        one_of(&["r", "p"], i)
    )
}

#[test]
fn three_rules_decide() {
    let unnamed = |width: usize| {
        let names: Vec<String> = (1..=width).map(|i| format!("column_{i}")).collect();
        names.join(" ")
    };
    let years = table("country,2019,2020", 40, |i| {
        format!("{},{i}.5,{i}.25", one_of(&["IE", "FR"], i))
    });
    let named_years = table("id,2019,2020", 40, |i| format!("{i},{i}.5,{i}.25"));
    let letters = table("C,2,8", 100, |i| {
        format!("{},{},{}", one_of(&["A", "B", "C"], i), i % 16, i % 7)
    });
    let dates = table("2020-01-01,a", 30, |i| {
        format!("2020-02-{:02},b{i}", i % 28 + 1)
    });
    // The text, the names, the rows, and whether it is a guess.
    let cases = [
        (
            "age,city\n31,Paris\n".to_owned(),
            "age city".to_owned(),
            1,
            false,
        ),
        (named_years, "id 2019 2020".to_owned(), 40, true),
        (years, unnamed(3), 41, true),
        (letters, unnamed(3), 101, false),
        (dates, unnamed(2), 31, true),
        ("0,1\n5,3\n".to_owned(), unnamed(2), 2, false),
        (
            "nan,inf,y\n1,2,3\n".to_owned(),
            "nan inf y".to_owned(),
            1,
            false,
        ),
        (
            table("cap,odor,class", 60, words),
            "cap odor class".to_owned(),
            60,
            true,
        ),
        // One of three words recurs, as a class that is called like its column.
        (
            table("cap,odor,y", 60, words),
            "cap odor y".to_owned(),
            60,
            true,
        ),
        (table("a,r,y", 60, words), unnamed(3), 61, false),
        (
            "#chrom,start\nx,1\ny,2\n".to_owned(),
            "#chrom start".to_owned(),
            2,
            false,
        ),
    ];
    for (text, names, rows, is_guess) in cases {
        let seen = seen(&text, &TableOptions::default());
        assert_eq!((&seen.0, seen.1), (&names, rows), "{text}");
        assert_eq!(seen.2.len(), usize::from(is_guess), "{:?}", seen.2);
        assert!(
            seen.2
                .iter()
                .all(|it| it.contains("--header no") && it.contains("--header yes")),
            "{:?}",
            seen.2
        );
    }
}

#[test]
fn a_header_that_is_repeated_is_not_a_word_that_recurs() {
    let text = table("cap,odor,class", 61, |i| match i {
        50 => "cap,odor,class".to_owned(),
        _ => words(i),
    });
    let repeated = seen(&text, &TableOptions::default());
    assert_eq!((repeated.0.as_str(), repeated.1), ("cap odor class", 60));
    // In a single column it may be a value.
    let options = TableOptions {
        header: HeaderLine::Yes,
        ..TableOptions::default()
    };
    assert_eq!(seen("c\nx\nc\n", &options).1, 2);
}

#[test]
fn the_option_decides_without_a_word() {
    for (header, rows) in [(HeaderLine::Yes, 1), (HeaderLine::No, 2)] {
        let options = TableOptions {
            header,
            ..TableOptions::default()
        };
        let seen = seen("class,cap\np,x\n", &options);
        assert_eq!((seen.1, seen.2.len()), (rows, 0));
    }
}

#[test]
fn a_first_row_of_known_names_is_a_header_above_however_few_rows() {
    let options = TableOptions {
        header: HeaderLine::Yes,
        ..TableOptions::default()
    };
    let known = Records::new("country,2019,2020\nIE,1,2\n".as_bytes(), &options).unwrap();
    let like = |text: &'static str| {
        Records::like(known.header(), text.as_bytes(), &TableOptions::default()).unwrap()
    };
    let later = like("2020,country,2019\n2,IE,3\n");
    assert_eq!(later.header().names(), ["2020", "country", "2019"]);
    assert!(later.warnings().is_empty());
    assert_eq!(later.count(), 1);
    // A table without names stays one.
    assert_eq!(like("IE,1,2\nFR,2,2\n").count(), 2);
}
