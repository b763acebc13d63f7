//! Tables as people write them: no line is lost, and what was said when training holds when predicting.

use crate::bench::{Bench, column, stderr};
use crate::data::sums;

#[test]
fn a_quote_without_an_end_costs_one_row_of_training_and_one_prediction() {
    let bench = Bench::new();
    let mut lines: Vec<String> = sums(3000).lines().map(str::to_owned).collect();
    lines[101] = format!("\"12 inch{}", lines[101]);
    bench.write("stray.csv", &(lines.join("\n") + "\n"));
    let output = bench.run("train --data stray.csv --target value --model m --trees 2");
    let said = stderr(&output);
    assert!(
        output.status.success() && said.contains("learned 2999 rows; 1 bad row"),
        "{said}"
    );
    assert!(
        said.contains("line 102: the quoted cell that begins on this line"),
        "{said}"
    );
    let predictions = bench.ok("predict --data stray.csv --model m");
    let predictions = column(&predictions, "prediction");
    assert_eq!(predictions.len(), 3000);
    let empty: Vec<usize> = (0..3000)
        .filter(|row| predictions[*row].is_empty())
        .collect();
    assert_eq!(empty, [100]);
}

#[test]
fn words_that_stand_for_nothing_are_those_of_the_model() {
    let bench = Bench::new();
    bench.write("train.csv", "a,b,y\n1,NA,x\n2,US,z\nunknown,NA,x\n4,US,z\n");
    let said = "train --data train.csv --target y --model m --trees 2 --missing median --missing-values unknown --not-missing NA";
    let output = bench.run(said);
    assert!(
        stderr(&output).contains("learned 4 rows; model"),
        "{}",
        stderr(&output)
    );
    bench.write("later.csv", "a,b\nunknown,NA\n-,US\n");
    let output = bench.run("predict --data later.csv --model m");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        stderr(&output)
    );
    bench.refused(
        "train --data train.csv --model m --resume --missing-values other",
        &["--missing-values unknown"],
    );
}

#[test]
fn names_that_are_numbers_are_found_again_above_a_single_row() {
    let bench = Bench::new();
    let row = |i: u64| {
        format!(
            "{},{}.5,{}.25,{}\n",
            ["IE", "FR"][i as usize % 2],
            i * 37 % 100,
            i * 59 % 100,
            i % 3
        )
    };
    let rows: String = (0..40).map(row).collect();
    bench.write("years.csv", &format!("country,2019,2020,y\n{rows}"));
    let output = bench.run("train --data years.csv --target y --model m --trees 2");
    let said = stderr(&output);
    assert!(
        said.contains("learned 40 rows") && said.contains("--header no"),
        "{said}"
    );
    bench.write("later.csv", "country,2019,2020\nIE,1.5,2.5\n");
    let predictions = bench.ok("predict --data later.csv --model m");
    assert_eq!(column(&predictions, "prediction").len(), 1);
}

#[test]
fn too_many_classes_are_refused_in_the_same_words_early_and_late() {
    let bench = Bench::new();
    let table = |rows: u64| {
        (0..rows)
            .map(|i| format!("{i},c{i:05}\n"))
            .collect::<String>()
    };
    bench.write("many.csv", &format!("a,y\n{}", table(4100)));
    let sentence = "`c04096` would be one class more than the 4096 that a model can have; is the target a number (--task regress)?";
    bench.refused(
        "train --data many.csv --target y --model m --trees 1",
        &[sentence],
    );
    assert!(!bench.files().contains(&"m".to_owned()));
    let output = bench.run("train --data many.csv --target y --model m --trees 1 --fit-rows 100");
    assert!(stderr(&output).contains(sentence), "{}", stderr(&output));
}
