//! Clients that have no token, that send no body, or that ask for too much: others do not notice.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::client::Client;
use crate::service::{Service, Table};

const ROW: &str = r#"{"x": 0.5, "y": 0.5, "value": 1}"#;
const TOKEN: &str = "0123456789abcdef";

fn with_token() -> Bench {
    let bench = Table::sums().bench();
    bench.write("token", TOKEN);
    bench
}

/// A connection on which a text was sent.
fn stranger(service: &Service, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(service.address).unwrap();
    // It may be closed already.
    let _ = stream.write_all(text.as_bytes());
    stream
}

/// A head without its body.
fn head(service: &Service, more: &str) -> String {
    let host = service.address;
    format!("POST /learn HTTP/1.1\r\nhost: {host}\r\n{more}content-length: 90\r\n\r\n")
}

fn is_closed(stream: &mut TcpStream) -> bool {
    let time = Some(Duration::from_millis(100));
    stream.set_read_timeout(time).unwrap();
    match stream.read(&mut [0]) {
        Ok(bytes) => bytes == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

/// Within a time in which nobody has lost patience.
fn at_once(start: Instant) {
    let time = start.elapsed();
    assert!(time < Duration::from_secs(8), "{time:?}");
}

#[test]
fn heads_without_the_token_take_no_permits_and_no_places() {
    let bench = with_token();
    let options = "--model m --token-file token --max-requests 2 --max-connections 32";
    let service = Service::start(&bench, options);
    let mut early = service.client().with_token(TOKEN);
    early.get("/model").ok();
    let start = Instant::now();
    let heads = [head(&service, ""), "POST /learn".to_owned(), String::new()];
    let texts = heads.iter().cycle().take(96);
    let held: Vec<TcpStream> = texts.map(|text| stranger(&service, text)).collect();
    service.client().with_token(TOKEN).post("/learn", ROW).ok();
    service.client().get("/healthz").ok();
    service.client().get("/readyz").ok();
    // A connection that has stated the token is closed for nobody.
    early.post("/learn", ROW).ok();
    at_once(start);
    drop(held);
}

#[test]
fn a_client_has_a_quarter_of_all_places() {
    let bench = with_token();
    let options = "--model m --token-file token --max-connections 16";
    let service = Service::start(&bench, options);
    let start = Instant::now();
    let mut held: Vec<TcpStream> = (0..5).map(|_| stranger(&service, "GET")).collect();
    assert!(is_closed(&mut held[0]));
    assert!(!held[1..].iter_mut().any(is_closed));
    at_once(start);
}

#[test]
fn bodies_that_do_not_come_keep_nobody_out() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --max-requests 4");
    let start = Instant::now();
    let held: Vec<TcpStream> = (0..16)
        .map(|_| stranger(&service, &(head(&service, "") + "[")))
        .collect();
    std::thread::sleep(Duration::from_millis(200));
    for path in ["/healthz", "/readyz", "/metrics", "/model"] {
        service.client().get(path).ok();
    }
    service.client().post("/learn", ROW).ok();
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

#[test]
fn streams_of_events_are_an_eighth_of_connections() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --max-connections 16");
    let open = |service: &Service| {
        let mut client = service.client();
        let host = service.address;
        let head = format!("GET /events HTTP/1.1\r\nhost: {host}\r\n\r\n");
        client.write(head.as_bytes()).unwrap();
        (client.line().unwrap(), client)
    };
    let mut streams: Vec<(String, Client)> = (0..3).map(|_| open(&service)).collect();
    let statuses: Vec<bool> = streams
        .iter()
        .map(|(line, _)| line.contains("200"))
        .collect();
    assert_eq!(statuses, [true, true, false]);
    assert!(streams[2].0.contains("429"));
    streams.clear();
    let start = Instant::now();
    while !open(&service).0.contains("200") {
        at_once(start);
    }
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
    let service = Service::start(&bench, "--model m --max-bodies 32MiB");
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
    assert_eq!(refused.count(), 6);
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 48 << 20, "{grown}");
    let start = Instant::now();
    let learned = r#"{"x": 1, "kind": "c"}"#;
    service.client().post("/learn", learned).ok();
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
    let service = Service::start(&bench, "--model m --max-bodies 8MiB");
    let mut client = service.client();
    let body = body.replace('}', ", \"kind\": \"c\"}");
    for path in ["/predict", "/predict-then-learn"] {
        let refused = client.post(&format!("{path}?proba=true"), &body);
        let names_limit = refused.error().contains("--max-bodies");
        assert!(refused.status == 413 && names_limit, "{refused:?}");
    }
    client.post("/predict", &body).ok();
    assert_eq!(client.get("/model").ok().json()["samples_seen"], 600);
}
