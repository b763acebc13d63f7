//! Bodies that no client should send: status 4xx or a closed connection, bounded memory, an unchanged model.

use std::thread;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::service::{Service, Table, objects, wait_for};

const PATHS: [&str; 4] = [
    "/predict",
    "/explain",
    "/learn",
    "/predict-then-learn?durable=true",
];
const KINDS: [&str; 4] = [
    "application/json",
    "text/csv",
    "application/jsonl",
    "text/plain",
];

/// Runs an attack on a service, which then replies as before, has the same model, takes no more memory, and leaves the
/// same file.
fn attacked(attack: impl FnOnce(&Table, &Service)) {
    let table = Table::houses();
    let bench = table.bench();
    let limits = "--max-body 1MiB --max-requests 8 --max-connections 64";
    let service = Service::start(&bench, &format!("--model m {limits}"));
    // Working memory is there before it is measured.
    service.client().csv("/predict", &table.rest()).ok();
    let model = service.client().get("/model").ok().body;
    let before = service.memory();
    attack(&table, &service);
    let after = service.memory();
    assert!(after < before + (48 << 20), "{before} to {after}");
    let mut client = service.client();
    assert_eq!(client.get("/model").ok().body, model);
    client.csv("/predict", &table.rest()).ok();
    let file = bench.bytes("m");
    service.stop();
    assert!(bench.bytes("m") == file);
}

#[test]
fn malformed_bodies() {
    attacked(|table, service| {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let good = format!("[{}]", objects(&table.rest())[..3].join(","));
        let csv = &table.parts(3)[0];
        for _ in 0..100 {
            let text = if rng.random() { &good } else { csv };
            let path = PATHS[rng.random_range(0..PATHS.len())];
            // What is learned has no target.
            let mut body = match path {
                "/predict" => text.clone().into_bytes(),
                _ => text.replace("kind", "sort").into_bytes(),
            };
            // Bytes that make it unreadable as a whole, and a cut at a random place.
            body.truncate(rng.random_range(0..body.len()));
            for _ in 0..rng.random_range(0..8) {
                let place = rng.random_range(0..=body.len());
                body.insert(place, rng.random());
            }
            let kind = KINDS[rng.random_range(0..KINDS.len())];
            let first = format!("POST {path}");
            let reply = service.client().send(&first, kind, &body);
            assert!(matches!(reply.status, 200 | 400..500), "{reply:?}");
        }
    });
}

/// A gigabyte, with a length and without one: no more is read than there may be.
#[test]
fn bodies_without_end() {
    attacked(|_, service| {
        let mut client = service.client();
        client.begin("/learn", 1_000_000_000, "");
        assert_eq!(client.receive().unwrap().status, 413);
        let host = service.address;
        let head =
            format!("POST /learn HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked\r\n\r\n");
        let mut client = service.client();
        client.write(head.as_bytes()).unwrap();
        let chunk = format!("10000\r\n{}\r\n", "[".repeat(0x10000));
        let sent = (0..16_000).take_while(|_| client.write(chunk.as_bytes()).is_ok());
        let sent = sent.count();
        assert!(sent < 1000, "{sent} chunks were taken");
        // A client that sends a little too much, and not all at once, gets to read the reason, unless it is so slow
        // that it finds the connection closed.
        wait_for("the reason", || {
            let mut client = service.client();
            let mut sent = client.write(head.as_bytes());
            for _ in 0..24 {
                thread::sleep(Duration::from_millis(10));
                sent = sent.and_then(|()| client.write(chunk.as_bytes()));
            }
            sent.is_ok_and(|()| client.receive().is_some_and(|reply| reply.status == 413))
        });
        // Deep, wide and long, but within the limit.
        for text in [
            "[",
            "{\"size\":",
            "[{\"size\":[",
            "9",
            "\"",
            "{\"size\": 1e",
            ",",
        ] {
            let body = text.repeat((1 << 20) / text.len());
            for kind in &KINDS[..3] {
                let mut client = service.client();
                let reply = client.send("POST /predict", kind, body.as_bytes());
                let is_short = reply.body.len() < 10_000;
                assert!(
                    matches!(reply.status, 400..500) && is_short,
                    "{text} as {kind}: {reply:?}"
                );
            }
        }
    });
}
