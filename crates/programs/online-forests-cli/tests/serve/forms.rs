//! Rows in every form, and what is said of rows that are none.

use serde_json::{Value, json};

use crate::bench::column;
use crate::client::Client;
use crate::service::{Service, Table};

fn served(line: &str) -> (crate::bench::Bench, Service, Client) {
    let bench = Table::houses().bench();
    let service = Service::start(&bench, line);
    let client = service.client();
    (bench, service, client)
}

const GOOD: &str = r#"{"size": 120.5, "rooms": 5, "colour": "red", "age": 10}"#;
const LABELLED: &str =
    r#"{"size": 120.5, "rooms": 5, "colour": "red", "age": 10, "kind": "villa"}"#;

#[test]
fn replies_have_the_format_of_the_rows() {
    let (_bench, _service, mut client) = served("--model m --read-only");
    let one = client.post("/predict", GOOD).ok();
    assert_eq!(one.header("content-type"), Some("application/json"));
    assert_eq!(one.json(), json!({"prediction": "villa"}));
    let pretty = GOOD.replace(", ", ",\n");
    assert_eq!(client.post("/predict", &pretty).ok().body, one.body);
    let array = client.post("/predict", &format!(" [{GOOD}, {GOOD}] ")).ok();
    assert_eq!(
        array.json(),
        json!([{"prediction": "villa"}, {"prediction": "villa"}])
    );
    assert_eq!(client.post("/predict", "[]").ok().json(), json!([]));
    let lines = client.post("/predict", &format!("{GOOD}\n\n{GOOD}\n")).ok();
    assert_eq!(lines.header("content-type"), Some("application/jsonl"));
    assert_eq!(lines.body, one.body.repeat(2));
    let csv = "rooms,size,colour,age,other\n5,120.5,red,10,x\n";
    let csv = client.send("POST", "/predict", None, csv.as_bytes()).ok();
    assert_eq!(csv.header("content-type"), Some("text/csv"));
    assert_eq!(csv.body, "prediction,reason\nvilla,\n");
    let shares = client.post("/predict?proba=true", GOOD).ok().json();
    let shares = shares.as_object().unwrap();
    let sum: f64 = shares.iter().filter_map(|(_, share)| share.as_f64()).sum();
    assert!(shares.len() == 4 && (sum - 1.0).abs() < 1e-9, "{shares:?}");
}

/// A value that is absent is missing, and this model imputes it.
#[test]
fn null_and_no_value_are_missing() {
    let (_bench, _service, mut client) = served("--model m --read-only");
    let null = GOOD.replace("10}", "null}");
    let absent = GOOD.replace(", \"age\": 10", "");
    let empty = GOOD.replace("10}", "\"\"}");
    let [null, absent, empty] =
        [null, absent, empty].map(|row| client.post("/predict?proba=true", &row).ok().body);
    assert!(null == absent && null == empty, "{null} {absent} {empty}");
}

#[test]
fn bad_rows_are_reported_one_by_one_and_the_others_are_used() {
    let (bench, service, mut client) = served("--model m");
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
    for (row, words) in bad {
        let lines = format!("{LABELLED}\n{row}\n{LABELLED}\n");
        let kind = Some("application/x-ndjson");
        let reply = client.send("POST", "/learn", kind, lines.as_bytes()).ok();
        assert_eq!(reply.header("x-bad-rows"), Some("1"));
        let rows: Vec<Value> = reply
            .body
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(
            rows.len() == 3 && rows[0]["row"].is_u64() && rows[2]["row"].is_u64(),
            "{rows:?}"
        );
        assert_eq!(
            (&rows[1]["row"], &rows[1]["line"]),
            (&Value::Null, &json!(2))
        );
        let reason = rows[1]["reason"].as_str().unwrap();
        assert!(reason.contains(words), "{row}: {reason}");
    }
    // A request without a usable row changes nothing.
    let before = client.get("/model").ok().body;
    for (row, words) in bad {
        let lines = format!("{row}\n{row}\n");
        let kind = Some("application/jsonl");
        let reply = client.send("POST", "/learn", kind, lines.as_bytes());
        assert!(
            reply.status == 422 && reply.body.contains(words.trim_matches('`')),
            "{reply:?}"
        );
    }
    assert_eq!(client.get("/model").ok().body, before);
    // No target, and a table whose rows are not as its header says.
    let unlabelled = client.post("/learn", GOOD);
    assert_eq!(unlabelled.status, 422);
    assert!(unlabelled.json()["reason"].is_string(), "{unlabelled:?}");
    let csv = "size,rooms,colour,age,kind\n1,2\n120,5,red,1,villa\n";
    let csv = client.csv("/learn", csv).ok().body;
    assert_eq!(column(&csv, "row"), ["", "518"]);
    assert!(
        column(&csv, "reason")[0].contains("2 cells instead of 5"),
        "{csv}"
    );
    let model = client.get("/model").ok().json();
    assert_eq!(model["samples_seen"], 519);
    // Rows that come alone are refused as a whole, and are not counted by the model.
    assert_eq!(model["position"]["bad"], bad.len() + 1);
    service.stop();
    bench.ok("inspect --model m");
}

#[test]
fn what_is_wrong_with_the_whole_body_refuses_all_of_it() {
    let (bench, service, mut client) = served("--model m");
    let before = bench.bytes("m");
    let refused = [
        ("application/json", "", 400, "empty"),
        ("application/json", "size,rooms\n1,2", 400, "not JSON"),
        ("application/json", "[{}, {]", 400, "not JSON"),
        ("application/json", "[{}] x", 400, "not JSON"),
        ("text/csv", "size,rooms\n1,2\n", 422, "colour"),
        (
            "text/csv",
            "size,rooms,colour,age\n1,2,red,3\n",
            422,
            "`kind`",
        ),
        ("application/octet-stream", "{}", 415, "text/csv"),
    ];
    for (kind, body, status, words) in refused {
        let reply = client.send("POST", "/learn", Some(kind), body.as_bytes());
        assert_eq!(reply.status, status, "{body}: {reply:?}");
        assert!(reply.error().contains(words), "{body}: {reply:?}");
    }
    let packed = client.send(
        "POST",
        "/learn",
        Some("text/csv"),
        b"\x1f\x8b\x08\0\0\0\0\0\0\0",
    );
    assert!(
        packed.status == 400 && packed.error().contains("packed"),
        "{packed:?}"
    );
    service.stop();
    assert!(bench.bytes("m") == before);
}

#[test]
fn a_row_is_forgotten_by_the_id_that_it_was_given() {
    let (bench, service, mut client) = served("--model m");
    let id = client.post("/learn?durable=true", LABELLED).ok().json()["id"]
        .as_u64()
        .unwrap();
    let path = format!("/rows/{id}");
    let delete = |client: &mut Client, path: &str| client.send("DELETE", path, None, b"");
    let gone = delete(&mut client, &format!("{path}?durable=true")).ok();
    assert_eq!(gone.json(), json!({"forgotten": id}));
    assert_eq!(delete(&mut client, &path).status, 404);
    assert_eq!(delete(&mut client, "/rows/1000000").status, 404);
    assert_eq!(delete(&mut client, "/rows/x").status, 400);
    let stored = client.get("/model").ok().json()["stored_samples"].clone();
    assert_eq!(stored, 500);
    service.stop();
    // Learners that keep no rows cannot forget them.
    bench.ok(
        "train --data first.csv --model amf --target kind --missing median --algorithm stream-rf",
    );
    let service = Service::start(&bench, "--model amf");
    assert_eq!(delete(&mut service.client(), "/rows/0").status, 405);
}

#[test]
fn a_row_is_explained_as_inspect_explains_it() {
    let (bench, _service, mut client) = served("--model m --read-only");
    let explained = client.post("/explain?tree=2", GOOD).ok().json();
    let line = "inspect --model m --json --tree 2 --explain size=120.5,rooms=5,colour=red,age=10";
    let expected: Value = serde_json::from_str(&bench.ok(line)).unwrap();
    assert_eq!(explained, expected);
    for (path, body) in [
        ("/explain?tree=4", GOOD.to_owned()),
        ("/explain", format!("[{GOOD}, {GOOD}]")),
    ] {
        assert_eq!(client.post(path, &body).status, 422, "{path}");
    }
    let mut model: Value = client.get("/model").ok().json();
    let line = "inspect --model m --json";
    let mut expected: Value = serde_json::from_str(&bench.ok(line)).unwrap();
    // What a copy has asked of the memory may be less than what the learner had that was loaded.
    for model in [&mut model, &mut expected] {
        model["bytes"].take();
    }
    assert_eq!(model, expected);
}
