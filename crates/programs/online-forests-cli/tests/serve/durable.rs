//! Signals at random moments under load: the model file always loads, and has all that was acknowledged.
//!
//! `KILLS=300 cargo test -p online-forests-cli --features serve --release --test serve durable -- --nocapture` kills
//! more often and prints figures.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use online_forests::OnlineLearner as _;
use online_forests_cli::AnyModel;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bench::{Bench, kills};
use crate::client::Client;
use crate::service::{Service, Table};

/// What clients were confirmed until the service ended: the number behind the last row, and how many replies there
/// were.
#[derive(Debug, Default)]
struct Confirmed {
    durable: AtomicU64,
    learned: AtomicU64,
    replies: AtomicU64,
    is_over: AtomicBool,
}

impl Confirmed {
    /// Sends rows until the connection ends.
    fn send(&self, mut client: Client, path: &str, parts: &[String], behind: &AtomicU64) {
        let first = format!("POST {path}");
        for part in parts.iter().cycle() {
            let Some(reply) = client.try_send(&first, "text/csv", part.as_bytes()) else {
                return;
            };
            // The service is ending.
            if reply.status == 503 && self.is_over.load(Relaxed) {
                return;
            }
            let reply = reply.ok();
            self.replies.fetch_add(1, Relaxed);
            // The last row's number is the last of all.
            let last = reply.body.lines().last().unwrap_or_default();
            let number = last.split(',').next().unwrap_or_default();
            if let Ok(id) = number.parse::<u64>() {
                behind.fetch_max(id + 1, Relaxed);
            }
        }
    }
}

/// Two clients that learn, one of them durably, and one that asks, until the service ends by a signal.
fn under_load(service: Service, signal: &str, time: Duration, parts: &[String]) -> Confirmed {
    let confirmed = Confirmed::default();
    let nothing = &AtomicU64::new(0);
    let [durable, learning, asking] = [(); 3].map(|()| service.client());
    thread::scope(|scope| {
        let it = &confirmed;
        scope.spawn(move || it.send(durable, "/learn?durable=true", parts, &it.durable));
        scope.spawn(move || it.send(learning, "/learn", parts, &it.learned));
        scope.spawn(move || it.send(asking, "/predict", parts, nothing));
        thread::sleep(time);
        it.is_over.store(true, Relaxed);
        service.signal(signal);
    });
    let (code, said) = service.end();
    assert!(signal != "-TERM" || code == Some(0), "{said}");
    confirmed
}

fn samples_seen(bench: &Bench) -> u64 {
    match AnyModel::load(bench.path("m")).unwrap() {
        AnyModel::Classification(model) => model.samples_seen(),
        AnyModel::Regression(model) => model.samples_seen(),
    }
}

/// Ends services, until rows were acknowledged as durable, and as learned: on a busy machine it takes more of them,
/// which have more time.
fn end_services(signal: &str, seed: u64) {
    let table = Table::houses();
    let mut bench = table.bench();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = [0; 2];
    let mut replies = 0;
    let mut while_saving = 0;
    let mut round = 0;
    while round < kills(4) || rows.contains(&0) {
        if round % 50 == 49 {
            bench = table.bench();
        }
        let before = samples_seen(&bench);
        let checkpoint = ["never", "10", "1s"][round % 3];
        let service = Service::start(&bench, &format!("--model m --checkpoint {checkpoint}"));
        let time = Duration::from_millis(rng.random_range(0..400) << (round / kills(4)));
        let confirmed = under_load(service, signal, time, &table.parts(3));
        let acknowledged = [&confirmed.durable, &confirmed.learned].map(|it| it.load(Relaxed));
        let saved = samples_seen(&bench);
        let [durable, learned] = acknowledged;
        assert!(
            saved >= before.max(durable),
            "{saved} rows saved, {durable} durable"
        );
        assert!(
            signal != "-TERM" || saved >= learned,
            "{saved} rows saved, {learned} acknowledged"
        );
        for (all, acknowledged) in rows.iter_mut().zip(acknowledged) {
            *all += acknowledged.saturating_sub(before);
        }
        replies += confirmed.replies.load(Relaxed);
        let unfinished = |name: &&String| name.ends_with(".unfinished");
        while_saving += bench.files().iter().filter(unfinished).count();
        round += 1;
    }
    println!(
        "{signal}: {round} ended, {while_saving} while saving; {replies} replies; rows durable and learned: {rows:?}"
    );
}

#[test]
fn nothing_acknowledged_is_lost_by_a_kill_or_a_signal_to_end() {
    end_services("-KILL", 11);
    end_services("-TERM", 12);
}

/// What one client sends is learned in its order: after a kill the file is the one that `train` makes of the rows up to
/// there.
#[test]
fn after_a_kill_the_file_is_that_of_the_rows_up_to_there() {
    let table = Table::sums();
    let bench = table.bench();
    let parts = table.parts(5);
    let service = Service::start(&bench, "--model m --checkpoint 7");
    let mut client = service.client();
    for part in &parts[..20] {
        client.csv("/learn", part).ok();
    }
    client.csv("/learn?durable=true", &parts[20]).ok();
    service.kill();
    let rows = samples_seen(&bench) as usize;
    assert_eq!(rows, 300 + 21 * 5);
    bench.write("some.csv", crate::data::first(&table.text, rows));
    table.train(&bench, "some.csv", "some");
    bench.same("m", "some", "after a kill");
    // It continues from there.
    let service = Service::start(&bench, "--model m");
    let mut client = service.client();
    for part in &parts[21..] {
        client.csv("/learn", part).ok();
    }
    service.stop();
    table.train(&bench, "all.csv", "whole");
    bench.same("m", "whole", "continued");
}
