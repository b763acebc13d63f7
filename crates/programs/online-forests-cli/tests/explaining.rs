//! What `inspect` and `algorithms` show.

use online_forests::{Algorithm, ExportedTree};
use serde_json::Value;

use crate::bench::{Bench, column, expect_words, stdout};
use crate::data::{houses, sums};

fn trained() -> Bench {
    let bench = Bench::with(&[("houses.csv", &houses(1000))]);
    bench.ok(
        "train --data houses.csv --target kind --missing median --fit-rows 300 --seed 5 --algorithm mondrian --model m",
    );
    bench
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The numbers of a list of objects.
fn all(list: &Value, key: &str) -> Vec<f64> {
    let list = list.as_array().unwrap().iter();
    list.map(|of| of[key].as_f64().unwrap()).collect()
}

#[test]
fn settings_and_sizes_are_reported_as_text_and_as_json() {
    let bench = trained();
    let words = [
        "mondrian:budget=inf",
        "classification of `kind`",
        "4: flat, hall, villa, late, and rare",
        "6, scaled (minmax) by the first 300 rows",
        "1000 rows",
        "--missing median",
        "10, seed 5",
        "importance of features",
        "colour=light, blue",
    ];
    bench.shows("inspect --model m", &words);
    let reported = json(&bench.ok("inspect --model m --json"));
    for (path, expected) in [
        ("/task", Value::from("classification")),
        ("/samples_seen", 1000.into()),
        ("/settings/seed", 5.into()),
        ("/classes/3", "late, and rare".into()),
        ("/position/learned", 1000.into()),
        ("/importance/0/feature", "size".into()),
    ] {
        assert_eq!(reported.pointer(path), Some(&expected), "{path}");
    }
    let nodes = all(&reported["trees"], "nodes");
    assert_eq!(nodes.len(), 10);
    assert!(nodes.iter().sum::<f64>() >= reported["nodes"].as_f64().unwrap());
    assert!(reported["bytes"].as_f64().unwrap() > 1000.0);
    let shares = all(&reported["importance"], "share");
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9 && shares.is_sorted_by(|a, b| a >= b));
    // The largest number of rows to fit on says little of a short table.
    bench.write("sums.csv", sums(240));
    for line in ["--target value", "--update"] {
        bench.ok(&format!("train --data sums.csv --model s {line}"));
        let words = ["scaled (minmax) by the first 240 rows"];
        bench.shows("inspect --model s", &words);
    }
}

/// A row with a date and a word is explained with the date and the word, not with days and zeros.
#[test]
fn dates_and_words_are_explained_as_they_were_given() {
    let row = |i: u32| {
        let day = 1 + i % 28;
        let colour = ["red", "blue"][i as usize / 7 % 2];
        format!("2026-11-{day:02},{colour},{}\n", day + 50 * (i / 7 % 2))
    };
    let rows: String = (0..200).map(row).collect();
    let bench = Bench::with(&[("days.csv", &format!("when,colour,y\n{rows}"))]);
    bench.ok("train --data days.csv --target y --task regress --categories one-hot --model m");
    let explain = "inspect --model m --explain when=2026-11-20,colour=blue";
    let text = bench.shows(explain, &["when = 2026-11-20 > 2026-11-"]);
    let of_colour = text.contains("colour = blue (") || text.contains("colour = blue, not red (");
    assert!(of_colour && !text.contains("colour=blue = "), "{text}");
    let reported = json(&bench.ok(&format!("{explain} --json")));
    let lines = reported["text"].as_array().unwrap();
    let steps = reported["path"]["steps"].as_array().unwrap();
    assert_eq!(lines.len(), steps.len() + 1);
    let first = lines[0].as_str().unwrap();
    expect_words("--json", &text, &[first]);
    assert!(first.contains(" samples)"), "{first}");
}

#[test]
fn a_tree_is_text_json_or_a_graph_of_named_things() {
    let bench = trained();
    let words = ["yes: ", "no: ", "flat: "];
    bench.shows("inspect --model m --tree 3 --depth 2", &words);
    let words = ["digraph tree {", "size", "villa: "];
    bench.shows("inspect --model m --tree 3 --format dot", &words);
    let tree = json(&bench.ok("inspect --model m --tree 3 --format json"));
    assert_eq!(tree, json(&bench.ok("inspect --model m --tree 3 --json")));
    let found = (
        &tree["features"][0],
        &tree["classes"][0],
        &tree["nodes"][0]["samples"],
    );
    assert_eq!(found, (&"size".into(), &"flat".into(), &1000.into()));
    // JSON has no infinity.
    bench.write("sums.csv", sums(100));
    bench.ok("train --data sums.csv --target value --model inf --algorithm mondrian:budget=inf,pause=never");
    let text = bench.ok("inspect --model inf --tree 0 --json");
    let tree: ExportedTree = serde_json::from_str(&text).unwrap();
    assert_eq!(tree.to_json(), text.trim_end());
    bench.shows("inspect --model inf --json", &["budget=inf"]);
}

#[test]
fn one_prediction_is_explained() {
    let bench = trained();
    let run = |more: &[&str]| {
        let mut command = bench.command("inspect --model m --explain");
        let row = command.arg("size=40,rooms=2,\"colour=light, blue\",age=10");
        stdout(&row.args(more).output().unwrap())
    };
    let text = run(&[]);
    let start = "prediction of all 10 trees: flat (flat: ";
    assert!(text.starts_with(start), "{text}");
    let words = ["tree 0:", " (cut at time ", "leaf of "];
    expect_words("--explain", &text, &words);
    let reported = json(&run(&["--json", "--tree", "2"]));
    let found = (&reported["prediction"], &reported["tree"]);
    assert_eq!(found, (&"flat".into(), &2.into()));
    let shares: Vec<f64> = serde_json::from_value(reported["values"].clone()).unwrap();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    // The prediction is that of predict.
    let row = "age,colour,rooms,size\n10,\"light, blue\",2,40\n";
    bench.write("row.csv", row);
    let predicted = bench.ok("predict --data row.csv --model m --proba");
    assert_eq!(column(&predicted, "p(flat)"), [shares[0].to_string()]);
}

/// However features were scaled, cuts are stated in the numbers of the table, and the path of a row agrees with them.
#[test]
fn cuts_are_reported_in_the_numbers_of_the_table() {
    let bench = Bench::with(&[("houses.csv", &houses(1000))]);
    let train = "train --data houses.csv --target kind --missing median --algorithm urtf";
    for scale in ["none", "minmax", "standard", "robust"] {
        bench.ok(&format!("{train} --scale {scale} --model {scale}"));
        let inspect = format!("inspect --model {scale} --json");
        let tree = json(&bench.ok(&format!("{inspect} --tree 0")));
        let explain = format!("{inspect} --explain size=40,rooms=2,colour=red,age=10");
        let path = json(&bench.ok(&explain))["path"].clone();
        let x = [40.0, 2.0, 0.0, 0.0, 1.0, 10.0];
        let mut place = 0;
        let mut cuts = 0;
        while let Some(children) = tree["nodes"][place]["children"].as_array() {
            let cut = &tree["nodes"][place]["cut"];
            let step = &path["steps"][cuts];
            let normal: Vec<(usize, f64)> = serde_json::from_value(cut["normal"].clone()).unwrap();
            let terms = normal.iter().map(|(feature, entry)| entry * x[*feature]);
            let value = terms.sum::<f64>();
            let threshold = cut["threshold"].as_f64().unwrap();
            assert_eq!(step["cut"], *cut, "{scale}");
            let stated = step["value"].as_f64().unwrap();
            assert!((stated - value).abs() < 1e-9, "{scale}: {stated} {value}");
            let holds = value <= threshold;
            assert_eq!(step["holds"], holds, "{scale}: {value} and {threshold}");
            place = children[usize::from(!holds)].as_u64().unwrap() as usize;
            cuts += 1;
        }
        assert_eq!(cuts, path["steps"].as_array().unwrap().len());
        assert!(cuts > 3, "{scale}: {cuts}");
    }
}

#[test]
fn learners_without_trees_tell_what_they_can() {
    let bench = Bench::with(&[("sums.csv", &sums(300))]);
    let train = "train --data sums.csv --target value --algorithm";
    bench.ok(&format!("{train} boundary-forest --model b"));
    let text = bench.shows("inspect --model b", &["regression of `value`"]);
    assert!(!text.contains("importance"), "{text}");
    bench.ok(&format!("{train} adaptive --model a"));
    let words = ["weights of members", "weights of rules"];
    bench.shows("inspect --model a", &words);
    let rules = json(&bench.ok("inspect --model a --json"))["rules"].clone();
    assert_eq!(rules[0]["name"], "eta=0.02,discount=0.98");
    let weights = all(&rules, "weight");
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{rules}");
}

#[test]
fn a_mixture_reports_since_when_its_members_remember() {
    let class = |row: u32| (row * 37 % 100 >= 50) ^ (row >= 1000);
    let row = |row: u32| format!("{},{}\n", row * 37 % 100, class(row));
    let rows: String = (0..1600).map(row).collect();
    let bench = Bench::with(&[("turned.csv", &format!("x,class\n{rows}"))]);
    bench.ok(
        "train --data turned.csv --target class --trees 2 --model t \
         --algorithm adaptive:members=mondrian@100@none+mondrian@change@none",
    );
    let reported = json(&bench.ok("inspect --model t --json"));
    assert!(reported["members"][0]["changed"].is_null());
    let changed = reported["members"][1]["changed"].as_u64().unwrap();
    assert!((1000..1200).contains(&changed), "{changed}");
    let words = format!("mondrian@change@none, since a change at row {changed}");
    bench.shows("inspect --model t", &[&words]);
}

#[test]
fn every_algorithm_is_listed_and_has_its_parameters() {
    let bench = Bench::new();
    let list = bench.ok("algorithms");
    let names = list.lines().filter_map(|line| line.split('┆').next());
    let names: String = names.collect();
    for algorithm in Algorithm::all() {
        expect_words("algorithms", &names, &[&format!(" {} ", algorithm.name())]);
    }
    let words = [
        "budget",
        "limit: few features",
        "alias: obsp-redraw is obsp:",
        "paper: ",
    ];
    bench.shows("algorithms obsp", &words);
    let mondrian = bench.ok("algorithms mondrian");
    let condition = "in addition with labels=aggregated:";
    let (first, aggregated) = mondrian.split_once(condition).unwrap();
    expect_words("mondrian", first, &["│ budget "]);
    expect_words("aggregated", aggregated, &["│ step "]);
    assert!(!first.contains("│ step "), "{mondrian}");
}

/// What a command does and its options fit two screens of sixty lines, and are the same by either option.
#[test]
fn help_is_short() {
    let bench = Bench::new();
    for command in ["train", "predict", "join", "inspect", "algorithms"] {
        let help = bench.shows(&format!("{command} --help"), &["Usage:"]);
        let lines = help
            .lines()
            .map(|line| line.chars().count().div_ceil(120).max(1));
        let lines: usize = lines.sum();
        assert!(lines <= 120, "{command}: {lines} lines");
        assert_eq!(bench.ok(&format!("{command} -h")), help);
    }
}
