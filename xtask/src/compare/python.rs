//! `--python`: the learners of a Python file join the comparison.
//!
//! The package `online_forests` runs the whole comparison in place of this process, with the same results to the bit.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail, ensure};
use comparison::{Contender, host};
use datasets::OpenOptions;
use serde_json::json;

use super::args::Args;
use crate::terminal::command_line;

const PYTHON: &str = "python3";
const MODULE: &str = "online_forests.compare";

/// Runs the comparison in Python, whose exit code is that of this program.
pub(super) fn run(mut args: Args, file: &Path) -> Result<ExitCode> {
    ensure!(file.is_file(), "--python: {} is not a file", file.display());
    let check = Command::new(PYTHON)
        .args(["-c", &format!("import {MODULE}")])
        .output();
    let check = check.with_context(|| {
        format!("--python: cannot run {PYTHON}; install Python 3.11 or later, or activate the environment that has it")
    })?;
    if !check.status.success() {
        let said = String::from_utf8_lossy(&check.stderr);
        bail!(
            "--python: {PYTHON} cannot import {MODULE} ({}); install the package with `pip install ./python` in the \
             checkout, or activate the environment that has it",
            said.lines().last().unwrap_or("no reason given")
        );
    }
    // By default those that the data have without `--python`.
    if args.algorithms.is_empty() {
        let mut options = OpenOptions::default();
        options.data_dir.clone_from(&args.request.data_dir);
        let mut tasks = Vec::new();
        for address in &args.data {
            tasks.push(datasets::open(address, &options)?.task());
        }
        let able = |one: &Contender| tasks.iter().any(|task| one.supports(*task));
        args.algorithms.extend(Contender::defaults().filter(able));
    }
    let threads = host::threads(args.request.threads);
    args.request.threads = std::num::NonZeroUsize::new(threads);
    let asked = json!({
        "file": text(file.as_os_str())?,
        "command": command_line(),
        "json": args.json,
        "algorithms": args.algorithms.iter().map(Contender::to_string).collect::<Vec<_>>(),
        "data": args.data.iter().map(|data| text(data)).collect::<Result<Vec<_>>>()?,
        "request": args.request,
    });
    let mut command = Command::new(PYTHON);
    command.args(["-m", MODULE, &asked.to_string()]);
    replace(&mut command).context("cannot start Python")
}

/// Takes the place of this process, so that signals reach Python alone.
#[cfg(unix)]
fn replace(command: &mut Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn replace(command: &mut Command) -> Result<ExitCode> {
    let code = command.status()?.code();
    Ok(u8::try_from(code.unwrap_or(1)).map_or(ExitCode::FAILURE, ExitCode::from))
}

fn text(word: &OsStr) -> Result<&str> {
    let text = word.to_str();
    text.with_context(|| format!("--python: {} is not UTF-8; rename it", word.display()))
}
