//! Downloads against a server on loopback: whole or absent, whatever the server does.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the exception for tests in clippy.toml does not reach their helpers"
)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::thread;

use datasets::Digest;
use datasets::fetch::{FetchError, NetworkFault, download};
use indicatif::ProgressBar;
use tempfile::TempDir;

/// SHA-256 of `CONTENT`.
const DIGEST: &str = "sha256:7686bd97a717ef9eaab038422c445d6e07b9626211f4344ff541872d80fc675f";
const CONTENT: &[u8] = b"eleven rows of numbers, and not one of them missing\n";

/// How the server responds to one request.
#[derive(Clone, Copy)]
enum Manner {
    /// The whole file, or the range asked for.
    HonoursRanges,
    /// The whole file, whatever was asked for.
    IgnoresRanges,
    /// Announces the whole file and hangs up after this many bytes.
    HangsUpAfter(usize),
    /// Another file of the same length.
    SendsAnother,
    /// Only a status.
    Refuses(&'static str),
}

/// Serves one connection per manner, in order; returns the address.
fn serve(manners: &'static [Manner]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for manner in manners {
            respond(&listener.accept().unwrap().0, *manner);
        }
    });
    format!("http://{address}/file")
}

fn respond(mut stream: &TcpStream, manner: Manner) {
    let from = range_start(stream);
    let whole = |length: usize| {
        format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n")
    };
    let (head, body) = match (manner, from) {
        (Manner::HonoursRanges, Some(from)) if from >= CONTENT.len() => (
            "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                .to_owned(),
            Vec::new(),
        ),
        (Manner::HonoursRanges, Some(from)) => (partial(from), CONTENT[from..].to_vec()),
        (Manner::HonoursRanges, None) | (Manner::IgnoresRanges, _) => {
            (whole(CONTENT.len()), CONTENT.to_vec())
        }
        (Manner::HangsUpAfter(bytes), _) => (whole(CONTENT.len()), CONTENT[..bytes].to_vec()),
        (Manner::SendsAnother, _) => (whole(CONTENT.len()), vec![b'?'; CONTENT.len()]),
        (Manner::Refuses(status), _) => (
            format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
            Vec::new(),
        ),
    };
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body).unwrap();
}

fn partial(from: usize) -> String {
    let (last, all) = (CONTENT.len() - 1, CONTENT.len());
    format!(
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {from}-{last}/{all}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        all - from
    )
}

/// Reads a request; the start of the range it asks for.
fn range_start(stream: &TcpStream) -> Option<usize> {
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    let head: Vec<String> = lines
        .take_while(|line| !line.is_empty())
        .map(|line| line.to_lowercase())
        .collect();
    head.iter().find_map(|line| {
        line.strip_prefix("range: bytes=")?
            .strip_suffix('-')?
            .parse()
            .ok()
    })
}

/// A folder with the file to be, and its part.
struct Target {
    folder: TempDir,
}

impl Target {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn with_part(part: &[u8]) -> Self {
        let target = Self::new();
        fs::write(target.part(), part).unwrap();
        target
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("file")
    }

    fn part(&self) -> PathBuf {
        self.folder.path().join("file.part")
    }

    fn download(&self, url: &str) -> Result<(), FetchError> {
        let digest: Digest = DIGEST.parse().unwrap();
        download(url, &self.file(), &[&digest], &ProgressBar::hidden())
    }

    #[track_caller]
    fn assert_complete(&self) {
        assert_eq!(fs::read(self.file()).unwrap(), CONTENT);
        assert!(!self.part().exists());
    }
}

#[track_caller]
fn fault(result: Result<(), FetchError>) -> NetworkFault {
    match result {
        Err(FetchError::Network { fault, .. }) => fault,
        other => panic!("expected a fault of the network, got {other:?}"),
    }
}

#[test]
fn a_file_is_downloaded_whole() {
    let target = Target::new();
    target.download(&serve(&[Manner::HonoursRanges])).unwrap();
    target.assert_complete();
}

#[test]
fn an_interrupted_download_resumes_where_it_ended() {
    let target = Target::new();
    let url = serve(&[Manner::HangsUpAfter(20), Manner::HonoursRanges]);
    let fault = fault(target.download(&url));
    assert!(
        matches!(fault, NetworkFault::Interrupted { got: 20, .. }),
        "{fault}"
    );
    assert!(!target.file().exists());
    assert_eq!(fs::read(target.part()).unwrap(), CONTENT[..20]);
    target.download(&url).unwrap();
    target.assert_complete();
}

#[test]
fn a_server_that_ignores_ranges_sends_the_file_again() {
    let target = Target::with_part(&CONTENT[..20]);
    target.download(&serve(&[Manner::IgnoresRanges])).unwrap();
    target.assert_complete();
}

#[test]
fn a_part_of_another_version_costs_one_fresh_download() {
    let target = Target::with_part(b"something else");
    target
        .download(&serve(&[Manner::HonoursRanges, Manner::HonoursRanges]))
        .unwrap();
    target.assert_complete();
}

#[test]
fn a_part_as_long_as_the_file_costs_one_fresh_download() {
    let target = Target::with_part(&[b'?'; 500]);
    target
        .download(&serve(&[Manner::HonoursRanges, Manner::HonoursRanges]))
        .unwrap();
    target.assert_complete();
}

#[test]
fn a_wrong_checksum_leaves_nothing() {
    let target = Target::new();
    let fault = fault(target.download(&serve(&[Manner::SendsAnother])));
    assert!(
        matches!(fault, NetworkFault::WrongChecksum { .. }),
        "{fault}"
    );
    assert!(!target.file().exists() && !target.part().exists());
}

#[test]
fn a_refusal_leaves_nothing_and_keeps_an_old_part() {
    let target = Target::new();
    let url = serve(&[
        Manner::Refuses("404 Not Found"),
        Manner::Refuses("503 Service Unavailable"),
    ]);
    assert_eq!(fault(target.download(&url)), NetworkFault::Status(404));
    assert!(!target.file().exists() && !target.part().exists());
    fs::write(target.part(), &CONTENT[..5]).unwrap();
    assert_eq!(fault(target.download(&url)), NetworkFault::Status(503));
    assert_eq!(fs::read(target.part()).unwrap(), CONTENT[..5]);
}

#[test]
fn no_server_is_a_fault_of_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/file", listener.local_addr().unwrap());
    drop(listener);
    assert!(matches!(
        fault(Target::new().download(&url)),
        NetworkFault::NoReply(_)
    ));
}

#[test]
fn a_folder_that_is_missing_is_a_fault_of_the_disk() {
    let target = Target::new();
    let digest: Digest = DIGEST.parse().unwrap();
    let to = target.folder.path().join("absent/file");
    let result = download(
        &serve(&[Manner::HonoursRanges]),
        &to,
        &[&digest],
        &ProgressBar::hidden(),
    );
    assert!(matches!(result, Err(FetchError::Disk { .. })));
}
