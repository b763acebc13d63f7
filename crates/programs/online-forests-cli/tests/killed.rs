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

/// A table, a line that learns it, and the model of a run that nobody killed.
struct Victim {
    bench: Bench,
    line: String,
    /// How long it takes when nobody kills it.
    time: Duration,
}

impl Victim {
    fn new(algorithm: &str, rows: usize, checkpoint: usize) -> Self {
        let bench = Bench::new();
        let mut table: Vec<String> = houses(rows).lines().map(str::to_owned).collect();
        // A bad row here and there, which must be counted once.
        (200..rows)
            .step_by(97)
            .for_each(|line| table.insert(line, "1,2".to_owned()));
        bench.write("houses.csv", table.join("\n"));
        let line = format!(
            "train --data houses.csv --target kind --missing median --fit-rows 100 --trees 3 \
             --algorithm {algorithm} --batch 20 --checkpoint {checkpoint} --threads 1"
        );
        let start = Instant::now();
        bench.ok(&format!("{line} --model whole"));
        Self {
            time: start.elapsed(),
            line,
            bench,
        }
    }

    /// Kills and resumes a run of the model `m` until it ends, or there were `most` kills, after which it is left alone.
    fn run(&self, more: &str, most: usize, rng: &mut ChaCha8Rng, figures: &mut Figures) {
        let line = format!("{} {more} --model m --resume", self.line);
        let (mut learned, before) = (0, figures.landed);
        while figures.landed < before + most {
            let mut run = Running::new(self.bench.command(&line));
            thread::sleep(self.time.mul_f64(rng.random_range(0.0..0.6)));
            run.child.kill().unwrap();
            let status = run.child.wait().unwrap();
            if status.success() {
                return;
            }
            assert_eq!(status.signal(), Some(9), "{:?}", run.end());
            figures.landed += 1;
            learned = self.check(learned, figures);
        }
        self.bench.ok(&line);
    }

    /// The model is whole and has no fewer rows than before.
    fn check(&self, before: u64, figures: &mut Figures) -> u64 {
        let files = self.bench.files();
        let unfinished = files
            .iter()
            .filter(|name| name.ends_with(".unfinished"))
            .count();
        assert!(unfinished <= 1, "{files:?}");
        figures.while_saving += unfinished;
        if !self.bench.path("m").exists() {
            figures.before_the_first_checkpoint += 1;
            return before;
        }
        let learned = AnyModel::load(self.bench.path("m"))
            .unwrap()
            .position()
            .learned;
        figures.models_loaded += 1;
        assert!(learned >= before, "{learned} after {before}");
        learned
    }
}

/// Kills until `seen` is so, which is up to chance, or twenty times as often as asked.
fn killed((rows, checkpoint): (usize, usize), seed: u64, seen: impl Fn(&Figures) -> bool) {
    let (mut figures, mut rng) = (Figures::default(), ChaCha8Rng::seed_from_u64(seed));
    let mut algorithms = ALGORITHMS.iter().cycle();
    while figures.landed < kills(10) || (!seen(&figures) && figures.landed < 20 * kills(10)) {
        let victim = Victim::new(algorithms.next().unwrap(), rows, checkpoint);
        victim.run("", kills(10).div_ceil(4), &mut rng, &mut figures);
        victim.bench.same("m", "whole", &victim.line);
        assert_eq!(victim.bench.files(), ["houses.csv", "m", "whole"]);
        figures.runs_ended += 1;
    }
    println!("{rows} rows, a checkpoint each {checkpoint}: {figures:?}");
    assert!(seen(&figures) && figures.runs_ended > 0, "{figures:?}");
}

#[test]
fn killed_while_learning() {
    killed((4000, 400), 1, |figures| figures.models_loaded > 0);
}

/// Saved after every few rows, so that most kills hit a save.
#[test]
fn killed_while_saving() {
    killed((500, 5), 2, |figures| figures.while_saving > 0);
}

#[test]
fn killed_parts_lose_no_row() {
    let (victim, mut rng) = (
        Victim::new("mondrian", 3000, 300),
        ChaCha8Rng::seed_from_u64(3),
    );
    let mut figures = Figures::default();
    while figures.landed < kills(6) {
        for part in 1..=3 {
            victim.run(
                &format!("--part {part}/3"),
                kills(6),
                &mut rng,
                &mut figures,
            );
            let [from, to] =
                ["m".to_owned(), format!("p{part}")].map(|name| victim.bench.path(&name));
            std::fs::rename(from, to).unwrap();
        }
        victim.bench.ok("join p1 p2 p3 --model joined");
        victim
            .bench
            .same("joined", "whole", "parts that were killed");
    }
    println!("parts: {figures:?}");
}
