//! Who may take the place of a process.

use std::process::{Output, Stdio};

use super::{LEARNERS, tables, train};
use crate::bench::{Bench, stderr};

const SECRET: &str = "a secret of some length";

/// Two processes with a secret each.
fn run(bench: &Bench, secrets: [&str; 2], within: &str) -> Vec<Output> {
    bench.write("list", &distributed::Hosts::local(2).unwrap());
    let start = |(process, secret): (usize, &str)| {
        bench.write(&format!("secret{process}"), secret);
        let line = format!(
            "{} --hosts list --process {process} --checkpoint-dir c --threads 1 --secret-file secret{process} --start-within {within}",
            train(LEARNERS[0])
        );
        let mut command = bench.command(&format!("{line} --model m"));
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<_> = secrets.into_iter().enumerate().map(start).collect();
    let ended = running.into_iter().map(|child| child.wait_with_output());
    ended.map(Result::unwrap).collect()
}

#[test]
fn processes_with_the_same_secret_learn_the_same_model() {
    let bench = tables();
    bench.ok(&format!("{} --model whole", train(LEARNERS[0])));
    // An editor may end the line.
    for output in run(&bench, [SECRET, &format!("{SECRET}\n")], "60s") {
        assert!(output.status.success(), "{}", stderr(&output));
    }
    bench.ok("join c --model joined");
    assert!(bench.bytes("joined") == bench.bytes("whole"));
}

#[test]
fn a_process_with_another_secret_is_refused() {
    let bench = tables();
    for output in run(&bench, [SECRET, "another secret of some length"], "3s") {
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(75), "{said}");
        assert!(said.contains("did not connect within 3 s; "), "{said}");
    }
    for output in run(&bench, ["too short", "too short"], "3s") {
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains("9 characters; a secret has 16 or more"),
            "{said}"
        );
    }
}

/// Other users of the machine reach the ports as well.
#[test]
#[cfg(target_os = "linux")]
fn processes_of_one_machine_have_a_secret_that_others_cannot_read() {
    use std::os::unix::fs::PermissionsExt as _;

    let bench = tables();
    let line = format!("{} --processes 2 --model m", train(LEARNERS[0]));
    bench.ok(&line);
    let first = bench.read("m.checkpoints/secret");
    let mode = std::fs::metadata(bench.path("m.checkpoints/secret"));
    assert_eq!(mode.unwrap().permissions().mode() & 0o777, 0o600);
    bench.ok(&format!("{line} --resume"));
    assert!(first.len() == 64 && first != bench.read("m.checkpoints/secret"));
}
