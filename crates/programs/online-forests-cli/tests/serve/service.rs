//! A service in a process of its own.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};

use crate::bench::Bench;
use crate::client::Client;
use crate::data::{first, from, houses, sums};

/// A running service; killed when it is dropped.
pub(crate) struct Service {
    child: Child,
    stderr: BufReader<ChildStderr>,
    pub address: SocketAddr,
}

impl Service {
    /// `serve` with more arguments, in the folder of the bench.
    pub(crate) fn start(bench: &Bench, line: &str) -> Self {
        Self::spawn(bench.command(&format!("serve --listen 127.0.0.1:0 {line}")))
    }

    /// A command that serves.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut said, marker) = (String::new(), "listening on http://");
        let address = loop {
            let mut text = String::new();
            assert!(
                stderr.read_line(&mut text).unwrap() > 0,
                "{command:?} said\n{said}"
            );
            said += &text;
            if let Some((_, address)) = text.trim_end().split_once(marker) {
                break address.parse().unwrap();
            }
        };
        Self {
            child,
            stderr,
            address,
        }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Bytes of memory that it holds (Linux).
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.map_or(0, |line| {
            line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
        })
    }

    pub(crate) fn signal(&self, signal: &str) {
        let process = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &process]).status();
        assert!(sent.unwrap().success());
    }

    /// How it ends, and what it says until then.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap(), said)
    }

    /// Ends it in order.
    pub(crate) fn stop(self) -> String {
        self.signal("-TERM");
        let (status, said) = self.end();
        assert_eq!(status.code(), Some(0), "{said}");
        said
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is done to the first of the rows, and what is served.
pub(crate) struct Table {
    pub text: String,
    pub options: &'static str,
    /// Rows in the model file before anything is served.
    pub learned: usize,
}

impl Table {
    /// Classes, words and missing values.
    pub(crate) fn houses() -> Self {
        Self {
            text: houses(900),
            options: "--target kind --missing median --fit-rows 200 --trees 4",
            learned: 500,
        }
    }

    /// Numbers.
    pub(crate) fn sums() -> Self {
        Self {
            text: sums(600),
            options: "--target value --fit-rows 200 --trees 4",
            learned: 300,
        }
    }

    /// A folder with the model `m` of the first rows, and the table `rest.csv` of the others.
    pub(crate) fn bench(&self) -> Bench {
        let bench = Bench::new();
        bench.write("all.csv", &self.text);
        bench.write("first.csv", &first(&self.text, self.learned));
        bench.write("rest.csv", &self.rest());
        bench.ok(&format!(
            "train --data first.csv --model m {}",
            self.options
        ));
        bench
    }

    /// The rows that are not in the model.
    pub(crate) fn rest(&self) -> String {
        from(&self.text, self.learned)
    }

    /// The header, and rows that are not in the model, so many at a time.
    pub(crate) fn parts(&self, rows: usize) -> Vec<String> {
        let rest = self.rest();
        let mut lines = rest.lines();
        let header = lines.next().unwrap();
        let lines: Vec<&str> = lines.collect();
        let part = |lines: &[&str]| format!("{header}\n{}\n", lines.join("\n"));
        lines.chunks(rows).map(part).collect()
    }
}

/// Rows of a table without quotes, as JSON: numbers stay as they are written.
pub(crate) fn objects(csv: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let object = |row: csv::StringRecord| {
        let pairs = header
            .iter()
            .zip(&row)
            .map(|(name, cell)| match cell.parse::<f64>() {
                Ok(_) => format!("\"{name}\": {cell}"),
                Err(_) if cell.is_empty() => format!("\"{name}\": null"),
                Err(_) => format!("\"{name}\": {}", serde_json::to_string(cell).unwrap()),
            });
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
    };
    reader.records().map(|row| object(row.unwrap())).collect()
}
