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
    let mut kill = Command::new("kill");
    assert!(
        kill.args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
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
    assert_eq!(
        bench.read("runs.jsonl").lines().collect::<Vec<_>>(),
        printed
    );
    has(&bench.read("report.html"), "Interrupted");
    assert!(
        files(&bench.out())
            .iter()
            .all(|name| !name.contains("unfinished"))
    );
}

/// A support vector machine shows no progress while it is fitted, so the first Ctrl-C has to wait.
#[test]
fn the_second_ctrl_c_writes_the_report_without_the_run_that_continues() {
    let bench = Bench::new();
    let algorithms = "--algorithm majority --algorithm svm --protocol holdout";
    let data = "--data gaussian-mixture:n=8000 --seeds 1 --json";
    let (mut child, mut lines) = start(&bench, &format!("{data} {algorithms}"));
    let first = lines.next().unwrap();
    // So that the fit has begun.
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let said = BufReader::new(child.stderr.take().unwrap()).lines();
    let waiting = said
        .map(Result::unwrap)
        .find(|line| line.contains("interrupted"));
    has(&waiting.unwrap(), "waiting for the current batch of|svm");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(
        bench.read("runs.jsonl").lines().collect::<Vec<_>>(),
        [first]
    );
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
fn comparisons_of_one_second_have_a_dated_folder_each() {
    let bench = Bench::new();
    let start = |_| {
        bench
            .bare(SHORT)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
    };
    let children: Vec<Child> = (0..4).map(|at: usize| start(at).unwrap()).collect();
    let mut pages = BTreeSet::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let page = said
            .trim_end()
            .rsplit("report: ")
            .next()
            .unwrap()
            .to_owned();
        assert!(
            page.starts_with("results/compare-20") && bench.path(&page).is_file(),
            "{said}"
        );
        pages.insert(page);
    }
    assert_eq!(pages.len(), 4, "{pages:?}");
    assert!(pages.iter().any(|page| page.contains("-2/")), "{pages:?}");
}
