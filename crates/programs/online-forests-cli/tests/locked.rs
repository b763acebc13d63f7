//! Two trainings of one model at once.

use std::io::Write as _;
use std::process::{Child, ChildStdin, Stdio};

use crate::bench::Bench;
use crate::data::sums;
use crate::interrupted::model_of;

const OPTIONS: &str = "--target value --fit-rows 100 --model m";

/// A training that waits for rows, with a model of 200.
pub(crate) fn training(bench: &Bench) -> (Child, ChildStdin) {
    let mut command = bench.command(&format!("train --data - {OPTIONS} --checkpoint 50"));
    let pipes = command.stdin(Stdio::piped()).stderr(Stdio::null());
    let mut child = pipes.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(sums(200).as_bytes()).unwrap();
    model_of(bench, 200);
    (child, pipe)
}

#[test]
fn the_second_training_names_who_holds_the_model() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    let (mut child, pipe) = training(&bench);
    let before = bench.bytes("m");
    let holder = format!("process {} is training m", child.id());
    let remedies = [holder.as_str(), "wait until it has ended", "SIGTERM"];
    let train = format!("train --data sums.csv {OPTIONS}");
    for option in ["", "--resume", "--update"] {
        bench.refused(&format!("{train} {option}"), &remedies);
    }
    assert_eq!(bench.bytes("m"), before);
    // Readers and other models are not kept waiting.
    bench.ok("predict --data sums.csv --model m");
    bench.ok("inspect --model m");
    bench.ok("train --data sums.csv --target value --model other");
    drop(pipe);
    assert!(child.wait().unwrap().success());
    bench.ok(&format!("{train} --resume"));
    assert_eq!(bench.files(), ["m", "other", "sums.csv"]);
}

#[test]
fn a_killed_training_locks_nothing() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    let (mut child, _pipe) = training(&bench);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(bench.files().contains(&".m.lock".to_owned()));
    bench.ok(&format!("train --data sums.csv {OPTIONS} --resume"));
    assert_eq!(bench.files(), ["m", "sums.csv"]);
}
