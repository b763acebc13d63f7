//! Bad input as a user meets it: a file is opened, and the message says what is wrong, where, and what to do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the exception for tests in clippy.toml does not reach their helpers"
)]

use std::fs;

use datasets::{OpenOptions, TableOptions, TargetColumn, TaskKind, open};

/// Opens a file of this name and content and returns the message of the error.
fn message(name: &str, content: &[u8], options: &OpenOptions) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    match open(&path, options) {
        Ok(data) => panic!("{name} was accepted: {data:?}"),
        Err(error) => error.to_string(),
    }
}

fn csv(content: &str) -> String {
    message("x.csv", content.as_bytes(), &OpenOptions::default())
}

fn targeted(content: &str, target: &str) -> String {
    let options = OpenOptions {
        target: target.parse().ok(),
        ..OpenOptions::default()
    };
    message("x.csv", content.as_bytes(), &options)
}

fn tasked(content: &str, task: TaskKind) -> String {
    message(
        "x.csv",
        content.as_bytes(),
        &OpenOptions {
            task: Some(task),
            ..OpenOptions::default()
        },
    )
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

/// What the crate `tables` says comes with the name of the file.
#[test]
fn faults_of_tables_are_of_their_files() {
    for (content, says) in [
        ("", "x.csv: holds no rows"),
        ("a,b\n1,2\ninf,3\n", "x.csv, line 3: `inf` in column `a`"),
        (
            "a,b\n1,2\n,3\n",
            "x.csv: missing values: 1 of 2 cells of column `a`",
        ),
        ("a,b\n1,2\n1,2,3\n", "x.csv, line 3: 3 cells instead of 2"),
    ] {
        assert!(csv(content).contains(says), "{}", csv(content));
    }
    let cut = message(
        "x.csv.gz",
        b"\x1f\x8b\x08\0\0\0\0\0",
        &OpenOptions::default(),
    );
    assert_says(&cut, &["x.csv.gz: gzip data is damaged or cut short"]);
    let libsvm = message("x.svm", b"1\n2\n", &OpenOptions::default());
    assert_says(&libsvm, &["no features"]);
    let libsvm = message("x.svm", b"1 4294967295:1\n", &OpenOptions::default());
    assert_says(&libsvm, &["do not fit in memory"]);
    assert_says(&csv("1,2\n"), &["1 row(s), but at least 2"]);
}

#[test]
fn targets_that_cannot_be_learned() {
    assert_says(
        &csv("a,b\n1,7\n2,7\n"),
        &["the target is the same in every row (`7`)"],
    );
    assert_says(
        &targeted("price,b\n1,7\n2,8\n", "prize"),
        &["no column `prize` (did you mean `price`?)", "price, b"],
    );
    assert_says(
        &tasked("a,b\n1,up\n2,down\n", TaskKind::Regression),
        &["the target `b` is text (`up`)", "classify"],
    );
    assert_says(
        &tasked("a,b\n1,1\n2,0.5\n", TaskKind::Classification),
        &[
            "line 3: the target `b` is `0.5`, a number with a fraction",
            "regress",
        ],
    );
    let many: String = (0..1001).map(|i| format!("1,{i}\n")).collect();
    assert_says(
        &tasked(&many, TaskKind::Classification),
        &["more than 1000 classes"],
    );
    let libsvm = OpenOptions {
        target: Some(TargetColumn::First),
        ..OpenOptions::default()
    };
    assert_says(
        &message("x.svm", b"1 1:2\n2 1:3\n", &libsvm),
        &["the target of LIBSVM files cannot be chosen"],
    );
}

#[test]
fn addresses_that_lead_nowhere() {
    let says = |address: &str| {
        open(address, &OpenOptions::default())
            .unwrap_err()
            .to_string()
    };
    assert_says(
        &says("leter"),
        &[
            "did you mean `letter`?",
            "data sets:",
            "generators: friedman",
        ],
    );
    assert_says(&says("freidman:d=5"), &["did you mean `friedman`?"]);
    assert_says(&says("no/such.csv"), &["`no/such.csv` does not exist"]);
    assert_says(&says("src"), &["`src` is a folder"]);
    let error = "predict".parse::<TaskKind>().unwrap_err().to_string();
    assert_says(&error, &["expected classify or regress"]);
}

#[test]
fn data_folders_that_are_missing_or_empty() {
    let folder = tempfile::tempdir().unwrap();
    let options = |data_dir| OpenOptions {
        data_dir: Some(data_dir),
        ..OpenOptions::default()
    };
    let absent = open("letter", &options(folder.path().join("absent")))
        .unwrap_err()
        .to_string();
    assert_says(
        &absent,
        &[
            "the data folder",
            "FOREST_DATA",
            "--data-dir",
            "cargo xtask-all data fetch letter",
        ],
    );
    let empty = open("letter", &options(folder.path().to_owned()))
        .unwrap_err()
        .to_string();
    assert_says(
        &empty,
        &[
            "`letter` needs `letter-recognition.data`",
            "cargo xtask-all data fetch letter",
        ],
    );
}

#[test]
fn generated_data_have_one_task_and_target() {
    let task = OpenOptions {
        task: Some(TaskKind::Classification),
        ..OpenOptions::default()
    };
    let says = open("friedman:n=9", &task).unwrap_err().to_string();
    assert_says(&says, &["is for the task `regress`"]);
    let target = OpenOptions {
        target: Some(TargetColumn::First),
        ..OpenOptions::default()
    };
    assert!(open("friedman:n=9", &target).is_err());
    assert_says(
        &open("friedman:n=1,test=0", &OpenOptions::default())
            .unwrap_err()
            .to_string(),
        &["1 row(s)"],
    );
}

#[test]
fn columns_are_chosen_only_where_they_have_names() {
    let drop = || OpenOptions {
        table: TableOptions {
            drop: vec!["a".to_owned()],
            ..TableOptions::default()
        },
        ..OpenOptions::default()
    };
    let says = open("friedman:n=9", &drop()).unwrap_err().to_string();
    assert_says(&says, &["generated columns cannot be chosen", "--drop"]);
    let libsvm = message("x.svm", b"1 1:2\n2 1:3\n", &drop());
    assert_says(&libsvm, &["LIBSVM columns cannot be chosen"]);
}

/// Whatever its name says that it is.
#[test]
fn a_file_of_another_format_is_refused_with_its_name_and_with_what_to_do() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    for name in ["x.csv", "x.arff", "x.svm", "x.parquet", "x.idx", "x"] {
        let says = message(name, pointer, &OpenOptions::default());
        assert!(says.contains("git lfs pull"), "{says}");
    }
}
