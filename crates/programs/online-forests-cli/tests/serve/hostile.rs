//! Bodies that no client should send: 4xx or a closed connection, memory bounded, the model as it was.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bench::Bench;
use crate::service::{Service, Table, objects};

const PATHS: [&str; 4] = [
    "/predict",
    "/explain",
    "/learn",
    "/predict-then-learn?durable=true",
];

/// A service, and what must not change.
struct Victim {
    table: Table,
    bench: Bench,
    service: Service,
    model: String,
}

impl Victim {
    fn new() -> Self {
        let table = Table::houses();
        let bench = table.bench();
        let limits = "--patience 2 --max-body 1MiB --max-requests 8 --max-connections 64";
        let service = Service::start(&bench, &format!("--model m {limits}"));
        // Working memory is there before it is measured.
        service.client().csv("/predict", &table.rest()).ok();
        let model = service.client().get("/model").ok().body;
        Self {
            table,
            bench,
            service,
            model,
        }
    }

    /// It replies as ever, has the same model, and leaves the same file.
    fn check(self, before: u64) {
        let after = self.service.memory();
        assert!(after < before + (48 << 20), "{before} to {after}");
        let mut client = self.service.client();
        assert_eq!(client.get("/model").ok().body, self.model);
        client.csv("/predict", &self.table.rest()).ok();
        let file = self.bench.bytes("m");
        self.service.stop();
        assert!(self.bench.bytes("m") == file);
    }
}

#[test]
fn bodies_that_are_none() {
    let victim = Victim::new();
    let (before, mut rng) = (victim.service.memory(), ChaCha8Rng::seed_from_u64(5));
    let good = format!("[{}]", objects(&victim.table.rest())[..3].join(","));
    let csv = victim.table.parts(3)[0].clone();
    for _ in 0..100 {
        let text = if rng.random() { &good } else { &csv };
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
        let kind = [
            None,
            Some("application/json"),
            Some("text/csv"),
            Some("application/jsonl"),
        ];
        let kind = kind[rng.random_range(0..4)];
        let reply = victim.service.client().send("POST", path, kind, &body);
        assert!(
            reply.status == 200 || (400..500).contains(&reply.status),
            "{reply:?}"
        );
    }
    victim.check(before);
}

/// A gigabyte, with a length and without one: no more is read than there may be.
#[test]
fn bodies_without_end() {
    let victim = Victim::new();
    let (before, host) = (victim.service.memory(), victim.service.address);
    let mut client = victim.service.client();
    let head =
        format!("POST /learn HTTP/1.1\r\nhost: {host}\r\ncontent-length: 1000000000\r\n\r\n");
    client.write(head.as_bytes()).unwrap();
    assert_eq!(client.receive().unwrap().status, 413);
    let mut client = victim.service.client();
    let head =
        format!("POST /learn HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked\r\n\r\n");
    client.write(head.as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", "[".repeat(0x10000));
    let sent = (0..1_000_000_000 / 0x10000).take_while(|_| client.write(chunk.as_bytes()).is_ok());
    let sent = sent.count();
    assert!(sent < 1000, "{sent} chunks were taken");
    // Deep, wide and long, but within the limit.
    let texts = [
        "[",
        "{\"size\":",
        "[{\"size\":[",
        "9",
        "\"",
        "{\"size\": 1e",
        ",",
    ];
    for text in texts {
        let body = text.repeat((1 << 20) / text.len());
        for kind in ["application/json", "application/jsonl", "text/csv"] {
            let reply =
                victim
                    .service
                    .client()
                    .send("POST", "/predict", Some(kind), body.as_bytes());
            assert!(
                (400..500).contains(&reply.status),
                "{text} as {kind}: {reply:?}"
            );
            assert!(
                reply.body.len() < 10_000,
                "{text} as {kind}: {} bytes",
                reply.body.len()
            );
        }
    }
    victim.check(before);
}
