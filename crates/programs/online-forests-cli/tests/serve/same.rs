//! The service replies what `predict` replies, and leaves the file that `train` leaves.

use std::thread;

use crate::bench::column;
use crate::service::{Service, Table, objects};

/// Numbers are read as they are written, so that the digest of the rows is that of the table, also in JSON.
#[test]
fn rows_learned_over_http_make_the_file_that_train_makes() {
    for table in [Table::houses(), Table::sums()] {
        let bench = table.bench();
        table.train(&bench, "all.csv", "whole");
        let rows = objects(&table.rest());
        let arrays = rows.chunks(50).map(|rows| format!("[{}]", rows.join(",")));
        let lines = rows.chunks(70).map(|rows| rows.join("\n"));
        for (path, kind, bodies) in [
            ("/learn", "text/csv", table.parts(1)),
            ("/learn", "text/csv", table.parts(37)),
            ("/predict-then-learn", "text/csv", table.parts(50)),
            ("/learn", "application/json", rows.clone()),
            ("/learn", "application/json", arrays.collect()),
            ("/learn", "application/jsonl", lines.collect()),
        ] {
            table.train(&bench, "first.csv", "again");
            let service = Service::start(&bench, "--model again");
            let mut client = service.client();
            for body in &bodies {
                let first = format!("POST {path}");
                client.send(&first, kind, body.as_bytes()).ok();
            }
            let said = service.stop();
            assert!(said.contains("saved"), "{said}");
            bench.same("again", "whole", &bodies[0]);
            bench.remove("again");
        }
        // The lock is gone.
        let files = ["all.csv", "first.csv", "m", "rest.csv", "whole"];
        assert_eq!(bench.files(), files);
    }
}

/// Replies of `/predict` in CSV, without the column of reasons.
pub(crate) fn without_reasons(replies: &str) -> String {
    let lines = replies.lines().map(|line| line.rsplit_once(',').unwrap().0);
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn replies_are_those_of_predict_whatever_the_number_of_clients() {
    let table = Table::houses();
    let bench = table.bench();
    let rest = table.rest();
    let expected = bench.ok("predict --data rest.csv --model m --proba");
    let service = Service::start(&bench, "--model m --read-only");
    for clients in [1, 8, 64] {
        thread::scope(|scope| {
            let ask = || service.client().csv("/predict?proba=true", &rest).ok().body;
            let asking: Vec<_> = (0..clients).map(|_| scope.spawn(ask)).collect();
            for thread in asking {
                let reply = thread.join().unwrap();
                assert_eq!(without_reasons(&reply), expected, "{clients} clients");
            }
        });
    }
    // The same one by one, as JSON.
    let mut client = service.client();
    let labels = column(&expected, "prediction");
    for (object, label) in objects(&rest).iter().zip(&labels).take(100) {
        let reply = client.post("/predict", object).ok().json();
        assert_eq!(reply["prediction"], **label);
    }
    service.stop();
}

#[test]
fn intervals_are_those_of_predict() {
    let options = "--target value --fit-rows 200 --trees 4 --algorithm mondrian-2016";
    let table = Table::sums_with(options);
    let bench = table.bench();
    let rest = table.rest();
    let expected = bench.ok("predict --data rest.csv --model m --interval 0.9");
    let service = Service::start(&bench, "--model m --read-only");
    let mut client = service.client();
    let replies = client.csv("/predict?interval=0.9", &rest).ok().body;
    assert_eq!(without_reasons(&replies), expected);
    client
        .csv("/predict?interval=1.5", &rest)
        .refused(400, "interval");
    client
        .csv("/predict?proba=true", &rest)
        .refused(422, "--proba");
}

/// Each row is predicted by the model just before it.
#[test]
fn predict_then_learn_predicts_before_it_learns() {
    let table = Table::houses();
    let bench = table.bench();
    std::fs::copy(bench.path("m"), bench.path("n")).unwrap();
    let services = ["m", "n"].map(|name| Service::start(&bench, &format!("--model {name}")));
    let [mut one, mut all] = services.each_ref().map(Service::client);
    let part = &table.parts(200)[0];
    let together = all.csv("/predict-then-learn?proba=true", part).ok().body;
    let labels = column(&together, "prediction");
    let numbers = column(&together, "row");
    for (row, object) in objects(part).iter().enumerate() {
        let reply = one.post("/predict", object).ok().json();
        assert_eq!(reply["prediction"], *labels[row], "row {row}");
        let learned = one.post("/learn", object).ok().json()["row"].clone();
        assert_eq!(learned, 500 + row);
        assert_eq!(numbers[row], learned.to_string());
    }
}
