//! Memory is bounded, whatever comes in.

use std::fs;
use std::io::Write;
use std::process::{ChildStdin, Stdio};
use std::thread;
use std::time::Duration;

use crate::bench::{Bench, expect_words, status, stderr};
use crate::interrupted::model_of;

/// The most memory that a process had so far, in MiB, which the kernel keeps; 0 for one that has ended.
fn peak_of(process: u32) -> u64 {
    let peak = status(process, "VmHWM:");
    let kilobytes = peak.and_then(|peak| peak.strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) >> 10
}

/// Runs with an input and gives the most memory that the process had, in MiB, its code and what it said.
fn peak(
    bench: &Bench,
    line: &str,
    input: impl FnOnce(&mut ChildStdin) + Send + 'static,
) -> (u64, Option<i32>, String) {
    let mut command = bench.command(line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writing = thread::spawn(move || input(&mut stdin));
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(peak_of(child.id()));
        thread::sleep(Duration::from_millis(5));
    }
    writing.join().unwrap();
    let output = child.wait_with_output().unwrap();
    println!("{line}: {most} MiB");
    (most, output.status.code(), stderr(&output))
}

#[test]
fn a_long_stream_takes_no_more_memory_than_a_short_one() {
    let bench = Bench::new();
    let row = |i| format!("{}.5,{},{}.25\n", i * 7 % 1000, i * 13 % 101, i * 17 % 997);
    let block: String = (0..10_000).map(row).collect();
    let train =
        "train --data - --target y --algorithm mondrian:max_nodes=500 --trees 3 --threads 1";
    let mut training = bench.start(&format!("{train} --model m --checkpoint 50000"));
    training.write("a,b,y\n");
    let mut written = 0;
    let [short, long] = [5, 100].map(|blocks| {
        for _ in written..blocks {
            training.write(&block);
        }
        written = blocks;
        model_of(&bench, blocks * 10_000);
        peak_of(training.child.id())
    });
    training.close();
    let (code, said) = training.end();
    assert_eq!(code, Some(0), "{said}");
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
        let (peak, code, said) = peak(&bench, &line, |stdin| {
            // Until the program has ended.
            let mut row = 0_u64;
            let mut text = "a,b,y\n".to_owned();
            while stdin.write_all(text.as_bytes()).is_ok() {
                text = format!("{},{},{}\n", row * 7919 % 65_521, row % 101, row % 997);
                row += 1;
            }
        });
        assert_eq!(code, Some(1), "{said}");
        let bounded = "mondrian:max_nodes=N and mondrian:window=N";
        let words = ["--max-memory", bounded, "stopped; model so far in m"];
        expect_words(&line, &said, &words);
        assert!(peak <= limit, "{algorithm}: {peak} MiB");
        bench.shows("inspect --model m", &["learned     "]);
        bench.write("rows.csv", "a,b\n1,2\n");
        bench.ok("predict --data rows.csv --model m");
    }
}

/// The bytes of the file are in memory while the model is decoded, which takes less than twice as many.
#[test]
fn a_model_is_loaded_beside_the_bytes_of_its_file() {
    let bench = Bench::new();
    let line = |row: u32| {
        let [a, b, c] = [7919, 104_729, 1_299_709].map(|p| row.wrapping_mul(p) % 65_521);
        format!("{a},{b},{c}\n")
    };
    let table: String = (0..100_000).map(line).collect();
    bench.write("rows.csv", format!("a,b,y\n{table}"));
    bench.ok("train --data rows.csv --target y --algorithm mondrian --model m");
    let size = fs::metadata(bench.path("m")).unwrap().len() >> 20;
    bench.write("one.csv", "a,b\n1,2\n");
    let predict = "predict --data one.csv --model m --threads 1";
    let (peak, code, said) = peak(&bench, predict, |_| {});
    assert_eq!(code, Some(0), "{said}");
    // The program itself takes 12.
    let is_bounded = size > 20 && peak <= 3 * size + 12;
    assert!(is_bounded, "{size}, {peak} MiB");
}

#[test]
fn a_line_of_a_gigabyte_is_passed_over() {
    let bench = Bench::new();
    let train = "train --data - --target a --task regress --model m";
    let (peak, _, said) = peak(&bench, train, |stdin| {
        stdin.write_all(b"a,b\n1,2\n2,3\n").unwrap();
        let part = vec![b'x'; 1_000_000];
        (0..1000).for_each(|_| stdin.write_all(&part).unwrap());
        stdin.write_all(b"\n3,4\n").unwrap();
    });
    let words = ["learned 3 rows; 1 bad row", "more than 16 MiB"];
    expect_words(train, &said, &words);
    assert!(peak < 100, "{peak} MiB");
}

#[test]
fn a_header_of_a_hundred_thousand_columns_is_read() {
    let bench = Bench::new();
    let train = "train --data - --target c0 --task regress --trees 2 --model m";
    let (peak, _, said) = peak(&bench, train, |stdin| {
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
    expect_words(train, &said, &["learned 20 rows"]);
    assert!(said.len() < 5000, "{said}");
    assert!(peak < 400, "{peak} MiB");
}
