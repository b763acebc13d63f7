//! `--python`: the learners of a Python file join the comparison.
//!
//! The package `online_forests` has the adapters for them, and measures ours as this program does, to the last bit. So it gets the
//! whole comparison, and its process takes the place of this one.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use comparison::{Contender, host};
use datasets::{Dataset, OpenOptions};
use serde_json::{Value, json};

use super::args::Args;

const PYTHON: &str = "python3";
const MODULE: &str = "online_forests.compare";

/// Runs the comparison in Python, whose exit code is that of this program.
pub(super) fn run(args: &Args, file: &Path) -> Result<ExitCode> {
    ensure!(file.is_file(), "--python: {} is not a file", file.display());
    check_package()?;
    let mut command = Command::new(PYTHON);
    command.args(["-m", MODULE, &described(args, file)?.to_string()]);
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
    let code = code.and_then(|code| code.try_into().ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Checks that Python and the package are there, before data are opened.
fn check_package() -> Result<()> {
    let check = Command::new(PYTHON)
        .args(["-c", &format!("import {MODULE}")])
        .output()
        .with_context(|| {
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
    Ok(())
}

/// Returns what the module reads: `options` are the keyword arguments of its function `compare`.
fn described(args: &Args, file: &Path) -> Result<Value> {
    let data: Vec<&str> = super::addresses(args)
        .iter()
        .map(|address| text(address))
        .collect::<Result<_>>()?;
    let metrics: Vec<&str> = args.metrics.iter().map(|metric| metric.name).collect();
    let out = args.out.as_ref().map(|path| text(path.as_os_str()));
    Ok(json!({
        "file": text(file.as_os_str())?,
        "command": host::command(&["cargo", "xtask"]),
        "json": args.json,
        "algorithms": algorithms(args)?,
        "data": data,
        "options": {
            "protocol": name(&args.protocol),
            "seeds": args.seeds,
            "trees": args.trees,
            "metrics": metrics,
            "out": out.transpose()?,
            "resume": args.resume,
            "order": args.order.as_ref().map(name),
            "train": args.train.map(|size| size.to_string()),
            "split": args.split.as_ref().map(name),
            "folds": args.folds,
            "validation": args.validation.as_ref().map(name),
            "delay": args.delay,
            "scale": name(&args.scale),
            "weights": name(&args.weights),
            "components": args.pca,
            "n_jobs": host::threads(args.threads),
            "max_memory": args.max_memory,
            "time_limit": args.time_limit.map(|time| time.as_secs_f64()),
            "data_dir": text(args.data_dir.as_os_str())?,
        },
    }))
}

/// Returns the algorithms by name: by default those that the data have without `--python`.
fn algorithms(args: &Args) -> Result<Vec<String>> {
    let mut algorithms = args.algorithms.clone();
    if algorithms.is_empty() {
        let options = OpenOptions {
            data_dir: Some(args.data_dir.clone()),
            ..OpenOptions::default()
        };
        let open = |address| datasets::open(address, &options);
        let data = super::addresses(args).into_iter().map(open);
        let data: Vec<Dataset> = data.collect::<Result<_, _>>()?;
        algorithms = Contender::defaults().collect();
        algorithms.retain(|known| data.iter().any(|data| known.supports(data.task())));
    }
    Ok(algorithms.iter().map(ToString::to_string).collect())
}

fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.expect("every value has a name").get_name().to_owned()
}

fn text(word: &OsStr) -> Result<&str> {
    let text = word.to_str();
    text.with_context(|| format!("--python: {} is not UTF-8; rename it", word.display()))
}
