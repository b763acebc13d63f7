//! A service in a process of its own.

use std::net::SocketAddr;
use std::process::Command;

use crate::bench::{Bench, Running};
use crate::client::Client;
use crate::data::{first, from, houses, sums};

/// A row of [`sums`] in JSON.
pub(crate) const ROW: &str = r#"{"x": 0.5, "y": 0.5, "value": 1}"#;

/// A running service; killed when it is dropped.
pub(crate) struct Service {
    running: Option<Running>,
    pub address: SocketAddr,
}

impl Service {
    /// `serve` with more arguments, in the folder of the bench.
    pub(crate) fn start(bench: &Bench, line: &str) -> Self {
        Self::spawn(bench.command(&format!("serve --listen 127.0.0.1:0 {line}")))
    }

    /// A command that serves.
    pub(crate) fn spawn(command: Command) -> Self {
        let (mut running, mut said) = (Running::new(command), String::new());
        loop {
            let line = running.line();
            assert!(!line.is_empty(), "it said\n{said}");
            said += &line;
            if let Some((_, address)) = line.trim_end().split_once("listening on http://") {
                let address = address.parse().unwrap();
                return Self {
                    running: Some(running),
                    address,
                };
            }
        }
    }

    fn running(&self) -> &Running {
        self.running.as_ref().unwrap()
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    pub(crate) fn id(&self) -> u32 {
        self.running().child.id()
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
        self.running().send(signal);
    }

    /// The code with which it ends, and what it says until then.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        self.running.take().unwrap().end()
    }

    /// Ends it in order.
    pub(crate) fn stop(self) -> String {
        self.signal("-TERM");
        let (code, said) = self.end();
        assert_eq!(code, Some(0), "{said}");
        said
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            // It may have ended.
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
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
        let start = first(&self.text, self.learned);
        let rest = self.rest();
        let bench = Bench::with(&[
            ("all.csv", &self.text),
            ("first.csv", &start),
            ("rest.csv", &rest),
        ]);
        self.train(&bench, "first.csv", "m");
        bench
    }

    /// Trains a model of a table in the folder.
    pub(crate) fn train(&self, bench: &Bench, data: &str, model: &str) {
        bench.ok(&format!(
            "train --data {data} --model {model} {}",
            self.options
        ));
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
        let pairs = header.iter().zip(&row).map(|(name, cell)| {
            let value = match cell.parse::<f64>() {
                Ok(_) => cell.to_owned(),
                Err(_) if cell.is_empty() => "null".to_owned(),
                Err(_) => serde_json::to_string(cell).unwrap(),
            };
            format!("\"{name}\": {value}")
        });
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
    };
    reader.records().map(|row| object(row.unwrap())).collect()
}
