//! The program as a user meets it: arguments in; exit code, both outputs and files out.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use tempfile::TempDir;

/// How often tests kill: `KILLS`, or so often.
pub(crate) fn kills(by_default: usize) -> usize {
    std::env::var("KILLS").map_or(by_default, |count| count.parse().unwrap())
}

/// A folder of its own, in which the program is run.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The name of the folder, without where it is.
    pub(crate) fn name(&self) -> String {
        self.folder()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// The program with `line`, cut at blanks: the one that was built with the tests, or `ONLINE_FORESTS`.
    pub(crate) fn command(&self, line: &str) -> Command {
        let built = || env!("CARGO_BIN_EXE_online-forests").into();
        let mut command = Command::new(std::env::var_os("ONLINE_FORESTS").unwrap_or_else(built));
        command
            .args(line.split_whitespace())
            .current_dir(self.folder());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs what must succeed, and gives what it said on standard output.
    pub(crate) fn ok(&self, line: &str) -> String {
        stdout(&expect_success(line, self.run(line)))
    }

    /// The same with an input.
    pub(crate) fn ok_with(&self, line: &str, input: &str) -> String {
        stdout(&expect_success(line, self.run_with(line, input)))
    }

    /// Runs with an input, which is written while the program runs.
    pub(crate) fn run_with(&self, line: &str, input: &str) -> Output {
        let mut command = self.command(line);
        let pipes = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_owned());
        // A program that fails early does not read all of it.
        let writing = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap();
        output
    }

    /// Runs what must be refused in one sentence with all of `words`.
    pub(crate) fn refused(&self, line: &str, words: &[&str]) {
        let output = self.run(line);
        let said = stderr(&output);
        let code = output.status.code();
        assert!(matches!(code, Some(1 | 2)), "{line}: {code:?}\n{said}");
        let is_sentence = said.lines().last().is_some() && said.contains("error: ");
        assert!(
            is_sentence && !said.contains("panicked"),
            "{line} said\n{said}"
        );
        assert!(said.len() < 2000, "{line} said too much:\n{said}");
        for word in words {
            assert!(said.contains(word), "{line} did not say {word} but\n{said}");
        }
    }
}

fn expect_success(line: &str, output: Output) -> Output {
    assert!(output.status.success(), "{line} said\n{}", stderr(&output));
    output
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
