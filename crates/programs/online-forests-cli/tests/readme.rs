//! The shell lines of the documents, run as written there.

use std::fs;

use crate::bench::{Bench, column, numbers, root, stderr};
use crate::data::sums;

/// The lines of the first block of code below a heading of the guide.
fn lines(heading: &str) -> Vec<String> {
    let guide = fs::read_to_string(root().join("docs/guide.md")).unwrap();
    let (_, section) = guide.split_once(&format!("\n## {heading}\n")).unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let joined = block.split_once("```").unwrap().0.replace("\\\n", " ");
    joined.lines().map(str::to_owned).collect()
}

/// A copy of the tables that the guide names, at the paths that it names.
fn bench() -> Bench {
    let bench = Bench::new();
    let folder = "datasets/tests/fixtures";
    fs::create_dir_all(bench.path(folder)).unwrap();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let copy = bench.path(folder).join(path.file_name().unwrap());
        fs::copy(path, copy).unwrap();
    }
    bench
}

/// Without `cargo install`, which the block begins with.
fn run(bench: &Bench, line: &str) -> String {
    let arguments = line.strip_prefix("online-forests ");
    let arguments = arguments.unwrap_or_else(|| panic!("`{line}` does not run online-forests"));
    // As a shell does; within these quotes there are no blanks.
    bench.ok(&arguments.replace('"', ""))
}

#[test]
fn five_lines_from_a_table_with_missing_values_categories_and_dates() {
    let bench = bench();
    let lines = lines("From a shell");
    let [install, lines @ ..] = &lines[..] else {
        panic!("no lines")
    };
    assert_eq!(
        install,
        "cargo install --path crates/programs/online-forests-cli"
    );
    assert_eq!(lines.len(), 5);
    let said: Vec<String> = lines.iter().map(|line| run(&bench, line)).collect();
    let rows = column(&bench.read("datasets/tests/fixtures/houses.csv"), "price");
    let predictions = numbers(&bench.read("prices.csv"), "prediction");
    assert_eq!(predictions.len(), rows.len());
    assert!(said[2].contains("regression of `price`"), "{}", said[2]);
    assert!(said[3].contains("yes: "), "{}", said[3]);
    assert!(said[4].contains("prediction of all"), "{}", said[4]);
}

/// Parquet says the same as CSV.
#[cfg(feature = "columnar")]
#[test]
fn the_five_lines_say_the_same_of_parquet() {
    let csv = bench();
    let parquet = bench();
    for line in &lines("From a shell")[1..] {
        let other = line.replace("houses.csv", "houses.parquet");
        // Only a text has a separator.
        let said = run(&csv, line).replace("--delimiter , ", "");
        assert_eq!(said, run(&parquet, &other), "{line}");
    }
    assert_eq!(csv.read("prices.csv"), parquet.read("prices.csv"));
}

/// A block of code of the document about several machines.
fn recipe(number: usize) -> String {
    let text = fs::read_to_string(root().join("docs/beyond-one-machine.md")).unwrap();
    let block = text.split("```").skip(1).step_by(2).nth(number).unwrap();
    block.split_once('\n').unwrap().1.to_owned()
}

/// Runs lines of the document in a shell, with the number of a job as a variable.
#[cfg(unix)]
fn shell(bench: &Bench, text: &str, variable: &str, number: usize) {
    let text = text
        .replace("online-forests ", "\"$PROGRAM\" ")
        .replace("/data/", "");
    let mut command = bench.program("sh", ["-ec", &text]);
    command.env("PROGRAM", bench.command("").get_program());
    command
        .env("SLURM_ARRAY_TASK_COUNT", "4")
        .env(variable, number.to_string());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{text}: {}", stderr(&output));
}

/// Parts of a forest, as `xargs`, Slurm and Kubernetes start them.
#[cfg(unix)]
#[test]
fn parts_by_the_recipes_of_the_document_give_the_model_of_one_process() {
    let table = sums(300).replace("value", "price");
    let [xargs, slurm, kubernetes] = [0; 3].map(|_| Bench::with(&[("houses.csv", &table)]));
    for bench in [&xargs, &slurm, &kubernetes] {
        let train = "train --data houses.csv --target price --missing median --algorithm amf";
        bench.ok(&format!("{train} --model whole"));
    }
    shell(&xargs, &recipe(0), "NONE", 0);
    xargs.same("houses.model", "whole", "xargs");
    let job = recipe(2);
    let (_, job) = job.split_once("            - ").unwrap();
    let (job, _) = job.split_once("          volumeMounts").unwrap();
    let job = job.replace('\n', " ");
    for number in 0..4 {
        shell(&slurm, &recipe(1), "SLURM_ARRAY_TASK_ID", number + 1);
        shell(&kubernetes, &job, "JOB_COMPLETION_INDEX", number);
    }
    for (bench, numbers) in [(slurm, [4, 3, 2, 1]), (kubernetes, [3, 2, 1, 0])] {
        let parts = numbers
            .map(|number| format!("houses-{number}.part"))
            .join(" ");
        bench.ok(&format!("join {parts} --model joined"));
        bench.same("joined", "whole", &parts);
    }
}
