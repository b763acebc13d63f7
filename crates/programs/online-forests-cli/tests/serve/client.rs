//! Requests over plain sockets, so that a test decides about every byte.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// A reply.
#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// A connection that is kept.
pub(crate) struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
    /// A line of the head, or nothing.
    token: String,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find_map(|(header, value)| (header == name).then_some(value.as_str()))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    /// What must have succeeded.
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, 200, "{self:?}");
        self
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            address,
            stream: BufReader::new(stream),
            token: String::new(),
        }
    }

    /// States a token from now on.
    pub(crate) fn with_token(mut self, token: &str) -> Self {
        self.token = format!("authorization: Bearer {token}\r\n");
        self
    }

    pub(crate) fn get(&mut self, path: &str) -> Response {
        self.send("GET", path, None, b"")
    }

    /// The number of rows that the model has learned.
    pub(crate) fn samples_seen(&mut self) -> u64 {
        let model = self.get("/model").ok().json();
        model["samples_seen"].as_u64().unwrap()
    }

    pub(crate) fn csv(&mut self, path: &str, body: &str) -> Response {
        self.send("POST", path, Some("text/csv"), body.as_bytes())
    }

    pub(crate) fn post(&mut self, path: &str, body: &str) -> Response {
        self.send("POST", path, Some("application/json"), body.as_bytes())
    }

    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        kind: Option<&str>,
        body: &[u8],
    ) -> Response {
        self.try_send(method, path, kind, body).unwrap()
    }

    /// `None` if the connection ended before the reply was there.
    pub(crate) fn try_send(
        &mut self,
        method: &str,
        path: &str,
        kind: Option<&str>,
        body: &[u8],
    ) -> Option<Response> {
        let (address, length) = (self.address, body.len());
        let kind = kind.map_or(String::new(), |kind| format!("content-type: {kind}\r\n"));
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\n{kind}");
        let head = format!("{head}{}content-length: {length}\r\n\r\n", self.token);
        // A service that refuses a body does not read all of it.
        let sent = self.write(head.as_bytes()).and_then(|()| self.write(body));
        drop(sent);
        self.receive()
    }

    /// Sends bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// A request with these lines of its head, besides the first one, and a body in JSON.
    pub(crate) fn ask(&mut self, first: &str, lines: &[&str], body: &str) -> Response {
        let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        let length = body.len();
        let head = format!("{first} HTTP/1.1\r\n{lines}content-length: {length}\r\n\r\n");
        self.write(format!("{head}{body}").as_bytes()).unwrap();
        self.receive().unwrap()
    }

    /// The next reply.
    pub(crate) fn receive(&mut self) -> Option<Response> {
        let status = self.line()?;
        let status = status.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut response = Response {
            status,
            headers,
            body: String::new(),
        };
        let length = response
            .header("content-length")
            .map(|text| text.parse().unwrap());
        let mut body = vec![0; length.unwrap_or(0)];
        self.stream.read_exact(&mut body).ok()?;
        response.body = String::from_utf8(body).unwrap();
        Some(response)
    }

    /// A line without its end; `None` at the end.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(1..) => Some(line.trim_end().to_owned()),
            Ok(0) | Err(_) => None,
        }
    }
}
