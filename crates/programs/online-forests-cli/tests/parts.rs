//! Parts of a forest by the recipes of the document, run in a shell as `xargs`, Slurm and Kubernetes do.

use crate::bench::{Bench, stderr};
use crate::data::sums;

/// A block of code of the document.
fn recipe(number: usize) -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../docs/beyond-one-machine.md"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let block = text.split("```").skip(1).step_by(2).nth(number).unwrap();
    block.split_once('\n').unwrap().1.to_owned()
}

/// Runs lines of the document, with the number of a job as a variable.
fn shell(bench: &Bench, text: &str, variable: &str, number: usize) {
    let program = bench.command("").get_program().to_owned();
    let text = text
        .replace("online-forests ", "\"$PROGRAM\" ")
        .replace("/data/", "");
    let mut command = std::process::Command::new("sh");
    command
        .args(["-ec", &text])
        .current_dir(bench.folder())
        .env("PROGRAM", program);
    command
        .env("SLURM_ARRAY_TASK_COUNT", "4")
        .env(variable, number.to_string());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{text}: {}", stderr(&output));
}

#[test]
fn the_recipes_of_the_document_give_the_model_of_one_process() {
    let table = sums(300).replace("value", "price");
    let benches = [0; 3].map(|_| Bench::with(&[("houses.csv", &table)]));
    for bench in &benches {
        let train = "train --data houses.csv --target price --missing median --algorithm amf";
        bench.ok(&format!("{train} --model whole"));
    }
    let [xargs, slurm, kubernetes] = &benches;
    shell(xargs, &recipe(0), "NONE", 0);
    let job = recipe(2);
    let (_, job) = job.split_once("            - ").unwrap();
    let (job, _) = job.split_once("          volumeMounts").unwrap();
    for number in 0..4 {
        shell(slurm, &recipe(1), "SLURM_ARRAY_TASK_ID", number + 1);
        shell(
            kubernetes,
            &job.replace('\n', " "),
            "JOB_COMPLETION_INDEX",
            number,
        );
    }
    xargs.same("houses.model", "whole", "xargs");
    for (bench, numbers) in [(slurm, 1..=4), (kubernetes, 0..=3)] {
        let parts: String = numbers
            .rev()
            .map(|number| format!("houses-{number}.part "))
            .collect();
        bench.ok(&format!("join {parts} --model joined"));
        bench.same("joined", "whole", &parts);
    }
}
