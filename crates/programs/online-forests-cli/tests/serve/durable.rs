//! Signals at random moments under load: the model file always loads, and has all that was acknowledged.
//!
//! `KILLS=300 cargo test -p online-forests-cli --features serve --release --test serve durable -- --nocapture` kills more often and
//! prints figures.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use online_forests::OnlineLearner as _;
use online_forests_cli::AnyModel;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bench::{Bench, kills};
use crate::client::Client;
use crate::service::{Service, Table};

/// What has happened so far.
#[derive(Debug, Default)]
struct Figures {
    ended: usize,
    /// Rows acknowledged as durable, and as learned.
    durable: u64,
    learned: u64,
    replies: u64,
    /// Kills that left a file that was being written.
    while_saving: usize,
}

/// What clients were confirmed until the service ended: the number behind the last row, and how many replies there were.
#[derive(Debug, Default)]
struct Confirmed {
    durable: AtomicU64,
    learned: AtomicU64,
    replies: AtomicU64,
    is_over: AtomicBool,
}

/// Sends rows until the connection ends.
fn send(
    mut client: Client,
    path: &str,
    parts: &[String],
    confirmed: &Confirmed,
    behind: &AtomicU64,
) {
    for part in parts.iter().cycle() {
        let kind = Some("text/csv");
        let Some(reply) = client.try_send("POST", path, kind, part.as_bytes()) else {
            return;
        };
        match reply.status {
            200 => {}
            // The service is ending.
            503 if confirmed.is_over.load(Ordering::Relaxed) => return,
            _ => panic!("{reply:?}"),
        }
        confirmed.replies.fetch_add(1, Ordering::Relaxed);
        // The last row's number is the last of all.
        let last = reply
            .body
            .lines()
            .last()
            .and_then(|line| line.split(',').next());
        if let Some(Ok(id)) = last.map(str::parse::<u64>) {
            behind.fetch_max(id + 1, Ordering::Relaxed);
        }
    }
}

/// Two clients that learn, one of them durably, and one that asks, until the service ends by a signal.
fn under_load(service: Service, signal: &str, time: Duration, table: &Table) -> Confirmed {
    let (confirmed, nothing) = (Confirmed::default(), AtomicU64::new(0));
    let parts = table.parts(3);
    let [durable, learning, asking] = [(); 3].map(|()| service.client());
    thread::scope(|scope| {
        let (confirmed, parts, nothing) = (&confirmed, &parts, &nothing);
        let path = "/learn?durable=true";
        scope.spawn(move || send(durable, path, parts, confirmed, &confirmed.durable));
        scope.spawn(move || send(learning, "/learn", parts, confirmed, &confirmed.learned));
        scope.spawn(move || send(asking, "/predict", parts, confirmed, nothing));
        thread::sleep(time);
        confirmed.is_over.store(true, Ordering::Relaxed);
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

fn ended(signal: &str, seed: u64) -> Figures {
    let (table, mut rng) = (Table::houses(), ChaCha8Rng::seed_from_u64(seed));
    let mut bench = table.bench();
    let mut figures = Figures::default();
    for round in 0..kills(4) {
        if round % 50 == 49 {
            bench = table.bench();
        }
        let before = samples_seen(&bench);
        let checkpoint = ["never", "10", "1s"][round % 3];
        let service = Service::start(&bench, &format!("--model m --checkpoint {checkpoint}"));
        let time = Duration::from_millis(rng.random_range(0..400));
        let confirmed = under_load(service, signal, time, &table);
        let [durable, learned] =
            [&confirmed.durable, &confirmed.learned].map(|it| it.load(Ordering::Relaxed));
        let (saved, unfinished) = (samples_seen(&bench), |name: &String| {
            name.ends_with(".unfinished")
        });
        assert!(
            saved >= before.max(durable),
            "{saved} rows saved, {durable} acknowledged as durable"
        );
        if signal == "-TERM" {
            assert!(
                saved >= learned,
                "{saved} rows saved, {learned} acknowledged"
            );
        }
        figures.ended += 1;
        figures.durable += durable.saturating_sub(before);
        figures.learned += learned.saturating_sub(before);
        figures.replies += confirmed.replies.load(Ordering::Relaxed);
        figures.while_saving += bench.files().iter().filter(|name| unfinished(name)).count();
    }
    println!("{signal}: {figures:?}");
    figures
}

#[test]
fn nothing_durable_is_lost_by_kill() {
    assert!(ended("-KILL", 11).durable > 0);
}

#[test]
fn nothing_acknowledged_is_lost_by_a_signal_to_end() {
    let figures = ended("-TERM", 12);
    assert!(figures.durable > 0 && figures.learned > 0);
}

/// What one client sends is learned in its order: after a kill the file is the one that `train` makes of the rows up to there.
#[test]
fn after_a_kill_the_file_is_that_of_the_rows_up_to_there() {
    let table = Table::sums();
    let bench = table.bench();
    let service = Service::start(&bench, "--model m --checkpoint 7");
    let mut client = service.client();
    for part in &table.parts(5)[..20] {
        client.csv("/learn", part).ok();
    }
    client.csv("/learn?durable=true", &table.parts(5)[20]).ok();
    service.signal("-KILL");
    service.end();
    let rows = samples_seen(&bench) as usize;
    assert_eq!(rows, 300 + 21 * 5);
    bench.write("some.csv", crate::data::first(&table.text, rows));
    table.train(&bench, "some.csv", "some");
    bench.same("m", "some", "after a kill");
    // It continues from there.
    let service = Service::start(&bench, "--model m");
    let mut client = service.client();
    for part in &table.parts(5)[21..] {
        client.csv("/learn", part).ok();
    }
    service.stop();
    table.train(&bench, "all.csv", "whole");
    bench.same("m", "whole", "continued");
}
