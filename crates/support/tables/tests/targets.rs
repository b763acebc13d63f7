//! What the target is: it passes the checks of a feature, and names of classes are text.

use tables::{Cell, Columns, Record, TableOptions, TargetColumn, TaskKind, Warning};

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

#[test]
fn text_that_may_be_numbers_or_dates_is_refused() {
    for (cells, says) in [
        (
            ["1,111", "2,222"],
            "the target would be learned as classes: column `y` is text",
        ),
        (["0,33", "0,5"], "--decimal comma"),
        (["3 kg", "4 g"], "cells contain digits (`3 kg`)"),
        (["$1.50", "$2"], "cells contain digits"),
        (["02/05/2014", "03/05/2014"], "--dates PATTERN"),
        (
            ["2014-05-02", "2014-05-03"],
            "the target `y` looks like dates (`2014-05-02`)",
        ),
        (
            ["02.05.2014", "03.05.2014"],
            "the target `y` looks like dates",
        ),
    ] {
        let text = table(cells);
        for task in [None, REGRESS] {
            let error = targets(&text, task).unwrap_err();
            assert!(error.contains(says), "{error}");
            assert!(error.ends_with("--task classify"), "{error}");
        }
        assert_eq!(targets(&text, CLASSIFY).unwrap(), cells);
        let chosen = TableOptions {
            categorical: vec!["y".to_owned()],
            ..TableOptions::default()
        };
        assert!(fit(&text, None, &chosen).is_ok());
    }
    for names in [["class1", "class2"], ["<=50K", ">50K"]] {
        assert_eq!(targets(&table(names), None).unwrap(), names);
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
    }
}

#[test]
fn a_sign_and_a_fraction_of_zeros_do_not_count_and_leading_zeros_do() {
    let cells = ["0", "00", "0.0", "1", "+1"];
    let names = ["0", "00", "0", "1", "1"];
    assert_eq!(targets(&table(cells), CLASSIFY).unwrap(), names);
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
