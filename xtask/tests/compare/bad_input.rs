//! Bad input is refused in words, with a non-zero exit code, before anything is written.

use crate::bench::{Bench, stderr};

const CLASSES: &str = "gaussian-mixture:n=60,test=20";

/// Runs with `arguments`, which must be refused with all of `words`.
fn refused(bench: &Bench, arguments: &str, words: &[&str]) {
    let output = bench.compare(arguments);
    let said = stderr(&output);
    assert!(
        matches!(output.status.code(), Some(1 | 2)),
        "{arguments:?}: {:?}",
        output.status
    );
    assert!(said.starts_with("error: "), "{arguments:?} said\n{said}");
    assert!(
        !said.contains("panicked") && said.lines().count() <= 8,
        "{arguments:?} said\n{said}"
    );
    for word in words {
        assert!(
            said.contains(word),
            "{arguments:?} did not say {word} but\n{said}"
        );
    }
    assert!(!bench.out().exists(), "{arguments:?} wrote something");
}

/// A file with `content` is refused with all of `words`.
fn file_refused(content: &str, words: &[&str]) {
    let bench = Bench::new();
    let path = bench.input("input.csv", content);
    refused(&bench, &format!("--data {path}"), words);
}

#[test]
fn unknown_names_come_with_the_nearest() {
    let bench = Bench::new();
    refused(&bench, "--algorithm majorty", &["majorty", "`majority`"]);
    refused(&bench, "--algorithm majority:x=1", &["no parameter `x`"]);
    refused(
        &bench,
        "--algorithm boundary-forest:max_childern=3",
        &["max_children"],
    );
    refused(
        &bench,
        "--data gausian-mixture",
        &["gausian-mixture", "`gaussian-mixture`"],
    );
}

#[test]
fn a_missing_data_folder_comes_with_what_to_do() {
    refused(
        &Bench::new(),
        "--data letter",
        &["FOREST_DATA", "cargo xtask-all data fetch letter"],
    );
}

#[test]
fn numbers_that_are_none_are_refused() {
    file_refused("x,y\n1,a\nNaN,b\n", &["line 3"]);
    file_refused("x,y\n1,a\ninf,b\n", &["line 3"]);
}

#[test]
fn files_that_are_not_data_are_refused() {
    file_refused("", &["no rows"]);
    file_refused("x,y\n1,a\n2,b,3\n", &["line 3"]);
    file_refused("x,y\n1,a\n", &["2"]);
    file_refused("y\na\nb\n", &["feature"]);
    file_refused("x,y\n1,a\n2,a\n", &["target"]);
}

#[test]
fn a_target_of_the_wrong_kind_is_refused() {
    let bench = Bench::new();
    let path = bench.input("words.csv", "x,y\n1,a\n2,b\n");
    refused(
        &bench,
        &format!("--data {path} --task regress"),
        &["classify"],
    );
    refused(&bench, &format!("--data {path} --task guess"), &["guess"]);
    refused(
        &bench,
        &format!("--data {path} --target z"),
        &["no column `z`"],
    );
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let bench = Bench::new();
    let path = bench.input("three.csv", "x,y\n1,a\n2,b\n3,a\n");
    refused(
        &bench,
        &format!("--data {path} --train 3"),
        &["three", "3 rows", "at most 2"],
    );
    refused(
        &bench,
        &format!("--data {path} --pca 2"),
        &["only 1 feature"],
    );
    for option in ["--trees", "--seeds", "--threads", "--train", "--pca"] {
        refused(&bench, &format!("{option} 0"), &[option]);
    }
    refused(&bench, "--train 1.5", &["between 0 and 1"]);
}

/// They ended in an abort, or never.
#[test]
fn absurd_numbers_end_at_once_with_a_sentence() {
    for (option, value, limit) in [
        ("--threads", "1000000", "1024"),
        ("--trees", "1000000000", "100000"),
    ] {
        let output = Bench::new()
            .bare(&format!("{option} {value}"))
            .output()
            .unwrap();
        let said = stderr(&output);
        assert!(
            !output.status.success() && !said.contains("panicked"),
            "{said}"
        );
        assert!(said.contains(value) && said.contains(limit), "{said}");
    }
}

#[test]
fn what_is_named_twice_or_of_no_use_is_refused() {
    let bench = Bench::new();
    refused(
        &bench,
        &format!("--data {CLASSES} --data {CLASSES}"),
        &["twice"],
    );
    refused(
        &bench,
        "--algorithm majority --algorithm majority",
        &["twice"],
    );
    refused(
        &bench,
        &format!("--data {CLASSES} --algorithm mean"),
        &["mean", "classification"],
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_said_to_be_so() {
    let bench = Bench::new();
    bench.input("out", "a file where the folder should be");
    let output = bench.compare(&format!("--data {CLASSES}"));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("error: cannot make the folder"));
}

#[test]
fn offline_learners_alone_have_no_stream() {
    let bench = Bench::new();
    let offline = format!("--data {CLASSES} --algorithm random-forest");
    refused(
        &bench,
        &format!("{offline} --protocol prequential"),
        &["--protocol holdout"],
    );
    refused(&bench, "--algorithm random-forrest", &["`random-forest`"]);
    refused(&bench, "--algorithm k-nn:k=0", &["k must be"]);
    let both = bench.compare(&format!("{offline} --seeds 1"));
    assert!(both.status.success(), "{}", stderr(&both));
}

#[test]
fn missing_values_come_with_their_counts_and_what_to_do() {
    file_refused(
        "x,z,y\n1,?,a\n,2,b\n3,NA,a\n",
        &[
            "1 of 3 cells of column `x`",
            "2 of 3 cells of column `z`",
            "--missing",
        ],
    );
}
