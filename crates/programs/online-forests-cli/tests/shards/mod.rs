//! Trees in several processes: the same model file and the same predictions as in one.

mod kills;
mod links;
mod secrets;
mod signals;

use std::fs;

use crate::bench::{Bench, column};
use crate::data::{houses, sums};

/// Algorithm, target of its table, and the table's name.
const LEARNERS: [(&str, &str, &str); 6] = [
    ("mondrian", "kind", "houses.csv"),
    ("mondrian:window=150", "kind", "houses.csv"),
    ("amf:max_nodes=500", "kind", "houses.csv"),
    ("obsp", "value", "sums.csv"),
    ("stream-rf", "kind", "houses.csv"),
    ("boundary-forest", "kind", "houses.csv"),
];

fn tables() -> Bench {
    let bench = Bench::new();
    let mut rows: Vec<String> = houses(1000).lines().map(str::to_owned).collect();
    // A bad row here and there.
    (200..1000)
        .step_by(97)
        .for_each(|line| rows.insert(line, "1,2".to_owned()));
    bench.write("houses.csv", &rows.join("\n"));
    bench.write("sums.csv", &sums(700));
    bench
}

fn train((algorithm, target, table): (&str, &str, &str)) -> String {
    format!(
        "train --data {table} --target {target} --missing median --fit-rows 100 --trees 5 --algorithm {algorithm}"
    )
}

#[test]
fn one_two_and_three_processes_give_the_same_predictions_and_the_same_model() {
    let bench = tables();
    for (at, learner) in LEARNERS.into_iter().enumerate() {
        let line = train(learner);
        bench.ok(&format!(
            "{line} --model whole{at} --bad-rows whole-bad.csv"
        ));
        let whole = bench.bytes(&format!("whole{at}"));
        let mut predictions = None;
        for (processes, batch) in [(1, 1000), (2, 7), (3, 300)] {
            let name = format!("{at}-{processes}");
            bench.ok(&format!(
                "{line} --processes {processes} --batch {batch} --checkpoint 300 --model m{name} --predictions a{name} --bad-rows b{name}"
            ));
            assert!(
                bench.bytes(&format!("m{name}")) == whole,
                "{learner:?}, {processes} processes: the model"
            );
            assert_eq!(
                bench.read(&format!("b{name}")),
                bench.read("whole-bad.csv"),
                "{learner:?}"
            );
            let found = bench.read(&format!("a{name}"));
            assert_eq!(
                predictions.get_or_insert_with(|| found.clone()),
                &found,
                "{learner:?}, {processes} processes: predictions"
            );
        }
        // As many lines as rows, and an prediction for each row but the bad ones and the first, before which no class is known.
        let predictions = column(&predictions.unwrap(), "prediction");
        let rows = bench.read(learner.2).lines().count() - 1;
        assert_eq!(predictions.len(), rows, "{learner:?}");
    }
}

/// The predictions are those of the model just before each row: what `train` has learned up to there, `predict` says.
#[test]
fn predictions_are_those_of_the_model_before_each_row() {
    let bench = tables();
    let line = train(LEARNERS[3]);
    bench.ok(&format!(
        "{line} --processes 2 --model all --predictions predictions.csv"
    ));
    let predictions = column(&bench.read("predictions.csv"), "prediction");
    let text = bench.read("sums.csv");
    for rows in [1, 100, 431] {
        bench.write("some.csv", &crate::data::first(&text, rows));
        bench.ok(&format!(
            "{} --model some{rows}",
            line.replace("sums.csv", "some.csv")
                .replace("--fit-rows 100", "--fit-rows 1")
        ));
        if rows < 100 {
            continue;
        }
        bench.write(
            "next.csv",
            &crate::data::from(&crate::data::first(&text, rows + 1), rows),
        );
        bench.ok(&format!(
            "{} --model fitted{rows}",
            line.replace("sums.csv", "some.csv")
        ));
        let next = bench.ok(&format!("predict --model fitted{rows} --data next.csv"));
        assert_eq!(
            column(&next, "prediction")[0],
            predictions[rows],
            "row {rows}"
        );
    }
}

#[test]
fn predictions_of_shards_are_those_of_the_whole() {
    let bench = tables();
    for (at, learner) in LEARNERS.into_iter().enumerate() {
        let model = format!("m{at}");
        bench.ok(&format!("{} --model {model} --processes 3", train(learner)));
        let proba = if learner.1 == "kind" { "--proba" } else { "" };
        let ask = format!("predict --model {model} --data {} {proba}", learner.2);
        let whole = bench.ok(&ask);
        bench.ok(&format!("{ask} --processes 2 --out two.csv"));
        assert_eq!(
            bench.read("two.csv"),
            whole,
            "{learner:?}, from the model file"
        );
        fs::remove_file(bench.path(&model)).unwrap();
        bench.ok(&format!("{ask} --processes 3 --out three.csv"));
        assert_eq!(
            bench.read("three.csv"),
            whole,
            "{learner:?}, from checkpoints"
        );
    }
}

/// Stopped by a signal in mid-stream, joined, and distributed again: 2, 3, 1.
#[test]
fn the_number_of_processes_may_change_in_mid_stream() {
    let bench = tables();
    for learner in &LEARNERS[..6] {
        for file in ["whole", "m", "predictions.csv", "all.csv"] {
            let _ = fs::remove_file(bench.path(file));
        }
        let _ = fs::remove_dir_all(bench.path("m.checkpoints"));
        let line = train(*learner);
        bench.ok(&format!(
            "{line} --model whole --processes 1 --predictions all.csv --checkpoint-dir c"
        ));
        fs::remove_dir_all(bench.path("c")).unwrap();
        // The table as it was when the processes ended.
        let text = bench.read(learner.2);
        for (rows, processes) in [(150, 2), (400, 3), (10_000, 1)] {
            bench.write(learner.2, &crate::data::first(&text, rows));
            bench.ok(&format!("{line} --model m --resume --predictions predictions.csv --processes {processes} --checkpoint 60"));
        }
        assert!(bench.bytes("m") == bench.bytes("whole"), "{learner:?}");
        assert_eq!(
            bench.read("predictions.csv"),
            bench.read("all.csv"),
            "{learner:?}"
        );
        bench.ok("join m.checkpoints --model joined");
        assert!(bench.bytes("joined") == bench.bytes("whole"), "{learner:?}");
    }
}

/// What is reported of all predictions before their rows were learned.
fn score(said: &str) -> &str {
    let score = said
        .split("; ")
        .find(|part| part.starts_with("before learning"));
    score.unwrap_or_else(|| panic!("no score in {said}"))
}

#[test]
fn the_score_that_is_reported_after_a_resume_is_that_of_all_rows() {
    for learner in [LEARNERS[0], LEARNERS[3]] {
        let bench = tables();
        let line = format!("{} --processes 2", train(learner));
        let whole = bench.run(&format!("{line} --model whole --predictions whole.csv"));
        let text = bench.read(learner.2);
        bench.write(learner.2, &crate::data::first(&text, 300));
        // The old name of the option stays valid.
        bench.ok(&format!("{line} --model m --answers a.csv"));
        bench.write(learner.2, &text);
        let resumed = bench.run(&format!("{line} --model m --predictions a.csv --resume"));
        let [whole, resumed] = [whole, resumed].map(|output| crate::bench::stderr(&output));
        assert_eq!(score(&resumed), score(&whole));
    }
}

/// A training of the first rows in two processes, and the line that resumes it.
fn begun(bench: &Bench) -> String {
    let line = format!(
        "{} --processes 2 --model m --predictions a.csv",
        train(LEARNERS[0])
    );
    let text = bench.read("houses.csv");
    bench.write("houses.csv", &crate::data::first(&text, 400));
    bench.ok(&line);
    bench.write("houses.csv", &text);
    format!("{line} --resume")
}

/// Starting again with the same line would be refused again.
#[test]
fn a_resume_that_is_refused_is_not_advised() {
    let bench = tables();
    let resume = begun(&bench);
    bench.write("houses.csv", &houses(1000).replace("red", "blue"));
    let output = bench.run(&resume);
    let said = crate::bench::stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("are not those that the model has learned"),
        "{said}"
    );
    assert!(!said.contains("the last checkpoint"), "{said}");
}

#[test]
fn a_file_of_predictions_that_was_shortened_is_refused() {
    let bench = tables();
    let resume = begun(&bench);
    let predictions = bench.read("a.csv");
    bench.write("a.csv", &predictions[..predictions.len() / 2]);
    let expected = format!("fewer than the {}", predictions.len());
    bench.refused(&resume, &["a.csv", &expected]);
    assert_eq!(bench.read("a.csv"), predictions[..predictions.len() / 2]);
}

#[test]
fn a_run_without_a_checkpoint_that_all_have_is_refused() {
    for shard in [0, 1] {
        let bench = tables();
        let resume = begun(&bench);
        let (model, predictions) = (bench.bytes("m"), bench.read("a.csv"));
        for entry in fs::read_dir(bench.path("m.checkpoints")).unwrap() {
            let path = entry.unwrap().path();
            let end = format!("shard-{shard}-of-2.model");
            if path.to_str().unwrap().ends_with(&end) {
                fs::remove_file(path).unwrap();
            }
        }
        bench.refused(&resume, &["no checkpoint", "m.checkpoints"]);
        assert!(bench.bytes("m") == model && bench.read("a.csv") == predictions);
    }
}

#[test]
fn what_cannot_be_shared_out_is_refused() {
    let bench = tables();
    let line = train(LEARNERS[0]);
    let refused = |options: &str, words: &[&str]| {
        bench.refused(&format!("{line} --model m {options}"), words);
    };
    refused("--processes 6", &["5 processes at most", "not 6"]);
    refused("--processes 0", &["--processes"]);
    refused("--processes 2 --update", &["--update", "one process only"]);
    refused("--processes 2 --follow", &["--follow"]);
    refused("--processes 2 --data -", &["--data"]);
    refused("--hosts list --process 0", &["--checkpoint-dir"]);
    refused(
        "--hosts list --process 0 --checkpoint-dir c",
        &["list", "No such file"],
    );
    bench.write("list", "127.0.0.1:1\n127.0.0.1\n");
    refused(
        "--hosts list --process 0 --checkpoint-dir c",
        &["line 2", "HOST:PORT"],
    );
    refused("--processes 2 --start-within 0s", &["30s"]);
    refused("--processes 2 --secret-file s", &["--hosts"]);
    bench.refused("join nowhere --model m", &["nowhere"]);
    fs::create_dir(bench.path("empty")).unwrap();
    bench.refused("join empty --model m", &["no checkpoint", "empty"]);
    let stdin = format!("{line} --model m --processes 2").replace("houses.csv", "-");
    bench.refused(&stdin, &["standard input", "file"]);
    bench.ok(&format!("{line} --model m --processes 2"));
    refused("--processes 2", &["checkpoints", "--resume"]);
    fs::remove_file(bench.path("m")).unwrap();
    refused("--processes 3 --resume", &["2 processes", "join"]);
    bench.refused("predict --model n --data houses.csv --processes 2", &["n"]);
    bench.refused(
        "predict --model m --data houses.csv --processes 2 --interval 0.9",
        &["--interval"],
    );
}

/// A snapshot that was cut off, as by a failing disk: the checkpoint before it counts.
#[test]
fn a_torn_checkpoint_is_passed_over() {
    let bench = tables();
    let line = format!(
        "{} --processes 2 --checkpoint 250 --predictions predictions.csv",
        train(LEARNERS[0])
    );
    bench.ok(&format!("{line} --model m"));
    let (whole, predictions) = (bench.bytes("m"), bench.read("predictions.csv"));
    for shard in [0, 1] {
        fs::remove_file(bench.path("m")).unwrap();
        let newest = fs::read_dir(bench.path("m.checkpoints")).unwrap();
        let newest = newest.map(|entry| entry.unwrap().path());
        let end = format!("shard-{shard}-of-2.model");
        let newest = newest
            .filter(|path| path.to_str().unwrap().ends_with(&end))
            .max()
            .unwrap();
        let bytes = fs::read(&newest).unwrap();
        fs::write(&newest, &bytes[..bytes.len() / 2]).unwrap();
        bench.ok("join m.checkpoints --model older");
        let output = bench.run(&format!("{line} --model m --resume"));
        let said = crate::bench::stderr(&output);
        assert!(
            output.status.success() && said.contains("older checkpoint"),
            "{said}"
        );
        assert!(bench.bytes("m") == whole && bench.read("predictions.csv") == predictions);
        assert!(bench.bytes("older") != whole);
    }
}
