//! The same rows give the same model file, bit for bit, however they arrive, in as many runs and parts as one likes, and on
//! every processor.
//!
//! glibc chooses its logarithms by what the processor can do, and a variable can hide that from it. Under another C library
//! the test of processors compares a program with itself.

use std::fs;

use online_forests::{Algorithm, Classification, Regression};

use crate::bench::{Bench, bad_rows, column, stderr};
use crate::data::{LATE, first, from, houses, sums};

/// Tables, and what is said of them; a bad row here and there.
const TABLES: [(&str, &str, &str); 7] = [
    ("houses.csv", "kind", "--missing median"),
    ("houses.csv", "kind", "--missing drop"),
    (
        "houses.csv",
        "kind",
        "--missing median --algorithm mondrian:window=150",
    ),
    (
        "houses.csv",
        "kind",
        "--missing median --algorithm stream-rf",
    ),
    ("sums.csv", "value", "--algorithm mondrian"),
    ("sums.csv", "value", "--algorithm amf:max_nodes=500"),
    ("sums.csv", "value", "--algorithm adaptive"),
];

/// Rows that the columns are fitted on.
const FIT: usize = 150;

fn bench() -> Bench {
    let bench = Bench::new();
    for (name, text) in [("houses.csv", houses(900)), ("sums.csv", sums(500))] {
        let mut lines: Vec<&str> = text.lines().collect();
        (200..lines.len())
            .step_by(97)
            .for_each(|line| lines.insert(line, "1,2"));
        bench.write(name, lines.join("\n") + "\n");
    }
    bench
}

#[test]
fn a_model_is_the_same_however_its_rows_arrive() {
    let bench = bench();
    for (table, target, options) in TABLES {
        let line = format!("train --target {target} {options} --fit-rows {FIT} --trees 5");
        let (text, file) = (bench.read(table), format!("{line} --data {table}"));
        bench.ok(&format!(
            "{file} --model whole --batch 1 --threads 1 --checkpoint never"
        ));
        let check = |how: &str| {
            bench.same("m", "whole", &format!("{table} {options} {how}"));
            bench.remove("m");
        };
        for (batch, threads, more) in [
            (1, 8, ""),
            (7, 2, "--checkpoint 13"),
            (1000, 1, ""),
            (1000, 64, "--checkpoint 100 --resume"),
        ] {
            let how = format!("--batch {batch} --threads {threads} {more}");
            bench.ok(&format!("{file} --model m {how}"));
            check(&how);
        }
        bench.ok_with(&format!("{line} --data - --model m"), &text);
        check("on standard input");
        for rows in [FIT, FIT + 1, 340, 499] {
            bench.ok_with(&format!("{line} --data - --model m"), &first(&text, rows));
            bench.ok(&format!("train --data {table} --model m --resume"));
            check(&format!("continued after {rows} rows"));
        }
        bench.shows("inspect --model whole", &[target, " rows; "]);
        bench.remove("whole");
    }
}

#[test]
fn another_seed_or_setting_is_another_model() {
    let bench = bench();
    let train = "train --data sums.csv --target value";
    bench.ok(&format!("{train} --model a"));
    for option in ["--seed 1", "--trees 3", "--scale none", "--algorithm amf"] {
        bench.ok(&format!("{train} --model b {option}"));
        assert_ne!(bench.bytes("a"), bench.bytes("b"), "{option}");
        bench.remove("b");
    }
}

#[test]
fn parts_are_joined_to_the_model_of_one_process_and_continue_as_it_does() {
    let bench = bench();
    for (table, target, options) in [
        TABLES[2],
        TABLES[3],
        TABLES[5],
        ("sums.csv", "value", "--algorithm obsp"),
    ] {
        let line = format!("train --target {target} {options} --fit-rows {FIT} --trees 5 --data");
        let text = bench.read(table);
        let runs = [
            ("some.csv", first(&text, 300), ""),
            ("all.csv", text.clone(), "--resume"),
        ];
        let runs = runs
            .into_iter()
            .chain([("late.csv", from(&text, 400), "--update")]);
        for (name, rows, more) in runs {
            bench.write(name, rows);
            let line = format!("{line} {name} {more}");
            bench.ok(&format!("{line} --model whole"));
            for (part, batch) in [(1, 1000), (2, 7), (3, 300)] {
                bench.ok(&format!(
                    "{line} --part {part}/3 --batch {batch} --model p{part}"
                ));
            }
            // The files may be in any order.
            bench.ok("join p3 p1 p2 --model joined");
            bench.same("joined", "whole", &line);
        }
        // A whole model is divided; each part needs a copy of it.
        for name in ["q1", "q2"] {
            fs::copy(bench.path("whole"), bench.path(name)).unwrap();
            let part = format!("--update --part {}/2 --model {name}", &name[1..]);
            bench.ok_with(&format!("{line} - {part}"), &text);
        }
        bench.ok(&format!("{line} all.csv --update --model whole"));
        bench.ok("join q1 q2 --model joined");
        bench.same("joined", "whole", "divided");
        let predictions = bench.ok(&format!("predict --model q2 --data {table}"));
        assert_eq!(predictions.lines().count(), text.lines().count());
        ["whole", "p1", "p2", "p3"]
            .iter()
            .for_each(|name| bench.remove(name));
    }
}

#[test]
fn an_update_learns_more_rows_and_the_classes_that_come_with_them() {
    let text = houses(1200);
    let bench = Bench::with(&[
        ("early.csv", &first(&text, 600)),
        ("late.csv", &from(&text, 600)),
    ]);
    bench.ok(
        "train --target kind --missing median --trees 5 --algorithm mondrian --data early.csv --model m",
    );
    let probabilities = "predict --data late.csv --model m --proba";
    assert!(!bench.ok(probabilities).contains(LATE));
    let words = ["learned 600 rows; 600 rows before"];
    bench.says("train --data late.csv --model m --update", &words);
    let late = column(&bench.ok(probabilities), &format!("p({LATE})"));
    let sure = late
        .iter()
        .filter(|p| p.parse::<f64>().unwrap() > 0.3)
        .count();
    assert!(late.len() == 600 && sure > 20, "{sure} of {}", late.len());
    bench.shows(
        "inspect --model m",
        &["1200 rows, 600 of them of the latest data"],
    );
}

/// What a processor is made to lack: wide vectors, and fused multiplication besides.
const MASKS: [&str; 2] = [
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512DQ,-AVX512BW",
    "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable,-AVX,-AVX512F,-AVX512VL,-AVX512DQ,-AVX512BW",
];

#[test]
fn every_learner_is_the_same_on_every_processor() {
    let bench = Bench::with(&[("houses.csv", &houses(1500)), ("sums.csv", &sums(2000))]);
    let classifiers = Algorithm::all().filter(Algorithm::supports::<Classification>);
    let classifiers = classifiers.map(|algorithm| {
        (
            algorithm,
            "houses.csv --target kind --missing median --fit-rows 300",
        )
    });
    let regressors = Algorithm::all().filter(Algorithm::supports::<Regression>);
    let regressors = regressors.map(|algorithm| (algorithm, "sums.csv --target value"));
    for (algorithm, table) in classifiers.chain(regressors) {
        let line = format!("train --data {table} --trees 4 --algorithm {algorithm} --model m");
        let [plain, narrow, unfused] = ["", MASKS[0], MASKS[1]].map(|mask| {
            let output = bench
                .command(&line)
                .env("GLIBC_TUNABLES", mask)
                .output()
                .unwrap();
            assert!(output.status.success(), "{line}: {}", stderr(&output));
            let bytes = bench.bytes("m");
            bench.remove("m");
            bytes
        });
        assert!(plain == narrow, "{line}, without AVX-512");
        assert!(plain == unfused, "{line}, without fused multiplication");
    }
}

/// The table of [`sums`] as LIBSVM with indices from `first`, and as CSV. What is negative is 0, which LIBSVM leaves out.
fn libsvm(rows: usize, first: usize) -> (String, String) {
    let mut sparse = String::new();
    let mut dense = format!("label,f{first},f{}\n", first + 1);
    for line in sums(rows).lines().skip(1) {
        let cells: Vec<f32> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let features = [cells[0], cells[1]].map(|x| if x > 0.0 { x } else { 0.0 });
        dense += &format!("{},{},{}\n", cells[2], features[0], features[1]);
        sparse += &cells[2].to_string();
        for (index, x) in (first..).zip(features).filter(|(_, x)| *x > 0.0) {
            sparse += &format!(" {index}:{x}");
        }
        sparse += "\n";
    }
    (sparse, dense)
}

#[test]
fn libsvm_is_learned_as_the_same_table_in_cells() {
    for (first, indices) in [(0, "0-1"), (1, "1-2")] {
        let (sparse, dense) = libsvm(300, first);
        let bench = Bench::with(&[("a.svm", &sparse), ("a.csv", &dense)]);
        let train = "train --target label --model";
        bench.ok(&format!("{train} svm --data a.svm --indices {indices}"));
        bench.ok(&format!("{train} csv --data a.csv"));
        let predictions = bench.ok("predict --data a.svm --model svm");
        assert_eq!(predictions.lines().count(), 301);
        // Either model reads either table.
        for line in ["csv --data a.csv", "svm --data a.csv --header yes"] {
            assert_eq!(
                predictions,
                bench.ok(&format!("predict --model {line}")),
                "{line}"
            );
        }
        let line = format!("predict --data a.svm --model csv --indices {indices}");
        assert_eq!(predictions, bench.ok(&line));
    }
}

#[test]
fn rows_of_libsvm_come_through_a_pipe_and_bad_ones_are_passed_over() {
    let (bench, (sparse, _)) = (Bench::new(), libsvm(100, 1));
    let half = sparse.len() - from(&sparse, 50).len() + sparse.lines().next().unwrap().len() + 1;
    let (early, late) = sparse.split_at(half);
    let broken = format!("{early}1 3:1\n1 2:1 1:1\na,b\n{late}");
    let train = "train --target label --indices 1-2 --data -";
    bench.ok_with(&format!("{train} --model good"), &sparse);
    let reasons = bad_rows(&stderr(
        &bench.run_with(&format!("{train} --model m"), &broken),
    ));
    let expected = [
        "index 3 is not one of 1-2",
        "index 1 does not increase",
        "`a,b` (label) is not a number",
    ];
    for ((_, reason), expected) in reasons.iter().zip(expected) {
        assert!(reason.contains(expected), "{reasons:?}");
    }
    assert_eq!(reasons.len(), 3);
    let ask = |model: &str| bench.ok_with(&format!("predict --data - --model {model}"), &sparse);
    assert_eq!(ask("good"), ask("m"));
    let other = "train --data - --model good --resume --indices 1-3";
    let said = stderr(&bench.run_with(other, &sparse));
    assert!(said.contains("with --indices 1-2"), "{said}");
}
