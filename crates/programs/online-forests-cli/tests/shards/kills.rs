//! kill -9 of any process at random moments: every run ends with the predictions and the model of one that nobody has killed.
//!
//! `KILLS=1000 cargo test -p online-forests-cli --features distributed --release shards::kills -- --nocapture` kills more often and
//! prints figures.

use std::fs;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bench::{Bench, kills};
use crate::data::houses;

const ALGORITHMS: [&str; 5] = [
    "mondrian",
    "amf",
    "stream-rf",
    "mondrian:window=100",
    "obsp",
];

/// The other processes notice within this time.
const NOTICED: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
struct Figures {
    landed: usize,
    before_the_first_checkpoint: usize,
    while_saving: usize,
    others_ended: usize,
    runs_ended: usize,
    slowest_to_notice: Duration,
}

/// A training in several processes, which are started with a list of hosts, as on several machines.
struct Training {
    bench: Bench,
    processes: usize,
    line: String,
    model: Vec<u8>,
    predictions: Vec<u8>,
    bad_rows: Vec<u8>,
    time: Duration,
}

impl Training {
    fn new(algorithm: &str, processes: usize, rows: usize, checkpoint: usize) -> Self {
        let bench = Bench::new();
        let mut table: Vec<String> = houses(rows).lines().map(str::to_owned).collect();
        (200..rows)
            .step_by(97)
            .for_each(|line| table.insert(line, "1,2".to_owned()));
        bench.write("houses.csv", &table.join("\n"));
        let line = format!(
            "train --data houses.csv --target kind --missing median --fit-rows 100 --trees 4 --algorithm {algorithm} \
             --batch 20 --checkpoint {checkpoint} --threads 1 --model m --resume --start-within 10s --progress-within 10s"
        );
        bench.ok(&format!("{line} --checkpoint-dir whole-c --predictions whole.csv --bad-rows whole-bad.csv --processes 1"));
        fs::rename(bench.path("m"), bench.path("whole")).unwrap();
        let mut training = Self {
            model: bench.bytes("whole"),
            predictions: bench.bytes("whole.csv"),
            bad_rows: bench.bytes("whole-bad.csv"),
            line: format!(
                "{line} --checkpoint-dir c --predictions a.csv --bad-rows bad.csv --hosts list"
            ),
            time: Duration::ZERO,
            processes,
            bench,
        };
        let start = Instant::now();
        let ended = training.start().into_iter().map(end).collect::<Vec<_>>();
        assert!(ended.iter().all(|(code, _)| *code == Some(0)), "{ended:?}");
        training.time = start.elapsed();
        training.check_end(&mut Figures::default());
        training
    }

    fn start(&self) -> Vec<Child> {
        let text = distributed::Hosts::local(self.processes).unwrap();
        self.bench.write("list", &text);
        let start = |process| {
            let mut command: Command = self
                .bench
                .command(&format!("{} --process {process}", self.line));
            command.stderr(Stdio::piped()).spawn().unwrap()
        };
        (0..self.processes).map(start).collect()
    }

    /// Starts all, and kills one of them after a random time, unless it has ended by then.
    fn kill(&self, rng: &mut ChaCha8Rng, figures: &mut Figures) {
        let mut children = self.start();
        thread::sleep(self.time.mul_f64(rng.random_range(0.0..0.9)));
        let victim = rng.random_range(0..self.processes);
        children[victim].kill().unwrap();
        let (killed, start) = (children[victim].wait().unwrap(), Instant::now());
        if killed.signal() != Some(9) {
            let ended: Vec<_> = children.into_iter().map(end).collect();
            assert!(ended.iter().all(|(code, _)| *code == Some(0)), "{ended:?}");
            return self.check_end(figures);
        }
        figures.landed += 1;
        let others = children
            .into_iter()
            .enumerate()
            .filter(|(process, _)| *process != victim);
        for (process, other) in others {
            let (code, said) = end(other);
            // One that had done its part may have ended before it could notice.
            assert!(
                matches!(code, Some(0 | 75)),
                "process {process}: {code:?} {said}"
            );
            assert!(!said.contains("panicked"), "{said}");
            figures.others_ended += usize::from(code == Some(75));
        }
        figures.slowest_to_notice = figures.slowest_to_notice.max(start.elapsed());
        assert!(start.elapsed() < NOTICED, "{:?}", start.elapsed());
        self.look(figures);
    }

    fn look(&self, figures: &mut Figures) {
        let files = fs::read_dir(self.bench.path("c")).map_or(Vec::new(), |files| {
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            names.collect::<Vec<_>>()
        });
        let any = |end: &str| files.iter().any(|name| name.ends_with(end));
        figures.before_the_first_checkpoint += usize::from(!any(".committed"));
        figures.while_saving += usize::from(any(".unfinished"));
    }

    /// Rows of the newest checkpoint.
    fn committed(&self) -> u64 {
        let all =
            distributed::Checkpoints::all_committed::<serde_json::Value>(&self.bench.path("c"));
        let newest = all.ok().and_then(|all| Some(all.first()?.rows));
        newest.unwrap_or(0)
    }

    /// The run has come to its end; the next one starts again.
    fn check_end(&self, figures: &mut Figures) {
        figures.runs_ended += 1;
        self.bench.ok("join c --model m");
        assert!(
            self.bench.bytes("m") == self.model,
            "another model than without kills: {}",
            self.line
        );
        assert!(
            self.bench.bytes("a.csv") == self.predictions,
            "other predictions than without kills: {}",
            self.line
        );
        assert_eq!(self.bench.bytes("bad.csv"), self.bad_rows);
        fs::remove_file(self.bench.path("m")).unwrap();
        fs::remove_dir_all(self.bench.path("c")).unwrap();
    }

    /// Lets the run end.
    fn finish(&self, figures: &mut Figures) {
        let ended: Vec<_> = self.start().into_iter().map(end).collect();
        assert!(ended.iter().all(|(code, _)| *code == Some(0)), "{ended:?}");
        self.check_end(figures);
    }
}

/// How a process has ended, and what it said.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    (child.wait().unwrap().code(), said)
}

fn killed(rows: usize, checkpoint: usize, seed: u64) -> Figures {
    let (mut figures, mut rng) = (Figures::default(), ChaCha8Rng::seed_from_u64(seed));
    let mut turn = 0;
    while figures.landed < kills(12) {
        let (algorithm, processes) = (ALGORITHMS[turn % ALGORITHMS.len()], 2 + turn % 2);
        let training = Training::new(algorithm, processes, rows, checkpoint);
        let until = (figures.landed + 6).max(kills(12) / 50).min(kills(12));
        while figures.landed < until {
            training.kill(&mut rng, &mut figures);
        }
        training.finish(&mut figures);
        turn += 1;
    }
    println!("{rows} rows, a checkpoint each {checkpoint}: {figures:?}");
    figures
}

#[test]
fn killed_while_learning() {
    let figures = killed(3000, 300, 1);
    assert!(
        figures.runs_ended > 0 && figures.others_ended > 0,
        "{figures:?}"
    );
}

/// A checkpoint after every few rows, so that many kills hit one.
#[test]
fn killed_while_saving() {
    let figures = killed(400, 10, 2);
    assert!(figures.runs_ended > 0, "{figures:?}");
}

/// The program starts the others again itself, however often they are killed.
#[test]
fn processes_that_are_supervised_are_started_again() {
    let training = Training::new("amf", 2, 3000, 20);
    let line = training
        .line
        .replace("--hosts list", "--processes 2 --supervise")
        .replace(" --resume", "");
    let mut command = training.bench.command(&line);
    let mut parent = command.stderr(Stdio::piped()).spawn().unwrap();
    let (mut landed, mut furthest) = (0, 0);
    while landed < 3 && parent.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(5));
        let rows = training.committed();
        if rows > furthest && kill_a_child_of(parent.id()) {
            (landed, furthest) = (landed + 1, rows + 300);
        }
    }
    let (code, said) = end(parent);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        landed > 0 && said.contains("all continue from the last checkpoint"),
        "{landed}: {said}"
    );
    assert!(training.bench.bytes("m") == training.model);
    assert!(training.bench.bytes("a.csv") == training.predictions);
}

/// Whether a process that this one has started was there to be killed.
fn kill_a_child_of(parent: u32) -> bool {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let children = children.unwrap_or_default();
    let Some(child) = children.split_whitespace().next_back() else {
        return false;
    };
    Command::new("kill")
        .args(["-9", child])
        .status()
        .unwrap()
        .success()
}
