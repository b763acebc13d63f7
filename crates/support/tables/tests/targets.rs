//! What the target is: it passes the checks of a feature, and names of classes are text.

use tables::{
    Cell, Columns, Dates, Missing, Record, TableOptions, TargetColumn, TaskKind, Warning,
};

use crate::read;

const CLASSIFY: Option<TaskKind> = Some(TaskKind::Classification);
const REGRESS: Option<TaskKind> = Some(TaskKind::Regression);

/// Returns a table of numbers and, as its last column, these cells.
fn table<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let rows = cells.into_iter().enumerate();
    let rows = rows.map(|(i, cell)| format!("{};{}\n", i * i, cell.as_ref()));
    format!("a;y\n{}", rows.collect::<String>())
}

fn fit(
    text: &str,
    task: Option<TaskKind>,
    options: &TableOptions,
) -> Result<(Columns, Vec<Warning>, Vec<Record>), String> {
    let (header, rows) = read(text, options).map_err(|error| error.to_string())?;
    let fitted = Columns::fit(&header, &rows, &TargetColumn::Last, task, options);
    let (columns, warnings) = fitted.map_err(|error| error.to_string())?;
    Ok((columns, warnings, rows))
}

/// Returns the targets, or the sentence of why one is refused.
fn targets(text: &str, task: Option<TaskKind>) -> Result<Vec<String>, String> {
    let (columns, _, rows) = fit(text, task, &TableOptions::default())?;
    let layout = columns.own_layout();
    let target = |row: &Record| match columns.target(&layout, row) {
        Ok(Some(Cell::Number(number))) => Ok(format!("number {number}")),
        Ok(Some(Cell::Class(name))) => Ok(name.into_owned()),
        Ok(None) => Ok("missing".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    rows.iter().map(target).collect()
}

fn said(text: &str, task: Option<TaskKind>) -> Vec<String> {
    let (_, warnings, _) = fit(text, task, &TableOptions::default()).unwrap();
    warnings.iter().map(ToString::to_string).collect()
}

/// Warnings for the column as a feature.
fn as_feature(cells: &[String]) -> Vec<String> {
    let rows = cells.iter().enumerate();
    let rows = rows.map(|(i, cell)| format!("{cell};{i}.5\n"));
    said(&format!("y;t\n{}", rows.collect::<String>()), REGRESS)
}

/// How a cell is written, and what is said about it.
type Written = (fn(usize) -> String, &'static str);

#[test]
fn text_that_may_be_numbers_is_refused_with_the_words_of_a_feature() {
    let written: [Written; 5] = [
        (
            |i| format!("{},{:03}", 1 + i / 9, 111 * (i % 9)),
            "--thousands ','",
        ),
        (
            |i| format!("{} {:03}", 1 + i / 9, 111 * (i % 9)),
            "--thousands ' '",
        ),
        (|i| format!("0,{:02}", 33 + i), "--decimal comma"),
        (
            |i| format!("{}.000,{:02}", 1 + i / 9, 10 + i),
            "--thousands '.'",
        ),
        (
            |i| format!("{i} {}", ["kg", "g"][i % 2]),
            "numbers with a unit (`0 kg`)",
        ),
    ];
    for (write, remedy) in written {
        let cells: Vec<String> = (0..40).map(write).collect();
        let text = table(&cells);
        let feature = as_feature(&cells);
        for task in [None, REGRESS] {
            let error = targets(&text, task).unwrap_err();
            assert!(error.contains(remedy), "{error}");
            assert!(error.contains(&feature[0]), "{error}\n{feature:?}");
            assert!(error.ends_with("use --task classify"), "{error}");
        }
        assert_eq!(targets(&text, CLASSIFY).unwrap(), cells);
        let chosen = TableOptions {
            categorical: vec!["y".to_owned()],
            ..TableOptions::default()
        };
        assert!(fit(&text, None, &chosen).is_ok());
    }
}

#[test]
fn dates_and_times_are_refused() {
    for cell in ["2014-05-", "01.02.20", "12:"] {
        let cells: Vec<String> = (10..40).map(|i| format!("{cell}{}", i % 18 + 10)).collect();
        let error = targets(&table(&cells), None).unwrap_err();
        assert!(
            error.starts_with("the target `y` looks like dates (`")
                && error.contains("--task classify"),
            "{error}"
        );
        assert_eq!(targets(&table(&cells), CLASSIFY).unwrap(), cells);
        let text = TableOptions {
            dates: Dates::Text,
            ..TableOptions::default()
        };
        assert!(fit(&table(&cells), None, &text).is_ok());
    }
}

#[test]
fn text_is_not_regressed_on() {
    for text in [
        table(["up", "down", "up"]),
        "@relation r\n@attribute a real\n@attribute y {up,down}\n@data\n1,up\n2,down\n".to_owned(),
    ] {
        let error = targets(&text, REGRESS).unwrap_err();
        let says = "the target `y` is text (`up`), which --task regress cannot learn";
        assert!(error.starts_with(says), "{error}");
        assert!(targets(&text, None).is_ok());
    }
}

#[test]
fn names_of_classes_keep_all_digits() {
    let cells = ["9007199254740993", "9007199254740992", "9007199254740991"];
    for task in [None, CLASSIFY] {
        assert_eq!(targets(&table(cells), task).unwrap(), cells);
        let said = said(&table(cells), task);
        assert!(
            !said.iter().any(|it| it.contains("two classes")),
            "{said:?}"
        );
        let counts_all = |it: &String| it.contains("has 3 different whole numbers");
        assert_eq!(said.iter().any(counts_all), task.is_none(), "{said:?}");
    }
}

#[test]
fn labels_that_are_one_number_are_merged_or_kept_apart_with_a_word() {
    let cells = ["0", "00", "0.0", "1"];
    assert_eq!(
        targets(&table(cells), CLASSIFY).unwrap(),
        ["0", "00", "0", "1"]
    );
    let alike = said(&table(cells), CLASSIFY);
    assert!(alike[0].starts_with("the class `0` of the target `y` is also written `0.0`"));
    assert!(
        alike[1].starts_with("`0` and `00` are two classes of the target `y`"),
        "{alike:?}"
    );
    let zips = said(&table(["01234", "1234", "+5"]), CLASSIFY);
    assert!(
        zips[0].starts_with("`01234` and `1234` are two classes"),
        "{zips:?}"
    );
    assert_eq!(zips.len(), 1);
    assert_eq!(
        targets(&table(["1.0", "+1", "-1"]), CLASSIFY).unwrap(),
        ["1", "1", "-1"]
    );
    assert!(said(&table(["1", "-1", "10"]), CLASSIFY).is_empty());
}

#[test]
fn a_label_with_a_fraction_is_refused_by_its_line() {
    let error = targets(&table(["1", "0.5", "2"]), CLASSIFY).unwrap_err();
    assert!(
        error.starts_with("line 3: the target `y` is `0.5`, a number with a fraction"),
        "{error}"
    );
    assert!(error.contains("--task regress"));
}

#[test]
fn the_majority_decides_whether_a_column_is_numbers() {
    let codes: Vec<String> = (0..80)
        .map(|i| {
            if i == 40 {
                "7".into()
            } else {
                format!("k{}", i % 9)
            }
        })
        .collect();
    let feature = as_feature(&codes);
    assert!(
        feature[0].starts_with(
            "1 of 80 cells of column `y` are numbers (`7`) and the others are not (`k0`)"
        ),
        "{feature:?}"
    );
    assert!(feature[0].contains("--missing-values k0") && feature[0].contains("--categorical y"));
    assert_eq!(targets(&table(&codes), None).unwrap(), codes);
    assert!(said(&table(&codes), None)[0].starts_with("1 of 80 cells of column `y`"));
    // A word among numbers is a mistake in writing.
    let numbers = (0..80).map(|i| {
        if i == 40 {
            "x".into()
        } else {
            format!("{i}.5")
        }
    });
    let error = targets(&table(numbers.collect::<Vec<_>>()), None).unwrap_err();
    assert!(
        error.contains("`x` in column `y` is not a number"),
        "{error}"
    );
}

#[test]
fn labels_some_of_which_are_read_as_numbers_are_words() {
    let cells: Vec<&str> = (0..100)
        .map(|i| ["MAR1", "2E1", "SEPT2", "1E5", "DEC1"][i % 5])
        .collect();
    for task in [None, CLASSIFY] {
        assert_eq!(targets(&table(&cells), task).unwrap(), cells);
    }
    // Also where they are the majority, if the task is stated.
    let cells: Vec<&str> = (0..30).map(|i| ["2E1", "1E5", "DEC1"][i % 3]).collect();
    assert_eq!(targets(&table(&cells), CLASSIFY).unwrap(), cells);
}

#[test]
fn a_number_above_words_may_be_the_name_of_their_column() {
    let text: String = (0..60)
        .map(|i| format!("{i}.5,{i}.25,{}\n", ["x", "y"][i % 2]))
        .collect();
    let text = format!("3,1,2\n{text}");
    let said = said(&text, None);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("(3, 1, 2) is read as a row") && said[0].contains("--header yes"));
}

#[test]
fn two_features_of_one_name_are_refused() {
    let options = TableOptions {
        missing: Missing::Indicator,
        ..TableOptions::default()
    };
    let error = fit("a,a is missing,y\n,0,x\n1,1,y\n2,0,x\n", None, &options).unwrap_err();
    assert!(
        error.starts_with("two features would be called `a is missing`"),
        "{error}"
    );
    assert!(error.ends_with("--drop 'a is missing'"), "{error}");
    let error = fit("a,a=p,y\np,0,x\nq,1,y\n", None, &TableOptions::default()).unwrap_err();
    assert!(error.contains("`a=p`"), "{error}");
}

#[test]
fn a_guessed_task_is_said() {
    let classes = said(&table(["1", "2", "2"]), None);
    assert!(
        classes[0]
            .contains("the target `y` has 2 different whole numbers, which are treated as classes")
    );
    assert!(classes[0].contains("--task classify or --task regress"));
    assert!(said(&table(["0.5", "2"]), None).is_empty());
    assert!(said(&table(["1", "2", "2"]), REGRESS).is_empty());
    let names: Vec<String> = (0..40).map(|i| format!("name {i}")).collect();
    let many = said(&table(names), None);
    assert!(
        many[0].contains("is text (`name 0`) with 40 classes in 40 rows"),
        "{many:?}"
    );
}
