//! The program as a user meets it: arguments in; exit code, both outputs and files out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const CLASSES: &str = "gaussian-mixture:n=300,test=100";
pub(crate) const NUMBERS: &str = "friedman:n=300,test=100";

/// A folder of its own, and the program run in it.
pub(crate) struct Bench {
    folder: TempDir,
}

/// What a program left: its exit code and both outputs.
#[derive(Debug)]
pub(crate) struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// A folder with the finished runs of `compare` with these options.
    pub(crate) fn of(options: &str) -> Self {
        let bench = Self::new();
        bench.done(options);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// Writes an input file and gives its path as an argument.
    pub(crate) fn input(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// `compare` with these options, separated by spaces, and with the folder.
    pub(crate) fn command(&self, options: &str) -> Command {
        let mut command = self.bare("--threads 1 --out");
        command.arg(self.out()).args(options.split_whitespace());
        command
    }

    /// As [`Bench::command`], without the folder.
    pub(crate) fn bare(&self, options: &str) -> Command {
        let mut command = xtask("compare");
        command
            .args(options.split_whitespace())
            .current_dir(self.folder.path());
        command
    }

    pub(crate) fn compare(&self, options: &str) -> Ended {
        end(&mut self.command(options))
    }

    /// Compares with success.
    pub(crate) fn done(&self, options: &str) -> Ended {
        let ended = self.compare(options);
        assert_eq!(ended.code, Some(0), "{options:?}: {}", ended.err);
        ended
    }

    /// The text of a file of the report.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.out().join(name)).unwrap()
    }

    pub(crate) fn runs(&self) -> Vec<Value> {
        let lines = self.read("runs.jsonl");
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// `cargo xtask` with these words.
pub(crate) fn xtask(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command
        .args(words.split_whitespace())
        .env_remove("FOREST_DATA");
    command
}

pub(crate) fn end(command: &mut Command) -> Ended {
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    Ended {
        code: output.status.code(),
        out,
        err,
    }
}

/// Asserts that the text has all of these words, which are separated by `|`.
#[track_caller]
pub(crate) fn has(text: &str, words: &str) {
    for word in words.split('|') {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

/// Two features and a class of 60 rows; another `shift` gives other values.
pub(crate) fn table(shift: usize) -> String {
    let row = |i: usize| {
        let (a, b) = ((i * 37 + shift) % 61, (i * 53) % 59);
        format!("{a},{b},{}\n", u8::from(a > 30))
    };
    format!("a,b,class\n{}", (0..60).map(row).collect::<String>())
}

/// Files below `folder`, relative to it, sorted.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(files(&path).iter().map(|inner| format!("{name}/{inner}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}
