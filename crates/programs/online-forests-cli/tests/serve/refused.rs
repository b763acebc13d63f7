//! What is refused, and how it is said.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::service::{Service, Table};

const ROW: &str = r#"{"x": 0.5, "y": 0.5, "value": 1}"#;

#[test]
fn other_addresses_need_a_token_that_nobody_guesses() {
    let bench = Table::sums().bench();
    bench.refused("serve --model m --listen 0.0.0.0:0", &["--token-file"]);
    bench.write("token", "short\n");
    bench.refused("serve --model m --token-file token", &["16 characters"]);
    bench.refused("serve --model none", &["none"]);
    bench.refused("serve --model m --follow-model", &["--read-only"]);
    let service = Service::start(&bench, "--model m");
    let port = service.address.port();
    bench.refused(
        &format!("serve --model m --read-only --listen 127.0.0.1:{port}"),
        &["127.0.0.1"],
    );
    // Another one would save the model, too.
    bench.refused("serve --model m", &["is training m"]);
    bench.refused(
        "train --data rest.csv --model m --update",
        &["is training m"],
    );
}

#[test]
fn more_than_a_limit_is_refused() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --max-body 10KB --max-rows 5");
    let mut client = service.client();
    let many = format!("[{}]", [ROW; 6].join(","));
    let refused = client.post("/learn", &many);
    assert!(
        refused.status == 413 && refused.error().contains("5 rows"),
        "{refused:?}"
    );
    let csv = format!("x,y,value\n{}", "1,1,1\n".repeat(6));
    assert_eq!(client.csv("/learn", &csv).status, 413);
    client
        .csv("/learn", &format!("x,y,value\n{}", "1,1,1\n".repeat(5)))
        .ok();
    let refused = client.try_send("POST", "/learn", None, " ".repeat(20_000).as_bytes());
    assert!(refused.is_none_or(|refused| refused.status == 413));
    // Without a length.
    let mut client = service.client();
    let head = format!(
        "POST /learn HTTP/1.1\r\nhost: {}\r\ntransfer-encoding: chunked\r\n\r\n",
        service.address
    );
    client.write(head.as_bytes()).unwrap();
    let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
    (0..3).for_each(|_| client.write(chunk.as_bytes()).unwrap());
    assert_eq!(client.receive().unwrap().status, 413);
    assert_eq!(
        service.client().get("/model").ok().json()["samples_seen"],
        305
    );
}

/// The queue has room for one request besides the one that is learned; the others come again.
#[test]
fn a_full_queue_asks_to_come_again() {
    let bench = Table::sums().bench();
    // Saving after each request keeps the one who learns busy.
    let service = Service::start(&bench, "--model m --max-waiting 1 --threads 1");
    let body = format!("x,y,value\n{}", "0.1,0.2,0.3\n".repeat(5000));
    let statuses = std::thread::scope(|scope| {
        let ask = || {
            let reply = service.client().csv("/learn", &body);
            let again = reply.header("retry-after").map(str::to_owned);
            (reply.status, again)
        };
        let asking: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
        let replies = asking.into_iter().map(|thread| thread.join().unwrap());
        replies.collect::<Vec<_>>()
    });
    let learned = statuses.iter().filter(|(status, _)| *status == 200).count();
    assert!(
        statuses.iter().all(|(status, again)| match status {
            200 => again.is_none(),
            429 => again.as_deref() == Some("1"),
            _ => false,
        }),
        "{statuses:?}"
    );
    assert!(learned > 0 && learned < 16, "{statuses:?}");
    // Those that were refused have left nothing.
    let model = service.client().get("/model").ok().json();
    assert_eq!(model["samples_seen"], 300 + 5000 * learned);
}

#[test]
fn clients_that_are_too_slow_are_given_up() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --patience 1 --max-connections 8");
    let start = Instant::now();
    let host = service.address;
    // Nothing, half a head, half a body: more of them than there may be connections.
    let texts = [
        "",
        "GET / HTT",
        &format!("POST /learn HTTP/1.1\r\nhost: {host}\r\ncontent-length: 9\r\n\r\n{{"),
    ];
    let slow: Vec<TcpStream> = texts
        .iter()
        .cycle()
        .take(24)
        .map(|text| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        })
        .collect();
    service.client().post("/learn", ROW).ok();
    assert!(start.elapsed() < Duration::from_secs(20));
    drop(slow);
}

#[test]
fn a_service_that_only_reads_learns_nothing_and_locks_nothing() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --read-only");
    let before = bench.bytes("m");
    let mut client = service.client();
    for path in ["/learn", "/predict-then-learn"] {
        assert_eq!(client.post(path, ROW).status, 405);
    }
    assert_eq!(client.send("DELETE", "/rows/0", None, b"").status, 405);
    client.post("/predict", ROW).ok();
    bench.ok("train --data rest.csv --model m --update");
    service.stop();
    assert!(bench.bytes("m") != before);
}

#[test]
fn routes_and_questions_that_are_none() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m");
    let statuses = [
        ("GET", "/predict", 405),
        ("POST", "/model", 405),
        ("GET", "/rows/0", 405),
        ("GET", "/../../etc/passwd", 404),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404),
        ("GET", "/model/", 404),
        ("POST", "/predict?probe=true", 400),
        ("POST", "/predict?proba=yes", 400),
        ("POST", "/learn?proba=true", 400),
        ("DELETE", "/rows/-1", 400),
        ("BREW", "/", 405),
    ];
    for (method, path, status) in statuses {
        let reply = service.client().send(method, path, None, ROW.as_bytes());
        assert_eq!(reply.status, status, "{method} {path}");
        assert!(!reply.error().is_empty());
    }
}

/// Learning ends where the model would need too much, and predictions continue.
#[test]
fn memory_bounds_learning_alone() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --max-memory 1KB");
    let mut client = service.client();
    let refused = client.post("/learn", ROW);
    assert!(
        refused.status == 507 && refused.error().contains("--max-memory"),
        "{refused:?}"
    );
    client.post("/predict", ROW).ok();
    let ready = client.get("/readyz");
    assert!(ready.status == 503 && ready.error().contains("--max-memory"));
}

/// Whatever is sent, the log at info has nothing of it.
#[test]
fn the_log_has_a_line_a_request_at_debug_and_no_data_at_info() {
    let bench = Table::sums().bench();
    for (level, lines) in [("info", 0), ("debug", 3)] {
        let service = Service::start(&bench, &format!("--model m --log {level}"));
        let mut client: Client = service.client();
        client
            .post("/learn", r#"{"x": 0.123321, "y": 0.5, "value": 1}"#)
            .ok();
        client.post("/learn", r#"{"x": "secret", "y": 0.5, "value": 1}"#);
        client.get("/secret");
        let said = service.stop();
        assert_eq!(
            said.matches("request").count() - said.matches("requests").count(),
            lines,
            "{said}"
        );
        assert!(
            !said.contains("secret") && !said.contains("123321"),
            "{said}"
        );
    }
    assert!(fs::metadata(bench.path("m")).unwrap().len() > 0);
}
