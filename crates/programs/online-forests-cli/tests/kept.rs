//! Missing values and categories that algorithms take as they are.

use crate::bench::{Bench, stderr};

/// A number that is missing at times, words, and a target that depends on both.
fn table(rows: usize) -> String {
    let row = |row: usize| {
        let (size, colour) = (row * 7 % 50, ["red", "blue", "green", "NA"][row % 4]);
        let cell = if row.is_multiple_of(5) {
            String::new()
        } else {
            size.to_string()
        };
        let target = 3 * (row % 4) + usize::from(row.is_multiple_of(5)) * 20;
        format!("{cell},{colour},{target}.5\n")
    };
    let rows: String = (0..rows).map(row).collect();
    format!("size,colour,price\n{rows}")
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("half.csv", &table(150));
    bench.write("whole.csv", &table(300));
    bench
}

const OPTIONS: &str = "--target price --missing keep --categories native";

#[test]
fn missing_values_and_categories_are_learned_and_predicted() {
    for algorithm in [
        "dynamic-extra-trees",
        "residual-forest",
        "conformal:base=dynamic-extra-trees",
    ] {
        let (bench, options) = (bench(), format!("--algorithm {algorithm} {OPTIONS}"));
        bench.ok(&format!("train --data whole.csv --model whole {options}"));
        bench.ok(&format!("train --data half.csv --model m {options}"));
        bench.ok("train --data whole.csv --model m --resume");
        let predicted = |model| bench.ok(&format!("predict --data whole.csv --model {model}"));
        assert_eq!(predicted("m"), predicted("whole"), "{algorithm}");
        // One colour was never seen.
        bench.write("new.csv", "size,colour\n,NA\n,red\n3,violet\n");
        let predictions = bench.ok("predict --data new.csv --model m");
        let numbers = predictions.lines().skip(1);
        let numbers: Vec<f64> = numbers
            .map(|line| line.split(',').next().unwrap().parse().unwrap())
            .collect();
        assert!(
            (numbers[0] - 29.5).abs() < 6.0 && (numbers[1] - 20.5).abs() < 6.0,
            "{numbers:?}"
        );
        assert!(numbers[2].is_finite());
    }
}

#[test]
fn algorithms_that_do_not_take_them_say_so() {
    let bench = bench();
    let refused = |options: &str| {
        stderr(&bench.run(&format!(
            "train --data half.csv --model m --target price {options}"
        )))
    };
    let text = refused("--algorithm mondrian --missing keep");
    assert!(
        text.contains("--missing keep needs an algorithm that takes missing values and categories, such as dynamic-extra-trees or residual-forest"),
        "{text}"
    );
    let text = refused("--algorithm mondrian --missing median --categories native");
    assert!(
        text.contains("--categories native needs an algorithm"),
        "{text}"
    );
    // Without these options, one that does not is given zeros and ones, and missing values are refused.
    let text = refused("--algorithm mondrian");
    assert!(
        text.contains("use --missing median, indicator or drop"),
        "{text}"
    );
    // One that does is given them as they are; scales leave them alone.
    for options in ["", "--scale minmax"] {
        let train = format!(
            "train --data whole.csv --model default{} --target price {options}",
            options.len()
        );
        assert!(stderr(&bench.run(&train)).contains("learned "));
    }
}

#[test]
fn a_path_says_what_is_missing() {
    let bench = bench();
    bench.ok(&format!(
        "train --data whole.csv --model m --algorithm dynamic-extra-trees {OPTIONS}"
    ));
    let path = bench.ok("inspect --model m --explain size=,colour=red --tree 0");
    assert!(
        path.contains("size is missing or a category, which goes"),
        "{path}"
    );
    assert!(path.contains("colour = red, of the "), "{path}");
}
