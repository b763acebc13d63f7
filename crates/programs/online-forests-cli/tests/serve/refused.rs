//! What is refused, and how it is said; clients that have no token, that come from elsewhere, that send no body, or that ask
//! for too much: others do not notice.

use std::io::Write as _;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::client::Client;
use crate::service::{ROW, Service, Table};

const TOKEN: &str = "0123456789abcdef";

#[test]
fn lines_of_serve() {
    let bench = Table::sums().bench();
    bench.write("token", "short\n");
    let service = Service::start(&bench, "--model m");
    let taken = format!(
        "--model m --read-only --listen 127.0.0.1:{}",
        service.address.port()
    );
    bench.refuse(
        "serve",
        &[
            ("--model m --listen 0.0.0.0:0", &["--token-file"]),
            ("--model m --token-file token", &["16 characters"]),
            ("--model none", &["none"]),
            ("--model m --follow-model", &["--read-only"]),
            (&taken, &["127.0.0.1"]),
            // Another one would save the model, too.
            ("--model m", &["is training m"]),
        ],
    );
    bench.refuse(
        "train --model m --update",
        &[("--data rest.csv", &["is training m"])],
    );
}

#[test]
fn routes_and_questions_that_are_none() {
    let bench = Table::sums().bench();
    let [service, reading] =
        ["", "--read-only"].map(|more| Service::start(&bench, &format!("--model m {more}")));
    for (service, method, path, status) in [
        (&service, "GET", "/predict", 405),
        (&service, "POST", "/model", 405),
        (&service, "GET", "/rows/0", 405),
        (&service, "GET", "/../../etc/passwd", 404),
        (&service, "GET", "/%2e%2e/%2e%2e/etc/passwd", 404),
        (&service, "GET", "/model/", 404),
        (&service, "POST", "/predict?probe=true", 400),
        (&service, "POST", "/predict?proba=yes", 400),
        (&service, "POST", "/learn?proba=true", 400),
        (&service, "DELETE", "/rows/-1", 400),
        (&service, "BREW", "/", 405),
        (&reading, "POST", "/learn", 405),
        (&reading, "POST", "/predict-then-learn", 405),
        (&reading, "DELETE", "/rows/0", 405),
    ] {
        let reply = service.client().send(method, path, None, ROW.as_bytes());
        assert_eq!(reply.status, status, "{method} {path}");
        assert!(!reply.error().is_empty());
    }
    // One that only reads locks nothing.
    service.stop();
    bench.ok("train --data rest.csv --model m --update");
    reading.client().post("/predict", ROW).ok();
}

#[test]
fn more_than_a_limit_is_refused() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --max-body 10KB --max-rows 5");
    let mut client = service.client();
    let refused = client.post("/learn", &format!("[{}]", [ROW; 6].join(",")));
    assert!(
        refused.status == 413 && refused.error().contains("5 rows"),
        "{refused:?}"
    );
    let csv = |rows| format!("x,y,value\n{}", "1,1,1\n".repeat(rows));
    assert_eq!(client.csv("/learn", &csv(6)).status, 413);
    client.csv("/learn", &csv(5)).ok();
    let refused = client.try_send("POST", "/learn", None, " ".repeat(20_000).as_bytes());
    assert!(refused.is_none_or(|refused| refused.status == 413));
    assert_eq!(service.client().samples_seen(), 305);
    service.stop();
    // Learning ends where the model would need too much, and predictions continue.
    let service = Service::start(&bench, "--model m --max-memory 1KB");
    let mut client = service.client();
    for (status, reply) in [
        (507, client.post("/learn", ROW)),
        (503, client.get("/readyz")),
    ] {
        assert!(
            reply.status == status && reply.error().contains("--max-memory"),
            "{reply:?}"
        );
    }
    client.post("/predict", ROW).ok();
}

/// The queue has room for one request besides the one that is learned; the others come again. Health is reported meanwhile.
#[test]
fn a_full_queue_asks_to_come_again() {
    let bench = Table::sums().bench();
    for (limit, retries) in [("--max-waiting 1", true), ("--max-requests 1", false)] {
        let service = Service::start(&bench, &format!("--model m {limit} --threads 1"));
        let rows = 5000;
        let body = format!("x,y,value\n{}", "0.1,0.2,0.3\n".repeat(rows));
        let (replies, mut models) = thread::scope(|scope| {
            let ask = || service.client().csv("/learn", &body);
            let asking: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
            let mut models = Vec::new();
            while !asking.iter().all(|thread| thread.is_finished()) {
                service.client().get("/healthz").ok();
                models.push(service.client().get("/model").status);
            }
            let replies = asking.into_iter().map(|thread| thread.join().unwrap());
            (replies.collect::<Vec<_>>(), models)
        });
        models.retain(|status| *status == 429);
        let learned = replies.iter().filter(|reply| reply.status == 200).count();
        assert!(learned > 0 && learned < 16, "{replies:?}");
        // All permits were taken meanwhile.
        assert!(retries || !models.is_empty());
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            assert_eq!(
                (reply.status, reply.header("retry-after")),
                (429, Some("1")),
                "{reply:?}"
            );
        }
        // Those that were refused have left nothing.
        assert_eq!(
            service.client().samples_seen(),
            (300 + rows * learned) as u64
        );
        service.signal("-KILL");
    }
}

/// Whatever is sent, the log at info has nothing of it.
#[test]
fn the_log_has_a_line_a_request_at_debug_and_no_data_at_info() {
    let bench = Table::sums().bench();
    for (level, lines) in [("info", 0), ("debug", 3)] {
        let service = Service::start(&bench, &format!("--model m --log {level}"));
        let mut client = service.client();
        client
            .post("/learn", r#"{"x": 0.123321, "y": 0.5, "value": 1}"#)
            .ok();
        client.post("/learn", r#"{"x": "secret", "y": 0.5, "value": 1}"#);
        client.get("/secret");
        let said = service.stop();
        let found = said.matches("request").count() - said.matches("requests").count();
        assert_eq!(found, lines, "{said}");
        assert!(
            !said.contains("secret") && !said.contains("123321"),
            "{said}"
        );
    }
}

fn with_token() -> (Bench, Service) {
    let bench = Table::sums().bench();
    bench.write("token", format!("{TOKEN}\n"));
    let service = Service::start(&bench, "--model m --token-file token --max-requests 2");
    (bench, service)
}

#[test]
fn without_the_token_only_the_existence_of_the_service_is_revealed() {
    let (_bench, service) = with_token();
    let wrong = ["", "0123456789abcdeF", &TOKEN[..15], "0123456789abcdef0"];
    let stated = wrong.map(|token| service.client().with_token(token));
    for mut client in stated.into_iter().chain([service.client()]) {
        for (method, path) in [
            ("POST", "/predict"),
            ("POST", "/learn"),
            ("POST", "/predict-then-learn"),
            ("POST", "/explain"),
            ("GET", "/model"),
            ("GET", "/metrics"),
            ("DELETE", "/rows/0"),
        ] {
            let refused = client.send(method, path, None, ROW.as_bytes());
            assert_eq!(refused.status, 401, "{path}");
            assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        }
        for path in ["/healthz", "/readyz", "/"] {
            client.get(path).ok();
        }
    }
    service.client().with_token(TOKEN).post("/learn", ROW).ok();
    // The page holds no data, and loads nothing from elsewhere.
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
    let [same, other] = [format!("http://{own}"), format!("http://{own}.example.org")];
    for (host, origin, status) in [
        (own.as_str(), None, 200),
        (&own, Some(same.as_str()), 200),
        ("example.org", None, 403),
        (&own, Some("http://example.org"), 403),
        (&own, Some("null"), 403),
        (&own, Some(&other), 403),
    ] {
        let origin = origin.map(|origin| format!("origin: {origin}"));
        let lines = [Some(format!("host: {host}")), origin];
        let lines: Vec<&str> = lines.iter().flatten().map(String::as_str).collect();
        assert_eq!(
            service.client().ask("POST /learn", &lines, ROW).status,
            status,
            "{lines:?}"
        );
    }
}

/// The head is checked before a request takes a permit, a body that does not come takes none, and clients that are too slow are
/// given up: nothing, half a head, half a body, of more of them than there may be connections.
#[test]
fn those_who_send_no_token_and_no_body_keep_nobody_out() {
    let (bench, service) = with_token();
    let impatient = Service::start(
        &bench,
        "--model m --read-only --patience 1 --max-connections 8",
    );
    for (service, most) in [(&service, 8), (&impatient, 20)] {
        let (start, host) = (Instant::now(), service.address);
        let head = format!("POST /predict HTTP/1.1\r\nhost: {host}\r\ncontent-length: 90\r\n\r\n[");
        let texts = ["", "GET / HTT", &head];
        let held = texts.iter().cycle().take(24).map(|text| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        });
        let held: Vec<TcpStream> = held.collect();
        thread::sleep(Duration::from_millis(200));
        let mut client = service.client().with_token(TOKEN);
        for path in ["/healthz", "/readyz", "/metrics", "/model"] {
            client.get(path).ok();
        }
        client.post("/predict", ROW).ok();
        assert!(
            start.elapsed() < Duration::from_secs(most),
            "{:?}",
            start.elapsed()
        );
        drop(held);
    }
}

/// Classes with long names: replies are much longer than what is asked.
fn many_classes() -> (Bench, String) {
    let rows = (0..600).map(|row| format!("{row},c{:0>200}\n", row % 300));
    let bench = Bench::with(&[("many.csv", &format!("x,kind\n{}", rows.collect::<String>()))]);
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
    let (before, host, length) = (service.memory(), service.address, body.len());
    let head =
        format!("POST /predict?proba=true HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}");
    let mut readers: Vec<(String, Client)> = Vec::new();
    for _ in 0..8 {
        let mut client = service.client();
        client
            .write(format!("{head}\r\n\r\n{body}").as_bytes())
            .unwrap();
        // The rest of it is not read.
        readers.push((client.line().unwrap(), client));
    }
    assert_eq!(
        readers
            .iter()
            .filter(|(line, _)| line.contains("429"))
            .count(),
        5
    );
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 48 << 20, "{grown}");
    let start = Instant::now();
    service.client().get("/readyz").ok();
    drop(readers);
    while service.client().post("/predict?proba=true", &body).status != 200 {
        assert!(start.elapsed() < Duration::from_secs(16));
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
    assert_eq!(client.samples_seen(), 600);
}
