//! Signals to processes that share the trees of a forest: to the one that has started them, to its group, and to all.

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use crate::bench::Bench;
use crate::data::{first, sums};
use crate::interrupted::{DELAYS, from_row, model_of, shell};

/// A training in three processes that has read 250 rows and a bad one from a pipe, which stays open.
struct Training {
    bench: Bench,
    child: Child,
    said: BufReader<std::process::ChildStderr>,
    _pipe: fs::File,
}

const TRAIN: &str =
    "train --target value --fit-rows 100 --model m --processes 3 --checkpoint never";

impl Training {
    fn start() -> Self {
        let bench = Bench::new();
        let made = Command::new("mkfifo").arg(bench.path("pipe")).status();
        assert!(made.unwrap().success());
        let pipe = OpenOptions::new()
            .read(true)
            .write(true)
            .open(bench.path("pipe"));
        let mut pipe = pipe.unwrap();
        let text = format!("{}1,2\n", first(&sums(400), 250));
        pipe.write_all(text.as_bytes()).unwrap();
        let mut command = bench.command(&format!("{TRAIN} --data pipe"));
        let mut child = command
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        // All rows before this one have arrived.
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        assert!(line.starts_with("line 252: "), "{line}");
        Self {
            bench,
            child,
            said,
            _pipe: pipe,
        }
    }

    /// The process, and those that it has started.
    fn all(&self) -> String {
        let id = self.child.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
        assert_eq!(children.split_whitespace().count(), 3, "{children}");
        format!("{id} {children}")
    }

    /// What was learned is saved, and the rest is learned later.
    fn expect_saved(mut self, code: i32) -> Bench {
        let mut said = String::new();
        self.said.read_to_string(&mut said).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(code), "{said}");
        assert!(said.contains("learned 250 rows"), "{said}");
        assert_eq!(model_of(&self.bench, 250).position().rows(), 251);
        self.bench
    }
}

#[test]
fn a_signal_to_the_program_that_has_started_the_others_decides_the_exit_code() {
    for (name, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let training = Training::start();
        shell(&format!("kill -{name} {}", training.child.id()));
        training.expect_saved(code);
    }
}

/// GNU `timeout` signals the process and then its group; service managers signal all at once.
#[test]
fn signals_that_come_twice_are_one_request_for_all_processes() {
    for delay in DELAYS {
        let training = Training::start();
        let id = training.child.id();
        shell(&format!("kill -TERM {id}; sleep {delay}; kill -TERM -{id}"));
        training.expect_saved(143);
        let training = Training::start();
        let all = training.all();
        shell(&format!(
            "kill -TERM {all}; sleep {delay}; kill -TERM {all}"
        ));
        training.expect_saved(143);
    }
}

/// As systemd stops a unit.
#[test]
fn rows_after_a_signal_to_all_processes_are_learned_later() {
    let training = Training::start();
    shell(&format!("kill -TERM {}", training.all()));
    let bench = training.expect_saved(143);
    let rest = from_row(250);
    bench.write(
        "sums.csv",
        &format!("{}1,2\n{rest}", first(&sums(400), 250)),
    );
    bench.ok(&format!("{TRAIN} --data sums.csv --resume"));
    let whole = TRAIN.replace("--model m", "--model whole");
    bench.ok(&format!("{whole} --data sums.csv"));
    assert!(bench.bytes("m") == bench.bytes("whole"));
}
