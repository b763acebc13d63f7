//! Where the service listens, how, and whom its files belong to.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::service::{Service, Table};

const ROW: &str = r#"{"x": 0.5, "y": 0.5, "value": 1}"#;

/// The reply to a request over a socket file.
fn ask(socket: &Path, lines: &str) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    let length = ROW.len();
    let head = format!(
        "POST /learn HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n{lines}\r\n"
    );
    stream.write_all(format!("{head}{ROW}").as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Whether a service ends by itself, within some seconds.
fn is_refused(bench: &Bench, line: &str) -> bool {
    let mut child = bench.command(&format!("serve {line}")).spawn().unwrap();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(10) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code() == Some(1);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    false
}

/// What has been left by a service that was killed is replaced; what somebody listens at, or is something else, is not.
#[test]
fn a_service_listens_at_a_socket_file() {
    let bench = Table::sums().bench();
    let socket = bench.path("socket");
    let start = || Service::start_at(&bench, "unix:socket", "--model m", &[]);
    let service = start();
    assert_eq!(mode(&socket), 0o660);
    assert!(ask(&socket, "").ends_with("{\"id\":300}\n"));
    // A proxy would let everyone in whom it serves, here as well.
    assert!(ask(&socket, "x-forwarded-for: 192.0.2.7\r\n").starts_with("HTTP/1.1 403"));
    assert!(is_refused(
        &bench,
        "--model m --read-only --listen unix:socket"
    ));
    assert!(ask(&socket, "").ends_with("{\"id\":301}\n"));
    service.signal("-KILL");
    service.end();
    assert!(socket.exists());
    let service = start();
    assert!(ask(&socket, "").starts_with("HTTP/1.1 200"));
    service.stop();
    assert!(!socket.exists());
    bench.write("file", "kept");
    bench.refused(
        "serve --model m --read-only --listen unix:file",
        &["unix:file"],
    );
    assert_eq!(bench.read("file"), "kept");
    let _other = UnixListener::bind(bench.path("other")).unwrap();
    bench.refused(
        "serve --model m --read-only --listen unix:other",
        &["unix:other"],
    );
    bench.refused("serve --model m --listen unix:", &["path"]);
}

/// A certificate for 127.0.0.1; `false` where there is no program that makes one.
fn certificate(bench: &Bench, name: &str) -> bool {
    let line = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=forest \
                -addext subjectAltName=IP:127.0.0.1";
    let mut command = Command::new("openssl");
    let command = command
        .args(line.split_whitespace())
        .current_dir(bench.folder());
    let files = [
        "-keyout",
        &format!("{name}.key"),
        "-out",
        &format!("{name}.crt"),
    ];
    command
        .args(files)
        .output()
        .is_ok_and(|made| made.status.success())
}

/// What curl receives, which knows this certificate alone.
fn secure(bench: &Bench, service: &Service, certificate: &str) -> Option<String> {
    let mut command = Command::new("curl");
    let lines = [
        "--silent",
        "--fail",
        "--noproxy",
        "*",
        "--max-time",
        "10",
        "--cacert",
        certificate,
    ];
    let command = command.args(lines).current_dir(bench.folder());
    let address = format!("https://{}/healthz", service.address);
    let output = command.arg(address).output().unwrap();
    output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).unwrap())
}

/// A certificate that is renewed is used from the next connection on.
#[test]
fn connections_are_secure_with_a_certificate() {
    let bench = Table::sums().bench();
    let has_curl = Command::new("curl").arg("--version").output().is_ok();
    if !has_curl || !certificate(&bench, "first") || !certificate(&bench, "second") {
        println!("curl and openssl are not installed: TLS is not tested");
        return;
    }
    let copy = |name: &str| {
        for kind in ["crt", "key"] {
            fs::copy(
                bench.path(&format!("{name}.{kind}")),
                bench.path(&format!("own.{kind}")),
            )
            .unwrap();
        }
    };
    copy("first");
    let limits = "--patience 1 --max-connections 2";
    let line = format!("--model m --tls-certificate own.crt --tls-key own.key {limits}");
    let service = Service::start(&bench, &line);
    assert_eq!(
        secure(&bench, &service, "first.crt").as_deref(),
        Some("ok\n")
    );
    assert_eq!(secure(&bench, &service, "second.crt"), None);
    // Who connects and says nothing, more often than there may be connections, is given up.
    let silent = [(); 4].map(|()| TcpStream::connect(service.address).unwrap());
    assert_eq!(
        secure(&bench, &service, "first.crt").as_deref(),
        Some("ok\n")
    );
    drop(silent);
    // Without TLS there is no reply.
    let plain = service.client().try_send("GET", "/healthz", None, b"");
    assert!(plain.is_none(), "{plain:?}");
    copy("second");
    service.signal("-HUP");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(
        secure(&bench, &service, "second.crt").as_deref(),
        Some("ok\n")
    );
    assert_eq!(secure(&bench, &service, "first.crt"), None);
    service.stop();
    for (certificate, key) in [
        ("first.crt", "second.key"),
        ("m", "own.key"),
        ("own.crt", "own.crt"),
        ("none", "own.key"),
    ] {
        let line = format!("serve --model m --tls-certificate {certificate} --tls-key {key}");
        bench.refused(&line, &["as PEM"]);
    }
    bench.refused("serve --model m --tls-key own.key", &["--tls-certificate"]);
}

/// A model may hold rows: they are not for everybody, unless somebody was given them.
#[test]
fn a_model_that_holds_rows_is_not_for_everybody() {
    let bench = Table::sums().bench();
    let file = bench.path("m");
    for (before, after) in [
        (0o644, 0o600),
        (0o604, 0o600),
        (0o640, 0o640),
        (0o660, 0o660),
    ] {
        fs::set_permissions(&file, fs::Permissions::from_mode(before)).unwrap();
        let service = Service::start(&bench, "--model m");
        assert_eq!(mode(&file), after, "{before:o}");
        service.client().post("/learn?durable=true", ROW).ok();
        assert_eq!(mode(&file), after, "{before:o}, saved");
        service.stop();
    }
    // Made by the service itself.
    let options = "--data first.csv --target value --trees 4";
    let service = Service::start_with(&bench, "--model new", &["--new", options]);
    assert_eq!(mode(&bench.path("new")), 0o600);
    service.stop();
    // Sums of rows are not rows.
    bench.ok("train --data first.csv --model sums --target value --algorithm stream-rf");
    fs::set_permissions(bench.path("sums"), fs::Permissions::from_mode(0o644)).unwrap();
    let service = Service::start(&bench, "--model sums");
    service.client().post("/learn?durable=true", ROW).ok();
    assert_eq!(mode(&bench.path("sums")), 0o644);
    service.stop();
}
