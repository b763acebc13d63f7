//! What is read of a text, and what is said about it: the table `tables.tsv` has a line for each rule, guess and fault.

use serde_json::Value;
use tables::{Cell, Columns, TableError, TableOptions, TaskKind};

use crate::read_some;

/// Returns the text of a cell of the table, in which `{9|$i,$s\n}` stands for nine rows with their number and its
/// square.
fn expanded(cell: &str) -> String {
    let mut text: String = serde_json::from_str(&format!("\"{cell}\"")).unwrap();
    while let Some((before, count, row, after)) = text.split_once('|').and_then(|(start, rest)| {
        let (before, count) = start.rsplit_once('{')?;
        let (row, after) = rest.split_once('}')?;
        Some((before, count.parse::<u64>().ok()?, row, after))
    }) {
        let rows = (0..count).map(|i| {
            row.replace("$i", &i.to_string())
                .replace("$s", &(i * i).to_string())
        });
        text = format!("{before}{}{after}", rows.collect::<String>());
    }
    text
}

/// Returns the features, the rows, and everything that is said.
fn seen(text: &str, mut options: Value, with_task: bool) -> Result<String, TableError> {
    let word = |value: Value| value.as_str().map(str::to_owned);
    let target = word(options["target"].take()).unwrap_or_else(|| "last".to_owned());
    let task: Option<TaskKind> = serde_json::from_value(options["task"].take()).unwrap();
    let options: TableOptions = serde_json::from_value(options).unwrap();
    let (header, rows, errors, warnings) = read_some(text.as_bytes(), &options)?;
    let said = |mark: &str, text: String| format!(" {mark} {text}");
    let mut errors: Vec<String> = errors
        .into_iter()
        .map(|error| said("!", error.to_string()))
        .collect();
    let (columns, of_columns) = match Columns::fit(&header, &rows, &target, task, &options) {
        Ok(fitted) => fitted,
        Err(error) => return Ok(said("!", error.to_string()) + &errors.concat()),
    };
    let layout = columns.layout(&header)?;
    let mut text = format!("[{}]", columns.feature_names().join(" "));
    for row in &rows {
        let mut features = Vec::new();
        let encoded = columns.features(&layout, row, &mut features);
        text += &match encoded.and_then(|encoded| Ok((encoded, columns.target(&layout, row)?))) {
            Err(error) => {
                errors.push(said("!", error.to_string()));
                continue;
            }
            Ok((None, _) | (_, None)) => " dropped;".to_owned(),
            Ok((_, Some(target))) => {
                let features: Vec<String> = features.iter().map(f32::to_string).collect();
                let target = match target {
                    Cell::Number(number)
                        if task.is_some() || number.fract() == 0.0 && options.indices.is_some() =>
                    {
                        format!("number {number}")
                    }
                    Cell::Number(number) => number.to_string(),
                    Cell::Class(name) => name.into_owned(),
                };
                format!(" {} -> {target};", features.join(" "))
            }
        };
    }
    text += &errors.concat();
    for warning in warnings.iter().chain(&of_columns) {
        if with_task || !warning.is_about_task {
            text += &said("~", warning.to_string());
        }
    }
    Ok(text)
}

#[test]
fn tables_are_read_as_the_table_says() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables.tsv");
    let mut faults = Vec::new();
    for line in std::fs::read_to_string(table)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with("# "))
    {
        let [options, text, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three cells: {line}")
        };
        let options =
            serde_json::from_str(if options.is_empty() { "{}" } else { options }).unwrap();
        let seen = seen(&expanded(text), options, expected.contains("whole numbers"));
        let seen = seen.unwrap_or_else(|error| format!(" ! {error}"));
        let mut parts = expected
            .split('…')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let last = parts.try_fold(seen.as_str(), |rest, part| Some(rest.split_once(part)?.1));
        // Nothing else is said.
        let marks = |text: &str| text.matches(" ! ").count() + text.matches(" ~ ").count();
        if last.is_none() || marks(&seen) != marks(&format!(" {expected}")) {
            faults.push(format!("{text}\n  expected {expected}\n  but read {seen}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Cells are cut in messages, between characters.
#[test]
fn messages_are_short() {
    let text = format!("a,y\n1,2.5\n{},3\n", "é".repeat(250_000));
    let seen = seen(&text, Value::Object(Default::default()), false).unwrap();
    assert!(
        seen.len() < 500 && seen.contains("… (500000 bytes)"),
        "{seen}"
    );
}
