//! Tables as people write them: no line is lost, and what was said when training holds when predicting and continuing.

use crate::bench::{Bench, column, numbers, stderr};
use crate::data::sums;

/// `rows` rows without a header line, with comments, semicolons, decimal commas, and a letter in Latin-1.
fn table(rows: usize) -> Vec<u8> {
    let mut text = b"# no header\n".to_vec();
    for row in 0..rows {
        let colour: &[u8] = if row % 3 == 0 { b"gr\xfcn" } else { b"blau" };
        text.extend(format!("{},5;", row * 7 % 50).bytes());
        text.extend(colour);
        text.extend(format!(";{},25\n# {row}\n", row * 11 % 90).bytes());
    }
    text
}

const OPTIONS: &str = "--header no --comment # --delimiter ; --decimal comma --encoding latin-1 \
                       --target 3 --fit-rows 50";

#[test]
fn a_run_that_continues_and_predictions_need_no_options_and_refuse_others() {
    let bench = Bench::new();
    bench.write("half.txt", table(100));
    bench.write("whole.txt", table(200));
    bench.ok(&format!(
        "train --data half.txt --model m --seed 3 --algorithm dynamic-extra-trees {OPTIONS}"
    ));
    let resume = "train --data whole.txt --model m --resume";
    for (asked, made) in [
        ("--delimiter tab", "with --delimiter ;"),
        ("--header yes", "with --header no"),
        ("--comment %", "with --comment #"),
        ("--decimal point", "with --decimal comma"),
        ("--thousands .", "without --thousands"),
        ("--missing drop", "with --missing keep"),
        ("--missing-values other", "without --missing-values"),
        ("--drop 1", "without --drop"),
        ("--encoding utf-8", "with --encoding latin-1"),
        ("--categories ordinal", "with --categories native"),
        ("--dates text", "without --dates"),
        ("--target 1", "with --target column_3"),
        ("--seed 4", "with --seed 3"),
        ("--trees 4", "with --trees 100"),
        ("--fit-rows 7", "with --fit-rows 50"),
        ("--scale minmax", "with --scale none"),
        ("--task classify", "with --task regress"),
        (
            "--algorithm mondrian",
            "with --algorithm dynamic-extra-trees",
        ),
    ] {
        let not = asked.replace("--target 1", "--target column_1");
        let sentence = format!("the model was made {made}, not with {not}");
        bench.refuse(resume, &[(asked, &[&sentence])]);
    }
    bench.ok(&format!(
        "train --data whole.txt --model whole --seed 3 --algorithm dynamic-extra-trees {OPTIONS}"
    ));
    bench.ok(resume);
    bench.same("m", "whole", "without options");
    // What was said before may be said again.
    bench.ok(&format!("{resume} {OPTIONS} --missing keep --seed 3"));
    let predictions = bench.ok("predict --data whole.txt --model m");
    let lines = predictions.lines().filter(|line| !line.is_empty());
    assert_eq!(lines.count(), 201);
    let update = "train --model m --update --data";
    let words = ["learned 100 rows; 200 rows before"];
    bench.says(&format!("{update} half.txt"), &words);
    // The same columns, written in another way.
    bench.write("other.txt", "%\n7,5\tblau\t3,5\n8,5\tgrün\t4,5\n");
    let other = "other.txt --delimiter tab --comment % --encoding utf-8";
    let words = ["learned 2 rows; 300 rows before"];
    bench.says(&format!("{update} {other}"), &words);
    let predictions = bench.ok(&format!("predict --model m --data {other}"));
    assert_eq!(predictions.lines().count(), 3);
    let words = ["with --missing keep", "not with --missing drop"];
    bench.refuse(update, &[(&format!("{other} --missing drop"), &words)]);
}

/// A first row of words that do not come again would be taken for a header.
#[test]
fn the_lack_of_a_header_is_kept() {
    let rows = (0..30).map(|row| format!("w{},{}\n", row % 3, ["a", "b"][row % 2]));
    let rows: String = rows.collect();
    let bench = Bench::with(&[("words.csv", &format!("once,c\n{rows}"))]);
    bench.ok("train --data words.csv --header no --target 2 --model m");
    for (option, lines) in [("", 32), ("--header yes", 31)] {
        let predictions = bench.ok(&format!("predict --data words.csv --model m {option}"));
        assert_eq!(predictions.lines().count(), lines, "{option}");
    }
}

#[test]
fn a_quote_without_an_end_costs_one_row_of_training_and_one_prediction() {
    let text = sums(3000);
    let mut lines: Vec<&str> = text.lines().collect();
    let stray = format!("\"12 inch{}", lines[101]);
    lines[101] = &stray;
    let bench = Bench::with(&[("stray.csv", &(lines.join("\n") + "\n"))]);
    let bad = "line 102: the quoted cell that begins on this line";
    let words = ["learned 2999 rows; 1 bad row", bad];
    let train = "train --data stray.csv --target value --model m --trees 2";
    bench.says(train, &words);
    let predictions = bench.ok("predict --data stray.csv --model m");
    let predictions = column(&predictions, "prediction");
    let empty = (0..3000).filter(|row| predictions[*row].is_empty());
    assert!(predictions.len() == 3000 && empty.eq([100]));
}

#[test]
fn words_that_stand_for_nothing_are_those_of_the_model() {
    let train = "a,b,y\n1,NA,x\n2,US,z\nunknown,NA,x\n4,US,z\n";
    let later = "a,b\nunknown,NA\n-,US\n";
    let bench = Bench::with(&[("train.csv", train), ("later.csv", later)]);
    let line = "train --data train.csv --target y --model m --trees 2 --missing median \
                --missing-values unknown --not-missing NA";
    bench.says(line, &["learned 4 rows; model"]);
    let said = bench.says("predict --data later.csv --model m", &[]);
    assert!(said.is_empty(), "{said}");
}

#[test]
fn names_that_are_numbers_are_found_again_above_a_single_row() {
    let mut years = "country,2019,2020,y\n".to_owned();
    for i in 0..40 {
        let country = ["IE", "FR"][i % 2];
        let a = i * 37 % 100;
        let b = i * 59 % 100;
        years += &format!("{country},{a}.5,{b}.25,{}\n", i % 3);
    }
    let later = "country,2019,2020\nIE,1.5,2.5\n";
    let bench = Bench::with(&[("years.csv", &years), ("later.csv", later)]);
    let words = ["learned 40 rows", "--header no"];
    let train = "train --data years.csv --target y --model m --trees 2";
    bench.says(train, &words);
    let predictions = bench.ok("predict --data later.csv --model m");
    assert_eq!(column(&predictions, "prediction").len(), 1);
}

#[test]
fn too_many_classes_are_refused_in_the_same_words_early_and_late() {
    let rows: String = (0..4100).map(|i| format!("{i},c{i:05}\n")).collect();
    let bench = Bench::with(&[("many.csv", &format!("a,y\n{rows}"))]);
    let sentence = "`c04096` would be one class more than the 4096 that a model can have; is the target a number (--task regress)?";
    let train = "train --data many.csv --target y --model m --trees 1";
    bench.refuse(train, &[("", &[sentence])]);
    let said = stderr(&bench.run(&format!("{train} --fit-rows 100")));
    assert!(said.contains(sentence), "{said}");
}

/// On Unix a path is bytes, and need not be text.
#[cfg(unix)]
#[test]
fn a_path_that_is_not_text_is_read() {
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::new();
    let name = std::ffi::OsStr::from_bytes(b"sums\xff.csv");
    std::fs::write(bench.folder().join(name), sums(100)).unwrap();
    for line in [
        "train --target value --model model",
        "predict --model model --out p.csv",
    ] {
        let mut command = bench.command(line);
        let output = command.arg("--data").arg(name).output().unwrap();
        assert!(output.status.success(), "{line} said\n{}", stderr(&output));
    }
    assert_eq!(bench.read("p.csv").lines().count(), 101);
}

/// A number that is missing at times, words, and a target that depends on both.
fn prices(rows: usize) -> String {
    let mut text = "size,colour,price\n".to_owned();
    for row in 0..rows {
        let colour = ["red", "blue", "green", "NA"][row % 4];
        let price = 3 * (row % 4);
        if row.is_multiple_of(5) {
            text += &format!(",{colour},{}.5\n", price + 20);
        } else {
            text += &format!("{},{colour},{price}.5\n", row * 7 % 50);
        }
    }
    text
}

#[test]
fn missing_values_and_categories_are_learned_as_they_are_by_algorithms_that_take_them() {
    // One colour was never seen.
    let new = "size,colour\n,NA\n,red\n3,violet\n";
    let (half, whole) = (prices(150), prices(300));
    let bench = Bench::with(&[("half.csv", &half), ("whole.csv", &whole), ("new.csv", new)]);
    let train = "train --target price --data";
    for algorithm in [
        "dynamic-extra-trees",
        "residual-forest",
        "conformal:base=dynamic-extra-trees",
    ] {
        let options = format!("--missing keep --categories native --algorithm {algorithm}");
        bench.ok(&format!("{train} whole.csv --model whole {options}"));
        bench.ok(&format!("{train} half.csv --model m {options}"));
        bench.ok("train --data whole.csv --model m --resume");
        let ask = |model| bench.ok(&format!("predict --data whole.csv --model {model}"));
        assert_eq!(ask("m"), ask("whole"), "{algorithm}");
        let predicted = numbers(&bench.ok("predict --data new.csv --model m"), "prediction");
        let is_near = (predicted[0] - 29.5).abs() < 6.0 && (predicted[1] - 20.5).abs() < 6.0;
        assert!(is_near && predicted[2].is_finite(), "{predicted:?}");
        if algorithm == "dynamic-extra-trees" {
            let words = [
                "size is missing or a category, which goes",
                "colour = red, of the ",
            ];
            bench.shows(
                "inspect --model m --explain size=,colour=red --tree 0",
                &words,
            );
        }
        bench.remove("m");
        bench.remove("whole");
    }
    let keep = "--missing keep needs an algorithm that takes missing values and categories, such as dynamic-extra-trees or residual-forest";
    let native = "--categories native needs an algorithm";
    bench.refuse(
        &format!("{train} half.csv --model m --algorithm mondrian"),
        &[
            ("--missing keep", &[keep]),
            ("--missing median --categories native", &[native]),
            // Given zeros and ones, and missing values are refused.
            ("", &["use --missing median, indicator or drop"]),
        ],
    );
    // One that takes them is given them as they are; scales leave them alone.
    for (name, options) in [("m", ""), ("n", "--scale minmax")] {
        bench.ok(&format!("{train} whole.csv --model {name} {options}"));
    }
}
