//! The same rows give the same model file, bit for bit, however they arrive, in as many runs and parts as one likes,
//! and on every processor.
//!
//! glibc chooses its logarithms by what the processor can do, and a variable can hide that from it. Under another C
//! library the test of processors compares a program with itself.

use std::fs;

use online_forests::{Algorithm, Classification, Regression};

use crate::bench::{Bench, bad_rows, column, numbers, stderr};
use crate::data::{LATE, first, from, houses, sums};

/// Tables, options for them, and whether the learner is a forest of independent trees; a bad row here and there.
const TABLES: [(&str, &str, bool); 8] = [
    ("houses.csv --target kind", "--missing median", false),
    ("houses.csv --target kind", "--missing drop", false),
    (
        "houses.csv --target kind",
        "--missing median --algorithm mondrian:window=150",
        true,
    ),
    (
        "houses.csv --target kind",
        "--missing median --algorithm stream-rf",
        true,
    ),
    ("sums.csv --target value", "--algorithm mondrian", true),
    (
        "sums.csv --target value",
        "--algorithm amf:max_nodes=500",
        true,
    ),
    ("sums.csv --target value", "--algorithm obsp", true),
    ("sums.csv --target value", "--algorithm adaptive", false),
];

/// Rows that the columns are fitted on.
const FIT: usize = 150;

/// Each way in which rows may arrive, of a file and of standard input, leaves the file `m` that one run leaves.
#[test]
fn a_model_is_the_same_however_its_rows_arrive() {
    let bench = Bench::new();
    for (name, text) in [("houses.csv", houses(900)), ("sums.csv", sums(500))] {
        let mut lines: Vec<&str> = text.lines().collect();
        for line in (200..lines.len()).step_by(97) {
            lines.insert(line, "1,2");
        }
        bench.write(name, lines.join("\n") + "\n");
    }
    for (table, options, has_parts) in TABLES {
        let (name, target) = table.split_once(' ').unwrap();
        let train = format!("train {target} {options} --fit-rows {FIT} --trees 5 --data");
        let text = bench.read(name);
        bench.ok(&format!(
            "{train} {name} --model whole --batch 1 --threads 1 --checkpoint never"
        ));
        for how in [
            "--batch 1 --threads 8",
            "--batch 7 --threads 2 --checkpoint 13",
            "--batch 1000 --threads 1",
            "--batch 1000 --threads 64 --checkpoint 100 --resume",
        ] {
            bench.ok(&format!("{train} {name} --model m {how}"));
            bench.same("m", "whole", &format!("{table} {options} {how}"));
            bench.remove("m");
        }
        for rows in [FIT, FIT + 1, 340, text.lines().count()] {
            bench.ok_with(&format!("{train} - --model m"), &first(&text, rows));
            bench.ok(&format!("train --data {name} --model m --resume"));
            bench.same(
                "m",
                "whole",
                &format!("{table} {options} continued after {rows}"),
            );
            bench.remove("m");
        }
        bench.shows("inspect --model whole", &[" rows; "]);
        if has_parts {
            check_parts(&bench, name, &train, &text);
        }
        bench.remove("whole");
    }
}

/// Parts, which learn some rows and the others later, are joined to the model of one process, and continue as it does.
fn check_parts(bench: &Bench, name: &str, train: &str, text: &str) {
    for (rows, more) in [(first(text, 300), ""), (text.to_owned(), "--resume")] {
        bench.write("some.csv", rows);
        for (part, batch) in [(1, 1000), (2, 7), (3, 300)] {
            bench.ok(&format!(
                "{train} some.csv {more} --part {part}/3 --batch {batch} --model p{part}"
            ));
        }
    }
    // The files may be in any order.
    bench.ok("join p3 p1 p2 --model joined");
    bench.same("joined", "whole", train);
    bench.write("some.csv", from(text, 400));
    for part in 1..=3 {
        bench.ok(&format!(
            "train --data some.csv --update --part {part}/3 --model p{part}"
        ));
    }
    bench.ok("join p1 p2 p3 --model joined");
    bench.ok("train --data some.csv --update --model whole");
    bench.same("joined", "whole", "continued");
    // A whole model is divided; each part needs a copy of it.
    for part in ["1", "2"] {
        fs::copy(bench.path("whole"), bench.path(&format!("q{part}"))).unwrap();
        bench.ok(&format!(
            "train --data {name} --update --part {part}/2 --model q{part}"
        ));
    }
    bench.ok(&format!("train --data {name} --update --model whole"));
    bench.ok("join q1 q2 --model joined");
    bench.same("joined", "whole", "divided");
    let predictions = bench.ok(&format!("predict --model q2 --data {name}"));
    assert_eq!(predictions.lines().count(), text.lines().count());
    for name in ["p1", "p2", "p3"] {
        bench.remove(name);
    }
}

#[test]
fn another_seed_or_setting_is_another_model() {
    let bench = Bench::with(&[("sums.csv", &sums(200))]);
    let train = "train --data sums.csv --target value";
    bench.ok(&format!("{train} --model a"));
    for option in ["--seed 1", "--trees 3", "--scale none", "--algorithm amf"] {
        bench.ok(&format!("{train} --model b {option}"));
        assert_ne!(bench.bytes("a"), bench.bytes("b"), "{option}");
        bench.remove("b");
    }
}

#[test]
fn an_update_learns_more_rows_and_the_classes_that_come_with_them() {
    let text = houses(1200);
    let (early, late) = (first(&text, 600), from(&text, 600));
    let bench = Bench::with(&[("early.csv", &early), ("late.csv", &late)]);
    let train = "train --target kind --missing median --trees 5 --algorithm mondrian";
    bench.ok(&format!("{train} --data early.csv --model m"));
    let probabilities = "predict --data late.csv --model m --proba";
    assert!(!bench.ok(probabilities).contains(LATE));
    let words = ["learned 600 rows; 600 rows before"];
    bench.says("train --data late.csv --model m --update", &words);
    let late = numbers(&bench.ok(probabilities), &format!("p({LATE})"));
    let sure = late.iter().filter(|share| **share > 0.3).count();
    assert!(late.len() == 600 && sure > 20, "{sure} of {}", late.len());
    let words = ["1200 rows, 600 of them of the latest data"];
    bench.shows("inspect --model m", &words);
}

/// What a processor is made to lack: wide vectors, and fused multiplication besides.
const MASKS: [&str; 2] = [
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512DQ,-AVX512BW",
    "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable,-AVX,-AVX512F,-AVX512VL,-AVX512DQ,-AVX512BW",
];

#[test]
fn every_learner_is_the_same_on_every_processor() {
    let bench = Bench::with(&[("houses.csv", &houses(1500)), ("sums.csv", &sums(2000))]);
    let mut lines = Vec::new();
    for algorithm in Algorithm::all() {
        if algorithm.supports::<Classification>() {
            let table = "houses.csv --target kind --missing median --fit-rows 300";
            lines.push(format!(
                "train --data {table} --trees 4 --algorithm {algorithm} --model m"
            ));
        }
        if algorithm.supports::<Regression>() {
            let table = "sums.csv --target value";
            lines.push(format!(
                "train --data {table} --trees 4 --algorithm {algorithm} --model m"
            ));
        }
    }
    for line in lines {
        let [plain, narrow, unfused] = ["", MASKS[0], MASKS[1]].map(|mask| {
            let mut command = bench.command(&line);
            let output = command.env("GLIBC_TUNABLES", mask).output().unwrap();
            assert!(output.status.success(), "{line}: {}", stderr(&output));
            let bytes = bench.bytes("m");
            bench.remove("m");
            bytes
        });
        assert!(plain == narrow, "{line}, without AVX-512");
        assert!(plain == unfused, "{line}, without fused multiplication");
    }
}

/// The table of [`sums`] as LIBSVM with indices from `first`, and as CSV. What is negative is 0, which LIBSVM leaves
/// out.
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
        assert_eq!(column(&predictions, "prediction").len(), 300);
        // Either model reads either table.
        let indices = format!("csv --data a.svm --indices {indices}");
        for line in [
            "csv --data a.csv",
            "svm --data a.csv --header yes",
            &indices,
        ] {
            let line = format!("predict --model {line}");
            assert_eq!(predictions, bench.ok(&line), "{line}");
        }
    }
}

#[test]
fn rows_of_libsvm_come_through_a_pipe_and_bad_ones_are_passed_over() {
    let bench = Bench::new();
    let (sparse, _) = libsvm(100, 1);
    let lines: Vec<&str> = sparse.lines().collect();
    let (early, late) = (lines[..50].join("\n"), lines[50..].join("\n"));
    let broken = format!("{early}\n1 3:1\n1 2:1 1:1\na,b\n{late}\n");
    let train = "train --target label --indices 1-2 --data -";
    bench.ok_with(&format!("{train} --model good"), &sparse);
    let output = bench.run_with(&format!("{train} --model m"), &broken);
    let reasons = bad_rows(&stderr(&output));
    let expected = [
        "index 3 is not one of 1-2",
        "index 1 does not increase",
        "`a,b` (label) is not a number",
    ];
    assert_eq!(reasons.len(), 3);
    for ((_, reason), expected) in reasons.iter().zip(expected) {
        assert!(reason.contains(expected), "{reasons:?}");
    }
    let ask = |model: &str| bench.ok_with(&format!("predict --data - --model {model}"), &sparse);
    assert_eq!(ask("good"), ask("m"));
    let other = "train --data - --model good --resume --indices 1-3";
    let said = stderr(&bench.run_with(other, &sparse));
    assert!(said.contains("with --indices 1-2"), "{said}");
}
