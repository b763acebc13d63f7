//! Memory is bounded, whatever comes in.

use std::fs;
use std::io::Write;
use std::process::{ChildStdin, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::bench::{Bench, expect_words, stderr};

/// Runs with an input and gives the most memory that the process had, in MiB.
fn peak(
    bench: &Bench,
    line: &str,
    input: impl FnOnce(&mut ChildStdin) + Send + 'static,
) -> (u64, Output) {
    let mut command = bench.command(line);
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let writing = thread::spawn(move || input(&mut stdin));
    let mut most = 0;
    // The kernel keeps the peak; a process that has ended has none.
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(kilobytes.unwrap_or(0));
        thread::sleep(Duration::from_millis(5));
    }
    writing.join().unwrap();
    (most >> 10, child.wait_with_output().unwrap())
}

/// So many rows of three numbers.
fn rows(count: usize) -> impl FnOnce(&mut ChildStdin) {
    let block: String = (0..10_000)
        .map(|i| format!("{}.5,{},{}.25\n", i * 7 % 1000, i * 13 % 101, i * 17 % 997))
        .collect();
    move |stdin| {
        stdin.write_all(b"a,b,y\n").unwrap();
        for _ in 0..count / 10_000 {
            stdin.write_all(block.as_bytes()).unwrap();
        }
    }
}

#[test]
fn a_long_stream_takes_no_more_memory_than_a_short_one() {
    let bench = Bench::new();
    let learn = |name: &str, count| {
        let train = "train --data - --target y --algorithm mondrian:max_nodes=500 --threads 1";
        let (peak, output) = peak(&bench, &format!("{train} --model {name}"), rows(count));
        assert!(output.status.success(), "{}", stderr(&output));
        peak
    };
    let (short, long) = (learn("short", 50_000), learn("long", 1_000_000));
    println!("50,000 rows: {short} MiB; 1,000,000 rows: {long} MiB");
    assert!(
        short > 0 && long <= short + 4,
        "{short} MiB, then {long} MiB"
    );
}

/// By default a forest keeps every row. What it has learned is saved before the process takes more than the limit.
#[test]
fn a_stream_without_an_end_ends_before_memory_does() {
    for (algorithm, limit) in [("mondrian", 80), ("residual-forest", 60)] {
        let bench = Bench::new();
        let train = format!("train --data - --target y --algorithm {algorithm} --model m");
        let line = format!("{train} --max-memory {limit}MiB");
        let (peak, output) = peak(&bench, &line, |stdin| {
            // Until the program has ended.
            let mut is_open = stdin.write_all(b"a,b,y\n").is_ok();
            for row in 0.. {
                let text = format!("{},{},{}\n", row * 7919 % 65_521, row % 101, row % 997);
                is_open = is_open && stdin.write_all(text.as_bytes()).is_ok();
                if !is_open {
                    return;
                }
            }
        });
        let said = stderr(&output);
        println!("an endless stream with --max-memory {limit}MiB, {algorithm}: {peak} MiB\n{said}");
        assert_eq!(output.status.code(), Some(1), "{said}");
        let words = [
            "--max-memory",
            "max_nodes",
            "window",
            "stopped; model so far in m",
        ];
        expect_words(&line, &said, &words);
        assert!((1..=limit).contains(&peak), "{algorithm}: {peak} MiB");
        bench.shows("inspect --model m", &["learned     "]);
        bench.write("rows.csv", "a,b\n1,2\n");
        bench.ok("predict --data rows.csv --model m");
    }
}

/// The bytes of the file are in memory while the model is decoded, which takes somewhat more than its file.
#[test]
fn a_model_is_loaded_beside_the_bytes_of_its_file() {
    let bench = Bench::new();
    let line = |row: u32| {
        let [a, b, c] = [7919, 104_729, 1_299_709].map(|p| row.wrapping_mul(p) % 65_521);
        format!("{a},{b},{c}\n")
    };
    let table: String = (0..100_000).map(line).collect();
    bench.write("rows.csv", format!("a,b,y\n{table}"));
    bench.ok("train --data rows.csv --target y --model m");
    let size = fs::metadata(bench.path("m")).unwrap().len() >> 20;
    bench.write("one.csv", "a,b\n1,2\n");
    let predict = "predict --data one.csv --model m --threads 1";
    let (peak, output) = peak(&bench, predict, |_| {});
    assert!(output.status.success(), "{}", stderr(&output));
    println!("a model of {size} MiB: {peak} MiB");
    let program = 12;
    assert!(
        size > 20 && peak <= 5 * size / 2 + program,
        "{size}, {peak} MiB"
    );
}

#[test]
fn a_line_of_a_gigabyte_is_passed_over() {
    let bench = Bench::new();
    let train = "train --data - --target a --task regress --model m";
    let (peak, output) = peak(&bench, train, |stdin| {
        stdin.write_all(b"a,b\n1,2\n2,3\n").unwrap();
        let part = vec![b'x'; 1_000_000];
        (0..1000).for_each(|_| stdin.write_all(&part).unwrap());
        stdin.write_all(b"\n3,4\n").unwrap();
    });
    println!("a line of 1 GB: {peak} MiB");
    let said = stderr(&output);
    assert!(said.contains("learned 3 rows; 1 bad row"), "{said}");
    assert!(
        said.contains("more than 16 MiB") && said.len() < 1000,
        "{said}"
    );
    assert!((1..100).contains(&peak), "{peak} MiB");
}

#[test]
fn a_header_of_a_hundred_thousand_columns_is_read() {
    let bench = Bench::new();
    let train = "train --data - --target c0 --task regress --trees 2 --model m";
    let (peak, output) = peak(&bench, train, |stdin| {
        let line = |cell: &dyn Fn(usize) -> String| {
            let cells: Vec<String> = (0..100_000).map(cell).collect();
            cells.join(",") + "\n"
        };
        stdin
            .write_all(line(&|i| format!("c{i}")).as_bytes())
            .unwrap();
        for row in 0..20 {
            let text = line(&|i| (i * (row + 3) % 97).to_string());
            stdin.write_all(text.as_bytes()).unwrap();
        }
    });
    println!("100,000 columns: {peak} MiB");
    let said = stderr(&output);
    assert!(
        said.contains("learned 20 rows") && said.len() < 5000,
        "{said}"
    );
    assert!((1..400).contains(&peak), "{peak} MiB");
}
