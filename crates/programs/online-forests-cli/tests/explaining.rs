//! What `inspect` shows.

use online_forests::ExportedTree;
use serde_json::Value;

use crate::bench::Bench;
use crate::data::{houses, sums};

fn trained() -> Bench {
    let bench = Bench::new();
    bench.write("houses.csv", &houses(1000));
    bench.ok(
        "train --data houses.csv --target kind --missing median --fit-rows 300 --seed 5 --algorithm mondrian --model m",
    );
    bench
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn settings_and_sizes_are_reported_as_text_and_as_json() {
    let bench = trained();
    let text = bench.ok("inspect --model m");
    for words in [
        "mondrian:budget=inf",
        "classification of `kind`",
        "4: flat, hall, villa, late, and rare",
        "6, scaled (minmax) by the first 300 rows",
        "1000 rows",
        "--missing median",
        "10, seed 5",
        "importance of features",
        "colour=light, blue",
    ] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    let reported = json(&bench.ok("inspect --model m --json"));
    assert_eq!(reported["task"], "classification");
    assert_eq!(reported["samples_seen"], 1000);
    assert_eq!(reported["settings"]["seed"], 5);
    assert_eq!(reported["classes"][3], "late, and rare");
    assert_eq!(reported["position"]["learned"], 1000);
    let trees = reported["trees"].as_array().unwrap();
    let nodes: u64 = trees
        .iter()
        .map(|tree| tree["nodes"].as_u64().unwrap())
        .sum();
    assert_eq!(trees.len(), 10);
    assert!(
        nodes >= reported["nodes"].as_u64().unwrap() && reported["bytes"].as_u64().unwrap() > 1000
    );
    let shares: Vec<f64> = reported["importance"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["share"].as_f64().unwrap())
        .collect();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9 && shares.is_sorted_by(|a, b| a >= b));
    assert_eq!(reported["importance"][0]["feature"], "size");
}

/// The largest number of rows to fit on says little of a short table.
#[test]
fn the_rows_that_the_scale_was_fitted_on_are_counted() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(240));
    bench.ok("train --data sums.csv --target value --model m");
    let words = "scaled (minmax) by the first 240 rows";
    let text = bench.ok("inspect --model m");
    assert!(text.contains(words), "{text}");
    bench.ok("train --data sums.csv --model m --update");
    let text = bench.ok("inspect --model m");
    assert!(text.contains(words), "{text}");
}

/// A row with a date and a word is explained with the date and the word, not with days and zeros.
#[test]
fn dates_and_words_are_explained_as_they_were_given() {
    let bench = Bench::new();
    let row = |i: u32| {
        let (day, colour) = (1 + i % 28, ["red", "blue"][i as usize / 7 % 2]);
        format!("2026-11-{day:02},{colour},{}\n", day + 50 * (i / 7 % 2))
    };
    let rows: String = (0..200).map(row).collect();
    bench.write("days.csv", &format!("when,colour,y\n{rows}"));
    bench.ok("train --data days.csv --target y --task regress --categories one-hot --model m");
    let explain = "inspect --model m --explain when=2026-11-20,colour=blue";
    let text = bench.ok(explain);
    assert!(text.contains("when = 2026-11-20 > 2026-11-"), "{text}");
    let of_colour = text.contains("colour = blue (") || text.contains("colour = blue, not red (");
    assert!(of_colour && !text.contains("colour=blue = "), "{text}");
    let reported = json(&bench.ok(&format!("{explain} --json")));
    let lines = reported["text"].as_array().unwrap();
    let steps = reported["path"]["steps"].as_array().unwrap();
    assert_eq!(lines.len(), steps.len() + 1);
    let first = lines[0].as_str().unwrap();
    assert!(
        text.contains(first) && first.contains(" samples)"),
        "{first}"
    );
}

#[test]
fn a_tree_is_text_json_or_a_graph_of_named_things() {
    let bench = trained();
    let text = bench.ok("inspect --model m --tree 3 --depth 2");
    assert!(
        text.contains("yes: ") && text.contains("no: ") && text.contains("flat: "),
        "{text}"
    );
    let dot = bench.ok("inspect --model m --tree 3 --format dot");
    assert!(dot.starts_with("digraph tree {") && dot.contains("size") && dot.contains("villa: "));
    let tree = json(&bench.ok("inspect --model m --tree 3 --format json"));
    assert_eq!(tree, json(&bench.ok("inspect --model m --tree 3 --json")));
    assert_eq!(tree["features"][0], "size");
    assert_eq!(tree["classes"][0], "flat");
    assert_eq!(tree["nodes"][0]["samples"], 1000);
    bench.refused("inspect --model m --tree 10", &["no tree 10"]);
}

/// JSON has no infinity.
#[test]
fn json_of_a_tree_with_an_infinite_budget_is_read_back() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(100));
    let forest = "--algorithm mondrian:budget=inf,pause=never";
    bench.ok(&format!(
        "train --data sums.csv --target value --model m {forest}"
    ));
    let text = bench.ok("inspect --model m --tree 0 --json");
    let tree: ExportedTree = serde_json::from_str(&text).unwrap();
    assert_eq!(tree.to_json(), text.trim_end());
    let summary: Value = json(&bench.ok("inspect --model m --json"));
    let algorithm = summary["algorithm"].as_str().unwrap();
    assert!(algorithm.contains("budget=inf"), "{algorithm}");
}

#[test]
fn one_prediction_is_explained() {
    let bench = trained();
    let explain = ["inspect", "--model", "m", "--explain"];
    let row = "size=40,rooms=2,\"colour=light, blue\",age=10";
    let run = |row: &str, more: &[&str]| {
        let mut command = bench.command("");
        command.args(explain).arg(row).args(more).output().unwrap()
    };
    let output = run(row, &[]);
    let text = crate::bench::stdout(&output);
    assert!(
        text.starts_with("prediction of all 10 trees: flat (flat: "),
        "{text}"
    );
    assert!(
        text.contains("tree 0:") && text.contains(" (cut at time ") && text.contains("leaf of "),
        "{text}"
    );
    let reported = json(&crate::bench::stdout(&run(row, &["--json", "--tree", "2"])));
    assert_eq!(
        (&reported["prediction"], &reported["tree"]),
        (&"flat".into(), &2.into())
    );
    let prediction: Vec<f64> = serde_json::from_value(reported["answer"].clone()).unwrap();
    assert!((prediction.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    // The prediction is that of predict.
    bench.write(
        "row.csv",
        "age,colour,rooms,size\n10,\"light, blue\",2,40\n",
    );
    let predicted = bench.ok("predict --data row.csv --model m --proba");
    let flat: f64 = crate::bench::column(&predicted, "p(flat)")[0]
        .parse()
        .unwrap();
    assert_eq!(prediction[0], flat);
    for (row, words) in [
        ("size=40", "no column `rooms`"),
        (
            "size=40,romes=2",
            "no column `romes` (did you mean `rooms`?)",
        ),
        ("size", "expected COLUMN=VALUE"),
        ("", "it is empty"),
        (
            "size=big,rooms=2,colour=red,age=1",
            "`big` in column `size` is not a number",
        ),
    ] {
        let output = run(row, &[]);
        let said = crate::bench::stderr(&output);
        assert!(
            !output.status.success() && said.contains(words),
            "{row}: {said}"
        );
    }
}

/// However features were scaled, cuts are stated in the numbers of the table, and the path of a row agrees with them.
#[test]
fn cuts_are_reported_in_the_numbers_of_the_table() {
    let bench = Bench::new();
    bench.write("houses.csv", &houses(1000));
    for scale in ["none", "minmax", "standard", "robust"] {
        bench.ok(&format!(
            "train --data houses.csv --target kind --missing median --scale {scale} --algorithm urtf --model {scale}"
        ));
        let tree = json(&bench.ok(&format!("inspect --model {scale} --tree 0 --format json")));
        let explain =
            format!("inspect --model {scale} --json --explain size=40,rooms=2,colour=red,age=10");
        let path = json(&bench.ok(&explain))["path"].clone();
        let x = [40.0, 2.0, 0.0, 0.0, 1.0, 10.0];
        let (mut place, mut cuts) = (0, 0);
        while let Some(children) = tree["nodes"][place]["children"].as_array() {
            let cut = &tree["nodes"][place]["cut"];
            let normal: Vec<(usize, f64)> = serde_json::from_value(cut["normal"].clone()).unwrap();
            let value: f64 = normal
                .iter()
                .map(|(feature, entry)| entry * x[*feature])
                .sum();
            let threshold = cut["threshold"].as_f64().unwrap();
            let step = &path["steps"][cuts];
            assert_eq!(step["cut"], *cut, "{scale}");
            assert!(
                (step["value"].as_f64().unwrap() - value).abs() < 1e-9,
                "{scale}"
            );
            assert_eq!(
                step["holds"],
                value <= threshold,
                "{scale}: {value} and {threshold}"
            );
            place = children[usize::from(value > threshold)].as_u64().unwrap() as usize;
            cuts += 1;
        }
        assert_eq!(cuts, path["steps"].as_array().unwrap().len());
        assert!(cuts > 3, "{scale}: {cuts}");
    }
}

#[test]
fn learners_without_trees_tell_what_they_can() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    bench.ok("train --data sums.csv --target value --algorithm boundary-forest --model b");
    let text = bench.ok("inspect --model b");
    assert!(
        text.contains("regression of `value`") && !text.contains("importance"),
        "{text}"
    );
    bench.refused(
        "inspect --model b --tree 0",
        &["whose trees can be read", "boundary-forest"],
    );
    bench.ok("train --data sums.csv --target value --algorithm adaptive --model a");
    let text = bench.ok("inspect --model a");
    assert!(text.contains("weights of members"), "{text}");
    assert!(text.contains("weights of rules"), "{text}");
    let reported = json(&bench.ok("inspect --model a --json"));
    let rules = reported["rules"].as_array().unwrap();
    assert_eq!(rules[0]["name"], "eta=0.02,discount=0.98");
    let weights = rules.iter().map(|rule| rule["weight"].as_f64().unwrap());
    assert!((weights.sum::<f64>() - 1.0).abs() < 1e-12, "{reported}");
}

#[test]
fn a_mixture_reports_since_when_its_members_remember() {
    let bench = Bench::new();
    let class = |row: u32| (row * 37 % 100 >= 50) ^ (row >= 1000);
    let rows = (0..1600).map(|row| format!("{},{}\n", row * 37 % 100, class(row)));
    bench.write(
        "turned.csv",
        &format!("x,class\n{}", rows.collect::<String>()),
    );
    bench.ok(
        "train --data turned.csv --target class --trees 2 --model t \
         --algorithm adaptive:members=mondrian@100@none+mondrian@change@none",
    );
    let reported = json(&bench.ok("inspect --model t --json"));
    assert!(reported["members"][0]["changed"].is_null());
    let changed = reported["members"][1]["changed"].as_u64().unwrap();
    assert!((1000..1200).contains(&changed), "{changed}");
    let words = format!("mondrian@change@none, since a change at row {changed}");
    assert!(bench.ok("inspect --model t").contains(&words), "{words}");
}
