//! Requests over plain sockets, so that a test decides about every byte.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::LONG;

/// A reply.
#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find_map(|(header, value)| (header == name).then_some(value.as_str()))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// What must have succeeded.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, 200, "{self:?}");
        self
    }

    /// What must have been refused so, with these words.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, words: &str) {
        let is_said = self.status == status && self.body.contains(words);
        assert!(is_said, "{status} {words}: {self:?}");
    }
}

/// A service closes connections on which nothing comes for a while: one that was idle for longer is not used again.
const IDLE: Duration = Duration::from_secs(1);

/// A connection that is kept.
pub(crate) struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
    /// When the last reply came.
    used: Instant,
    /// A line of the head, or nothing.
    token: String,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            stream: connect(address).unwrap(),
            used: Instant::now(),
            token: String::new(),
        }
    }

    /// States a token from now on.
    pub(crate) fn with_token(mut self, token: &str) -> Self {
        self.token = format!("authorization: Bearer {token}");
        self
    }

    pub(crate) fn get(&mut self, path: &str) -> Response {
        self.send(&format!("GET {path}"), "", b"")
    }

    /// The number of rows that the model has learned.
    pub(crate) fn samples_seen(&mut self) -> u64 {
        let model = self.get("/model").ok().json();
        model["samples_seen"].as_u64().unwrap()
    }

    pub(crate) fn csv(&mut self, path: &str, body: &str) -> Response {
        self.send(&format!("POST {path}"), "text/csv", body.as_bytes())
    }

    pub(crate) fn post(&mut self, path: &str, body: &str) -> Response {
        let first = format!("POST {path}");
        self.send(&first, "application/json", body.as_bytes())
    }

    /// Sends method and path, and a body of this type, which may be empty.
    pub(crate) fn send(&mut self, first: &str, kind: &str, body: &[u8]) -> Response {
        self.try_send(first, kind, body).unwrap()
    }

    /// `None` if the connection ended before the reply was there.
    pub(crate) fn try_send(&mut self, first: &str, kind: &str, body: &[u8]) -> Option<Response> {
        if self.used.elapsed() > IDLE {
            self.stream = connect(self.address).ok()?;
        }
        let mut lines = vec![self.host(), self.token.clone()];
        if !kind.is_empty() {
            lines.push(format!("content-type: {kind}"));
        }
        let head = head(first, &lines, body.len());
        // A service that refuses a body does not read all of it.
        let _ = self.write(head.as_bytes()).and_then(|()| self.write(body));
        let reply = self.receive();
        self.used = Instant::now();
        reply
    }

    /// Sends the head of a request to `path`, which states the length of the body, and the beginning of the body.
    pub(crate) fn begin(&mut self, path: &str, length: usize, body: &str) {
        let lines = [self.host(), self.token.clone()];
        let head = head(&format!("POST {path}"), &lines, length);
        self.write(format!("{head}{body}").as_bytes()).unwrap();
    }

    fn host(&self) -> String {
        format!("host: {}", self.address)
    }

    /// Sends bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// A request with these lines of its head, besides the first one, and a body in JSON.
    pub(crate) fn ask(&mut self, first: &str, lines: &[&str], body: &str) -> Response {
        let head = head(first, lines, body.len());
        self.write(format!("{head}{body}").as_bytes()).unwrap();
        self.receive().unwrap()
    }

    /// The next reply.
    pub(crate) fn receive(&mut self) -> Option<Response> {
        let status = self.line()?.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        let mut body = Vec::new();
        while let Some((name, value)) = self.line()?.split_once(':') {
            let name = name.to_ascii_lowercase();
            let value = value.trim().to_owned();
            if name == "content-length" {
                body.resize(value.parse().unwrap(), 0);
            }
            headers.push((name, value));
        }
        self.stream.read_exact(&mut body).ok()?;
        let body = String::from_utf8(body).unwrap();
        Some(Response {
            status,
            headers,
            body,
        })
    }

    /// A line without its end; `None` at the end.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim_end().to_owned())
    }
}

fn connect(address: SocketAddr) -> std::io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(LONG))?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

/// The head of a request; empty lines are left out.
fn head(first: &str, lines: &[impl AsRef<str>], length: usize) -> String {
    let mut head = format!("{first} HTTP/1.1\r\n");
    for line in lines.iter().map(AsRef::as_ref) {
        if !line.is_empty() {
            head += &format!("{line}\r\n");
        }
    }
    format!("{head}content-length: {length}\r\n\r\n")
}
