//! Names and captions that cannot be confused, and requests that make no sense.

use std::fs;

use crate::bench::{Bench, stderr, stdout};
use crate::results::{CLASSES, NUMBERS};
use crate::unlike::table;

#[test]
fn files_with_one_name_in_two_folders_are_two_sets() {
    let bench = Bench::new();
    for (folder, shift) in [("d1", 0), ("d2", 9)] {
        fs::create_dir(bench.path(folder)).unwrap();
        bench.input(&format!("{folder}/train.csv"), &table(shift));
    }
    let data = "--data d1/train.csv --data d2/train.csv";
    let output = bench.compare(&format!("{data} --algorithm mondrian --seeds 2"));
    assert!(output.status.success(), "{}", stderr(&output));
    for name in ["d1/train.csv · hold-out", "d2/train.csv · prequential"] {
        assert!(stdout(&output).contains(name), "{}", stdout(&output));
    }
    let same = "--data d1/train.csv --data ./d1/train.csv";
    let refused = Bench::new();
    fs::create_dir(refused.path("d1")).unwrap();
    refused.input("d1/train.csv", &table(0));
    assert!(stderr(&refused.compare(same)).contains("listed twice"));
}

#[test]
fn a_caption_has_the_trees_of_forests_beside_which_single_trees_stand() {
    let bench = Bench::new();
    let algorithms =
        "--algorithm mondrian --algorithm decision-tree --algorithm adaptive --algorithm k-nn";
    let given = format!("--data {CLASSES} --seeds 1 --trees 3");
    let output = bench.compare(&format!("{given} --protocol holdout {algorithms}"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("; 3 trees"), "{}", stdout(&output));
    let page = fs::read_to_string(bench.out().join("report.html")).unwrap();
    assert!(page.contains("4 runs, 3 trees, 1 seed, 1 thread"));
    let baseline = Bench::new();
    let output = baseline.compare(&format!("--data {CLASSES} --algorithm majority"));
    assert!(!stdout(&output).contains("10 trees"), "there are none");
}

#[test]
fn a_metric_of_the_other_task_is_refused_before_anything_runs() {
    let bench = Bench::new();
    let output = bench.compare(&format!("--data {CLASSES} --metric rmse"));
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    for words in [
        "--metric",
        "`rmse`",
        "regression",
        "accuracy, balanced_accuracy",
    ] {
        assert!(said.contains(words), "{said}");
    }
    assert!(!bench.out().exists());
    let both = format!("--data {CLASSES} --data {NUMBERS} --metric rmse");
    let output = bench.compare(&format!("{both} --seeds 1 --trees 1"));
    assert!(output.status.success(), "one of the sets has it");
    let runs = bench.path("classes.jsonl");
    let text = fs::read_to_string(bench.out().join("runs.jsonl")).unwrap();
    let classes = text
        .lines()
        .filter(|line| line.contains("gaussian-mixture"));
    fs::write(
        &runs,
        classes.map(|line| format!("{line}\n")).collect::<String>(),
    )
    .unwrap();
    let again = format!("--report-from {} --metric rmse", runs.display());
    assert!(stderr(&bench.compare(&again)).contains("accuracy, balanced_accuracy"));
}

#[test]
fn labels_that_come_after_the_last_row_are_refused() {
    let bench = Bench::new();
    bench.input("base.csv", &table(0));
    let delayed = |delay: &str| {
        let given = format!("--data base.csv --protocol delayed --delay {delay}");
        bench.compare(&format!("{given} --seeds 1 --algorithm majority"))
    };
    for delay in ["100", "60", "59"] {
        let output = delayed(delay);
        assert_eq!(output.status.code(), Some(1), "{delay}");
        let said = stderr(&output);
        assert!(
            said.contains("--delay") && said.contains("60 rows") && said.contains("0 to 58"),
            "{said}"
        );
    }
    assert!(!bench.out().exists());
    assert!(delayed("58").status.success());
}

#[test]
fn the_cause_of_an_error_is_said_once() {
    let bench = Bench::new();
    let folder = bench.path("");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = command
        .args(["compare", "--report-from", "none.jsonl"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = stderr(&output);
    assert!(said.starts_with("error: "), "{said}");
    assert_eq!(said.matches("No such file").count(), 1, "{said}");
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf_8_is_opened_and_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let bench = Bench::new();
    let name = OsStr::from_bytes(b"caf\xe9.csv");
    fs::write(bench.path("").join(name), table(0)).unwrap();
    let mut command = bench.command("--seeds 1 --algorithm majority --data");
    let output = command.arg(name).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("caf\u{fffd} · hold-out"));
}

#[test]
fn a_class_of_a_single_row_is_named() {
    let bench = Bench::new();
    bench.input("rare.csv", &format!("{}1,2,7\n", table(0)));
    let output = bench.compare("--data rare.csv --seeds 1 --algorithm majority");
    let said = "rare: the class `7` has one row: no run learns it before it is tested";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
}
