//! Bad input as a user meets it: a file or an address is opened, and the message says what is wrong, where, and what to do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the exception for tests in clippy.toml does not reach their helpers"
)]

use std::fs;

use datasets::{OpenOptions, TableOptions, TargetColumn, TaskKind, open};

/// Options by words: `target=prize`, `task=classify`, `drop=a`.
fn options(words: &str) -> OpenOptions {
    let mut options = OpenOptions::default();
    for (key, value) in words
        .split_whitespace()
        .filter_map(|word| word.split_once('='))
    {
        match key {
            "target" => options.target = Some(TargetColumn::from(value.to_owned())),
            "task" => options.task = value.parse().ok(),
            _ => {
                let drop = vec![value.to_owned()];
                options.table = TableOptions {
                    drop,
                    ..TableOptions::default()
                };
            }
        }
    }
    options
}

#[track_caller]
fn assert_says(address: &std::path::Path, options: &OpenOptions, parts: &str) {
    let message = match open(address, options) {
        Ok(data) => panic!("{} was accepted: {data:?}", address.display()),
        Err(error) => error.to_string(),
    };
    for part in parts.split(" … ") {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

/// What the crate `tables` says comes with the name of the file.
#[test]
fn files_that_cannot_be_learned() {
    let many: String = (0..1001).map(|i| format!("1,{i}\n")).collect();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    let folder = tempfile::tempdir().unwrap();
    for (name, content, words, says) in [
        ("x.csv", "", "", "x.csv: holds no rows"),
        (
            "x.csv",
            "a,b\n1,2\ninf,3\n",
            "",
            "x.csv, line 3: `inf` in column `a`",
        ),
        (
            "x.csv",
            "a,b\n1,2\n,3\n",
            "",
            "x.csv: missing values: 1 of 2 cells of column `a`",
        ),
        (
            "x.csv",
            "a,b\n1,2\n1,2,3\n",
            "",
            "x.csv, line 3: 3 cells instead of 2",
        ),
        ("x.csv", "1,2\n", "", "1 row(s), but at least 2"),
        (
            "x.csv",
            "a,b\n1,7\n2,7\n",
            "",
            "the target is the same in every row (`7`)",
        ),
        (
            "x.csv",
            "price,b\n1,7\n2,8\n",
            "target=prize",
            "(did you mean `price`?) … price, b",
        ),
        (
            "x.csv",
            "a,b\n1,up\n2,down\n",
            "task=regress",
            "`b` is text (`up`) … classify",
        ),
        (
            "x.csv",
            "a,b\n1,1\n2,0.5\n",
            "task=classify",
            "line 3: the target `b` is `0.5` … regress",
        ),
        ("x.csv", &many, "task=classify", "more than 1000 classes"),
        (
            "x.csv.gz",
            "\x1f",
            "",
            "x.csv.gz: gzip data is damaged or cut short",
        ),
        ("x.svm", "1\n2\n", "", "no features"),
        ("x.svm", "1 4294967295:1\n", "", "do not fit in memory"),
        (
            "x.svm",
            "1 1:2\n2 1:3\n",
            "target=first",
            "the target of LIBSVM files cannot be chosen",
        ),
        (
            "x.svm",
            "1 1:2\n2 1:3\n",
            "drop=a",
            "LIBSVM columns cannot be chosen",
        ),
        // Whatever its name says that it is.
        ("x.csv", pointer, "", "x.csv: is a pointer … git lfs pull"),
        ("x.arff", pointer, "", "git lfs pull"),
        ("x.svm", pointer, "", "git lfs pull"),
        ("x.parquet", pointer, "", "git lfs pull"),
        ("x.idx", pointer, "", "git lfs pull"),
        ("x", pointer, "", "git lfs pull"),
    ] {
        let path = folder.path().join(name);
        let mut bytes = content.as_bytes().to_vec();
        if name.ends_with(".gz") {
            bytes.extend(b"\x8b\x08\0\0\0\0\0");
        }
        fs::write(&path, bytes).unwrap();
        assert_says(&path, &options(words), says);
    }
}

#[test]
fn addresses_that_lead_nowhere() {
    for (address, words, says) in [
        (
            "leter",
            "",
            "did you mean `letter`? … data sets: … generators: friedman",
        ),
        ("freidman:d=5", "", "did you mean `friedman`?"),
        ("no/such.csv", "", "`no/such.csv` does not exist"),
        ("src", "", "`src` is a folder"),
        ("friedman:n=9", "task=classify", "is for the task `regress`"),
        (
            "friedman:n=9",
            "target=first",
            "the target of generated files cannot be chosen",
        ),
        (
            "friedman:n=9",
            "drop=a",
            "generated columns cannot be chosen … --drop",
        ),
        ("friedman:n=1,test=0", "", "1 row(s)"),
    ] {
        assert_says(address.as_ref(), &options(words), says);
    }
    let error = "predict".parse::<TaskKind>().unwrap_err().to_string();
    assert_eq!(error, "expected classify or regress");
    let folder = tempfile::tempdir().unwrap();
    for (data_dir, says) in [
        (
            folder.path().join("absent"),
            "the data folder … FOREST_DATA … --data-dir",
        ),
        (
            folder.path().to_owned(),
            "`letter` needs `letter-recognition.data`",
        ),
    ] {
        let mut options = options("");
        options.data_dir = Some(data_dir);
        assert_says(
            "letter".as_ref(),
            &options,
            &format!("{says} … cargo xtask-all data fetch letter"),
        );
    }
}
