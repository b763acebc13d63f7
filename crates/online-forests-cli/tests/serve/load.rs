//! Answers while rows are learned: how many, and how long they take.
//!
//! `LOAD=1000000 ONLINE_FORESTS=target/release/online-forests cargo test -p online-forests-cli --features serve --test serve load --
//! --nocapture` asks a million times while a hundred thousand rows are learned, and prints figures.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::data::houses;
use crate::service::{Service, objects};

/// Rows of a request that is learned.
const BATCH: usize = 100;

/// Answers to ask for.
fn load() -> usize {
    std::env::var("LOAD").map_or(1000, |count| count.parse().unwrap())
}

/// What was measured.
struct Figures {
    answers: usize,
    time: Duration,
    sorted: Vec<Duration>,
}

impl Figures {
    fn quantile(&self, share: f64) -> Duration {
        self.sorted[(share * (self.sorted.len() - 1) as f64) as usize]
    }

    fn print(&self, what: &str, learned: usize) {
        let each_second = |count: usize| count as f64 / self.time.as_secs_f64();
        println!(
            "{what}: {} answers, {:.0} each second, p50 {:?}, p99 {:?}; {learned} rows learned, {:.0} each second",
            self.answers,
            each_second(self.answers),
            self.quantile(0.5),
            self.quantile(0.99),
            each_second(learned),
        );
    }
}

/// So many clients ask, each again when it has its answer.
fn ask(service: &Service, clients: usize, answers: usize, rows: &[String]) -> Figures {
    let (left, start) = (AtomicUsize::new(answers), Instant::now());
    let one = || {
        let (mut client, mut times) = (service.client(), Vec::new());
        for row in rows.iter().cycle() {
            let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
            if taken.is_err() {
                break;
            }
            let start = Instant::now();
            let answer = client.post("/predict", row).ok();
            times.push(start.elapsed());
            assert!(answer.body.starts_with("{\"prediction\":\""), "{answer:?}");
        }
        times
    };
    let times = thread::scope(|scope| {
        let asking: Vec<_> = (0..clients).map(|_| scope.spawn(one)).collect();
        asking
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let mut sorted: Vec<Duration> = times;
    sorted.sort();
    Figures {
        answers,
        time: start.elapsed(),
        sorted,
    }
}

/// Learns until it is told to stop; how many rows there were.
fn learn(service: &Service, bodies: &[String], most: usize, is_over: &AtomicBool) -> usize {
    let mut client = service.client();
    let mut learned = 0;
    for body in bodies.iter().cycle() {
        if learned >= most || is_over.load(Ordering::Relaxed) {
            break;
        }
        client.csv("/learn", body).ok();
        learned += BATCH;
    }
    learned
}

#[test]
fn answers_come_while_rows_are_learned() {
    let (bench, rows) = (Bench::new(), houses(4000));
    bench.write("houses.csv", &rows);
    bench.ok("train --data houses.csv --model m --target kind --missing median --trees 10");
    let service = Service::start(&bench, "--model m --checkpoint never");
    let (header, lines) = rows.split_once('\n').unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let body = |lines: &[&str]| format!("{header}\n{}\n", lines.join("\n"));
    let bodies: Vec<String> = lines.chunks(BATCH).map(body).collect();
    let objects = objects(&rows);
    for clients in [1, 8, 64] {
        ask(&service, clients, load() / 10, &objects).print(&format!("idle, {clients} clients"), 0);
    }
    for clients in [1, 8] {
        let is_over = AtomicBool::new(false);
        let (figures, learned) = thread::scope(|scope| {
            let learning = scope.spawn(|| learn(&service, &bodies, load() / 10, &is_over));
            let figures = ask(&service, clients, load() / 2, &objects);
            is_over.store(true, Ordering::Relaxed);
            (figures, learning.join().unwrap())
        });
        figures.print(&format!("learning, {clients} clients"), learned);
        assert!(learned > 0);
    }
    service.stop();
}
