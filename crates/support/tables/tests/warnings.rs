//! What is guessed is said, with the option that decides it, and what is not guessed is not said.

use tables::{Columns, Dates, Decimal, Record, Records, TableOptions, TargetColumn};

fn warnings(text: &str, options: &TableOptions) -> Vec<String> {
    let mut records = Records::new(text.as_bytes(), options).unwrap();
    let rows: Vec<Record> = records.by_ref().collect::<Result<_, _>>().unwrap();
    let (header, target) = (records.header(), TargetColumn::Last);
    let (_, of_columns) = Columns::fit(header, &rows, &target, None, options).unwrap();
    let all = records.warnings().into_iter().chain(of_columns);
    // That the task was guessed is tested in `targets`.
    let all = all.filter(|warning| !warning.is_about_task());
    all.map(|warning| warning.to_string()).collect()
}

#[track_caller]
fn assert_warns(text: &str, parts: &[&str]) {
    let said = warnings(text, &TableOptions::default());
    assert_eq!(said.len(), 1, "{said:?}");
    for part in parts {
        assert!(said[0].contains(part), "`{part}` is not in: {}", said[0]);
    }
}

fn table(row: impl Fn(u64) -> String, rows: u64) -> String {
    "a,b,y\n".to_owned() + &(0..rows).map(row).collect::<String>()
}

#[test]
fn ordinary_tables_are_silent() {
    let text = table(
        |i| format!("{},{},{}\n", i * i, ["red", "blue"][i as usize % 2], 3 * i),
        300,
    );
    assert_eq!(warnings(&text, &TableOptions::default()), [""; 0]);
}

#[test]
fn dates_are_said() {
    let text = table(|i| format!("2014-05-{:02},1,{i}\n", i + 1), 28);
    assert_warns(
        &text,
        &[
            "column `a` looks like dates (`2014-05-01`)",
            "days since 1970 (ISO 8601)",
            "--dates text",
        ],
    );
    let decided = TableOptions {
        dates: Dates::Pattern("%Y-%m-%d".to_owned()),
        ..TableOptions::default()
    };
    assert!(warnings(&text, &decided).is_empty());
}

#[test]
fn a_target_that_is_always_the_same_is_said() {
    let text = "a,b,y\n1,2,same\n2,3,same\n3,5,same\n";
    assert_warns(
        text,
        &["the target `y` is `same` in all of 3 rows", "--target"],
    );
}

#[test]
fn identifiers_are_said() {
    let text = table(|i| format!("id{i},1,{i}\n"), 400);
    assert_warns(
        &text,
        &[
            "column `a` is text with 400 different values in 400 rows: 400 columns",
            "--drop",
            "--categories",
        ],
    );
    let chosen = TableOptions {
        categories: "hash:16".parse().unwrap(),
        ..TableOptions::default()
    };
    assert!(warnings(&text, &chosen).is_empty());
}

#[test]
fn numbers_that_f32_would_merge_get_an_origin_and_it_is_said() {
    let text = table(|i| format!("{},{},{i}\n", 10_000_000_000 + i, i * i), 400);
    assert_warns(
        &text,
        &[
            "column `a` is read as `a - 10000000200`",
            "hold only 1 of 400 different numbers",
            "--drop",
            "--categorical a",
        ],
    );
}

#[test]
fn numbers_that_merge_whatever_is_subtracted_are_said() {
    // Whole numbers of 64 bits all over their range, in groups of five that differ by one.
    let id = |i: u64| (1 + i / 5).wrapping_mul(0x9e37_79b9_7f4a_7c15) + i % 5;
    let text = table(|i| format!("{},{},{i}\n", id(i), i * i), 400);
    let said = warnings(&text, &TableOptions::default());
    assert!(
        said[0].contains("column `a` has 400 different numbers, but only 80 as features"),
        "{said:?}"
    );
    assert!(said[0].contains("f32") && said[0].contains("--categorical a"));
}

#[test]
fn words_with_digits_are_said_unless_they_were_chosen() {
    let text = table(|i| format!("v{}-rc,{},{i}\n", i % 7, i * i), 40);
    assert_warns(
        &text,
        &[
            "column `a` is text, but 40 of 40 cells contain digits (`v0-rc`)",
            "7 values are categories",
            "--dates PATTERN",
        ],
    );
    let chosen = TableOptions {
        categorical: vec!["a".to_owned()],
        ..TableOptions::default()
    };
    assert!(warnings(&text, &chosen).is_empty());
    let few = table(
        |i| format!("{},{},{i}\n", ["red", "blue", "b2"][i as usize % 3], i * i),
        40,
    );
    assert!(warnings(&few, &TableOptions::default()).is_empty());
}

#[test]
fn a_pattern_that_no_column_has_is_said() {
    let pattern = |pattern: &str| TableOptions {
        dates: Dates::Pattern(pattern.to_owned()),
        ..TableOptions::default()
    };
    let text = table(|i| format!("2014-05-{:02},{},{i}\n", i + 1, i * i), 28);
    let said = warnings(&text, &pattern("%d/%m/%Y"));
    assert!(
        said.last()
            .unwrap()
            .starts_with("no column has dates of the format --dates %d/%m/%Y"),
        "{said:?}"
    );
    assert!(warnings(&text, &pattern("%Y-%m-%d")).is_empty());
}

#[test]
fn a_repeated_target_is_said() {
    let text = table(|i| format!("{i}.0,{},{i}\n", i * i), 9);
    assert_warns(
        &text,
        &["column `a` is the target `y` in every row", "--drop"],
    );
    let words = table(|i| format!("1,{0},{0}\n", ["p", "q"][i as usize % 2]), 9);
    assert_warns(&words, &["column `b` is the target `y`"]);
}

#[test]
fn a_header_of_numbers_is_said() {
    assert_warns(
        "0,1,2\n5,3,4\n6,1,2\n",
        &["the first line (0, 1, 2) is read as a row", "--header yes"],
    );
    let decided = TableOptions {
        header: tables::HeaderLine::No,
        ..TableOptions::default()
    };
    assert!(warnings("0,1,2\n5,3,4\n6,1,2\n", &decided).is_empty());
}

#[test]
fn numbers_that_are_written_otherwise_are_said() {
    let text = "a;y\n1,5;1\n2,25;2\n";
    assert_warns(
        text,
        &[
            "column `a` is text, but looks like numbers (`1,5`)",
            "use --decimal comma",
        ],
    );
    assert_warns(
        "a;y\n1.234,5;1\n2,25;2\n",
        &["use --decimal comma --thousands '.'"],
    );
    assert_warns("a;y\n1,234;1\n12,000;3\n", &["use --decimal comma"]);
    assert_warns(
        "a;y\n1 234;1\n12 000;3\n",
        &["use --decimal comma --thousands ' '"],
    );
    assert_warns("a;y\n1'234;1\n12'000.5;3\n", &["use --thousands \"'\""]);
    assert_warns(
        "a;y\n1\u{a0}234;1\n12\u{a0}000,5;3\n",
        &["use --decimal comma --thousands '\u{a0}'"],
    );
    let decimal = TableOptions {
        decimal: Decimal::Comma,
        ..TableOptions::default()
    };
    assert!(warnings(text, &decimal).is_empty());
    let said = warnings("a;y\n1.5;1\n2.25;2\n", &decimal);
    assert!(said[0].ends_with("use --decimal point"), "{said:?}");
}

#[test]
fn numbers_with_units_and_hexadecimal_numbers_are_categories_and_it_is_said() {
    for cells in [
        ["5%", "7 %"],
        ["3 kg", "4 g"],
        ["$1.50", "-$2"],
        ["1,5 €", "2,25 €"],
    ] {
        let text = table(
            |i| format!("\"{}\",{},{i}\n", cells[i as usize % 2], i * i),
            40,
        );
        let says = format!(
            "column `a` is text, but looks like numbers with a unit (`{}`)",
            cells[0]
        );
        assert_warns(&text, &[&says, "t['a'].str.extract(", "--categorical a"]);
    }
    let text = table(|i| format!("{:#x},{},{i}\n", i % 7, i * i), 40);
    assert_warns(
        &text,
        &["looks like hexadecimal numbers (`0x0`)", "int(cell, 16)"],
    );
}

#[test]
fn dates_in_other_formats_are_categories_and_it_is_said() {
    for (write, example) in [
        ("%d/%m/%Y", "02/01/2020"),
        ("%d/%m/%Y %H:%M:%S", "02/01/2020 00:00:00"),
        ("%m-%d-%y", "01-02-20"),
        ("%d-%b-%y", "02-Jan-20"),
        ("%d.%m.%y", "02.01.20"),
        ("%a %b %d %Y", "Thu Jan 02 2020"),
    ] {
        let day = |i: u64| {
            jiff::civil::date(2020, 1, 2).at(0, 0, 0, 0)
                + jiff::SignedDuration::from_hours(24 * i as i64)
        };
        let text = table(
            |i| format!("{},{},{i}\n", day(i).strftime(write), i * i),
            40,
        );
        if write == "%d.%m.%y" {
            assert_warns(
                &text,
                &[
                    "40 of 40 cells contain digits (`02.01.20`)",
                    "--dates PATTERN",
                ],
            );
            continue;
        }
        let says = format!("column `a` is text, but looks like dates (`{example}`)");
        assert_warns(&text, &[&says, "--dates '%d/%m/%Y'"]);
        let given = TableOptions {
            dates: Dates::Pattern(write.to_owned()),
            ..TableOptions::default()
        };
        assert!(warnings(&text, &given).is_empty());
    }
    let clock = table(|i| format!("12:{:02},{},{i}\n", i + 1, i * i), 28);
    assert_warns(
        &clock,
        &["times of day (`12:01`)", "parts of a day since midnight"],
    );
}
