//! The program as a user meets it: arguments in; exit code, both outputs and files out.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a test waits for what must happen. It takes much less, unless the machine is busy.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// How often tests kill: `KILLS`, or so often.
pub(crate) fn kills(by_default: usize) -> usize {
    std::env::var("KILLS").map_or(by_default, |count| count.parse().unwrap())
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// A folder of its own, in which the program is run.
pub(crate) struct Bench(TempDir);

impl Bench {
    /// A folder with these tables.
    pub(crate) fn with(tables: &[(&str, &str)]) -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        for (name, text) in tables {
            bench.write(name, text);
        }
        bench
    }

    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        self.contents().into_keys().collect()
    }

    /// The bytes of every file; folders and pipes are left out.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut contents = BTreeMap::new();
        for entry in fs::read_dir(self.folder()).unwrap().map(Result::unwrap) {
            let mut bytes = Vec::new();
            if fs::metadata(entry.path()).is_ok_and(|found| found.is_file()) {
                bytes = fs::read(entry.path()).unwrap();
            }
            contents.insert(entry.file_name().into_string().unwrap(), bytes);
        }
        contents
    }

    /// Checks that two models are the same, bit for bit.
    #[track_caller]
    pub(crate) fn same(&self, one: &str, other: &str, what: &str) {
        let same = self.bytes(one) == self.bytes(other);
        assert!(same, "{one} is not {other}: {what}");
    }

    /// The program with `line`, cut at blanks: the one that was built with the tests, or `ONLINE_FORESTS`.
    pub(crate) fn command(&self, line: &str) -> Command {
        let built = || env!("CARGO_BIN_EXE_online-forests").into();
        let program = std::env::var_os("ONLINE_FORESTS").unwrap_or_else(built);
        self.program(program, line.split_whitespace())
    }

    /// The same started by another program.
    pub(crate) fn behind(&self, program: &str, arguments: &[&str], line: &str) -> Command {
        let inner = self.command(line);
        let mut command = self.program(program, arguments);
        command.arg(inner.get_program()).args(inner.get_args());
        command
    }

    /// A program in this folder.
    pub(crate) fn program(
        &self,
        program: impl AsRef<std::ffi::OsStr>,
        arguments: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>,
    ) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs what must succeed, and gives what it said on standard output.
    #[track_caller]
    pub(crate) fn ok(&self, line: &str) -> String {
        expect_success(line, &self.run(line))
    }

    /// The same with an input.
    #[track_caller]
    pub(crate) fn ok_with(&self, line: &str, input: &str) -> String {
        expect_success(line, &self.run_with(line, input))
    }

    /// Runs what must succeed and say all of `words` on standard error, which is returned.
    #[track_caller]
    pub(crate) fn says(&self, line: &str, words: &[&str]) -> String {
        let output = self.run(line);
        expect_success(line, &output);
        let said = stderr(&output);
        expect_words(line, &said, words);
        said
    }

    /// The same on standard output.
    #[track_caller]
    pub(crate) fn shows(&self, line: &str, words: &[&str]) -> String {
        let shown = self.ok(line);
        expect_words(line, &shown, words);
        shown
    }

    /// Runs with an input, which is written while the program runs.
    pub(crate) fn run_with(&self, line: &str, input: &str) -> Output {
        let mut command = self.command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // A program that fails early does not read all of it.
        let writing = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap();
        output
    }

    /// Runs what must be refused in one sentence with all of `words`.
    #[track_caller]
    pub(crate) fn refused(&self, line: &str, words: &[&str]) {
        let output = self.run(line);
        let said = stderr(&output);
        let is_refused = matches!(output.status.code(), Some(1 | 2));
        assert!(is_refused, "{line}: {}\n{said}", output.status);
        let is_sentence = said.contains("error: ") && !said.contains("panicked");
        assert!(is_sentence && said.len() < 2000, "{line} said\n{said}");
        expect_words(line, &said, words);
    }

    /// Runs lines that must be refused, each with all of its words, and that change no file and make none.
    #[track_caller]
    pub(crate) fn refuse(&self, start: &str, cases: &[(&str, &[&str])]) {
        let before = self.contents();
        for (rest, words) in cases {
            self.refused(&format!("{start} {rest}"), words);
            let after = self.contents();
            assert!(before.keys().eq(after.keys()), "{rest}: {:?}", after.keys());
            assert!(before == after, "{start} {rest} changed a file");
        }
    }

    /// The same, of a table with a line and its words in each row.
    #[track_caller]
    pub(crate) fn refuse_all(&self, start: &str, table: &str) {
        for row in table.trim().lines() {
            let (rest, words) = row.split_once(" | ").unwrap();
            let words: Vec<&str> = words.split(" | ").collect();
            self.refuse(start, &[(rest.trim(), &words)]);
        }
    }

    /// Starts a line whose input stays open.
    pub(crate) fn start(&self, line: &str) -> Running {
        Running::new(self.command(line))
    }
}

/// A program that runs, with an input that is open.
pub(crate) struct Running {
    pub child: Child,
    pipe: Option<ChildStdin>,
    /// The lines on standard error. Tests share a program among threads, and only a lock can be shared.
    lines: Mutex<Receiver<String>>,
}

impl Running {
    pub(crate) fn new(mut command: Command) -> Self {
        let command = command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let pipe = child.stdin.take();
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            while stderr.read_line(&mut line).unwrap() > 0 {
                // A test that has failed listens no more.
                let _ = sender.send(std::mem::take(&mut line));
            }
        });
        let lines = Mutex::new(lines);
        Self { child, pipe, lines }
    }

    pub(crate) fn write(&mut self, text: impl AsRef<[u8]>) {
        let pipe = self.pipe.as_mut().unwrap();
        pipe.write_all(text.as_ref()).unwrap();
    }

    /// The next line on standard error; empty at the end.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        match self.lines.get_mut().unwrap().recv_timeout(LONG) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => String::new(),
            Err(RecvTimeoutError::Timeout) => panic!("no line on standard error in {LONG:?}"),
        }
    }

    /// Waits for a line on standard error with these words.
    pub(crate) fn wait_for_line(&mut self, words: &str) -> String {
        let mut said = String::new();
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "it did not say {words} but\n{said}");
            if line.contains(words) {
                return line;
            }
            said += &line;
        }
    }

    /// Waits until the program handles signals, SIGHUP last. Where the system does not report that (Linux does), it
    /// waits for a while.
    pub(crate) fn wait_for_handlers(&self) {
        let start = Instant::now();
        while let Some(caught) = status(self.child.id(), "SigCgt:") {
            if caught.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']) {
                return;
            }
            assert!(start.elapsed() < LONG, "no handlers");
            thread::sleep(Duration::from_millis(20));
        }
        thread::sleep(Duration::from_secs(5));
    }

    pub(crate) fn send(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.pipe = None;
    }

    /// Waits for the end while the input stays open; the exit code, and what was said since.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            said += &line;
        }
        (self.child.wait().unwrap().code(), said)
    }
}

/// What the system reports of a process under this name (Linux).
pub(crate) fn status(process: u32, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.map(|line| line.trim().to_owned())
}

#[track_caller]
fn expect_success(line: &str, output: &Output) -> String {
    assert!(output.status.success(), "{line} said\n{}", stderr(output));
    stdout(output)
}

#[track_caller]
pub(crate) fn expect_words(line: &str, said: &str, words: &[&str]) {
    for word in words {
        assert!(said.contains(word), "{line} did not say {word} but\n{said}");
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Lines and reasons of the bad rows that were reported.
pub(crate) fn bad_rows(said: &str) -> Vec<(String, String)> {
    let rows = said.lines().filter_map(|line| line.strip_prefix("line "));
    let rows = rows.filter_map(|row| row.split_once(": "));
    rows.map(|(line, reason)| (line.to_owned(), reason.to_owned()))
        .collect()
}

/// The column of a CSV text, without its header.
pub(crate) fn column(text: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at = header.iter().position(|found| found == name);
    let at = at.unwrap_or_else(|| panic!("no column {name} in {header:?}"));
    reader
        .records()
        .map(|row| row.unwrap()[at].to_owned())
        .collect()
}

/// The same as numbers.
pub(crate) fn numbers(text: &str, name: &str) -> Vec<f64> {
    let cells = column(text, name);
    cells.iter().map(|cell| cell.parse().unwrap()).collect()
}
