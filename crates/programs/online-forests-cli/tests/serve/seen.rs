//! What the rows of a request become beside rows that are none, in each of the ways in which a model may read its table.

use serde_json::{Value, json};

use crate::bench::{Bench, column};
use crate::client::Client;
use crate::service::{Service, Table};

const LABELLED: &str =
    r#"{"size": 120.5, "rooms": 5, "colour": "red", "age": 10, "kind": "villa"}"#;

/// The line is that of the body, blank ones included.
#[test]
fn a_bad_row_is_found_on_its_line_behind_blank_ones() {
    let bench = Table::houses().bench();
    let service = Service::start(&bench, "--model m --read-only");
    let body = format!("{LABELLED}\n\n\n{{\"size\": \"wide\"}}\n\n{LABELLED}\n[]\n");
    let kind = Some("application/jsonl");
    let mut client = service.client();
    let reply = client.send("POST", "/predict", kind, body.as_bytes()).ok();
    let rows = reply
        .body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = rows.map(|row: Value| row["line"].clone()).collect();
    assert_eq!(lines, [json!(null), json!(4), json!(null), json!(7)]);
    assert_eq!(reply.header("x-bad-rows"), Some("2"));
}

/// A number of JSON has a point, whatever the numbers of the table have.
#[test]
fn json_has_points_also_where_the_table_has_commas() {
    let table = Table::sums();
    let bench = Bench::new();
    let commas = |text: &str| text.replace(',', ";").replace('.', ",");
    bench.write("first.csv", &commas(&table.text));
    bench.ok(
        "train --data first.csv --model m --target value --trees 4 --decimal comma --delimiter ;",
    );
    let service = Service::start(&bench, "--model m");
    let mut client = service.client();
    let row = r#"{"x": 0.35, "y": -0.5, "value": 3.5e-1}"#;
    let reply = client.post("/predict", row).ok().json()["prediction"].to_string();
    let csv = client.csv("/predict", "x;y\n0,35;-0,5\n").ok().body;
    assert_eq!(column(&csv, "prediction"), [reply.as_str()]);
    // Not 35, nor -5.
    let whole = client.post("/predict", r#"{"x": 35, "y": -5}"#).ok().json();
    assert_ne!(whole["prediction"].to_string(), reply);
    assert_eq!(client.post("/learn", row).ok().json()["row"], 600);
    assert_eq!(
        client
            .csv("/learn?durable=true", "x;y;value\n0,35;-0,5;0,35\n")
            .ok()
            .body,
        "id,reason\n601,\n"
    );
}

/// Where an empty cell is a value, a column that is not there has none.
#[test]
fn a_row_needs_every_column_where_an_empty_cell_is_a_value() {
    let bench = Bench::new();
    let rows = ",1,a\nred,2,b\n".repeat(20);
    bench.write("rows.csv", &format!("colour,size,kind\n{rows}"));
    let line = "train --data rows.csv --model m --target kind --categorical colour --trees 4";
    let mut training = bench.command(line);
    let trained = training.args(["--not-missing", ""]).output().unwrap();
    assert!(trained.status.success(), "{trained:?}");
    let service = Service::start(&bench, "--model m");
    let mut client = service.client();
    let empty = r#"{"colour": "", "size": 1, "kind": "a"}"#;
    assert_eq!(
        client.post("/predict", empty).ok().json()["prediction"],
        "a"
    );
    for row in [
        r#"{"size": 1, "kind": "a"}"#,
        r#"{"colour": null, "size": 1, "kind": "a"}"#,
    ] {
        for path in ["/predict", "/learn"] {
            let refused = client.post(path, row);
            assert_eq!(refused.status, 422, "{path} {row}: {refused:?}");
            let reason = refused.json()["reason"].to_string();
            assert!(reason.contains("`colour` has no value"), "{reason}");
        }
    }
    assert_eq!(client.post("/learn", empty).ok().json()["row"], 40);
}

/// A model that leaves out rows with a missing value, a number of which is learned.
fn dropping() -> (Bench, Service, Client) {
    let bench = Bench::new();
    let rows = "1,1,a\n2,2,b\n".repeat(20);
    bench.write("rows.csv", &format!("x,y,kind\n{rows}"));
    bench.ok("train --data rows.csv --model m --target kind --missing drop --trees 4");
    let service = Service::start(&bench, "--model m");
    let client = service.client();
    (bench, service, client)
}

/// Only what is learned gets a number.
#[test]
fn rows_that_are_left_out_get_no_number() {
    let (_bench, _service, mut client) = dropping();
    let body = "x,y,kind\n,1,a\n1,1,a\n2,,b\nwide,2,b\n2,2,b\n";
    let learned = client.csv("/learn", body).ok().body;
    assert_eq!(column(&learned, "row"), ["", "40", "", "", "41"]);
    let learned = client.csv("/predict-then-learn", body).ok().body;
    assert_eq!(column(&learned, "row"), ["", "42", "", "", "43"]);
    assert_eq!(column(&learned, "prediction"), ["", "a", "", "", "b"]);
    let reasons = column(&learned, "reason");
    assert!(
        reasons[0].contains("--missing drop") && reasons[3].contains("wide"),
        "{reasons:?}"
    );
    assert_eq!(client.get("/model").ok().json()["samples_seen"], 44);
}

/// Each is counted where it belongs.
#[test]
fn bad_rows_and_those_that_are_left_out_are_counted_apart() {
    let (_bench, _service, mut client) = dropping();
    client
        .csv("/learn", "x,y,kind\n,1,a\n1,1,a\nwide,2,b\n1,high,b\n")
        .ok();
    let metrics = client.get("/metrics").ok().body;
    for line in [
        "online_forests_rows_learned_total 1",
        "online_forests_rows_left_out_total 1",
        "online_forests_rows_bad_total 2",
    ] {
        assert!(metrics.lines().any(|it| it == line), "{line}: {metrics}");
    }
}

/// Which of two was meant cannot be known: refused by the service, as in JSON, and by `predict`.
#[test]
fn a_column_that_is_there_twice_is_refused() {
    let (bench, service, mut client) = dropping();
    for (path, body) in [
        ("/predict", "x,y,x\n1,1,2\n"),
        ("/learn", "x,y,kind,kind\n1,1,a,b\n"),
    ] {
        let refused = client.csv(path, body);
        assert!(
            refused.status == 422 && refused.error().contains("is also called"),
            "{path}: {refused:?}"
        );
    }
    assert_eq!(client.get("/model").ok().json()["samples_seen"], 40);
    service.stop();
    bench.write("twice.csv", "x,y,x\n1,1,2\n");
    bench.refused(
        "predict --data twice.csv --model m",
        &["is also called `x`"],
    );
    bench.write("more.csv", "x,y,kind,x\n1,1,a,2\n");
    bench.refused(
        "train --update --data more.csv --model m",
        &["is also called `x`"],
    );
}
