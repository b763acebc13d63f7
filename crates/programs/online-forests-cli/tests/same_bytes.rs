//! The same rows give the same model file, bit for bit, however they arrive.

use crate::bench::Bench;
use crate::data::{houses, sums};

const HOUSES: &str = "train --target kind --missing median --fit-rows 300 --trees 5";

#[test]
fn standard_input_is_the_file() {
    let (bench, text) = (Bench::new(), houses(1500));
    bench.write("houses.csv", &text);
    bench.ok(&format!("{HOUSES} --data houses.csv --model file.model"));
    bench.ok_with(&format!("{HOUSES} --data - --model pipe.model"), &text);
    assert_eq!(bench.bytes("file.model"), bench.bytes("pipe.model"));
}

#[test]
fn batches_of_any_size_and_any_number_of_threads_give_the_same_model() {
    let bench = Bench::new();
    bench.write("houses.csv", &houses(1500));
    let train = format!("{HOUSES} --data houses.csv");
    bench.ok(&format!("{train} --model one.model --batch 1 --threads 1"));
    let one = bench.bytes("one.model");
    let pairs = [1, 7, 1000].map(|batch| [1, 2, 8, 64].map(|threads| (batch, threads)));
    for (batch, threads) in pairs.into_iter().flatten() {
        bench.ok(&format!(
            "{train} --model m --batch {batch} --threads {threads}"
        ));
        assert_eq!(
            bench.bytes("m"),
            one,
            "batches of {batch}, {threads} threads"
        );
        std::fs::remove_file(bench.path("m")).unwrap();
    }
}

#[test]
fn checkpoints_leave_no_trace_in_the_model() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(700));
    for algorithm in ["mondrian", "stream-rf", "amf", "adaptive"] {
        let train = format!("train --data sums.csv --target value --algorithm {algorithm}");
        bench.ok(&format!("{train} --model {algorithm}-1 --checkpoint never"));
        bench.ok(&format!("{train} --model {algorithm}-2 --checkpoint 13"));
        let [never, often] = [1, 2].map(|i| bench.bytes(&format!("{algorithm}-{i}")));
        assert_eq!(never, often, "{algorithm}");
    }
}

#[test]
fn another_seed_or_setting_is_another_model() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    let train = "train --data sums.csv --target value";
    bench.ok(&format!("{train} --model a"));
    for (i, option) in ["--seed 1", "--trees 3", "--scale none", "--algorithm amf"]
        .iter()
        .enumerate()
    {
        bench.ok(&format!("{train} --model b{i} {option}"));
        assert_ne!(bench.bytes("a"), bench.bytes(&format!("b{i}")), "{option}");
    }
}
