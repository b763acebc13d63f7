//! Several comparisons at once, and reports of less than all runs.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::bench::{Bench, files, stderr};

/// Ends by itself in no test.
const LONG: &str = "--data friedman:n=20000 --algorithm mean --seeds 100000 --json";

const SHORT: &str = "--data gaussian-mixture:n=100,test=20 --algorithm mondrian --protocol holdout --seeds 1 --trees 1";

/// A comparison that has written its first run.
fn running(bench: &Bench) -> Child {
    let mut command = bench.command(LONG);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = child.stdout.take().unwrap();
    BufReader::new(out).lines().next().unwrap().unwrap();
    child
}

#[test]
fn the_second_comparison_into_a_folder_is_refused_and_harms_nothing() {
    let bench = Bench::new();
    let mut child = running(&bench);
    for options in [SHORT.to_owned(), format!("{SHORT} --resume")] {
        let refused = bench.compare(&options);
        assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
        let said = stderr(&refused);
        let words = [
            format!("process {} writes a comparison to", child.id()),
            "another --out".to_owned(),
        ];
        assert!(words.iter().all(|words| said.contains(words)), "{said}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A lock that a killed process has left is taken over.
    let resumed = bench.compare(&format!("{SHORT} --resume"));
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert!(!files(&bench.out()).contains(&".runs.jsonl.lock".to_owned()));
}

#[test]
fn comparisons_of_one_second_have_a_folder_each() {
    let bench = Bench::new();
    let children: Vec<Child> = (0..4)
        .map(|_| {
            let mut command: Command = bench.bare(SHORT);
            command
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut pages: Vec<String> = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        pages.push(
            said.lines()
                .last()
                .unwrap()
                .split("report: ")
                .nth(1)
                .unwrap()
                .to_owned(),
        );
    }
    pages.sort();
    pages.dedup();
    assert_eq!(pages.len(), 4, "{pages:?}");
    assert!(
        pages.iter().all(|page| bench.path(page).is_file()),
        "{pages:?}"
    );
    assert!(pages.iter().any(|page| page.contains("-2/")), "{pages:?}");
}

fn report_from(bench: &Bench, files: &[&Path]) -> (Option<i32>, String) {
    let names = files.iter().map(|file| file.display().to_string());
    let names: Vec<String> = names.collect();
    let output = bench.compare(&format!("--report-from {}", names.join(" ")));
    (output.status.code(), stderr(&output).to_owned())
}

fn page(bench: &Bench) -> String {
    fs::read_to_string(bench.out().join("report.html")).unwrap()
}

#[test]
fn a_report_without_a_part_says_so_and_fails() {
    let grid = "--data gaussian-mixture:n=100,test=20 --algorithm mondrian --algorithm amf --protocol holdout --seeds 3 --trees 1";
    let parts: Vec<Bench> = (1..=3)
        .map(|part| {
            let bench = Bench::new();
            let output = bench.compare(&format!("{grid} --part {part}/3"));
            assert!(output.status.success(), "{}", stderr(&output));
            bench
        })
        .collect();
    let runs: Vec<_> = parts
        .iter()
        .map(|part| part.out().join("runs.jsonl"))
        .collect();
    let bench = Bench::new();
    let (code, said) = report_from(&bench, &[&runs[0], &runs[2]]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("warning: no run is of part 2/3"), "{said}");
    assert!(
        said.contains("runs missing: some algorithms lack seeds"),
        "{said}"
    );
    assert!(page(&bench).contains("a part is missing"));
    let (code, said) = report_from(&Bench::new(), &[&runs[0], &runs[1], &runs[2]]);
    assert_eq!((code, said.contains("warning")), (Some(0), false), "{said}");
}

#[test]
fn a_report_of_a_file_that_is_cut_off_says_so_and_fails() {
    let bench = Bench::new();
    bench.compare(&format!("{SHORT} --seeds 2").replace("--seeds 1 ", ""));
    let runs = bench.out().join("runs.jsonl");
    let text = fs::read_to_string(&runs).unwrap();
    fs::write(&runs, &text[..text.len() - 40]).unwrap();
    let merged = Bench::new();
    let (code, said) = report_from(&merged, &[&runs]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("warning: the last line of") && said.contains("is cut off"),
        "{said}"
    );
    assert!(page(&merged).contains("a part is missing"));
}
