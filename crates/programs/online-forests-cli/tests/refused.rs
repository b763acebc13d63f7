//! What cannot be done is refused in a sentence, and nothing is written.

use std::fs;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::data::sums;

const TRAIN: &str = "train --data sums.csv --target value";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(200));
    bench
}

#[test]
fn a_model_is_not_written_over() {
    let bench = bench();
    bench.ok(&format!("{TRAIN} --model m"));
    let before = bench.bytes("m");
    bench.refused(
        &format!("{TRAIN} --model m"),
        &["m exists", "--resume", "--update"],
    );
    bench.refused(
        &format!("{TRAIN} --model m --resume --update"),
        &["--resume"],
    );
    assert_eq!(bench.bytes("m"), before);
}

#[test]
fn what_is_not_there_is_named() {
    let bench = bench();
    bench.refused(
        "train --data nothing.csv --target y --model m",
        &["nothing.csv"],
    );
    bench.refused("train --data . --target y --model m", &["directory"]);
    bench.write("a.libsvm", "1 1:0.5 3:0.2\n-1 2:0.5\n");
    let libsvm = ["looks like LIBSVM", "state it with --indices 1-LAST"];
    bench.refused("train --data a.libsvm --target first --model m", &libsvm);
    fs::remove_file(bench.path("a.libsvm")).unwrap();
    bench.refused(
        "train --data sums.csv --target valeu --model m",
        &["`valeu`", "did you mean `value`"],
    );
    bench.refused(
        &format!("{TRAIN} --model nowhere/m"),
        &["cannot write nowhere/m"],
    );
    bench.refused(&format!("{TRAIN} --model ."), &["cannot write"]);
    bench.refused("predict --data sums.csv --model m", &["cannot read m"]);
    bench.refused("inspect --model m", &["cannot read m"]);
    bench.refused(
        &format!("{TRAIN} --model m --algorithm mondrain"),
        &["`mondrian`"],
    );
    bench.refused(
        &format!("{TRAIN} --model m --algorithm mondrian:bugdet=3"),
        &["`budget`"],
    );
    bench.refused(
        &format!("{TRAIN} --model m --algorithm majority"),
        &["majority does not support regression"],
    );
    assert_eq!(bench.files(), ["sums.csv"]);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_anything_is_predicted() {
    let bench = bench();
    bench.ok(&format!("{TRAIN} --model m"));
    let predict = "predict --data sums.csv --model m";
    bench.refused(
        &format!("{predict} --out nowhere/predictions"),
        &["cannot write nowhere/predictions"],
    );
    fs::create_dir(bench.path("taken")).unwrap();
    bench.refused(&format!("{predict} --out taken"), &["cannot write taken"]);
    assert_eq!(bench.files(), ["m", "sums.csv", "taken"]);
}

#[test]
fn a_file_that_is_read_is_not_written() {
    let bench = bench();
    bench.ok(&format!("{TRAIN} --model m"));
    let (table, model) = (bench.bytes("sums.csv"), bench.bytes("m"));
    bench.refused(
        &format!("{TRAIN} --model sums.csv --update"),
        &["sums.csv", "not a snapshot"],
    );
    bench.refused(&format!("{TRAIN} --model sums.csv"), &["sums.csv exists"]);
    let predict = "predict --data sums.csv --model m";
    bench.refused(
        &format!("{predict} --out m"),
        &["--out names the same file as --model"],
    );
    bench.refused(&format!("{predict} --out sums.csv"), &["--out", "--data"]);
    bench.refused(
        &format!("{predict} --out ../{}/m", bench.name()),
        &["--out", "--model"],
    );
    assert_eq!((bench.bytes("sums.csv"), bench.bytes("m")), (table, model));
    assert_eq!(bench.files(), ["m", "sums.csv"]);
}

/// Every truncation, every byte changed, and files of other kinds.
#[test]
fn a_damaged_model_is_refused() {
    let bench = bench();
    bench.ok("train --data sums.csv --target value --model whole --trees 2 --algorithm mondrian:max_nodes=20");
    let whole = bench.bytes("whole");
    let load = |bytes: &[u8]| {
        fs::write(bench.path("damaged"), bytes).unwrap();
        online_forests_cli::AnyModel::load(bench.path("damaged"))
    };
    assert!(load(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(load(&whole[..length]).is_err(), "cut after {length}");
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(load(&damaged).is_err(), "byte {at}");
    }
    load(&whole[..whole.len() - 1]).unwrap_err();
    for command in [
        "predict --data sums.csv --model damaged",
        "inspect --model damaged",
    ] {
        bench.refused(command, &["damaged", "cut off", "copy it again"]);
    }
    bench.refused(
        "train --data sums.csv --model damaged --update",
        &["cut off"],
    );
    bench.refused("inspect --model sums.csv", &["not a snapshot"]);
}

/// Bytes that were changed by somebody who knows the checksum: an error, or a model that works.
#[test]
fn a_forged_model_is_refused_or_works() {
    let bench = bench();
    bench.ok("train --data sums.csv --target value --model whole --trees 2 --algorithm mondrian:max_nodes=20");
    let whole = bench.bytes("whole");
    let (mut refused, mut loaded) = (0, 0);
    for at in 0..whole.len() - 4 {
        let mut forged = whole.clone();
        forged[at] ^= 1 << (at % 8);
        let end = forged.len() - 4;
        let checksum = crc32fast::hash(&forged[..end]);
        forged[end..].copy_from_slice(&checksum.to_le_bytes());
        fs::write(bench.path("forged"), forged).unwrap();
        match online_forests_cli::AnyModel::load(bench.path("forged")) {
            Err(_) => refused += 1,
            Ok(_) => {
                loaded += 1;
                // Some are asked; all would take minutes.
                if loaded % 25 == 0 {
                    let output = bench.run("predict --data sums.csv --model forged");
                    let said = crate::bench::stderr(&output);
                    assert!(
                        matches!(output.status.code(), Some(0 | 1)) && !said.contains("panicked"),
                        "byte {at}: {said}"
                    );
                }
            }
        }
    }
    assert!(
        refused > 100 && loaded > 100,
        "{refused} refused, {loaded} loaded"
    );
}

#[test]
fn a_learner_that_is_not_a_model_is_refused() {
    use online_forests::{Algorithm, ForestSettings, Regression, Schema};
    let bench = bench();
    let algorithm: Algorithm = "mean".parse().unwrap();
    let schema = Schema::<Regression>::new(1).unwrap();
    let learner = algorithm.build(schema, ForestSettings::default()).unwrap();
    forest_core::registry::snapshot::save(&learner, bench.path("learner")).unwrap();
    bench.refused(
        "inspect --model learner",
        &["holds `mean`, not a model that `train` has made"],
    );
}

#[test]
fn absurd_arguments_end_quickly() {
    let bench = bench();
    let start = Instant::now();
    for (option, words) in [
        ("--trees 0", "--trees"),
        ("--trees 1000000000", "trees"),
        ("--trees 99999999999999999999", "--trees"),
        ("--threads 1000000", "threads"),
        ("--threads 0", "--threads"),
        ("--fit-rows 0", "--fit-rows"),
        ("--fit-rows 1000000000000", "--fit-rows"),
        ("--batch 0", "--batch"),
        ("--batch 1000000000000", "--batch"),
        ("--checkpoint 0", "--checkpoint"),
        ("--checkpoint often", "30s or 10m"),
        ("--seed=-1", "--seed"),
        ("--delimiter ,,", "--delimiter"),
        ("--algorithm mondrian:max_nodes=-3", "max_nodes"),
    ] {
        bench.refused(&format!("{TRAIN} --model m {option}"), &[words]);
    }
    bench.ok(&format!("{TRAIN} --model m"));
    bench.refused(
        "predict --data sums.csv --model m --threads 1000000",
        &["threads"],
    );
    bench.refused("inspect --model m --tree 99999999999", &["no tree"]);
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(bench.files(), ["m", "sums.csv"]);
}
