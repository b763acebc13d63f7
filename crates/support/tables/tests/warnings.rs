//! What is guessed is said, with the option that decides it, and what is not guessed is not said.

use tables::{Columns, Dates, Decimal, HeaderLine, Record, Records, TableOptions, TargetColumn};

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

fn table(row: impl Fn(u64) -> String) -> String {
    "a,b,y\n".to_owned() + &(0..28).map(row).collect::<String>()
}

/// Returns a table whose first column has these cells in turn.
fn cells(cells: &'static [&str]) -> String {
    table(|i| format!("\"{}\",{},{i}\n", cells[i as usize % cells.len()], i * i))
}

fn dates(pattern: &str) -> TableOptions {
    TableOptions {
        dates: Dates::Pattern(pattern.to_owned()),
        ..TableOptions::default()
    }
}

#[test]
fn each_guess_is_said_once_and_not_where_an_option_decides() {
    let categorical = || TableOptions {
        categorical: vec!["a".to_owned()],
        ..TableOptions::default()
    };
    let digits = "cells contain digits (`";
    let days = table(|i| format!("2014-05-{:02},1,{i}\n", i + 1));
    let ids = table(|i| format!("{},{},{i}\n", 10_000_000_000_u64 + i, i * i));
    let merged = table(|i| {
        format!(
            "{},{},{i}\n",
            (1 + i / 4) * 1_000_000_007 * (1 + i / 4) + i % 4,
            i * i
        )
    });
    let words = "a,b,y\n".to_owned()
        + &(0..200)
            .map(|i| format!("id{i},1,{i}\n"))
            .collect::<String>();
    let hashed = TableOptions {
        categories: "hash:16".parse().unwrap(),
        ..categorical()
    };
    let no_names = TableOptions {
        header: HeaderLine::No,
        ..TableOptions::default()
    };
    // The table, parts of the only warning, and options with which there is none.
    let cases: [(String, &[&str], TableOptions); 13] = [
        (
            days,
            &[
                "column `a` looks like dates (`2014-05-01`)",
                "days since 1970 (ISO 8601)",
                "--dates text",
            ],
            dates("%Y-%m-%d"),
        ),
        (
            ids,
            &[
                "column `a` is read as `a - 10000000014`",
                "hold only 1 of 28 different numbers",
                "--drop",
            ],
            categorical(),
        ),
        (
            merged,
            &[
                "column `a` has 28 different numbers, but only",
                "f32",
                "--categorical a",
            ],
            categorical(),
        ),
        (
            words,
            &[
                "200 different values in 200 rows: 200 columns",
                "--drop",
                "--categories",
            ],
            hashed,
        ),
        (
            cells(&["v1-rc", "v2-rc"]),
            &["28 of 28", digits, "--dates PATTERN"],
            categorical(),
        ),
        (
            cells(&["5%", "7 %"]),
            &[digits, "--categorical a"],
            categorical(),
        ),
        (
            cells(&["1,5", "2,25"]),
            &[digits, "--decimal comma"],
            categorical(),
        ),
        (cells(&["0x1", "0x2"]), &[digits], categorical()),
        (
            cells(&["02/01/2020", "03/01/2020"]),
            &[digits, "--dates PATTERN"],
            dates("%d/%m/%Y"),
        ),
        (cells(&["12:01", "12:02"]), &[digits], dates("%H:%M")),
        (
            cells(&["Thu Jan 02 2020", "Fri Jan 03 2020"]),
            &[digits],
            dates("%a %b %d %Y"),
        ),
        (
            cells(&["x", "y", "7"]),
            &["9 of 28 cells of column `a` are numbers (`7`) and the others are not (`x`)"],
            categorical(),
        ),
        (
            "p,q\nr,s\nt,s\n".to_owned(),
            &["the first line (p, q) is read as the names", "--header no"],
            no_names,
        ),
    ];
    for (text, parts, decided) in cases {
        let said = warnings(&text, &TableOptions::default());
        assert_eq!(said.len(), 1, "{said:?}");
        for part in parts {
            assert!(said[0].contains(part), "`{part}` is not in: {}", said[0]);
        }
        assert_eq!(warnings(&text, &decided), [""; 0], "{text}");
    }
}

#[test]
fn what_may_be_unintended_is_said() {
    let squares = |i: u64| i * i;
    let cases: [(String, TableOptions, &str); 5] = [
        (
            "a,b,y\n1,2,same\n2,3,same\n3,5,same\n".to_owned(),
            TableOptions::default(),
            "the target `y` is `same` in all of 3 rows",
        ),
        (
            table(|i| format!("{i}.0,{},{i}\n", squares(i))),
            TableOptions::default(),
            "column `a` is the target `y` in every row",
        ),
        (
            table(|i| format!("1,{0},{0}\n", ["p", "q"][i as usize % 2])),
            TableOptions::default(),
            "column `b` is the target `y`",
        ),
        (
            table(|i| format!("p,{},{i}\n", squares(i))),
            dates("%d/%m/%Y"),
            "no column has dates of the format --dates %d/%m/%Y",
        ),
        (
            ",a,y\n0,0.7,x\n1,0.2,y\n2,0.4,x\n".to_owned(),
            TableOptions::default(),
            "column `column_1` looks like a row index",
        ),
    ];
    for (text, options, says) in cases {
        let said = warnings(&text, &options);
        assert!(said.len() == 1 && said[0].starts_with(says), "{said:?}");
    }
}

#[test]
fn ordinary_tables_are_silent() {
    let text = table(|i| {
        format!(
            "{},{},{}\n",
            i * i,
            ["red", "blue", "b2"][i as usize % 3],
            3 * i
        )
    });
    assert_eq!(warnings(&text, &TableOptions::default()), [""; 0]);
    let comma = TableOptions {
        decimal: Decimal::Comma,
        ..TableOptions::default()
    };
    assert_eq!(warnings("a;y\n1,5;1\n2,25;2\n", &comma), [""; 0]);
}
