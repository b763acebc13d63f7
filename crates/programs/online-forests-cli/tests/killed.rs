//! kill -9 at random moments: the model file is always complete, old or new, and the resumed run ends with the bytes
//! of one that was never interrupted, be it of a whole forest or of its parts.
//!
//! `KILLS=300 cargo test -p online-forests-cli --release killed -- --nocapture` kills more often and prints figures.

use std::os::unix::process::ExitStatusExt as _;
use std::thread;
use std::time::{Duration, Instant};

use online_forests_cli::AnyModel;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bench::{Bench, Running, kills};
use crate::data::houses;

const ALGORITHMS: [&str; 6] = [
    "mondrian",
    "amf",
    "stream-rf",
    "boundary-forest",
    "obsp",
    "adaptive",
];

/// What has happened so far.
#[derive(Debug, Default)]
struct Figures {
    landed: usize,
    /// The file that was being written was left behind.
    while_saving: usize,
    before_the_first_checkpoint: usize,
    models_loaded: usize,
    runs_ended: usize,
}

/// A table, a line that learns it, and the model of a run that was not killed.
struct Victim {
    bench: Bench,
    line: String,
    /// How long it takes without a kill.
    time: Duration,
    rng: ChaCha8Rng,
    figures: Figures,
}

impl Victim {
    fn new(seed: u64) -> Self {
        Self {
            bench: Bench::new(),
            line: String::new(),
            time: Duration::ZERO,
            rng: ChaCha8Rng::seed_from_u64(seed),
            figures: Figures::default(),
        }
    }

    /// Begins again with another algorithm.
    fn begin(&mut self, algorithm: &str, rows: usize, checkpoint: usize) {
        let text = houses(rows);
        let mut table: Vec<&str> = text.lines().collect();
        // A bad row here and there, which must be counted once.
        for line in (200..rows).step_by(97) {
            table.insert(line, "1,2");
        }
        self.bench = Bench::with(&[("houses.csv", &table.join("\n"))]);
        self.line = format!(
            "train --data houses.csv --target kind --missing median --fit-rows 100 --trees 3 \
             --algorithm {algorithm} --batch 20 --checkpoint {checkpoint} --threads 1"
        );
        let start = Instant::now();
        self.bench.ok(&format!("{} --model whole", self.line));
        self.time = start.elapsed();
    }

    /// Kills and resumes a run of the model `m` until it ends, or there were `most` kills, after which it is left
    /// alone.
    fn run(&mut self, more: &str, most: usize) {
        let line = format!("{} {more} --model m --resume", self.line);
        let mut learned = 0;
        let most = self.figures.landed + most;
        while self.figures.landed < most {
            let mut run = Running::new(self.bench.command(&line));
            thread::sleep(self.time.mul_f64(self.rng.random_range(0.0..0.6)));
            run.child.kill().unwrap();
            let status = run.child.wait().unwrap();
            if status.success() {
                return;
            }
            assert_eq!(status.signal(), Some(9), "{:?}", run.end());
            self.figures.landed += 1;
            learned = self.check(learned);
        }
        self.bench.ok(&line);
    }

    /// The model is whole and has no fewer rows than before.
    fn check(&mut self, before: u64) -> u64 {
        let files = self.bench.files();
        let unfinished = files.iter().filter(|name| name.ends_with(".unfinished"));
        let unfinished = unfinished.count();
        assert!(unfinished <= 1, "{files:?}");
        self.figures.while_saving += unfinished;
        if !self.bench.path("m").exists() {
            self.figures.before_the_first_checkpoint += 1;
            return before;
        }
        let model = AnyModel::load(self.bench.path("m")).unwrap();
        let learned = model.position().learned;
        self.figures.models_loaded += 1;
        assert!(learned >= before, "{learned} after {before}");
        learned
    }

    /// Kills until `seen` is so, which is up to chance, or twenty times as often as asked.
    fn kill(mut self, rows: usize, checkpoint: usize, seen: impl Fn(&Figures) -> bool) {
        let mut algorithms = ALGORITHMS.iter().cycle();
        while self.figures.landed < kills(10) || !seen(&self.figures) {
            assert!(self.figures.landed < 20 * kills(10), "{:?}", self.figures);
            self.begin(algorithms.next().unwrap(), rows, checkpoint);
            self.run("", kills(10).div_ceil(4));
            self.bench.same("m", "whole", &self.line);
            assert_eq!(self.bench.files(), ["houses.csv", "m", "whole"]);
            self.figures.runs_ended += 1;
        }
        println!(
            "{rows} rows, a checkpoint each {checkpoint}: {:?}",
            self.figures
        );
    }
}

#[test]
fn killed_while_learning() {
    Victim::new(1).kill(4000, 400, |figures| figures.models_loaded > 0);
}

/// Saved after every few rows, so that most kills hit a save.
#[test]
fn killed_while_saving() {
    Victim::new(2).kill(500, 5, |figures| figures.while_saving > 0);
}

#[test]
fn killed_parts_lose_no_row() {
    let mut victim = Victim::new(3);
    victim.begin("mondrian", 3000, 300);
    while victim.figures.landed < kills(6) {
        for part in 1..=3 {
            victim.run(&format!("--part {part}/3"), kills(6));
            let name = victim.bench.path(&format!("p{part}"));
            std::fs::rename(victim.bench.path("m"), name).unwrap();
        }
        victim.bench.ok("join p1 p2 p3 --model joined");
        victim
            .bench
            .same("joined", "whole", "parts that were killed");
    }
    println!("parts: {:?}", victim.figures);
}
