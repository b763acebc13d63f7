//! Ctrl-C, SIGTERM and SIGHUP end a training after it has saved what it has learned, of a pipe or of a file that grows.

use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use online_forests_cli::AnyModel;

use crate::bench::{Bench, Running, expect_words, status};
use crate::data::{first, from, sums};

const TRAIN: &str = "train --target value --fit-rows 100 --model m --data";

/// Signals, and the codes of a program that they have ended.
const SIGNALS: [(&str, i32); 3] = [("-TERM", 143), ("-INT", 130), ("-HUP", 129)];

/// Waits until the model `m` has learned this number of rows; the number that it has read.
pub(crate) fn model_of(bench: &Bench, rows: u64) -> u64 {
    let start = Instant::now();
    loop {
        let model = AnyModel::load(bench.path("m"));
        if let Ok(position) = model.map(|model| model.position())
            && position.learned >= rows
        {
            return position.rows();
        }
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "no model of {rows} rows"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// Checks how a program has ended, and what it has said.
#[track_caller]
fn ended(running: Running, code: i32, words: &[&str]) {
    let (found, said) = running.end();
    assert_eq!(found, Some(code), "{said}");
    expect_words("it", &said, words);
}

/// The table of 400 rows with a bad one behind the first 250: the message about it is the sign that all before it have
/// arrived.
fn table() -> (Bench, String) {
    let text = sums(400);
    let rest = from(&text, 250);
    let (_, rest) = rest.split_once('\n').unwrap();
    let text = format!("{}1,2\n{rest}", first(&text, 250));
    let bench = Bench::with(&[("sums.csv", &text)]);
    bench.ok("train --data sums.csv --target value --fit-rows 100 --model whole");
    (bench, text)
}

/// Runs commands of a shell, whose `kill` sends without starting a program.
fn shell(script: &str) {
    // A process that has ended by the second signal is not a failure.
    Command::new("sh").args(["-c", script]).status().unwrap();
}

/// A service is stopped by SIGTERM, a command at a terminal by Ctrl-C, or by SIGHUP if the terminal is closed. GNU
/// `timeout` signals the process and then its group. Programs before this one in a pipe end by the same signal: the
/// last line may be half written. Nothing is lost but what has not arrived.
#[test]
fn a_signal_saves_what_was_learned_and_the_rest_is_learned_later() {
    let (bench, text) = table();
    let twice = ["0", "0.005", "0.01", "0.02", "0.05"].map(|delay| (0, Some(delay)));
    for (more, delay) in [(0, None), (5, None)].into_iter().chain(twice) {
        for (name, code) in SIGNALS {
            let mut command = bench.command(&format!("{TRAIN} - --checkpoint never"));
            command.process_group(0);
            // The start of the table, up to the bad row, and `more` bytes.
            let mut training = Running::new(command);
            training.write(&text[..first(&text, 251).len() + more]);
            let said = training.line();
            assert!(said.starts_with("line 252: "), "{said}");
            let id = training.child.id();
            match delay {
                None if more > 0 => {
                    // The end of the pipe is there before the signal, and the program sees both at once.
                    training.send("-STOP");
                    while status(id, "State:").is_some_and(|state| !state.starts_with('T')) {
                        thread::yield_now();
                    }
                    training.close();
                    training.send(name);
                    training.send("-CONT");
                }
                None => training.send(name),
                Some(delay) => shell(&format!(
                    "kill {name} {id}; sleep {delay}; kill {name} -{id}"
                )),
            }
            let end = "learned 250 rows; 1 bad row; interrupted; model so far in m; continue with --resume";
            ended(training, code, &[end]);
            assert_eq!(model_of(&bench, 250), 251);
            bench.ok("train --data sums.csv --model m --resume");
            bench.same("m", "whole", name);
            bench.remove("m");
        }
    }
    assert_eq!(bench.files(), ["sums.csv", "whole"]);
    // Predictions so far are not a file.
    let mut predicting = bench.start("predict --data - --model whole --out predictions");
    predicting.write(text);
    assert!(predicting.line().starts_with("line 252: "));
    predicting.send("-TERM");
    ended(predicting, 143, &["interrupted"]);
    assert_eq!(bench.files(), ["sums.csv", "whole"]);
}

/// A program that cannot end in order: the header of its predictions is longer than a pipe, and nobody reads it.
#[test]
fn a_third_signal_ends_at_once() {
    let bench = Bench::new();
    let row = |row| format!("{row},{}\n", "x".repeat(10_000 + row % 40_usize));
    let rows: String = (0..80).map(row).collect();
    bench.write("rows.csv", format!("x,kind\n{rows}"));
    bench.ok("train --data rows.csv --target kind --trees 1 --model m");
    let mut command = bench.command("predict --data rows.csv --model m --proba");
    command.stdout(Stdio::piped());
    let mut predicting = Running::new(command);
    let mut stdout = predicting.child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    // Signals of one kind that arrive together count once, and others in the order of their numbers.
    predicting.send("-HUP");
    predicting.send("-INT");
    thread::sleep(Duration::from_millis(200));
    assert!(predicting.child.try_wait().unwrap().is_none());
    predicting.send("-TERM");
    ended(predicting, 143, &[]);
}

#[test]
fn a_growing_file_is_learned_as_it_grows_and_ctrl_c_saves() {
    let text = sums(400);
    let bench = Bench::with(&[("log.csv", &first(&text, 200)), ("whole.csv", &text)]);
    let training = bench.start(&format!("{TRAIN} log.csv --follow --checkpoint 50"));
    model_of(&bench, 200);
    let log = OpenOptions::new().append(true).open(bench.path("log.csv"));
    let mut log = log.unwrap();
    // A row that is not finished is not learned, and not reported as a bad one.
    let ends = [200, 300].map(|rows| first(&text, rows).len());
    log.write_all(&text.as_bytes()[ends[0]..ends[1]]).unwrap();
    model_of(&bench, 300);
    log.write_all(&text.as_bytes()[ends[1]..ends[1] + 9])
        .unwrap();
    thread::sleep(Duration::from_millis(400));
    training.send("-INT");
    ended(
        training,
        130,
        &["learned 300 rows; interrupted; model so far in m"],
    );
    assert_eq!(model_of(&bench, 300), 300);
    log.write_all(&text.as_bytes()[ends[1] + 9..]).unwrap();
    bench.ok(&format!("{TRAIN} log.csv --resume"));
    bench.ok("train --data whole.csv --target value --fit-rows 100 --model whole");
    bench.same("m", "whole", "followed");
}

#[test]
fn a_file_that_is_cut_off_ends_the_training_and_one_that_cannot_grow_is_not_followed() {
    let bench = Bench::with(&[("log.csv", &sums(200))]);
    let training = bench.start(&format!("{TRAIN} log.csv --follow --checkpoint 1s"));
    model_of(&bench, 200);
    bench.write("log.csv", "");
    ended(training, 1, &["cut off", "tail -F"]);
    model_of(&bench, 200);
    bench.remove("m");
    for (name, magic) in [
        ("a.parquet", &b"PAR1\x15\x04\x15\x80"[..]),
        ("a.arrow", b"ARROW1\0\0"),
        ("a.csv.gz", b"\x1f\x8b\x08....."),
        ("a.csv.bz2", b"BZh91AY&"),
    ] {
        bench.write(name, magic);
        let words: &[&str] = &[name, "cannot grow", "--follow"];
        bench.refuse(TRAIN, &[(&format!("{name} --follow"), words)]);
    }
}

/// What was there is not thrown away: it cannot be asked of a pipe again.
#[test]
fn a_signal_before_the_columns_are_known_makes_a_model_of_what_is_there() {
    for (name, code) in SIGNALS {
        let bench = Bench::with(&[("log.csv", &sums(50))]);
        bench.ok("train --data log.csv --target value --model whole");
        // Again, if not all rows had been read.
        let mut said = String::new();
        while !said.contains("columns and scale are fitted on 50 rows") {
            let _ = fs::remove_file(bench.path("m"));
            let training = bench.start("train --data log.csv --target value --model m --follow");
            training.wait_for_handlers();
            thread::sleep(Duration::from_millis(500));
            training.send(name);
            let (found, text) = training.end();
            assert_eq!(found, Some(code), "{text}");
            expect_words("it", &text, &["interrupted before"]);
            said = text;
        }
        expect_words("it", &said, &["learned 50 rows; interrupted"]);
        bench.same("m", "whole", name);
    }
    let bench = Bench::new();
    let mut training = bench.start("train --data - --target y --model m");
    training.write("@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n1.2345678");
    training.wait_for_handlers();
    training.send("-INT");
    ended(training, 130, &["before the first row was read"]);
    assert!(bench.files().is_empty());
}

/// `nohup` asks for that.
#[test]
fn a_hang_up_that_is_ignored_does_not_end_the_training() {
    let (bench, text) = table();
    let mut command = bench.behind("nohup", &[], &format!("{TRAIN} -"));
    command.stdout(Stdio::null());
    let mut training = Running::new(command);
    let half = first(&text, 251).len();
    training.write(&text[..half]);
    training.wait_for_line("line 252: ");
    training.send("-HUP");
    training.write(&text[half..]);
    training.close();
    ended(training, 0, &["learned 400 rows"]);
}
