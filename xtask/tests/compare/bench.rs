//! The program as a user meets it: arguments in; exit code, both outputs and files out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own, and the program run in it.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command
            .arg("compare")
            .args(options.split_whitespace())
            .current_dir(self.folder.path())
            .env_remove("FOREST_DATA");
        command
    }

    pub(crate) fn compare(&self, options: &str) -> Output {
        self.command(options).output().unwrap()
    }

    pub(crate) fn runs(&self) -> Vec<Value> {
        json_lines(&fs::read_to_string(self.out().join("runs.jsonl")).unwrap())
    }
}

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
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
