//! Who may ask the service, and what is said to others.

use std::time::{Duration, Instant};

use crate::service::{Service, Table};

const ROW: &str = r#"{"x": 0.5, "y": 0.5, "value": 1}"#;
const TOKEN: &str = "0123456789abcdef";
const READING: &str = "reading-9876543210";

/// As a proxy on the same machine sends it, with the token or without.
fn forwarded(service: &Service, lines: &[&str]) -> crate::client::Response {
    let lines = [
        &["host: 127.0.0.1", "content-type: application/json"],
        lines,
    ]
    .concat();
    service.client().ask("POST /learn", &lines, ROW)
}

/// A proxy would let everyone in whom it serves.
#[test]
fn forwarded_requests_need_a_token() {
    let bench = Table::sums().bench();
    bench.write("token", TOKEN);
    let service = Service::start(&bench, "--model m");
    let headers = [
        "X-Forwarded-For: 192.0.2.7",
        "x-forwarded-for:",
        "X-Forwarded-Host: example.org",
        "Forwarded: for=192.0.2.7",
        "X-Real-IP: 192.0.2.7",
        "Via: 1.1 proxy",
    ];
    for header in headers {
        let refused = forwarded(&service, &[header]);
        assert!(
            refused.status == 403 && refused.error().contains("--token-file"),
            "{header}: {refused:?}"
        );
    }
    forwarded(&service, &[]).ok();
    let model = service.client().get("/model").ok().json();
    assert_eq!(model["samples_seen"], 301);
    service.stop();
    let service = Service::start(&bench, "--model m --token-file token");
    let stated = format!("authorization: Bearer {TOKEN}");
    for header in headers {
        assert_eq!(forwarded(&service, &[header]).status, 401, "{header}");
        forwarded(&service, &[header, &stated]).ok();
    }
}

/// Behind a proxy the page has a name that the service does not see; and a browser says whose page it is that asks.
#[test]
fn pages_ask_from_their_own_site_or_from_one_that_is_allowed() {
    let bench = Table::sums().bench();
    bench.write("token", TOKEN);
    let line = "--model m --token-file token --allowed-origin https://Forest.example.org:443";
    let service = Service::start(&bench, line);
    let status = |first: &str, lines: &[&str]| {
        let stated = format!("authorization: Bearer {TOKEN}");
        let lines = [&["host: 127.0.0.1", &stated], lines].concat();
        service.client().ask(first, &lines, ROW).status
    };
    let cases: [(&[&str], u16); 9] = [
        (&[], 200),
        (&["sec-fetch-site: same-origin"], 200),
        (&["sec-fetch-site: none"], 200),
        (&["sec-fetch-site: same-site"], 403),
        (&["sec-fetch-site: cross-site"], 403),
        (
            &["origin: http://127.0.0.1", "sec-fetch-site: same-origin"],
            200,
        ),
        (&["origin: https://forest.example.org"], 200),
        (&["origin: http://forest.example.org"], 403),
        (&["origin: https://forest.example.org.evil"], 403),
    ];
    for (lines, expected) in cases {
        assert_eq!(status("POST /learn", lines), expected, "{lines:?}");
        assert_eq!(status("GET /model", lines), expected, "{lines:?}");
    }
    // A link to the page may stand anywhere.
    assert_eq!(status("GET /", &["sec-fetch-site: cross-site"]), 200);
    bench.refused(
        "serve --model m --allowed-origin forest.example.org",
        &["https://"],
    );
}

/// What two programs could read in two ways, one of which checks what the other one does.
#[test]
fn heads_and_bodies_that_could_be_read_in_two_ways_are_refused() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m");
    let host = format!("host: {}", service.address);
    let once: [(&[&str], u16); 13] = [
        (&[&host, "host: example.org"], 400),
        (&[&host, &host], 400),
        (&[], 400),
        (
            &[
                &host,
                "content-type: text/csv",
                "content-type: application/json",
            ],
            400,
        ),
        (&[&host, "content-encoding: gzip"], 415),
        (&[&host, "content-encoding: identity, br"], 415),
        (&[&host, "te: gzip"], 501),
        (&[&host, "te: trailers, deflate"], 501),
        (
            &[&host, "content-type: application/json; charset=utf-16"],
            415,
        ),
        (
            &[
                &host,
                "content-type: application/json; a=b; Charset=\"latin1\"",
            ],
            415,
        ),
        (&[&host, "te: trailers", "content-encoding: identity"], 200),
        (
            &[&host, "content-type: application/json; charset=\"UTF-8\""],
            200,
        ),
        (&[&host], 200),
    ];
    for (lines, expected) in once {
        let reply = service.client().ask("POST /learn", lines, ROW);
        assert_eq!(reply.status, expected, "{lines:?}: {reply:?}");
    }
    let elsewhere = service
        .client()
        .ask("GET http://example.org/model", &[&host], "");
    assert_eq!(elsewhere.status, 400);
    for (coding, expected) in [
        ("transfer-encoding: chunked", 200),
        ("transfer-encoding: gzip, chunked", 501),
        (
            "transfer-encoding: chunked\r\ntransfer-encoding: chunked",
            400,
        ),
    ] {
        let mut client = service.client();
        let head = format!("POST /learn HTTP/1.1\r\n{host}\r\n{coding}\r\n\r\n");
        let body = format!("{:x}\r\n{ROW}\r\n0\r\n\r\n", ROW.len());
        client.write(format!("{head}{body}").as_bytes()).unwrap();
        assert_eq!(client.receive().unwrap().status, expected, "{coding}");
    }
    let model = service.client().get("/model").ok().json();
    assert_eq!(model["samples_seen"], 304);
}

#[test]
fn a_token_may_only_read() {
    let bench = Table::sums().bench();
    bench.write("token", TOKEN);
    bench.write("reading", READING);
    bench.refused(
        "serve --model m --read-token-file reading",
        &["--token-file"],
    );
    let line = "--model m --token-file token --read-token-file reading";
    let service = Service::start(&bench, line);
    let mut client = service.client().with_token(READING);
    for path in ["/predict", "/explain"] {
        client.post(path, ROW).ok();
    }
    for path in ["/model", "/metrics"] {
        client.get(path).ok();
    }
    for path in ["/learn", "/predict-then-learn", "/learn?durable=true"] {
        let refused = client.post(path, ROW);
        assert!(
            refused.status == 403 && refused.error().contains("read-only"),
            "{path}: {refused:?}"
        );
    }
    assert_eq!(client.send("DELETE", "/rows/0", None, b"").status, 403);
    let mut client = service.client().with_token(TOKEN);
    client.post("/learn", ROW).ok();
    client.post("/predict", ROW).ok();
    assert_eq!(client.get("/model").ok().json()["samples_seen"], 301);
}

/// What is open stays open, and the old token is good for nothing any more.
#[test]
fn tokens_are_read_again_at_hang_up() {
    let bench = Table::sums().bench();
    bench.write("token", TOKEN);
    let service = Service::start(&bench, "--model m --token-file token");
    let new = "fedcba9876543210";
    let statuses = || [TOKEN, new].map(|it| service.client().with_token(it).get("/model").status);
    let wait = |expected: [u16; 2]| {
        let start = Instant::now();
        while statuses() != expected {
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "{:?}",
                statuses()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    assert_eq!(statuses(), [200, 401]);
    bench.write("token", new);
    assert_eq!(statuses(), [200, 401]);
    service.signal("-HUP");
    wait([401, 200]);
    // A file that holds none changes nothing.
    bench.write("token", "short");
    service.signal("-HUP");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(statuses(), [401, 200]);
    let said = service.stop();
    assert!(said.contains("what was read before stays"), "{said}");
    // Nothing is to be read again: the service ends, as other commands do.
    let service = Service::start(&bench, "--model m");
    service.signal("-HUP");
    assert_eq!(service.end().0.code(), Some(0));
}
