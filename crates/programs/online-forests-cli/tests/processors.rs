//! The same rows give the same model file on processors with and without fused multiplication and wide vectors.
//!
//! glibc chooses its logarithms by what the processor can do, and a variable can hide that from it. Under another C library
//! these tests compare a program with itself.

use std::process::Stdio;

use online_forests::{Algorithm, Classification, Regression};

use crate::bench::{Bench, stderr};
use crate::data::{houses, sums};

/// What a processor is made to lack.
const MASKS: [&str; 2] = [
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512DQ,-AVX512BW",
    "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable,-AVX,-AVX512F,-AVX512VL,-AVX512DQ,-AVX512BW",
];

/// The bytes of a model that was trained under a mask.
fn model(bench: &Bench, train: &str, mask: &str) -> Vec<u8> {
    let mut command = bench.command(&format!("{train} --model m"));
    let output = command
        .env("GLIBC_TUNABLES", mask)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{train}: {}", stderr(&output));
    let bytes = bench.bytes("m");
    std::fs::remove_file(bench.path("m")).unwrap();
    bytes
}

fn same_everywhere(bench: &Bench, train: &str, algorithm: &Algorithm) {
    let train = format!("{train} --algorithm {algorithm}");
    let [plain, narrow, unfused] = ["", MASKS[0], MASKS[1]].map(|mask| model(bench, &train, mask));
    assert_eq!(plain, narrow, "{algorithm}, without AVX-512");
    assert_eq!(plain, unfused, "{algorithm}, without fused multiplication");
}

#[test]
fn every_classifier_is_the_same_on_every_processor() {
    let bench = Bench::new();
    bench.write("houses.csv", &houses(1500));
    for algorithm in Algorithm::all().filter(Algorithm::supports::<Classification>) {
        let train =
            "train --data houses.csv --target kind --missing median --fit-rows 300 --trees 4";
        same_everywhere(&bench, train, &algorithm);
    }
}

#[test]
fn every_regressor_is_the_same_on_every_processor() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(2000));
    for algorithm in Algorithm::all().filter(Algorithm::supports::<Regression>) {
        same_everywhere(
            &bench,
            "train --data sums.csv --target value --trees 4",
            &algorithm,
        );
    }
}
