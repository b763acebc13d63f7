//! A file that grows, and Ctrl-C.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::bench::{Bench, stderr};
use crate::data::{first, from, sums};
use crate::interrupted::{model_of, shell, signal};

#[test]
fn a_growing_file_is_learned_as_it_grows_and_ctrl_c_saves() {
    let (bench, text) = (Bench::new(), sums(400));
    bench.write("log.csv", &first(&text, 200));
    let train = "train --data log.csv --target value --fit-rows 100 --model m";
    let follow = format!("{train} --follow --checkpoint 50");
    let child = bench
        .command(&follow)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    model_of(&bench, 200);
    let mut log = OpenOptions::new()
        .append(true)
        .open(bench.path("log.csv"))
        .unwrap();
    let rest: Vec<&str> = text.lines().skip(201).collect();
    for line in &rest[..100] {
        writeln!(log, "{line}").unwrap();
    }
    model_of(&bench, 300);
    // A row that is not finished is not learned, and not reported as a bad one.
    write!(log, "{}", &rest[100][..9]).unwrap();
    thread::sleep(Duration::from_millis(400));
    let output = signal(child, "-INT");
    assert_eq!(output.status.code(), Some(130));
    let said = stderr(&output);
    assert!(
        said.contains("learned 300 rows; interrupted; model so far in m"),
        "{said}"
    );
    assert_eq!(model_of(&bench, 300).position().rows(), 300);
    writeln!(log, "{}", &rest[100][9..]).unwrap();
    for line in &rest[101..] {
        writeln!(log, "{line}").unwrap();
    }
    bench.ok(&format!("{train} --resume"));
    bench.write("whole.csv", &text);
    bench.ok("train --data whole.csv --target value --fit-rows 100 --model whole");
    assert_eq!(bench.bytes("m"), bench.bytes("whole"));
}

/// A training that follows a file and has learned its 200 rows, of which the last line has no end if so.
fn followed(bench: &Bench, text: &str) -> Child {
    bench.write("log.csv", text);
    let follow =
        "train --data log.csv --target value --fit-rows 100 --model m --follow --checkpoint 10";
    let mut command = bench.command(follow);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    model_of(bench, 200);
    child
}

/// The model is that of all rows, one after another.
fn expect_all_learned(bench: &Bench, child: Child, rows: usize, said: &str) {
    model_of(bench, rows as u64);
    let output = signal(child, "-INT");
    let all = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{all}");
    assert!(all.contains(said), "{all}");
    assert!(!all.contains("bad row"), "{all}");
    bench.write("whole.csv", &sums(rows));
    bench.ok("train --data whole.csv --target value --fit-rows 100 --model whole");
    assert_eq!(bench.bytes("m"), bench.bytes("whole"));
}

/// As logs are rotated: with a header line in each file, or in the first one only.
#[test]
fn a_file_that_is_replaced_is_followed_from_its_start() {
    let rest = from(&sums(400), 200);
    let (_, without_header) = rest.split_once('\n').unwrap();
    for second in [&rest, without_header] {
        let bench = Bench::new();
        let child = followed(&bench, &first(&sums(400), 200));
        let log = bench.path("log.csv");
        std::fs::rename(&log, bench.path("log.csv.1")).unwrap();
        // The writer may continue in the old file until it opens the new one.
        let mut old = OpenOptions::new()
            .append(true)
            .open(bench.path("log.csv.1"))
            .unwrap();
        let (late, new) = second.split_at(if second == rest.as_str() { 0 } else { 200 });
        let (late, new) = match late.rfind('\n') {
            Some(end) => second.split_at(end + 1),
            None => (late, new),
        };
        old.write_all(late.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(300));
        bench.write("log.csv", new);
        expect_all_learned(&bench, child, 400, "log.csv was replaced");
    }
}

#[test]
fn a_file_that_is_cut_off_and_written_again_is_followed_from_its_start() {
    let bench = Bench::new();
    let child = followed(&bench, &first(&sums(400), 200));
    bench.write("log.csv", "");
    thread::sleep(Duration::from_millis(500));
    let rest = from(&sums(400), 200);
    let log = OpenOptions::new().append(true).open(bench.path("log.csv"));
    let mut log = log.unwrap();
    // The header line comes in two parts.
    for part in [&rest[..5], &rest[5..]] {
        log.write_all(part.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(300));
    }
    expect_all_learned(&bench, child, 400, "log.csv was rewritten");
}

fn append(bench: &Bench, name: &str, text: &str) {
    let file = OpenOptions::new().append(true).open(bench.path(name));
    file.unwrap().write_all(text.as_bytes()).unwrap();
}

/// A writer may continue in the renamed file after another one has begun the new one: all of the old file comes first.
#[test]
fn rows_that_come_late_to_a_renamed_file_are_learned() {
    let (bench, text) = (Bench::new(), sums(400));
    let child = followed(&bench, &first(&text, 200));
    std::fs::rename(bench.path("log.csv"), bench.path("log.csv.1")).unwrap();
    bench.write("log.csv", &from(&text, 300));
    for line in text.lines().skip(201).take(100) {
        append(&bench, "log.csv.1", &format!("{line}\n"));
        thread::sleep(Duration::from_millis(20));
    }
    expect_all_learned(&bench, child, 400, "log.csv was replaced");
}

/// The last line of the old file has no end.
#[test]
fn a_line_without_its_end_is_not_glued_to_the_next_file() {
    let (bench, text) = (Bench::new(), sums(400));
    let child = followed(&bench, first(&text, 201).trim_end());
    std::fs::rename(bench.path("log.csv"), bench.path("log.csv.1")).unwrap();
    bench.write("log.csv", &from(&text, 201));
    expect_all_learned(&bench, child, 400, "log.csv was replaced");
}

/// What happens while the program does not look.
fn unseen(child: &Child, happens: impl FnOnce()) {
    shell(&format!("kill -STOP {}; sleep 0.2", child.id()));
    happens();
    shell(&format!("kill -CONT {}", child.id()));
}

#[test]
fn a_file_that_is_cut_off_and_grows_beyond_its_length_is_followed_from_its_start() {
    let (bench, text) = (Bench::new(), sums(500));
    let child = followed(&bench, &first(&text, 200));
    // `log.csv` keeps its number, as where a log is copied and cut off.
    unseen(&child, || bench.write("log.csv", &from(&text, 200)));
    expect_all_learned(&bench, child, 500, "log.csv was rewritten");
}

#[test]
fn a_file_that_came_and_went_unseen_is_reported() {
    let (bench, text) = (Bench::new(), sums(400));
    let child = followed(&bench, &first(&text, 200));
    let skipped = first(&from(&text, 200), 100);
    unseen(&child, || {
        std::fs::rename(bench.path("log.csv"), bench.path("log.csv.1")).unwrap();
        bench.write("log.csv", &skipped);
        std::fs::rename(bench.path("log.csv.1"), bench.path("log.csv.2")).unwrap();
        std::fs::rename(bench.path("log.csv"), bench.path("log.csv.1")).unwrap();
        bench.write("log.csv", &from(&text, 300));
    });
    model_of(&bench, 300);
    let output = signal(child, "-INT");
    let said = stderr(&output);
    let report = format!("log.csv.1 ({} bytes) is not read", skipped.len());
    assert!(said.contains(&report), "{said}");
    assert!(!said.contains("log.csv.2 ("), "{said}");
    let rest: String = from(&text, 300)
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    bench.write("learned.csv", &format!("{}{rest}", first(&text, 200)));
    bench.ok("train --data learned.csv --target value --fit-rows 100 --model learned");
    assert_eq!(bench.bytes("m"), bench.bytes("learned"));
}

#[test]
fn a_file_that_cannot_grow_is_not_followed() {
    let bench = Bench::new();
    for (name, magic) in [
        ("a.parquet", &b"PAR1\x15\x04\x15\x80"[..]),
        ("a.arrow", b"ARROW1\0\0"),
        ("a.csv.gz", b"\x1f\x8b\x08....."),
        ("a.csv.bz2", b"BZh91AY&"),
    ] {
        std::fs::write(bench.path(name), magic).unwrap();
        let line = format!("train --data {name} --target value --model m --follow");
        bench.refused(&line, &[name, "cannot grow", "--follow"]);
    }
}
