//! Ctrl-C leaves what is finished, whole, on disk; two comparisons never write to one folder.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::bench::{Bench, files, has};

/// Far more than can be done before a signal arrives.
const LONG: &str = "--data friedman:n=20000 --algorithm mean --seeds 100000 --json";

const SHORT: &str = "--data sea:n=100 --algorithm mondrian --protocol holdout --seeds 1 --trees 1";

/// Starts a comparison, and returns it and what it prints, a run a line.
fn start(bench: &Bench, options: &str) -> (Child, impl Iterator<Item = String> + use<>) {
    let mut command = bench.command(options);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, lines.map(Result::unwrap))
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.unwrap().success());
}

/// Waits until a program has computed for a second, however long that takes.
fn wait_for_work(child: &mut Child) {
    let id = child.id().to_string();
    let has_worked = || {
        let time = Command::new("ps").args(["-o", "time=", "-p", &id]).output();
        time.unwrap()
            .stdout
            .iter()
            .any(|byte| (b'1'..=b'9').contains(byte))
    };
    while !has_worked() {
        assert_eq!(child.try_wait().unwrap(), None, "it has ended");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn finished_runs_survive_ctrl_c() {
    let bench = Bench::new();
    let (mut child, mut lines) = start(&bench, LONG);
    // Nobody reads the progress, which must not fill its pipe.
    let progress = child.stderr.take().unwrap();
    let progress = std::thread::spawn(move || BufReader::new(progress).lines().count());
    let first = lines.next().unwrap();
    interrupt(&child);
    let printed: Vec<String> = std::iter::once(first).chain(lines).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(progress.join().unwrap() > 0);
    let recorded = bench.read("runs.jsonl");
    assert_eq!(recorded.lines().collect::<Vec<_>>(), printed);
    has(&bench.read("report.html"), "Interrupted");
    let left = files(&bench.out());
    assert!(left.iter().all(|name| !name.contains("unfinished")));
}

/// A support vector machine shows no progress while it is fitted, so the first Ctrl-C has to wait.
#[test]
fn the_second_ctrl_c_writes_the_report_without_the_run_that_continues() {
    let bench = Bench::new();
    let algorithms = "--algorithm majority --algorithm svm --protocol holdout";
    let data = "--data gaussian-mixture:n=8000 --seeds 1 --json";
    let (mut child, mut lines) = start(&bench, &format!("{data} {algorithms}"));
    let first = lines.next().unwrap();
    // The fit has begun then: nothing before it takes so long.
    wait_for_work(&mut child);
    interrupt(&child);
    let said = BufReader::new(child.stderr.take().unwrap()).lines();
    let waiting = said
        .map(Result::unwrap)
        .find(|line| line.contains("interrupted"));
    has(&waiting.unwrap(), "waiting for the current batch of|svm");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let recorded = bench.read("runs.jsonl");
    assert_eq!(recorded.lines().collect::<Vec<_>>(), [first]);
    has(&bench.read("report.html"), "Interrupted|majority");
}

#[test]
fn the_second_comparison_into_a_folder_is_refused_and_harms_nothing() {
    let bench = Bench::new();
    let (mut child, mut lines) = start(&bench, LONG);
    lines.next().unwrap();
    for options in [SHORT, &format!("{SHORT} --resume")] {
        let refused = bench.compare(options);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        let id = child.id();
        has(
            &refused.err,
            &format!("process {id} writes a comparison to|--out"),
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A lock that a killed process has left is taken over.
    bench.done(&format!("{SHORT} --resume"));
    assert!(!files(&bench.out()).contains(&".runs.jsonl.lock".to_owned()));
}

#[test]
fn comparisons_at_once_have_a_dated_folder_each() {
    let bench = Bench::new();
    let start = |()| {
        let mut command = bench.bare(SHORT);
        command.stderr(Stdio::piped()).stdout(Stdio::null());
        command.spawn().unwrap()
    };
    let mut pages = BTreeSet::new();
    for child in [(); 4].map(start) {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let page = said.trim_end().rsplit("report: ").next().unwrap();
        let is_dated = page.starts_with("results/compare-20");
        assert!(is_dated && bench.path(page).is_file(), "{said}");
        pages.insert(page.to_owned());
    }
    assert_eq!(pages.len(), 4, "{pages:?}");
}
