//! What is refused, and with which message. Clients without a token, from elsewhere, without a body, or beyond the
//! limits do not affect others.

use std::io::Write as _;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::bench::Bench;
use crate::client::Client;
use crate::service::{ROW, Service, Table, wait_for};

const TOKEN: &str = "0123456789abcdef";

#[test]
fn lines_of_serve() {
    let bench = Table::sums().bench();
    bench.write("token", "short\n");
    let service = Service::start(&bench, "--model m");
    let port = service.address.port();
    let taken = format!("--model m --read-only --listen 127.0.0.1:{port}");
    // Another one would save the model, too.
    let training: &[&str] = &["is training m"];
    bench.refuse(
        "serve",
        &[
            ("--model m --listen 0.0.0.0:0", &["--token-file"]),
            ("--model m --token-file token", &["16 characters"]),
            ("--model none", &["none"]),
            ("--model m --follow-model", &["--read-only"]),
            (&taken, &["127.0.0.1"]),
            ("--model m", training),
        ],
    );
    bench.refuse("train --model m --update", &[("--data rest.csv", training)]);
    let lines = bench.ok("serve --help").lines().count();
    assert!(lines <= 120, "{lines} lines");
}

#[test]
fn unknown_routes_and_invalid_queries() {
    let bench = Table::sums().bench();
    let [service, reading] =
        ["", "--read-only"].map(|more| Service::start(&bench, &format!("--model m {more}")));
    for (service, first, status) in [
        (&service, "GET /predict", 405),
        (&service, "POST /model", 405),
        (&service, "GET /rows/0", 405),
        (&service, "GET /../../etc/passwd", 404),
        (&service, "GET /%2e%2e/%2e%2e/etc/passwd", 404),
        (&service, "GET /model/", 404),
        (&service, "POST /predict?probe=true", 400),
        (&service, "POST /predict?proba=yes", 400),
        (&service, "POST /learn?proba=true", 400),
        (&service, "DELETE /rows/-1", 400),
        (&service, "BREW /", 405),
        (&reading, "POST /learn", 405),
        (&reading, "POST /predict-then-learn", 405),
        (&reading, "DELETE /rows/0", 405),
    ] {
        let reply = service.client().send(first, "", ROW.as_bytes());
        reply.refused(status, "\"error\":");
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
    let six = format!("[{}]", [ROW; 6].join(","));
    client.post("/learn", &six).refused(413, "5 rows");
    let csv = |rows| format!("x,y,value\n{}", "1,1,1\n".repeat(rows));
    client.csv("/learn", &csv(6)).refused(413, "5 rows");
    client.csv("/learn", &csv(5)).ok();
    let refused = client.try_send("POST /learn", "", " ".repeat(20_000).as_bytes());
    assert!(refused.is_none_or(|refused| refused.status == 413));
    assert_eq!(service.client().samples_seen(), 305);
}

/// Requests at a time, and requests that wait to be learned: those beyond the limit come again and leave nothing.
/// Health is reported meanwhile.
#[test]
fn requests_beyond_a_limit_are_asked_to_come_again() {
    let bench = Table::sums().bench();
    for limit in ["--max-requests 1", "--max-waiting 1"] {
        let service = Service::start(&bench, &format!("--model m {limit} --threads 1"));
        let body = format!("x,y,value\n{}", "0.1,0.2,0.3\n".repeat(1000));
        let (mut learned, mut refused) = (0, 0);
        // Until one is refused, which is up to chance.
        for _ in 0..100 {
            let replies = thread::scope(|scope| {
                let ask = || service.client().csv("/learn", &body);
                let asking: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
                service.client().get("/healthz").ok();
                let replies = asking.into_iter().map(|thread| thread.join().unwrap());
                replies.collect::<Vec<_>>()
            });
            for reply in replies {
                if reply.status == 200 {
                    learned += 1;
                } else {
                    assert_eq!(reply.header("retry-after"), Some("1"), "{reply:?}");
                    reply.refused(429, "try again");
                    refused += 1;
                }
            }
            if refused > 0 {
                break;
            }
        }
        assert!(refused > 0, "{limit}");
        // The permit of the request before is released a moment after its reply.
        let mut model = service.client().get("/model");
        wait_for("a permit", || {
            model = service.client().get("/model");
            model.status != 429
        });
        let seen = model.ok().json()["samples_seen"].clone();
        assert_eq!(seen, 300 + 1000 * learned);
        service.kill();
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

fn with_token(more: &str) -> (Bench, Service) {
    let bench = Table::sums().bench();
    bench.write("token", format!("{TOKEN}\n"));
    let service = Service::start(&bench, &format!("--model m --token-file token {more}"));
    (bench, service)
}

#[test]
fn without_the_token_only_the_existence_of_the_service_is_revealed() {
    let (_bench, service) = with_token("");
    let wrong = ["", "0123456789abcdeF", &TOKEN[..15], "0123456789abcdef0"];
    let stated = wrong.map(|token| service.client().with_token(token));
    for mut client in stated.into_iter().chain([service.client()]) {
        for first in [
            "POST /predict",
            "POST /learn",
            "POST /predict-then-learn",
            "POST /explain",
            "GET /model",
            "GET /metrics",
            "DELETE /rows/0",
        ] {
            let refused = client.send(first, "", ROW.as_bytes());
            assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
            refused.refused(401, "token");
        }
        for path in ["/healthz", "/readyz", "/"] {
            client.get(path).ok();
        }
    }
    service.client().with_token(TOKEN).post("/learn", ROW).ok();
    // The page holds no data, and loads nothing from elsewhere.
    let page = service.client().get("/").ok();
    assert!(page.body.starts_with("<!doctype html>") && !page.body.contains("http"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'"));
}

/// A page of another site that is open in a browser on this machine reaches the service under a name of its own, or
/// states where it comes from.
#[test]
fn pages_of_other_sites_are_refused() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m");
    let own = service.address;
    let host = format!("host: {own}");
    for (host, origin, status) in [
        (host.as_str(), String::new(), 200),
        (&host, format!("origin: http://{own}"), 200),
        ("host: example.org", String::new(), 403),
        (&host, "origin: http://example.org".to_owned(), 403),
        (&host, "origin: null".to_owned(), 403),
        (&host, format!("origin: http://{own}.example.org"), 403),
    ] {
        let reply = service.client().ask("POST /learn", &[host, &origin], ROW);
        assert_eq!(reply.status, status, "{host} {origin}");
    }
    for (host, status) in [
        ("localhost", 200),
        ("LOCALHOST:8080", 200),
        ("127.0.0.2:1", 200),
        ("[::1]", 200),
        ("[::1]:80", 200),
        ("", 403),
        ("localhost.example.org", 403),
        ("10.0.0.1", 403),
        ("localhost:80:x", 403),
    ] {
        let host = format!("host: {host}");
        let reply = service.client().ask("GET /model", &[&host], "");
        assert_eq!(reply.status, status, "{host}");
    }
}

/// The head is checked before a request takes a permit, a body that does not come takes none, and clients that are too
/// slow are given up: nothing, half a head, half a body, of more of them than there may be connections. Health is
/// outside of the limits.
#[test]
fn clients_without_a_token_or_a_body_do_not_block_others() {
    let (bench, service) = with_token("--max-requests 2");
    let limits = "--patience 3 --max-connections 8";
    let impatient = Service::start(&bench, &format!("--model m --read-only {limits}"));
    for (service, strangers) in [(&service, 270), (&impatient, 16)] {
        let host = service.address;
        let head = format!("POST /predict HTTP/1.1\r\nhost: {host}\r\ncontent-length: 90\r\n\r\n[");
        let mut held = Vec::new();
        for text in ["", "GET / HTT", &head].iter().cycle().take(strangers) {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            held.push(stream);
        }
        thread::sleep(Duration::from_millis(200));
        let mut client = service.client().with_token(TOKEN);
        for path in ["/healthz", "/readyz", "/metrics", "/model"] {
            client.get(path).ok();
        }
        for _ in 0..30 {
            client.post("/predict", ROW).ok();
        }
    }
    // Those who have it take all permits with bodies that do not come.
    let (_bench, service) = with_token("--max-requests 16 --patience 300");
    let mut slow = Vec::new();
    for _ in 0..16 {
        let mut client = service.client().with_token(TOKEN);
        client.begin("/predict", 90, "[");
        slow.push(client);
    }
    wait_for("permits", || {
        let mut client = service.client().with_token(TOKEN);
        client.get("/healthz").ok();
        client.get("/metrics").ok();
        client.get("/model").status == 429
    });
}

/// Classes with long names: replies are much longer than what is asked.
fn many_classes() -> (Bench, String) {
    let rows = (0..600).map(|row| format!("{row},c{:0>200}\n", row % 300));
    let rows: String = rows.collect();
    let bench = Bench::with(&[("many.csv", &format!("x,kind\n{rows}"))]);
    bench.ok("train --data many.csv --model m --target kind --algorithm mondrian --trees 2");
    let rows: Vec<String> = (0..200).map(|row| format!("{{\"x\": {row}}}")).collect();
    (bench, format!("[{}]", rows.join(",")))
}

#[cfg(target_os = "linux")]
#[test]
fn replies_that_are_not_read_are_bounded() {
    let (bench, body) = many_classes();
    let service = Service::start(&bench, "--model m --max-requests 3");
    let path = "/predict?proba=true";
    let mut client = service.client();
    let reply = client.post(path, &body).ok();
    assert!(reply.body.len() > 200 * 300 * 200);
    // The next reply on this connection comes after the permit of the one before was released.
    client.get("/healthz").ok();
    let before = service.memory();
    let mut readers: Vec<(String, Client)> = Vec::new();
    for _ in 0..8 {
        let mut client = service.client();
        client.begin(path, body.len(), &body);
        // The rest of it is not read.
        readers.push((client.line().unwrap(), client));
    }
    let refused = readers.iter().filter(|(line, _)| line.contains("429"));
    assert_eq!(refused.count(), 5);
    // Three replies of 14 MB, and what they are made of.
    let grown = service.memory().saturating_sub(before);
    println!("eight readers that do not read: {grown} bytes more");
    assert!(grown < 56 << 20, "{grown}");
    service.client().get("/readyz").ok();
    drop(readers);
    wait_for("permits", || {
        service.client().post(path, &body).status == 200
    });
}

/// What could not be replied is not learned either.
#[test]
fn a_reply_that_is_too_long_is_refused_before_anything_is_done() {
    let (bench, body) = many_classes();
    let service = Service::start(&bench, "--model m --max-reply 8MiB");
    let mut client = service.client();
    let body = body.replace('}', ", \"kind\": \"c\"}");
    for path in ["/predict?proba=true", "/predict-then-learn?proba=true"] {
        client.post(path, &body).refused(413, "--max-reply");
    }
    client.post("/predict", &body).ok();
    assert_eq!(client.samples_seen(), 600);
}
