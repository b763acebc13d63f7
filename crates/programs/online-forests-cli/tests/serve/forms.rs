//! Rows in every format, and the errors of malformed ones, for models that read their tables in different ways.

use serde_json::{Value, json};

use crate::bench::{Bench, column};
use crate::client::Client;
use crate::service::{Service, Table};

fn served(bench: Bench, line: &str) -> (Bench, Service, Client) {
    let service = Service::start(&bench, line);
    let client = service.client();
    (bench, service, client)
}

const GOOD: &str = r#"{"size": 120.5, "rooms": 5, "colour": "red", "age": 10}"#;
const LABELLED: &str =
    r#"{"size": 120.5, "rooms": 5, "colour": "red", "age": 10, "kind": "villa"}"#;

const JSON: &str = "application/json";
const LINES: &str = "application/jsonl";

fn lines(body: &str) -> Vec<Value> {
    let lines = body.lines().map(serde_json::from_str);
    lines.map(Result::unwrap).collect()
}

#[test]
fn replies_have_the_format_of_the_rows() {
    let (_bench, _service, mut client) = served(Table::houses().bench(), "--model m --read-only");
    let one = "{\"prediction\":\"villa\"}";
    let csv = "rooms,size,colour,age,other\n5,120.5,red,10,x\n";
    for (body, kind, expected) in [
        (GOOD.to_owned(), JSON, one.to_owned()),
        (GOOD.replace(", ", ",\n"), JSON, one.to_owned()),
        (
            format!(" [{GOOD}, {GOOD}] "),
            JSON,
            format!("[{one},\n{one}]"),
        ),
        ("[]".to_owned(), JSON, "[]".to_owned()),
        (
            format!("{GOOD}\n\n{GOOD}\n"),
            LINES,
            format!("{one}\n{one}"),
        ),
        (
            csv.to_owned(),
            "text/csv",
            "prediction,reason\nvilla,".to_owned(),
        ),
    ] {
        // CSV and lines are also recognised by their first bytes.
        let sent = if kind == "text/csv" { "" } else { JSON };
        let reply = client.send("POST /predict", sent, body.as_bytes()).ok();
        assert_eq!(reply.header("content-type"), Some(kind), "{body}");
        assert_eq!(reply.body.trim_end(), expected, "{body}");
    }
    let shares = client.post("/predict?proba=true", GOOD).ok().json();
    let shares = shares.as_object().unwrap();
    let sum: f64 = shares.values().filter_map(Value::as_f64).sum();
    assert!(shares.len() == 4 && (sum - 1.0).abs() < 1e-9, "{shares:?}");
    // A value that is absent is missing, and this model imputes it.
    let missing = [("10}", "null}"), ("10}", "\"\"}"), (", \"age\": 10", "")];
    let [null, empty, absent] = missing.map(|(from, to)| {
        let row = GOOD.replace(from, to);
        client.post("/predict?proba=true", &row).ok().body
    });
    assert!(null == absent && null == empty, "{null} {absent} {empty}");
    // The line of a bad row is that of the body, blank ones included.
    let body = format!("{LABELLED}\n\n\n{{\"size\": \"wide\"}}\n\n{LABELLED}\n[]\n");
    let reply = client.send("POST /predict", LINES, body.as_bytes()).ok();
    let found: Vec<Value> = lines(&reply.body)
        .iter()
        .map(|row| row["line"].clone())
        .collect();
    assert_eq!(found, [json!(null), json!(4), json!(null), json!(7)]);
    assert_eq!(reply.header("x-bad-rows"), Some("2"));
}

#[test]
fn bad_rows_are_reported_one_by_one_and_the_others_are_used() {
    let (bench, service, mut client) = served(Table::houses().bench(), "--model m");
    let bad = [
        (r#"{"size": "wide"}"#, "wide"),
        (r#"{"size": [1]}"#, "`size` is an array"),
        (r#"{"sise": 1}"#, "did you mean `size`"),
        (r#"{"size": 1, "size": 2}"#, "`size` is listed twice"),
        (r#"{"size": 1e999}"#, "1e999"),
        (
            "[1, 2]",
            "expected an object by column name, but found an array",
        ),
        ("null", "but found null"),
        ("{\"size\": 1", "not JSON"),
        (r#"{"size": 01}"#, "not JSON"),
    ];
    let kind = "application/x-ndjson";
    for (row, words) in bad {
        // A request without a usable row changes nothing.
        let before = client.get("/model").ok().body;
        let body = format!("{row}\n{row}\n");
        let reply = client.send("POST /learn", kind, body.as_bytes());
        reply.refused(422, words.trim_matches('`'));
        assert_eq!(client.get("/model").ok().body, before);
        let body = format!("{LABELLED}\n{row}\n{LABELLED}\n");
        let reply = client.send("POST /learn", kind, body.as_bytes()).ok();
        assert_eq!(reply.header("x-bad-rows"), Some("1"));
        let rows = lines(&reply.body);
        let used: Vec<bool> = rows.iter().map(|row| row["row"].is_u64()).collect();
        assert_eq!(used, [true, false, true], "{rows:?}");
        assert_eq!(rows[1]["line"], 2);
        let reason = rows[1]["reason"].as_str().unwrap();
        assert!(reason.contains(words), "{row}: {reason}");
    }
    // No target, and a table whose rows are not as its header says.
    client.post("/learn", GOOD).refused(422, "\"reason\"");
    let csv = "size,rooms,colour,age,kind\n1,2\n120,5,red,1,villa\n";
    let csv = client.csv("/learn", csv).ok().body;
    assert_eq!(column(&csv, "row"), ["", "518"]);
    let reasons = column(&csv, "reason");
    assert!(reasons[0].contains("2 cells instead of 5"), "{csv}");
    let model = client.get("/model").ok().json();
    // Rows that come alone are refused as a whole, and are not counted by the model.
    let counted = (&model["samples_seen"], &model["position"]["bad"]);
    assert_eq!(counted, (&json!(519), &json!(bad.len() + 1)));
    service.stop();
    bench.ok("inspect --model m");
}

#[test]
fn what_is_wrong_with_the_whole_body_refuses_all_of_it() {
    let (bench, service, mut client) = served(Table::houses().bench(), "--model m");
    let before = bench.bytes("m");
    let twice = "size,rooms,colour,age,kind,size\n1,2,red,3,hall,1\n";
    let cases: [(&str, &[u8], u16, &str); 11] = [
        (JSON, b"", 400, "empty"),
        (JSON, b"size,rooms\n1,2", 400, "not JSON"),
        (JSON, b"[{}, {]", 400, "not JSON"),
        (JSON, b"[{}] x", 400, "not JSON"),
        ("text/csv", b"size,rooms\n1,2\n", 422, "colour"),
        (
            "text/csv",
            b"size,rooms,colour,age\n1,2,red,3\n",
            422,
            "`kind`",
        ),
        // Which of two was meant cannot be known.
        ("text/csv", twice.as_bytes(), 422, "is also called"),
        ("text/csv", b"\x1f\x8b\x08\0\0\0\0\0\0\0", 400, "packed"),
        ("application/octet-stream", b"{}", 415, "text/csv"),
        ("text/csv; charset=latin-1", b"a\n1\n", 415, "send UTF-8"),
        ("text/csv; Charset=\"UTF-8\"", b"size\n1\n", 422, "rooms"),
    ];
    for (kind, body, status, words) in cases {
        client
            .send("POST /learn", kind, body)
            .refused(status, words);
    }
    service.stop();
    assert!(bench.bytes("m") == before);
}

#[test]
fn a_row_is_forgotten_by_the_id_that_it_was_given() {
    let (bench, service, mut client) = served(Table::houses().bench(), "--model m");
    let learned = client.post("/learn?durable=true", LABELLED).ok().json();
    let id = learned["id"].as_u64().unwrap();
    let delete =
        |client: &mut Client, id: &str| client.send(&format!("DELETE /rows/{id}"), "", b"");
    let gone = delete(&mut client, &format!("{id}?durable=true")).ok();
    assert_eq!(gone.json(), json!({"forgotten": id}));
    for (id, status) in [(id.to_string().as_str(), 404), ("1000000", 404), ("x", 400)] {
        delete(&mut client, id).refused(status, "error");
    }
    assert_eq!(client.get("/model").ok().json()["stored_samples"], 500);
    service.stop();
    // Learners that keep no rows cannot forget them.
    let train = "train --data first.csv --target kind --missing median";
    bench.ok(&format!("{train} --algorithm stream-rf --model rf"));
    let service = Service::start(&bench, "--model rf");
    delete(&mut service.client(), "0").refused(405, "can");
}

#[test]
fn a_row_is_explained_as_inspect_explains_it() {
    let (bench, _service, mut client) = served(Table::houses().bench(), "--model m --read-only");
    let json = |line: &str| serde_json::from_str::<Value>(&bench.ok(line)).unwrap();
    let explained = client.post("/explain?tree=2", GOOD).ok().json();
    let line = "inspect --model m --json --tree 2 --explain size=120.5,rooms=5,colour=red,age=10";
    assert_eq!(explained, json(line));
    client.post("/explain?tree=4", GOOD).refused(422, "tree");
    let two = format!("[{GOOD}, {GOOD}]");
    client.post("/explain", &two).refused(422, "one row");
    let mut model = client.get("/model").ok().json();
    let mut expected = json("inspect --model m --json");
    // What a copy has asked of the memory may be less than what the learner had that was loaded.
    model["bytes"].take();
    expected["bytes"].take();
    assert_eq!(model, expected);
}

/// A number of JSON has a point, whatever the numbers of the table have.
#[test]
fn json_has_points_also_where_the_table_has_commas() {
    let text = Table::sums().text.replace(',', ";").replace('.', ",");
    let bench = Bench::with(&[("first.csv", &text)]);
    let train = "train --data first.csv --model m --target value --trees 4";
    bench.ok(&format!("{train} --decimal comma --delimiter ;"));
    let (_bench, _service, mut client) = served(bench, "--model m");
    let row = r#"{"x": 0.35, "y": -0.5, "value": 3.5e-1}"#;
    let reply = client.post("/predict", row).ok().json()["prediction"].to_string();
    let csv = client.csv("/predict", "x;y\n0,35;-0,5\n").ok().body;
    assert_eq!(column(&csv, "prediction"), [reply.as_str()]);
    // Not 35, nor -5.
    let whole = client.post("/predict", r#"{"x": 35, "y": -5}"#).ok().json();
    assert_ne!(whole["prediction"].to_string(), reply);
    assert_eq!(client.post("/learn", row).ok().json()["row"], 600);
    let learned = client.csv("/learn?durable=true", "x;y;value\n0,35;-0,5;0,35\n");
    assert_eq!(learned.ok().body, "id,reason\n601,\n");
}

/// Where an empty cell is a value, a column that is not there has none.
#[test]
fn a_row_needs_every_column_where_an_empty_cell_is_a_value() {
    let rows = ",1,a\nred,2,b\n".repeat(20);
    let bench = Bench::with(&[("rows.csv", &format!("colour,size,kind\n{rows}"))]);
    let line = "train --data rows.csv --model m --target kind --categorical colour --trees 4";
    let mut train = bench.command(line);
    let trained = train.args(["--not-missing", ""]).status();
    assert!(trained.unwrap().success());
    let (_bench, _service, mut client) = served(bench, "--model m");
    let empty = r#"{"colour": "", "size": 1, "kind": "a"}"#;
    let predicted = client.post("/predict", empty).ok().json();
    assert_eq!(predicted["prediction"], "a");
    for row in [
        r#"{"size": 1, "kind": "a"}"#,
        r#"{"colour": null, "size": 1, "kind": "a"}"#,
    ] {
        for path in ["/predict", "/learn"] {
            client.post(path, row).refused(422, "`colour` has no value");
        }
    }
    assert_eq!(client.post("/learn", empty).ok().json()["row"], 40);
}

/// Only what is learned gets a number, and each is counted where it belongs.
#[test]
fn rows_that_are_left_out_get_no_number_and_are_not_bad() {
    let rows = "1,1,a\n2,2,b\n".repeat(20);
    let bench = Bench::with(&[("rows.csv", &format!("x,y,kind\n{rows}"))]);
    bench.ok("train --data rows.csv --model m --target kind --missing drop --trees 4");
    let (_bench, _service, mut client) = served(bench, "--model m");
    let body = "x,y,kind\n,1,a\n1,1,a\n2,,b\nwide,2,b\n2,2,b\n";
    let learned = client.csv("/learn", body).ok().body;
    assert_eq!(column(&learned, "row"), ["", "40", "", "", "41"]);
    let learned = client.csv("/predict-then-learn", body).ok().body;
    assert_eq!(column(&learned, "row"), ["", "42", "", "", "43"]);
    assert_eq!(column(&learned, "prediction"), ["", "a", "", "", "b"]);
    let reasons = column(&learned, "reason");
    let are_distinct = reasons[0].contains("--missing drop") && reasons[3].contains("wide");
    assert!(are_distinct, "{reasons:?}");
    let metrics = client.get("/metrics").ok().body;
    for line in [
        "rows_learned_total 4",
        "rows_left_out_total 4",
        "rows_bad_total 2",
    ] {
        let line = format!("online_forests_{line}");
        assert!(metrics.lines().any(|it| it == line), "{line}: {metrics}");
    }
}
