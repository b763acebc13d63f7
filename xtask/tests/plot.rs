//! `cargo xtask plot` draws what it is asked, and says what it cannot.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::{Command, Output};

/// `cargo xtask plot` with these words, and one more option.
fn plot(line: &str, option: [&str; 2]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let words = line.split_whitespace().chain(option);
    command.arg("plot").args(words).output().unwrap()
}

fn drawn(folder: &Path, stem: &str) -> String {
    std::fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap()
}

#[test]
fn a_partition_has_a_panel_for_every_algorithm_and_step() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let algorithms = "--algorithm mondrian:budget=5 --algorithm obsp:budget=5";
    let line = format!("partition --data friedman:n=60,test=0 --steps 2 {algorithms}");
    let output = plot(&line, ["--out", out]);
    assert!(output.status.success(), "{output:?}");
    let svg = drawn(folder.path(), "partition");
    for title in ["mondrian · 30 points", "obsp · 60 points", "budget=5"] {
        assert!(svg.contains(title), "{title}");
    }
}

#[test]
fn an_algorithm_without_cuts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let line = "partition --algorithm boundary-forest";
    let output = plot(line, ["--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("`boundary-forest` does not divide the plane"),
        "{said}"
    );
    assert!(!out.exists(), "nothing is written");
}

#[test]
fn a_chart_has_a_line_for_every_name() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.csv");
    std::fs::write(
        &table,
        "who,n,error\nfirst,1,0.5\nfirst,10,0.2\nsecond,1,0.7\n",
    )
    .unwrap();
    let line = "--series who --x n --x-scale log --y error";
    let line = format!("chart {} {line}", table.display());
    let output = plot(&line, ["--mark", "a cache of 1 MiB=5e0"]);
    assert!(output.status.success(), "{output:?}");
    let svg = drawn(folder.path(), "table");
    for name in ["first", "second", "a cache of 1 MiB"] {
        assert!(svg.contains(name), "{name}");
    }
}

#[test]
fn a_mark_without_a_number_is_refused() {
    let line = "chart table.csv --series who --x n --y error";
    let output = plot(line, ["--mark", "L2=large"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("'L2=large'") && said.contains("a name, `=` and a number"),
        "{said}"
    );
}

#[test]
fn each_value_of_a_column_has_a_chart_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.csv");
    std::fs::write(
        &table,
        "data,who,n,error\nletter,first,1,0.5\nsea,first,1,0.2\nsea,second,1,0.7\n",
    )
    .unwrap();
    let line = format!("chart {} --series who --x n --y error", table.display());
    let output = plot(&line, ["--panel", "data"]);
    assert!(output.status.success(), "{output:?}");
    let svg = drawn(folder.path(), "table");
    for (word, times) in [("letter", 1), ("sea", 1), ("first", 2), ("second", 1)] {
        assert_eq!(
            svg.matches(&format!(">{word}</text>")).count(),
            times,
            "{word}"
        );
    }
}

/// Runs `plot chart` on a table of CSV: exit code, standard error, and the picture if there is one.
fn chart_of(table: &str, options: &str) -> (Option<i32>, String, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, table).unwrap();
    let line = format!("chart {} {options}", path.display());
    let output = plot(&line, ["--series", "s"]);
    let picture = std::fs::read_to_string(folder.path().join("table.svg")).ok();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said, picture)
}

#[test]
fn points_without_a_place_are_left_out_and_counted() {
    let table = "s,x,y,t\na,0,1,1\na,1,10,1\na,10,-5,1\na,100,50,0\na,1000,NaN,1\na,10000,20,1\n";
    for (options, left_out) in [
        (
            "--x x --y y --x-scale log --y-scale log",
            "3 points left out",
        ),
        ("--x x --y y", "1 point left out"),
        ("--x x/t --y y", "2 points left out"),
        (
            "--x x --y y --x-scale log --mark zero=0",
            "3 points left out",
        ),
    ] {
        let (code, said, picture) = chart_of(table, options);
        let picture = picture.unwrap();
        assert_eq!(code, Some(0), "{options}: {said}");
        assert!(said.contains(left_out), "{options}: {said}");
        assert!(picture.contains(left_out), "{options}: not in the picture");
        assert!(
            !picture.contains("NaN") && !picture.contains("inf,"),
            "{options}: {picture}"
        );
        assert!(
            picture.matches("<circle").count() >= 3,
            "{options}: the other points are drawn"
        );
    }
}

#[test]
fn a_table_without_a_point_that_can_be_drawn_is_refused() {
    let (code, said, picture) = chart_of("s,x,y\na,0,1\na,-1,2\n", "--x x --y y --x-scale log");
    assert_eq!((code, picture), (Some(1), None), "{said}");
    assert!(
        said.contains("no row can be drawn") && said.contains("positive"),
        "{said}"
    );
}
