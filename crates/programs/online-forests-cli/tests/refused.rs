//! Lines and files that are refused: in a sentence that says what to do, quickly, without a trace.

use std::fs;
use std::time::{Duration, Instant};

use forest_core::registry::snapshot;
use online_forests::{Algorithm, ForestSettings, Regression, Schema};
use online_forests_cli::AnyModel;

use crate::bench::{Bench, stderr};
use crate::data::{first, houses, sums};

const TRAIN: &str = "train --data sums.csv --target value";

/// A table, a model of it, and files that are not models.
fn bench() -> Bench {
    let libsvm = "1 1:0.5 3:0.2\n-1 2:0.5\n";
    let bench = Bench::with(&[("sums.csv", &sums(200)), ("a.libsvm", libsvm)]);
    bench.ok(&format!("{TRAIN} --model m"));
    bench
}

#[test]
fn lines_of_train() {
    let bench = bench();
    let text = sums(200);
    bench.write("one_digit.csv", text.replacen('5', "6", 1));
    bench.write("short.csv", first(&text, 199));
    bench.write("renamed.csv", text.replacen("x,y", "x,z", 1));
    bench.write("target.csv", "x,y\n0,0\n1,1\n");
    bench.write(
        "ragged.csv",
        "x,y,value\n".to_owned() + &"1,2\n".repeat(100),
    );
    bench.write("large.csv", "a,b\n1,1e200\n2,-2e200\n");
    bench.refuse_all(
        "train --target value --data",
        "
        sums.csv --model m | m exists | --resume | --update
        sums.csv --model m --resume --update | --resume
        nothing.csv --model n | nothing.csv
        . --model n | directory
        sums.csv --model nowhere/m | cannot write nowhere/m
        sums.csv --model . | cannot write
        sums.csv --model sums.csv | sums.csv exists
        sums.csv --model sums.csv --update | sums.csv | not a snapshot
        sums.csv --model n --algorithm mondrain | `mondrian`
        sums.csv --model n --algorithm mondrian:bugdet=3 | `budget`
        sums.csv --model n --algorithm majority | majority does not support regression
        sums.csv --model n --update | n does not exist
        one_digit.csv --model m --resume | the first 200 rows of | --update
        short.csv --model m --resume | the first 200 rows of | --update
        renamed.csv --model m --resume | no column `y`
        target.csv --model m --update | no column `value` | x, y
        ragged.csv --model m --update --checkpoint 10 | no row | 100 bad rows",
    );
    bench.refuse_all(
        "train --model n --data",
        "
        a.libsvm --target first | looks like LIBSVM | state it with --indices 1-LAST
        sums.csv --target valeu | `valeu` | did you mean `value`
        sums.csv --resume | --target COLUMN | x, y, value
        large.csv --target b --task regress | no row of large.csv could be learned | the target 1e200 is beyond",
    );
}

#[test]
fn lines_of_predict_and_inspect() {
    let bench = bench();
    bench.write("houses.csv", houses(400));
    bench.ok("train --data houses.csv --target kind --missing median --trees 3 --model houses");
    bench.ok(&format!("{TRAIN} --algorithm boundary-forest --model b"));
    bench.write("less.csv", "size,rooms,age\n100,2,3\n");
    bench.write("twice.csv", "x,y,x\n1,1,2\n");
    fs::create_dir(bench.path("taken")).unwrap();
    let folder = bench.folder().file_name().unwrap().to_str().unwrap();
    bench.refuse_all(
        "predict --data",
        &format!(
            "
        sums.csv --model none | cannot read none
        sums.csv --model m --out nowhere/p | cannot write nowhere/p
        sums.csv --model m --out taken | cannot write taken
        sums.csv --model m --out m | --out names the same file as --model
        sums.csv --model m --out sums.csv | --out | --data
        sums.csv --model m --out ../{folder}/m | --out | --model
        sums.csv --model m --threads 1000000 | threads
        sums.csv --model m --proba | --proba needs a classifier | regression
        sums.csv --model b --interval 0.9 | mondrian-2016 | boundary-forest
        houses.csv --model houses --interval 0.9 | --interval needs a regressor
        less.csv --model houses | less.csv | no column `colour` | size, rooms, age
        twice.csv --model m | is also called `x`
        sums.csv --model m --interval=0 | a probability above 0 and below 1
        sums.csv --model m --interval=1 | a probability above 0 and below 1
        sums.csv --model m --interval=-0.5 | a probability above 0 and below 1
        sums.csv --model m --interval=NaN | a probability above 0 and below 1
        sums.csv --model m --interval=half | a probability above 0 and below 1"
        ),
    );
    bench.refuse_all(
        "inspect --model",
        "
        none | cannot read none
        sums.csv | not a snapshot
        m --tree 1000 | no tree 1000
        m --tree 99999999999 | no tree
        b --tree 0 | whose trees can be read | boundary-forest
        m --explain x=1 | no column `y`
        houses --explain size=40,romes=2 | no column `romes` (did you mean `rooms`?)
        m --explain x | expected COLUMN=VALUE
        m --explain x=big,y=2 | `big` in column `x` is not a number",
    );
    bench.refuse_all("algorithms", "mondrain | did you mean `mondrian`");
}

#[test]
fn absurd_arguments_end_quickly() {
    let start = Instant::now();
    bench().refuse_all(
        &format!("{TRAIN} --model n"),
        "
        --trees 0 | --trees
        --trees 1000000000 | trees
        --trees 99999999999999999999 | --trees
        --threads 1000000 | threads
        --threads 0 | --threads
        --fit-rows 0 | --fit-rows
        --fit-rows 1000000000000 | --fit-rows
        --batch 0 | --batch
        --batch 1000000000000 | --batch
        --checkpoint 0 | --checkpoint
        --checkpoint often | 30s or 10m
        --seed=-1 | --seed
        --delimiter ,, | --delimiter
        --algorithm mondrian:max_nodes=-3 | max_nodes
        --max-bad-rows 10% | such as 0.1",
    );
    let time = start.elapsed();
    assert!(time < Duration::from_secs(300), "{time:?}");
}

/// A small model, and what makes a model of other bytes.
fn small() -> (Bench, Vec<u8>) {
    let bench = Bench::with(&[("sums.csv", &sums(200))]);
    let options = "--model whole --trees 2 --algorithm mondrian:max_nodes=20";
    bench.ok(&format!("{TRAIN} {options}"));
    let whole = bench.bytes("whole");
    (bench, whole)
}

#[test]
fn a_damaged_model() {
    let (bench, whole) = small();
    bench.write("damaged", &whole[..whole.len() - 1]);
    let words: &[&str] = &["damaged", "cut off", "copy it again"];
    let lines = [
        "predict --data sums.csv",
        "inspect",
        "train --data sums.csv --update",
    ];
    for line in lines {
        bench.refuse(line, &[("--model damaged", words)]);
    }
    let algorithm: Algorithm = "mean".parse().unwrap();
    let schema = Schema::<Regression>::new(1).unwrap();
    let learner = algorithm.build(schema, ForestSettings::default()).unwrap();
    snapshot::save(&learner, bench.path("learner")).unwrap();
    let words = &["holds mean, not a model that `train` has made"];
    bench.refuse("inspect", &[("--model learner", words)]);
}

/// A changed byte with the right checksum: an error, or a model that works.
#[test]
fn a_forged_model_is_refused_or_works() {
    let (bench, whole) = small();
    let (mut refused, mut loaded) = (0, 0);
    for at in 0..whole.len() - 4 {
        let mut forged = whole.clone();
        forged[at] ^= 1 << (at % 8);
        let end = forged.len() - 4;
        let checksum = crc32fast::hash(&forged[..end]);
        forged[end..].copy_from_slice(&checksum.to_le_bytes());
        bench.write("forged", forged);
        if AnyModel::load(bench.path("forged")).is_err() {
            refused += 1;
            continue;
        }
        loaded += 1;
        // Some are asked; all would take minutes.
        if loaded % 25 == 0 {
            let output = bench.run("predict --data sums.csv --model forged");
            let said = stderr(&output);
            let is_ended = matches!(output.status.code(), Some(0 | 1));
            let is_in_order = is_ended && !said.contains("panicked");
            assert!(is_in_order, "byte {at}: {said}");
        }
    }
    assert!(
        refused > 100 && loaded > 100,
        "{refused} refused, {loaded} loaded"
    );
}

/// Commands that read `table.csv`, of which the last two need `model`.
const COMMANDS: [&str; 3] = [
    "train --data table.csv --target value --model new",
    "train --data table.csv --target value --model model --update",
    "predict --data table.csv --model model --out predictions.csv",
];

#[test]
fn files_of_other_formats() {
    let bench = Bench::with(&[("sums.csv", &sums(100))]);
    bench.ok(&format!("{TRAIN} --model model"));
    let lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    let json = b"{\"x\": 1, \"y\": 2, \"value\": 3}\n{\"x\": 1, \"y\": 2, \"value\": 3}\n";
    let sqlite = b"SQLite format 3\0\x10\0\x01\x01";
    let pickle = b"\x80\x05\x95\x17\x04\0";
    let cases: [(&[u8], &[&str]); 4] = [
        (lfs, &["table.csv: is a pointer to a file", "git lfs pull"]),
        (json, &["table.csv: is JSON", "convert it to CSV"]),
        (sqlite, &["table.csv: is a SQLite database", "sqlite3"]),
        (
            pickle,
            &["contains bytes that do not occur in text", "export it"],
        ),
    ];
    for (content, words) in cases {
        bench.write("table.csv", content);
        bench.refuse("", &COMMANDS.map(|command| (command, words)));
    }
}

/// Three groups of rows, of which the last is damaged: rows before it are neither learned nor predicted.
#[cfg(feature = "columnar")]
#[test]
fn damage_in_a_later_group_of_rows() {
    let whole = include_bytes!("../../../support/tables/tests/fixtures/checksums.parquet");
    let bench = Bench::new();
    bench.write("whole.parquet", whole);
    bench.ok("train --data whole.parquet --target w --model model");
    let mut damaged = whole.to_vec();
    // In the last page before the footer.
    let footer = u32::from_le_bytes(whole[whole.len() - 8..][..4].try_into().unwrap());
    damaged[whole.len() - 12 - footer as usize] ^= 1;
    bench.write("table.csv", damaged);
    let damage = "cannot be read as Parquet or Arrow";
    let words = ["table.csv", damage, "fetch or write the file again"];
    for command in COMMANDS {
        bench.refuse("", &[(&command.replace("value", "w"), &words)]);
    }
}

/// Invalid parts of a forest, parts that do not fit together, and parts that do.
#[test]
fn parts_and_what_is_joined() {
    let bench = Bench::with(&[("sums.csv", &sums(200))]);
    let train = "train --target value --trees 5 --fit-rows 50 --data";
    bench.refuse_all(
        &format!("{train} sums.csv --model p --part"),
        "
        0/2 | --part | such as 1/4
        3/2 | --part | such as 1/4
        2 | --part | such as 1/4
        1/0 | --part | such as 1/4
        1/4/2 | --part | such as 1/4
        a/b | --part | such as 1/4
        1/6 --algorithm amf | --part 1/6 | 5 trees
        1/2 --algorithm boundary-forest | --part | independent trees | --algorithm mondrian
        1/2 --algorithm residual-forest | --part | independent trees | --algorithm mondrian
        1/2 --algorithm adaptive | --part | independent trees | --algorithm mondrian",
    );
    let text = sums(200);
    bench.write("early.csv", first(&text, 100));
    bench.write("other.csv", text.replacen('5', "6", 1));
    for line in [
        "sums.csv --algorithm amf --part 1/3 --model p1",
        "sums.csv --algorithm amf --part 2/3 --model p2",
        "sums.csv --algorithm amf --part 3/3 --model p3",
        "sums.csv --algorithm amf --part 3/3 --model seed --seed 1",
        "early.csv --algorithm amf --part 3/3 --model early",
        "other.csv --algorithm amf --part 3/3 --model other",
        "sums.csv --algorithm boundary-forest --model single",
    ] {
        bench.ok(&format!("{train} {line}"));
    }
    bench.refuse_all(
        &format!("{train} sums.csv --algorithm amf --model p1 --resume --part"),
        "
        2/3 | another part | trees 1 to
        1/2 | another part | trees 1 to",
    );
    bench.refuse("join --model m", &[("", &["PART"])]);
    bench.refuse_all(
        "join --model m",
        "
        p1 p2 | the others do not have each of the rest once | every part
        p2 p3 | the others do not have each of the rest once
        p1 p3 | the others do not have each of the rest once
        p1 p2 p2 p3 | the others do not have each of the rest once
        p2 | the others do not have each of the rest once
        p1 p2 seed | seed | other settings than p1 | same options
        p1 p2 early | early | 100 rows | --resume
        p1 p2 other | other | other rows than p1
        p1 single | single
        single | single | independent trees
        p1 p2 nowhere | nowhere | No such file",
    );
    // In any order they are the model of one process.
    bench.ok("join p3 p1 p2 --model m");
    bench.ok(&format!("{train} sums.csv --algorithm amf --model whole"));
    bench.same("m", "whole", "joined");
}
