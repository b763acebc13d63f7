//! Ctrl-C and SIGTERM end a training after it has saved what it has learned.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use online_forests::Regression;
use online_forests_cli::{AnyModel, Model};

use crate::bench::{Bench, stderr};
use crate::data::{first, from, sums};

/// Sends a signal and waits for the end.
pub(crate) fn signal(child: Child, signal: &str) -> Output {
    send(&child, signal);
    child.wait_with_output().unwrap()
}

fn send(child: &Child, signal: &str) {
    let process = child.id().to_string();
    let sent = Command::new("kill").args([signal, &process]).status();
    assert!(sent.unwrap().success());
}

/// The model `m`, once it has learned this number of rows.
pub(crate) fn model_of(bench: &Bench, rows: u64) -> Model<Regression> {
    let start = Instant::now();
    loop {
        if let Ok(AnyModel::Regression(model)) = AnyModel::load(bench.path("m"))
            && model.position().learned >= rows
        {
            return model;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no model of {rows} rows"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// A service is stopped by SIGTERM, a command at a terminal by Ctrl-C, or by SIGHUP if the terminal is closed. Nothing is lost but what has not arrived.
#[test]
fn a_signal_saves_what_was_learned_and_the_rest_is_learned_later() {
    let (bench, options) = (Bench::new(), "--target value --fit-rows 100");
    // What is said of the bad row is the sign that all rows before it have arrived.
    let text = format!("{}1,2\n{}", first(&sums(400), 250), from_row(250));
    bench.write("sums.csv", &text);
    bench.ok(&format!("train --data sums.csv {options} --model whole"));
    for (name, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        let train = format!("train --data - {options} --model m --checkpoint never");
        let mut command = bench.command(&train);
        let pipes = command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(first(&text, 251).as_bytes()).unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        stderr.read_line(&mut said).unwrap();
        assert!(said.starts_with("line 252: "), "{said}");
        send(&child, name);
        stderr.read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{said}");
        let end =
            "learned 250 rows; 1 bad row; interrupted; model so far in m; continue with --resume";
        assert!(said.contains(end), "{said}");
        assert_eq!(model_of(&bench, 250).position().rows(), 251);
        bench.ok("train --data sums.csv --model m --resume");
        assert_eq!(bench.bytes("m"), bench.bytes("whole"));
        std::fs::remove_file(bench.path("m")).unwrap();
    }
    assert_eq!(bench.files(), ["sums.csv", "whole"]);
}

/// Delays between the two signals of one request, in seconds.
pub(crate) const DELAYS: [&str; 3] = ["0", "0.01", "0.05"];

/// Runs commands of a shell, whose `kill` sends without starting a program.
pub(crate) fn shell(script: &str) {
    // A process that has ended by the second signal is not a failure.
    Command::new("sh").args(["-c", script]).status().unwrap();
}

/// GNU `timeout` signals the process and then its group; a service manager signals all while one of them hands it on.
#[test]
fn a_signal_that_comes_twice_is_one_request() {
    let text = format!("{}1,2\n", first(&sums(400), 250));
    for delay in DELAYS {
        for (name, code) in [("TERM", 143), ("INT", 130)] {
            let bench = Bench::new();
            let train = "train --data - --target value --fit-rows 100 --model m --checkpoint never";
            let mut command = bench.command(train);
            let pipes = command.stdin(Stdio::piped()).stderr(Stdio::piped());
            let mut child = pipes.process_group(0).spawn().unwrap();
            let mut pipe = child.stdin.take().unwrap();
            pipe.write_all(text.as_bytes()).unwrap();
            let mut stderr = BufReader::new(child.stderr.take().unwrap());
            let mut said = String::new();
            stderr.read_line(&mut said).unwrap();
            let id = child.id();
            shell(&format!(
                "kill -{name} {id}; sleep {delay}; kill -{name} -{id}"
            ));
            stderr.read_to_string(&mut said).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(code), "{said}");
            assert!(said.contains("learned 250 rows"), "{said}");
            assert_eq!(model_of(&bench, 250).position().rows(), 251);
        }
    }
}

/// A program that cannot end in order: nobody reads what it writes.
#[test]
fn a_third_signal_ends_at_once() {
    let (bench, text) = (Bench::new(), sums(20_000));
    bench.write("sums.csv", &first(&text, 200));
    bench.write("all.csv", &text);
    bench.ok("train --data sums.csv --target value --model m");
    let mut command = bench.command("predict --data all.csv --model m");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_secs(2));
    let id = child.id();
    shell(&format!("kill -TERM {id}; sleep 0.05; kill -TERM {id}"));
    thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none());
    shell(&format!("kill -TERM {id}"));
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

/// The rows of the table of 400 from `row` on, without the header.
pub(crate) fn from_row(row: usize) -> String {
    let text = from(&sums(400), row);
    text.split_once('\n').unwrap().1.to_owned()
}

/// What was there is not thrown away: it cannot be asked of a pipe again.
#[test]
fn a_signal_before_the_columns_are_known_makes_a_model_of_what_is_there() {
    for (name, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        let bench = Bench::new();
        bench.write("log.csv", &sums(50));
        bench.ok("train --data log.csv --target value --model whole");
        let follow = "train --data log.csv --target value --model m --follow";
        let mut command = bench.command(follow);
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        thread::sleep(Duration::from_secs(2));
        let output = signal(child, name);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        let fitted =
            "before all --fit-rows rows were read: columns and scale are fitted on 50 rows";
        assert!(said.contains(fitted), "{said}");
        assert!(said.contains("learned 50 rows; interrupted"), "{said}");
        assert_eq!(bench.bytes("m"), bench.bytes("whole"));
    }
}

#[test]
fn a_signal_before_the_first_row_makes_no_model() {
    let bench = Bench::new();
    let mut command = bench.command("train --data - --target y --model m");
    let pipes = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let header = b"@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n";
    pipe.write_all(header).unwrap();
    pipe.write_all(b"1.2345678").unwrap();
    thread::sleep(Duration::from_secs(2));
    let output = signal(child, "-INT");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("before the first row was read"), "{said}");
    assert!(bench.files().is_empty());
}

/// `nohup` asks for that.
#[test]
fn a_hang_up_that_is_ignored_does_not_end_the_training() {
    let bench = Bench::new();
    let train = bench.command("train --data - --target value --model m --fit-rows 100");
    let mut command = Command::new("nohup");
    command.arg(train.get_program()).args(train.get_args());
    command.current_dir(bench.folder());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = pipes.stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(first(&sums(400), 200).as_bytes()).unwrap();
    thread::sleep(Duration::from_secs(2));
    send(&child, "-HUP");
    pipe.write_all(from_row(200).as_bytes()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("learned 400 rows"), "{said}");
}

#[test]
fn a_signal_while_rows_are_predicted_leaves_no_output() {
    let (bench, text) = (Bench::new(), sums(200));
    bench.write("sums.csv", &text);
    bench.ok("train --data sums.csv --target value --model m");
    let mut command = bench.command("predict --data - --model m --out predictions");
    let pipes = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut asking = child.stdin.take().unwrap();
    asking.write_all(text.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(500));
    let output = signal(child, "-TERM");
    assert_eq!(output.status.code(), Some(143));
    assert_eq!(bench.files(), ["m", "sums.csv"]);
}
