//! Replies while rows are learned: how many, and how long they take.
//!
//! Slices without and with learning take turns, and medians over slices are printed: what else the machine does
//! meanwhile slows both.
//!
//! `LOAD=1000000 ONLINE_FORESTS=$PWD/target/release/online-forests cargo test -p online-forests-cli --features serve --test serve load -- --nocapture`
//! asks a million times.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::data::houses;
use crate::service::{Service, Table, objects};

/// Rows of a request that is learned.
const BATCH: usize = 100;

/// Slices without learning, and as many with it, for each number of clients.
const SLICES: usize = 20;

/// Clients ask, each again when it has its reply, until there are `replies` replies. Returns the replies per second,
/// and the median and the 99th percentile of their times in microseconds.
fn ask(clients: &mut [Client], replies: usize, rows: &[String]) -> [f64; 3] {
    let each = replies.div_ceil(clients.len());
    let start = Instant::now();
    let one = |client: &mut Client| {
        let mut times = Vec::new();
        for row in rows.iter().cycle().take(each) {
            let start = Instant::now();
            let reply = client.post("/predict", row).ok();
            assert!(reply.body.starts_with("{\"prediction\":\""), "{reply:?}");
            times.push(start.elapsed());
        }
        times
    };
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let asking = clients.iter_mut().map(|client| scope.spawn(|| one(client)));
        let asking: Vec<_> = asking.collect();
        asking
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let each_second = times.len() as f64 / start.elapsed().as_secs_f64();
    times.sort();
    let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize].as_secs_f64() * 1e6;
    [each_second, at(0.5), at(0.99)]
}

/// Prints the median of each figure.
fn print(what: &str, clients: usize, slices: &[[f64; 4]]) {
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

#[test]
fn predictions_are_made_while_rows_are_learned() {
    let table = Table {
        text: houses(4000),
        options: "--target kind --missing median --trees 10",
        learned: 2000,
    };
    let bench = table.bench();
    let service = Service::start(&bench, "--model m --checkpoint never");
    let bodies = table.parts(BATCH);
    let objects = objects(&table.text);
    let load = std::env::var("LOAD").map_or(2400, |count| count.parse().unwrap());
    let replies = load / (2 * SLICES * 3);
    let mut teacher = service.client();
    for count in [1, 8, 64] {
        let mut clients: Vec<Client> = (0..count).map(|_| service.client()).collect();
        let (mut idle, mut learning) = (Vec::new(), Vec::new());
        for _ in 0..SLICES {
            let [each_second, p50, p99] = ask(&mut clients, replies, &objects);
            idle.push([each_second, p50, p99, 0.0]);
            let is_over = AtomicBool::new(false);
            let start = Instant::now();
            let ([each_second, p50, p99], rows) = thread::scope(|scope| {
                let learning = scope.spawn(|| {
                    let bodies = bodies.iter().cycle();
                    let learn = |body: &&String| {
                        teacher.csv("/learn", body).ok();
                        !is_over.load(Ordering::Relaxed)
                    };
                    (1 + bodies.take_while(learn).count()) * BATCH
                });
                let asked = ask(&mut clients, replies, &objects);
                is_over.store(true, Ordering::Relaxed);
                (asked, learning.join().unwrap())
            });
            let learned = rows as f64 / start.elapsed().as_secs_f64();
            learning.push([each_second, p50, p99, learned]);
        }
        print("idle", count, &idle);
        print("learning", count, &learning);
    }
    assert!(service.client().samples_seen() > 2000);
    service.stop();
}
