//! Parts of a forest that are trained apart and joined: the model file of one process.

use std::fs;

use crate::bench::Bench;
use crate::data::{first, from, houses, sums};

/// Algorithm, target of its table, and the table's name.
const LEARNERS: [(&str, &str, &str); 5] = [
    ("mondrian", "kind", "houses.csv"),
    ("mondrian:window=150", "kind", "houses.csv"),
    ("amf:max_nodes=500", "value", "sums.csv"),
    ("obsp", "value", "sums.csv"),
    ("stream-rf", "kind", "houses.csv"),
];

fn tables() -> Bench {
    let bench = Bench::new();
    let mut rows: Vec<String> = houses(1000).lines().map(str::to_owned).collect();
    // A bad row here and there.
    (200..1000)
        .step_by(97)
        .for_each(|line| rows.insert(line, "1,2".to_owned()));
    bench.write("houses.csv", &(rows.join("\n") + "\n"));
    bench.write("sums.csv", &sums(700));
    bench
}

fn train((algorithm, target, table): (&str, &str, &str)) -> String {
    format!(
        "train --data {table} --target {target} --missing median --fit-rows 100 --trees 5 --algorithm {algorithm}"
    )
}

#[track_caller]
fn check_joined(bench: &Bench, parts: &str, whole: &str) {
    bench.ok(&format!("join {parts} --model joined"));
    assert!(
        bench.bytes("joined") == bench.bytes(whole),
        "{parts}: another model"
    );
}

#[test]
fn parts_of_a_table_or_of_standard_input_are_joined_to_the_model_of_one_process() {
    let bench = tables();
    for (at, learner) in LEARNERS.into_iter().enumerate() {
        let (line, table) = (train(learner), bench.read(learner.2));
        bench.ok(&format!("{line} --model whole{at}"));
        for (part, batch) in [(1, 1000), (2, 7), (3, 300)] {
            bench.ok(&format!(
                "{line} --part {part}/3 --batch {batch} --model {at}-{part}"
            ));
        }
        // The files may be in any order.
        check_joined(
            &bench,
            &format!("{at}-3 {at}-1 {at}-2"),
            &format!("whole{at}"),
        );
        let line = line.replace(learner.2, "-");
        for part in 1..=2 {
            bench.ok_with(
                &format!("{line} --part {part}/2 --model in{at}-{part}"),
                &table,
            );
        }
        check_joined(&bench, &format!("in{at}-1 in{at}-2"), &format!("whole{at}"));
    }
}

#[test]
fn parts_are_updated_and_resumed_as_a_whole_model_is() {
    for learner in [LEARNERS[0], LEARNERS[2]] {
        let bench = tables();
        let (line, text) = (train(learner), bench.read(learner.2));
        let both = |options: &str| {
            bench.ok(&format!("{line} {options} --model whole"));
            for part in 1..=2 {
                bench.ok(&format!("{line} {options} --part {part}/2 --model p{part}"));
            }
            check_joined(&bench, "p1 p2", "whole");
        };
        bench.write(learner.2, &first(&text, 300));
        both("");
        bench.write(learner.2, &text);
        both("--resume");
        bench.write(learner.2, &from(&text, 400));
        both("--update");
        // A whole model is divided; each part needs a copy of it.
        for part in 1..=3 {
            fs::copy(bench.path("whole"), bench.path(&format!("q{part}"))).unwrap();
            bench.ok(&format!("{line} --update --part {part}/3 --model q{part}"));
        }
        bench.ok(&format!("{line} --update --model whole"));
        check_joined(&bench, "q1 q2 q3", "whole");
    }
}

#[test]
fn a_part_predicts_as_a_forest_of_its_trees() {
    let bench = tables();
    let line = train(LEARNERS[0]);
    bench.ok(&format!("{line} --part 2/2 --model p"));
    let predictions = bench.ok("predict --model p --data houses.csv");
    assert_eq!(
        predictions.lines().count(),
        bench.read("houses.csv").lines().count()
    );
    assert!(bench.ok("inspect --model p").contains("trees"));
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let bench = tables();
    let line = train(LEARNERS[0]);
    for part in ["0/2", "3/2", "2", "a/b"] {
        bench.refused(
            &format!("{line} --model p --part {part}"),
            &["--part", "such as 1/4"],
        );
    }
    bench.refused(
        &format!("{line} --model p --part 1/6"),
        &["--part 1/6", "5 trees"],
    );
    for learner in ["boundary-forest", "residual-forest", "adaptive"] {
        let line = line.replace("mondrian", learner);
        let words = [
            "--part",
            "independent trees",
            "--algorithm mondrian",
            learner,
        ];
        bench.refused(&format!("{line} --model p --part 1/2"), &words);
    }
    assert!(!bench.path("p").exists());
    bench.ok(&format!("{line} --model p --part 1/2"));
    let before = bench.bytes("p");
    for part in ["2/2", "1/3"] {
        let line = format!("{line} --model p --part {part}");
        bench.refused(
            &format!("{line} --resume"),
            &[part, "another part", "trees 1 to 2 of 5"],
        );
    }
    assert!(bench.bytes("p") == before);
}

#[test]
fn parts_that_do_not_fit_are_not_joined() {
    let bench = tables();
    let line = train(LEARNERS[0]);
    let part = |options: &str, name: &str| {
        bench.ok(&format!("{line} --model {name} {options}"));
    };
    (1..=3).for_each(|at| part(&format!("--part {at}/3"), &format!("p{at}")));
    let rest = ["the others do not have each of the rest once", "every part"];
    for parts in ["p1 p2", "p2 p3", "p1 p3", "p1 p2 p2 p3", "p2"] {
        bench.refused(&format!("join {parts} --model m"), &rest);
    }
    part("--part 3/3 --seed 1", "seed");
    bench.refused(
        "join p1 p2 seed --model m",
        &["seed", "other settings than p1", "same options"],
    );
    let text = bench.read("houses.csv");
    bench.write("houses.csv", &first(&text, 500));
    part("--part 3/3", "early");
    bench.refused(
        "join p1 p2 early --model m",
        &["early", "500 rows", "--resume"],
    );
    bench.write("houses.csv", &text.replace("villa", "cabin"));
    part("--part 3/3", "other");
    bench.refused(
        "join p1 p2 other --model m",
        &["other", "other rows than p1"],
    );
    bench.ok("train --data sums.csv --target value --model numbers");
    bench.refused("join p1 numbers --model m", &["numbers"]);
    bench.refused("join numbers --model m", &["numbers", "independent trees"]);
    bench.refused("join p1 p2 nowhere --model m", &["nowhere", "No such file"]);
    bench.refused("join --model m", &["PART"]);
    assert!(!bench.path("m").exists());
}

/// A block of code of the document.
#[cfg(unix)]
fn recipe(number: usize) -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../docs/beyond-one-machine.md"
    );
    let text = fs::read_to_string(path).unwrap();
    let block = text.split("```").skip(1).step_by(2).nth(number).unwrap();
    block.split_once('\n').unwrap().1.to_owned()
}

/// Runs lines of the document in a shell, as `xargs`, Slurm and Kubernetes do, with the number of a job as a variable.
#[cfg(unix)]
fn shell(bench: &Bench, text: &str, variable: &str, number: usize) {
    let program = bench.command("").get_program().to_owned();
    let text = text.replace("online-forests ", "\"$PROGRAM\" ");
    let mut command = std::process::Command::new("sh");
    command
        .args(["-ec", &text.replace("/data/", "")])
        .current_dir(bench.folder())
        .env("PROGRAM", program)
        .env("SLURM_ARRAY_TASK_COUNT", "4")
        .env(variable, number.to_string());
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{text}: {}",
        crate::bench::stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn the_recipes_of_the_document_give_the_model_of_one_process() {
    let benches = [0; 3].map(|_| Bench::new());
    for bench in &benches {
        bench.write("houses.csv", &sums(300).replace("value", "price"));
        bench.ok(
            "train --data houses.csv --target price --missing median --algorithm amf --model whole",
        );
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
    assert!(xargs.bytes("houses.model") == xargs.bytes("whole"));
    check_joined(
        slurm,
        "houses-4.part houses-1.part houses-2.part houses-3.part",
        "whole",
    );
    check_joined(
        kubernetes,
        "houses-0.part houses-1.part houses-2.part houses-3.part",
        "whole",
    );
}

/// `KILLS=100 cargo test -p online-forests-cli --release parts_that_are_killed -- --nocapture` kills more often.
#[cfg(unix)]
#[test]
fn parts_that_are_killed_at_random_moments_and_resumed_lose_no_row() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::thread;
    use std::time::Instant;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    let bench = Bench::new();
    bench.write("houses.csv", &houses(3000));
    let line = format!(
        "{} --batch 20 --checkpoint 300 --threads 1",
        train(LEARNERS[0])
    );
    let start = Instant::now();
    bench.ok(&format!("{line} --model whole"));
    let time = start.elapsed();
    let (mut landed, mut joined, mut rng) = (0, 0, ChaCha8Rng::seed_from_u64(3));
    while landed < crate::bench::kills(6) {
        for part in 1..=3 {
            let line = format!("{line} --part {part}/3 --model p{part} --resume");
            loop {
                let mut child = bench.command(&line).spawn().unwrap();
                thread::sleep(time.mul_f64(rng.random_range(0.0..0.7)));
                child.kill().unwrap();
                let status = child.wait().unwrap();
                if status.success() {
                    break;
                }
                assert_eq!(status.signal(), Some(9));
                landed += 1;
            }
        }
        check_joined(&bench, "p1 p2 p3", "whole");
        joined += 1;
        (1..=3).for_each(|part| fs::remove_file(bench.path(&format!("p{part}"))).unwrap());
    }
    println!("{landed} kills of parts, {joined} forests joined");
}
