//! kill -9 at random moments: the model file is always complete, old or new, and the resumed run ends with the bytes
//! of one that was never interrupted.
//!
//! `KILLS=300 cargo test -p online-forests-cli --release killed -- --nocapture` kills more often and prints figures.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use online_forests_cli::AnyModel;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bench::{Bench, kills};
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

/// A run that is killed and resumed until it ends.
struct Victim {
    bench: Bench,
    line: String,
    whole: Vec<u8>,
    /// How long it takes when nobody kills it.
    time: Duration,
    learned: u64,
}

impl Victim {
    fn new(algorithm: &str, rows: usize, checkpoint: usize) -> Self {
        let bench = Bench::new();
        let mut table: Vec<String> = houses(rows).lines().map(str::to_owned).collect();
        // A bad row here and there, which must be counted once.
        (200..rows)
            .step_by(97)
            .for_each(|line| table.insert(line, "1,2".to_owned()));
        bench.write("houses.csv", &table.join("\n"));
        let line = format!(
            "train --data houses.csv --target kind --missing median --fit-rows 100 --trees 3 \
             --algorithm {algorithm} --batch 20 --checkpoint {checkpoint} --threads 1"
        );
        let start = Instant::now();
        bench.ok(&format!("{line} --model whole"));
        Self {
            time: start.elapsed(),
            whole: bench.bytes("whole"),
            line: format!("{line} --model m --resume"),
            learned: 0,
            bench,
        }
    }

    /// Starts the run and kills it after a random time, unless it has ended by then.
    fn kill(&mut self, rng: &mut ChaCha8Rng, figures: &mut Figures) {
        let mut command = self.bench.command(&self.line);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        thread::sleep(self.time.mul_f64(rng.random_range(0.0..0.6)));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        match output.status.signal() {
            Some(9) => {
                figures.landed += 1;
                self.check_model(figures);
            }
            _ => {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(output.status.success(), "{said}");
                self.check_end(figures);
            }
        }
    }

    fn check_model(&mut self, figures: &mut Figures) {
        let unfinished = self
            .bench
            .files()
            .iter()
            .filter(|name| name.ends_with(".unfinished"))
            .count();
        assert!(unfinished <= 1, "{:?}", self.bench.files());
        figures.while_saving += unfinished;
        if !self.bench.path("m").exists() {
            figures.before_the_first_checkpoint += 1;
            return;
        }
        let learned = match AnyModel::load(self.bench.path("m")).unwrap() {
            AnyModel::Classification(model) => model.position().learned,
            AnyModel::Regression(_) => panic!("it learns classes"),
        };
        figures.models_loaded += 1;
        assert!(learned >= self.learned, "{learned} after {}", self.learned);
        self.learned = learned;
    }

    /// The run has ended: its model is that of a run that was not killed. The next one starts again.
    fn check_end(&mut self, figures: &mut Figures) {
        figures.runs_ended += 1;
        assert!(
            self.bench.bytes("m") == self.whole,
            "another model than without kills"
        );
        assert_eq!(self.bench.files(), ["houses.csv", "m", "whole"]);
        fs::remove_file(self.bench.path("m")).unwrap();
        self.learned = 0;
    }

    /// Lets the run end.
    fn finish(mut self, figures: &mut Figures) {
        self.bench.ok(&self.line.clone());
        self.check_end(figures);
    }
}

/// Kills until `seen` is so, which is up to chance, or twenty times as often as asked.
fn killed(
    (rows, checkpoint): (usize, usize),
    seed: u64,
    seen: impl Fn(&Figures) -> bool,
) -> Figures {
    let (mut figures, mut rng) = (Figures::default(), ChaCha8Rng::seed_from_u64(seed));
    let mut victims = BTreeMap::new();
    let mut turn = 0;
    while figures.landed < kills(10) || (!seen(&figures) && figures.landed < 20 * kills(10)) {
        // A few kills for one algorithm, then the next.
        let algorithm = ALGORITHMS[turn / 4 % ALGORITHMS.len()];
        let new = || Victim::new(algorithm, rows, checkpoint);
        victims
            .entry(algorithm)
            .or_insert_with(new)
            .kill(&mut rng, &mut figures);
        turn += 1;
    }
    for victim in victims.into_values() {
        victim.finish(&mut figures);
    }
    println!("{rows} rows, a checkpoint each {checkpoint}: {figures:?}");
    figures
}

#[test]
fn killed_while_learning() {
    let figures = killed((4000, 400), 1, |figures| figures.models_loaded > 0);
    assert!(
        figures.models_loaded > 0 && figures.runs_ended > 0,
        "{figures:?}"
    );
}

/// Saved after every few rows, so that most kills hit a save.
#[test]
fn killed_while_saving() {
    let figures = killed((500, 5), 2, |figures| figures.while_saving > 0);
    assert!(
        figures.while_saving > 0 && figures.runs_ended > 0,
        "{figures:?}"
    );
}
