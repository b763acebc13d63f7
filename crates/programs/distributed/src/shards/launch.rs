//! Starts processes, waits for them, and restarts them.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use forest_model::{CommandError, interrupt};

use super::args::PlaceOptions;
use super::error::ShardsError;
use super::predictions::Note;
use crate::{Checkpoints, Committed, Hosts};

/// The exit code of a process that may resume once all are started again (`EX_TEMPFAIL` of BSD).
pub(super) const TEMPORARY: u8 = 75;

/// How often processes are polled.
const LOOK: Duration = Duration::from_millis(10);

/// How long the others may take to notice that one has ended.
const GRACE: Duration = Duration::from_secs(5);

/// How often processes are started without progress.
const MOST_STARTS: usize = 30;

/// Marks a process that was started by another one, and ends with it.
const CHILD: &str = "ONLINE_FORESTS_STARTED_BY";

/// The file of the secret that processes of this machine share, in their folder.
const SECRET: &str = "secret";

/// What is added to the command line of restarted processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restart {
    /// `--resume`.
    Resumes,
    /// Nothing: they start from the beginning.
    Repeats,
}

/// Starts the processes, with the command line of this one, and waits until they have ended.
pub(super) fn run(
    place: &PlaceOptions,
    folder: &Path,
    restart: Restart,
) -> Result<ExitCode, CommandError> {
    fs::create_dir_all(folder).map_err(|source| CommandError::io("make", folder, source))?;
    interrupt::listen();
    let mut starts = Starts::default();
    loop {
        let again = starts.count > 0 && restart == Restart::Resumes;
        let reason = match Running::start(place, folder, again)?.wait() {
            Ended::For(code) => return Ok(code),
            Ended::Temporarily(reason) => reason,
        };
        if interrupt::is_requested() {
            eprintln!("{reason}; interrupted, --resume continues from the last checkpoint");
            return Ok(interrupt::exit_code());
        }
        if !place.supervise {
            eprintln!("{reason}; --resume continues from the last checkpoint");
            return Ok(ExitCode::from(TEMPORARY));
        }
        let rows = Checkpoints::all_committed::<Note>(folder)?;
        starts.add(rows.first().map(|found: &Committed<Note>| found.rows));
        if starts.count >= MOST_STARTS {
            let times = starts.count;
            return Err(ShardsError::NoProgress { times, reason }.into());
        }
        eprintln!("{reason}; all continue from the last checkpoint");
    }
}

/// The number of starts without another committed row.
#[derive(Debug, Default)]
struct Starts {
    count: usize,
    furthest: Option<u64>,
}

impl Starts {
    /// Counts a start after which `rows` rows are committed: as the first one without progress if there was some.
    fn add(&mut self, rows: Option<u64>) {
        self.count = if rows > self.furthest {
            1
        } else {
            self.count + 1
        };
        self.furthest = rows;
    }
}

/// How processes have ended.
enum Ended {
    For(ExitCode),
    Temporarily(String),
}

/// The processes of a run.
struct Running {
    processes: Vec<(usize, Child)>,
    has_forwarded: bool,
}

impl Running {
    fn start(place: &PlaceOptions, folder: &Path, resume: bool) -> Result<Self, CommandError> {
        let (list, processes): (PathBuf, Vec<usize>) = match (&place.hosts, place.process) {
            (Some(list), Some(process)) => (list.clone(), vec![process]),
            _ => {
                let count = place.processes.map_or(1, std::num::NonZeroUsize::get);
                (local(folder, count)?, (0..count).collect())
            }
        };
        let mut running = Self {
            processes: Vec::new(),
            has_forwarded: false,
        };
        for process in processes {
            let mut command = command(place, folder, &list, process, resume)?;
            let child = command.spawn();
            let child = child.map_err(|source| {
                let program = PathBuf::from(command.get_program());
                CommandError::io("start", &program, source)
            });
            running.processes.push((process, child?));
        }
        Ok(running)
    }

    /// Waits until all have ended. Once one has failed, the others have some time to notice.
    fn wait(mut self) -> Ended {
        let (mut ended, mut until) = (Ended::For(ExitCode::SUCCESS), None);
        while !self.processes.is_empty() {
            thread::sleep(LOOK);
            self.forward_signals();
            let mut left = Vec::new();
            for (process, mut child) in std::mem::take(&mut self.processes) {
                match child.try_wait() {
                    Ok(None) => left.push((process, child)),
                    Ok(Some(status)) if status.success() => {}
                    Ok(Some(status)) => {
                        until.get_or_insert_with(|| Instant::now() + GRACE);
                        ended = ended.add(process, status);
                    }
                    Err(error) => ended = Ended::Temporarily(error.to_string()),
                }
            }
            self.processes = left;
            if until.is_some_and(|until| Instant::now() > until) {
                self.kill();
            }
        }
        ended
    }

    /// Forwards a signal to the first of the other processes, which ends the run.
    fn forward_signals(&mut self) {
        if interrupt::is_requested() && !self.has_forwarded {
            self.has_forwarded = true;
            self.processes
                .iter()
                .take(1)
                .for_each(|(_, child)| forward_signal(child));
        }
    }

    fn kill(&mut self) {
        for (_, child) in &mut self.processes {
            // It may have ended by now.
            let _ = child.kill();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Ended {
    /// Keeps the most serious failure: one that a restart does not help counts more than one that it does.
    fn add(self, process: usize, status: ExitStatus) -> Self {
        match (self, status.code()) {
            (Self::For(code), Some(_)) if code != ExitCode::SUCCESS => Self::For(code),
            (_, Some(code)) if code != i32::from(TEMPORARY) => Self::For(exit_code(code)),
            (Self::Temporarily(first), _) => Self::Temporarily(first),
            (_, Some(_)) => Self::Temporarily(format!("process {process} has lost the others")),
            (_, None) => Self::Temporarily(format!("process {process} has ended: {status}")),
        }
    }
}

/// Returns the exit code after that of a process. An interrupted run ends by the signal that this process has received.
fn exit_code(code: i32) -> ExitCode {
    if interrupt::is_requested() && interrupt::is_exit_code(code) {
        return interrupt::exit_code();
    }
    u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Writes a list of addresses of this machine into the folder.
fn local(folder: &Path, processes: usize) -> Result<PathBuf, CommandError> {
    let path = folder.join("hosts");
    let text = Hosts::local(processes)
        .map_err(|source| CommandError::io("find ports for", &path, source))?;
    fs::write(&path, text).map_err(|source| CommandError::io("write", &path, source))?;
    let secret = folder.join(SECRET);
    write_secret(&secret).map_err(|source| CommandError::io("write", &secret, source))?;
    Ok(path)
}

/// Writes a new secret that other users of this machine cannot read: they reach the ports as well.
fn write_secret(path: &Path) -> io::Result<()> {
    // Permissions apply only when a file is created.
    if let Err(error) = fs::remove_file(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(Hosts::new_secret()?.as_bytes())
}

/// Returns the command line of this process, for one that takes a place.
fn command(
    place: &PlaceOptions,
    folder: &Path,
    list: &Path,
    process: usize,
    resume: bool,
) -> Result<Command, CommandError> {
    let program = std::env::current_exe();
    let program =
        program.map_err(|source| CommandError::io("find", Path::new("this program"), source))?;
    let own: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut command = Command::new(program);
    command
        .args(without_place(&own))
        .env(CHILD, std::process::id().to_string());
    let is = |option: &str| own.iter().any(|word| is_option(word, option));
    if place.hosts.is_none() {
        command.arg("--hosts").arg(list);
        command.arg("--secret-file").arg(folder.join(SECRET));
        command.arg("--process").arg(process.to_string());
        if place.checkpoint_dir.is_none() {
            command.arg("--checkpoint-dir").arg(folder);
        }
        if !is("--threads") {
            command
                .arg("--threads")
                .arg(threads_each(place).to_string());
        }
    }
    if resume && !is("--resume") {
        command.arg("--resume");
    }
    own_group(&mut command);
    Ok(command)
}

/// Divides the cores among the processes.
fn threads_each(place: &PlaceOptions) -> usize {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let processes = place.processes.map_or(1, std::num::NonZeroUsize::get);
    (cores / processes).max(1)
}

/// Returns the arguments without those that configure how processes are started.
fn without_place(words: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--processes" {
            words.next();
        } else if word != "--supervise" && !is_option(word, "--processes") {
            kept.push(word.clone());
        }
    }
    kept
}

/// Returns whether an argument is `--option`, or `--option=value`.
fn is_option(word: &OsString, option: &str) -> bool {
    let rest = word.to_str().and_then(|word| word.strip_prefix(option));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Forwards the signal: Ctrl-C in a terminal reaches this process alone.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn forward_signal(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(process) = Pid::from_raw(child.id() as i32) {
        // It may have ended by now.
        let _ = kill_process(process, Signal::USR1);
    }
}

#[cfg(not(unix))]
fn forward_signal(_: &Child) {}

/// Returns whether this process was started by another one.
pub(super) fn is_started() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Listens to signals. A process whose starter is killed ends as after a signal.
pub(super) fn listen() {
    #[cfg(unix)]
    if is_started() {
        interrupt::listen_to_parent();
        end_with_parent();
    }
    interrupt::listen();
}

#[cfg(target_os = "linux")]
fn end_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // Where the system does not support that, the process continues to the end of the data.
    let _ = set_parent_process_death_signal(Some(Signal::TERM));
}

#[cfg(all(unix, not(target_os = "linux")))]
fn end_with_parent() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_starts_without_progress_count() {
        let mut starts = Starts::default();
        for rows in 0..2 * MOST_STARTS as u64 {
            starts.add(Some(rows));
            assert_eq!(starts.count, 1);
        }
        for without in 2..=MOST_STARTS {
            starts.add(starts.furthest);
            assert_eq!(starts.count, without);
        }
    }

    #[test]
    fn the_words_that_start_processes_are_left_out() {
        let words = "train --processes 3 --data a --supervise --processes=2 --process 1";
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        assert_eq!(
            without_place(&words),
            ["train", "--data", "a", "--process", "1"]
        );
    }
}
