//! How a table is written is kept in the model: it is said once.

use crate::bench::{Bench, stderr};
use crate::data::sums;

/// So many rows without a header line, with comments, semicolons, decimal commas, and a letter in Latin-1.
fn table(rows: usize) -> Vec<u8> {
    let mut text = b"# no header\n".to_vec();
    for row in 0..rows {
        let (size, price) = (row * 7 % 50, row * 11 % 90);
        let colour: &[u8] = if row % 3 == 0 { b"gr\xfcn" } else { b"blau" };
        text.extend(format!("{size},5;").bytes());
        text.extend(colour);
        text.extend(format!(";{price},25\n# {row}\n").bytes());
    }
    text
}

const OPTIONS: &str = "--header no --comment # --delimiter ; --decimal comma --encoding latin-1 \
                       --target 3 --fit-rows 50";

fn bench() -> Bench {
    let bench = Bench::new();
    std::fs::write(bench.path("half.txt"), table(100)).unwrap();
    std::fs::write(bench.path("whole.txt"), table(200)).unwrap();
    bench
}

#[test]
fn a_run_that_continues_and_predictions_need_no_options() {
    let (bench, options) = (bench(), OPTIONS);
    bench.ok(&format!("train --data whole.txt --model whole {options}"));
    bench.ok(&format!("train --data half.txt --model m {options}"));
    bench.ok("train --data whole.txt --model m --resume");
    assert_eq!(bench.bytes("m"), bench.bytes("whole"));
    let predictions = bench.ok("predict --data whole.txt --model m");
    assert_eq!(predictions.lines().count(), 201);
    assert!(!predictions.lines().any(str::is_empty), "{predictions}");
    let said = stderr(&bench.run("train --data half.txt --model m --update"));
    assert!(said.contains("learned 100 rows; 200 rows before"), "{said}");
}

/// A first row of words that do not come again would be taken for a header.
#[test]
fn the_lack_of_a_header_is_kept() {
    let bench = Bench::new();
    let rows: String = (0..30)
        .map(|row| format!("w{},{}\n", row % 3, ["a", "b"][row % 2]))
        .collect();
    bench.write("words.csv", &format!("once,c\n{rows}"));
    bench.ok("train --data words.csv --header no --target 2 --model m");
    assert_eq!(
        bench
            .ok("predict --data words.csv --model m")
            .lines()
            .count(),
        32
    );
    let predictions = bench.ok("predict --data words.csv --model m --header yes");
    assert_eq!(predictions.lines().count(), 31);
}

#[test]
fn an_option_that_says_something_else_is_refused() {
    let (bench, options) = (bench(), OPTIONS);
    bench.ok(&format!("train --data half.txt --model m {options}"));
    let resume = "train --data whole.txt --model m --resume";
    for (asked, made) in [
        ("--delimiter tab", "with --delimiter ;"),
        ("--header yes", "with --header no"),
        ("--comment %", "with --comment #"),
        ("--decimal point", "with --decimal comma"),
        ("--thousands .", "without --thousands"),
        ("--missing drop", "with --missing keep"),
        ("--drop 1", "without --drop"),
        ("--encoding utf-8", "with --encoding latin-1"),
        ("--categories ordinal", "with --categories native"),
        ("--dates text", "without --dates"),
        ("--target 1", "with --target column_3"),
    ] {
        let sentence = format!("the model was made {made}, not with {asked}");
        let sentence = sentence.replace("--target 1", "--target column_1");
        bench.refused(&format!("{resume} {asked}"), &[sentence.as_str()]);
    }
    // What was said before may be said again.
    bench.ok(&format!("{resume} {options} --missing keep"));
}

/// The same columns, written in another way.
#[test]
fn other_rows_may_be_written_in_another_way() {
    let (bench, options) = (bench(), OPTIONS);
    bench.ok(&format!("train --data half.txt --model m {options}"));
    let other = "%\n7,5\tblau\t3,5\n8,5\tgrün\t4,5\n";
    bench.write("other.txt", other);
    let reading = "--delimiter tab --comment % --encoding utf-8";
    let update = format!("train --data other.txt --model m --update {reading}");
    let said = stderr(&bench.run(&update));
    assert!(said.contains("learned 2 rows; 100 rows before"), "{said}");
    let predictions = bench.ok(&format!("predict --data other.txt --model m {reading}"));
    assert_eq!(predictions.lines().count(), 3);
    let missing = ["with --missing keep", "not with --missing drop"];
    bench.refused(&format!("{update} --missing drop"), &missing);
}

/// The table of [`sums`] as LIBSVM with indices from `first`, and as CSV. What is negative is 0, which LIBSVM leaves out.
fn libsvm(rows: usize, first: usize) -> (String, String) {
    let mut sparse = String::new();
    let mut dense = format!("label,f{first},f{}\n", first + 1);
    for line in sums(rows).lines().skip(1) {
        let cells: Vec<f32> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let features = [cells[0], cells[1]].map(|x| if x > 0.0 { x } else { 0.0 });
        let label = cells[2];
        dense += &format!("{label},{},{}\n", features[0], features[1]);
        sparse += &label.to_string();
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
        let bench = Bench::new();
        bench.write("a.svm", &sparse);
        bench.write("a.csv", &dense);
        let train = "train --target label --model";
        bench.ok(&format!(
            "{train} svm.model --data a.svm --indices {indices}"
        ));
        bench.ok(&format!("{train} csv.model --data a.csv"));
        let predictions = bench.ok("predict --data a.svm --model svm.model");
        assert_eq!(
            predictions,
            bench.ok("predict --data a.csv --model csv.model")
        );
        assert_eq!(predictions.lines().count(), 301);
        // Either model reads either table.
        assert_eq!(
            predictions,
            bench.ok("predict --data a.csv --model svm.model --header yes")
        );
        let reported = format!("predict --data a.svm --model csv.model --indices {indices}");
        assert_eq!(predictions, bench.ok(&reported));
    }
}

#[test]
fn rows_of_libsvm_come_through_a_pipe_and_bad_ones_are_passed_over() {
    let bench = Bench::new();
    let (sparse, _) = libsvm(100, 1);
    let lines: Vec<&str> = sparse.lines().collect();
    let half = lines.len() / 2;
    let broken = [
        &lines[..half],
        &["1 3:1", "1 2:1 1:1", "a,b"],
        &lines[half..],
    ]
    .concat()
    .join("\n");
    let train = "train --target label --indices 1-2 --data -";
    bench.ok_with(&format!("{train} --model good"), &sparse);
    let bad = stderr(&bench.run_with(&format!("{train} --model m"), &broken));
    for says in [
        "index 3 is not one of 1-2",
        "index 1 does not increase",
        "`a,b` (label) is not a number",
    ] {
        assert!(bad.contains(says), "{bad}");
    }
    let ask = |model: &str| bench.ok_with(&format!("predict --data - --model {model}"), &sparse);
    assert_eq!(ask("good"), ask("m"));
    bench.write("half.svm", &lines[..half].join("\n"));
    bench.refused(
        "train --data half.svm --target label --model n",
        &["--indices"],
    );
    let other = "train --data - --model good --resume --indices 1-3";
    let said = stderr(&bench.run_with(other, &sparse));
    assert!(said.contains("with --indices 1-2"), "{said}");
}
