//! Files that are not tables, that are damaged, or whose names are not UTF-8.

use std::fs;

use crate::bench::{Bench, stderr};
use crate::data::sums;

/// Three groups of rows.
#[cfg(feature = "columnar")]
const PARQUET: &[u8] = include_bytes!("../../../support/tables/tests/fixtures/checksums.parquet");

/// Commands that read `table.csv`, of which the last two need `model`.
const COMMANDS: [&str; 3] = [
    "train --data table.csv --target value --model new",
    "train --data table.csv --target value --model model --update",
    "predict --data table.csv --model model --out predictions.csv",
];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(100));
    bench.ok("train --data sums.csv --target value --model model");
    bench
}

/// All commands, and that they leave everything as it was.
fn refused(bench: &Bench, commands: &[&str], words: &[&str]) {
    let (files, model) = (bench.files(), bench.bytes("model"));
    for command in commands {
        bench.refused(command, words);
        assert_eq!(bench.run(command).status.code(), Some(1), "{command}");
        assert_eq!(bench.files(), files, "{command}");
        assert_eq!(bench.bytes("model"), model, "{command}");
    }
}

#[test]
fn other_formats_are_refused_by_every_command_and_nothing_is_written() {
    let bench = bench();
    let cases: [(&[u8], &[&str]); 4] = [
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
            &["table.csv: is a pointer to a file", "git lfs pull"],
        ),
        (
            b"{\"x\": 1, \"y\": 2, \"value\": 3}\n{\"x\": 1, \"y\": 2, \"value\": 3}\n",
            &["table.csv: is JSON", "convert it to CSV"],
        ),
        (
            b"SQLite format 3\0\x10\0\x01\x01",
            &["table.csv: is a SQLite database", "sqlite3"],
        ),
        (
            b"\x80\x05\x95\x17\x04\0",
            &[
                "table.csv: contains bytes that do not occur in text",
                "export it as CSV",
            ],
        ),
    ];
    for (content, words) in cases {
        fs::write(bench.path("table.csv"), content).unwrap();
        refused(&bench, &COMMANDS, words);
    }
}

/// Rows before the damage are neither learned nor predicted.
#[cfg(feature = "columnar")]
#[test]
fn damage_in_a_later_group_of_rows_ends_every_command_and_nothing_is_written() {
    let bench = Bench::new();
    fs::write(bench.path("whole.parquet"), PARQUET).unwrap();
    bench.ok("train --data whole.parquet --target w --model model");
    let mut damaged = PARQUET.to_vec();
    // In the last page before the footer.
    let footer = u32::from_le_bytes(PARQUET[PARQUET.len() - 8..][..4].try_into().unwrap());
    damaged[PARQUET.len() - 12 - footer as usize] ^= 1;
    fs::write(bench.path("table.csv"), damaged).unwrap();
    let commands = COMMANDS.map(|command| command.replace("value", "w"));
    let commands = commands.each_ref().map(String::as_str);
    let words = [
        "table.csv",
        "cannot be read as Parquet or Arrow",
        "fetch or write the file again",
    ];
    refused(&bench, &commands, &words);
}

/// On Unix a path is bytes, and need not be text.
#[cfg(unix)]
#[test]
fn a_path_that_is_not_text_is_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let bench = Bench::new();
    let name = OsStr::from_bytes(b"sums\xff.csv");
    fs::write(bench.folder().join(name), sums(100)).unwrap();
    for line in [
        "train --target value --model model",
        "predict --model model --out predictions.csv",
    ] {
        let output = bench
            .command(line)
            .arg("--data")
            .arg(name)
            .output()
            .unwrap();
        assert!(output.status.success(), "{line} said\n{}", stderr(&output));
    }
    assert_eq!(bench.read("predictions.csv").lines().count(), 101);
}
