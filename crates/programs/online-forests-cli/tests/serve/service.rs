//! A service in a process of its own.

use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bench::{Bench, LONG, Running, status};
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
        let mut running = Running::new(command);
        let line = running.wait_for_line("listening on http://");
        let (_, address) = line.trim_end().rsplit_once('/').unwrap();
        Self {
            address: address.parse().unwrap(),
            running: Some(running),
        }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    pub(crate) fn id(&self) -> u32 {
        self.running.as_ref().unwrap().child.id()
    }

    /// Bytes of memory that it holds (Linux).
    pub(crate) fn memory(&self) -> u64 {
        let held = status(self.id(), "VmRSS:");
        let kilobytes = held.map_or(0, |held| held.trim_end_matches(" kB").parse().unwrap());
        kilobytes << 10
    }

    /// Waits for a line on standard error with these words.
    pub(crate) fn wait_for_line(&mut self, words: &str) {
        self.running.as_mut().unwrap().wait_for_line(words);
    }

    pub(crate) fn signal(&self, signal: &str) {
        self.running.as_ref().unwrap().send(signal);
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

    pub(crate) fn kill(self) {
        self.signal("-KILL");
        self.end();
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

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONG, "{what}");
        std::thread::sleep(Duration::from_millis(20));
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
        Self::sums_with("--target value --fit-rows 200 --trees 4")
    }

    /// Numbers, of which a model is trained with these options.
    pub(crate) fn sums_with(options: &'static str) -> Self {
        Self {
            text: sums(600),
            options,
            learned: 300,
        }
    }

    /// A folder with the model `m` of the first rows, and the table `rest.csv` of the others.
    pub(crate) fn bench(&self) -> Bench {
        let tables = [
            ("all.csv", self.text.as_str()),
            ("first.csv", &first(&self.text, self.learned)),
            ("rest.csv", &self.rest()),
        ];
        let bench = Bench::with(&tables);
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

    /// Tables of the rows that are not in the model, each with the header and at most `rows` rows.
    pub(crate) fn parts(&self, rows: usize) -> Vec<String> {
        let rest = self.rest();
        let (header, lines) = rest.split_once('\n').unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        let part = |lines: &[&str]| format!("{header}\n{}\n", lines.join("\n"));
        lines.chunks(rows).map(part).collect()
    }
}

/// Rows of a table without quotes, as JSON: numbers stay as they are written.
pub(crate) fn objects(csv: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let mut objects = Vec::new();
    for row in reader.records() {
        let mut pairs = Vec::new();
        for (name, cell) in header.iter().zip(&row.unwrap()) {
            let value = match cell.parse::<f64>() {
                Ok(_) => cell.to_owned(),
                Err(_) if cell.is_empty() => "null".to_owned(),
                Err(_) => serde_json::to_string(cell).unwrap(),
            };
            pairs.push(format!("\"{name}\": {value}"));
        }
        objects.push(format!("{{{}}}", pairs.join(", ")));
    }
    objects
}
