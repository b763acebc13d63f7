//! Replies while rows are learned: how many, and how long they take.
//!
//! Slices without and with learning take turns, and medians over slices are printed: what else the machine does meanwhile slows both.
//!
//! `LOAD=1000000 ONLINE_FORESTS=$PWD/target/release/online-forests cargo test -p online-forests-cli --features serve --test serve load --
//! --nocapture` asks a million times.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::client::Client;
use crate::data::houses;
use crate::service::{Service, objects};

/// Rows of a request that is learned.
const BATCH: usize = 100;

/// Slices without learning, and as many with it, for each number of clients.
const SLICES: usize = 20;

/// Numbers of clients.
const CLIENTS: [usize; 3] = [1, 8, 64];

/// Replies to ask for, in all.
fn load() -> usize {
    std::env::var("LOAD").map_or(2400, |count| count.parse().unwrap())
}

/// Replies in a second, the median and the 99th percentile of their times in microseconds, and rows learned in a second.
type Slice = [f64; 4];

fn slice(mut times: Vec<Duration>, time: Duration, learned: f64) -> Slice {
    times.sort();
    let quantile =
        |share: f64| times[(share * (times.len() - 1) as f64) as usize].as_secs_f64() * 1e6;
    [
        times.len() as f64 / time.as_secs_f64(),
        quantile(0.5),
        quantile(0.99),
        learned,
    ]
}

/// Prints the median of each figure.
fn print(what: &str, clients: usize, slices: &[Slice]) {
    let [each_second, p50, p99, learned] = [0, 1, 2, 3].map(|figure| {
        let mut values: Vec<f64> = slices.iter().map(|slice| slice[figure]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    });
    println!(
        "{clients} clients, {what}: {each_second:.0} replies each second, p50 {p50:.0} µs, p99 {p99:.0} µs; \
         {learned:.0} rows learned each second"
    );
}

/// So many clients ask, each again when it has its reply, until there are so many replies; how long each took.
fn ask(clients: &mut [Client], replies: usize, rows: &[String]) -> Vec<Duration> {
    let each = replies.div_ceil(clients.len());
    let one = |client: &mut Client| {
        let times = rows.iter().cycle().take(each).map(|row| {
            let start = Instant::now();
            let reply = client.post("/predict", row).ok();
            assert!(reply.body.starts_with("{\"prediction\":\""), "{reply:?}");
            start.elapsed()
        });
        times.collect::<Vec<Duration>>()
    };
    thread::scope(|scope| {
        let asking = clients.iter_mut().map(|client| scope.spawn(|| one(client)));
        let asking: Vec<_> = asking.collect();
        let times = asking.into_iter().flat_map(|thread| thread.join().unwrap());
        times.collect()
    })
}

/// Learns until `is_over`; returns the number of rows.
fn learn(client: &mut Client, bodies: &[String], is_over: &AtomicBool) -> usize {
    let bodies = bodies
        .iter()
        .cycle()
        .take_while(|_| !is_over.load(Ordering::Relaxed));
    bodies.map(|body| client.csv("/learn", body).ok()).count() * BATCH
}

#[test]
fn predictions_are_made_while_rows_are_learned() {
    let (bench, rows) = (Bench::new(), houses(4000));
    bench.write("houses.csv", &rows);
    bench.ok("train --data houses.csv --model m --target kind --missing median --trees 10");
    let service = Service::start(&bench, "--model m --checkpoint never");
    let (header, lines) = rows.split_once('\n').unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let body = |lines: &[&str]| format!("{header}\n{}\n", lines.join("\n"));
    let bodies: Vec<String> = lines.chunks(BATCH).map(body).collect();
    let (objects, mut teacher) = (objects(&rows), service.client());
    let replies = load() / (2 * SLICES * CLIENTS.len());
    for count in CLIENTS {
        let mut clients: Vec<Client> = (0..count).map(|_| service.client()).collect();
        let (mut idle, mut learning) = (Vec::new(), Vec::new());
        for _ in 0..SLICES {
            let start = Instant::now();
            let times = ask(&mut clients, replies, &objects);
            let time = start.elapsed();
            idle.push(slice(times, time, 0.0));
            let (is_over, start) = (AtomicBool::new(false), Instant::now());
            let (times, time, each_second) = thread::scope(|scope| {
                let learning = scope.spawn(|| learn(&mut teacher, &bodies, &is_over));
                let times = ask(&mut clients, replies, &objects);
                is_over.store(true, Ordering::Relaxed);
                let time = start.elapsed();
                let learned = learning.join().unwrap() as f64;
                (times, time, learned / start.elapsed().as_secs_f64())
            });
            learning.push(slice(times, time, each_second));
        }
        print("idle", count, &idle);
        print("learning", count, &learning);
    }
    assert!(service.client().samples_seen() > 4000);
    service.stop();
}
