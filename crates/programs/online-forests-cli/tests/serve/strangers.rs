//! Clients that have no token, that come from elsewhere, that send no body, or that ask for too much: others do not notice.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::client::Client;
use crate::service::{Service, Table};

const ROW: &str = r#"{"x": 0.5, "y": 0.5, "value": 1}"#;
const TOKEN: &str = "0123456789abcdef";

fn with_token() -> (Bench, Service) {
    let bench = Table::sums().bench();
    bench.write("token", &format!("{TOKEN}\n"));
    let service = Service::start(&bench, "--model m --token-file token --max-requests 2");
    (bench, service)
}

#[test]
fn without_the_token_only_the_existence_of_the_service_is_revealed() {
    let (_bench, service) = with_token();
    let wrong = ["", "0123456789abcdeF", &TOKEN[..15], "0123456789abcdef0"];
    let stated = wrong.map(|token| service.client().with_token(token));
    for mut client in stated.into_iter().chain([service.client()]) {
        for path in ["/predict", "/learn", "/predict-then-learn", "/explain"] {
            let refused = client.post(path, ROW);
            assert_eq!(refused.status, 401, "{path}");
            assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        }
        for path in ["/model", "/metrics"] {
            assert_eq!(client.get(path).status, 401, "{path}");
        }
        assert_eq!(client.send("DELETE", "/rows/0", None, b"").status, 401);
        for path in ["/healthz", "/readyz", "/"] {
            client.get(path).ok();
        }
    }
    service.client().with_token(TOKEN).post("/learn", ROW).ok();
}

/// The page holds no data, and loads nothing from elsewhere.
#[test]
fn the_page_is_part_of_the_program() {
    let (_bench, service) = with_token();
    let page = service.client().get("/").ok();
    assert!(page.body.starts_with("<!doctype html>") && !page.body.contains("http"));
    let policy = page.header("content-security-policy");
    assert!(policy.is_some_and(|policy| policy.starts_with("default-src 'none'")));
}

/// A page of another site that is open in a browser on this machine reaches the service under a name of its own, or states where
/// it comes from.
#[test]
fn pages_of_other_sites_are_refused() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m");
    let own = service.address.to_string();
    let ask = |host: &str, origin: &str| {
        let lines = [format!("host: {host}"), format!("origin: {origin}")];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let lines = &lines[..1 + usize::from(!origin.is_empty())];
        service.client().ask("POST /learn", lines, ROW).status
    };
    assert_eq!(ask(&own, ""), 200);
    assert_eq!(ask(&own, &format!("http://{own}")), 200);
    assert_eq!(ask("example.org", ""), 403);
    for origin in [
        "http://example.org",
        "null",
        &format!("http://{own}.example.org"),
    ] {
        assert_eq!(ask(&own, origin), 403, "{origin}");
    }
}

/// Sends a head without its body.
fn stranger(service: &Service) -> TcpStream {
    let mut stream = TcpStream::connect(service.address).unwrap();
    let head = format!(
        "POST /learn HTTP/1.1\r\nhost: {}\r\ncontent-length: 90\r\n\r\n[",
        service.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Within a time in which nobody has lost patience.
fn at_once(start: Instant) {
    let time = start.elapsed();
    assert!(time < Duration::from_secs(8), "{time:?}");
}

/// The head is checked before a request takes a permit, and a body that does not come takes none.
#[test]
fn those_who_send_no_token_and_no_body_keep_nobody_out() {
    let (_bench, service) = with_token();
    let start = Instant::now();
    let held: Vec<TcpStream> = (0..16).map(|_| stranger(&service)).collect();
    std::thread::sleep(Duration::from_millis(200));
    let mut client = service.client().with_token(TOKEN);
    for path in ["/healthz", "/readyz", "/metrics", "/model"] {
        client.get(path).ok();
    }
    client.post("/learn", ROW).ok();
    at_once(start);
    drop(held);
}

#[test]
fn health_is_reported_while_all_permits_are_taken() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --max-requests 1 --threads 1");
    let body = format!("x,y,value\n{}", "0.1,0.2,0.3\n".repeat(10_000));
    let statuses: Vec<(u16, u16)> = std::thread::scope(|scope| {
        let learn = || service.client().csv("/learn", &body).status;
        let learning: Vec<_> = (0..4).map(|_| scope.spawn(learn)).collect();
        let mut statuses = Vec::new();
        while !learning.iter().all(|thread| thread.is_finished()) {
            let health = service.client().get("/healthz").status;
            statuses.push((health, service.client().get("/model").status));
        }
        statuses
    });
    assert!(statuses.iter().all(|(health, _)| *health == 200));
    // The permit was taken meanwhile.
    assert!(
        statuses.iter().any(|(_, model)| *model == 429),
        "{statuses:?}"
    );
}

/// Classes with long names: replies are much longer than what is asked.
fn many_classes() -> (Bench, String) {
    let bench = Bench::new();
    let name = |class: usize| format!("{class:0>200}");
    let rows = (0..600).map(|row| format!("{row},c{}\n", name(row % 300)));
    bench.write("many.csv", &format!("x,kind\n{}", rows.collect::<String>()));
    bench.ok("train --data many.csv --model m --target kind --trees 2");
    let rows: Vec<String> = (0..200).map(|row| format!("{{\"x\": {row}}}")).collect();
    (bench, format!("[{}]", rows.join(",")))
}

#[cfg(target_os = "linux")]
#[test]
fn replies_that_nobody_reads_are_bounded() {
    let (bench, body) = many_classes();
    let service = Service::start(&bench, "--model m --max-requests 3");
    let reply = service.client().post("/predict?proba=true", &body).ok();
    assert!(reply.body.len() > 200 * 300 * 200);
    let before = service.memory();
    let host = service.address;
    let head = format!(
        "POST /predict?proba=true HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut readers: Vec<(String, Client)> = Vec::new();
    for _ in 0..8 {
        let mut client = service.client();
        client.write(head.as_bytes()).unwrap();
        // The rest of it is not read.
        readers.push((client.line().unwrap(), client));
    }
    let refused = readers.iter().filter(|(line, _)| line.contains("429"));
    assert_eq!(refused.count(), 5);
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 48 << 20, "{grown}");
    let start = Instant::now();
    service.client().get("/readyz").ok();
    at_once(start);
    drop(readers);
    let start = Instant::now();
    while service.client().post("/predict?proba=true", &body).status != 200 {
        at_once(start);
    }
}

/// What could not be replied is not learned either.
#[test]
fn a_reply_that_is_too_long_is_refused_before_anything_is_done() {
    let (bench, body) = many_classes();
    let service = Service::start(&bench, "--model m --max-reply 8MiB");
    let mut client = service.client();
    let body = body.replace('}', ", \"kind\": \"c\"}");
    for path in ["/predict", "/predict-then-learn"] {
        let refused = client.post(&format!("{path}?proba=true"), &body);
        let names_limit = refused.error().contains("--max-reply");
        assert!(refused.status == 413 && names_limit, "{refused:?}");
    }
    client.post("/predict", &body).ok();
    assert_eq!(client.get("/model").ok().json()["samples_seen"], 600);
}
