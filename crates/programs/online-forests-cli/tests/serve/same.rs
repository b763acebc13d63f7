//! The service replies what `predict` replies, and leaves the file that `train` leaves.

use std::thread;

use crate::bench::{Bench, column};
use crate::service::{Service, Table, objects};

/// The file that `train` makes of all rows at once.
fn trained(table: &Table, bench: &Bench) -> Vec<u8> {
    bench.ok(&format!(
        "train --data all.csv --model whole {}",
        table.options
    ));
    bench.bytes("whole")
}

#[test]
fn rows_learned_over_http_make_the_file_that_train_makes() {
    for table in [Table::houses(), Table::sums()] {
        let bench = table.bench();
        let whole = trained(&table, &bench);
        for (path, rows) in [("/learn", 1), ("/learn", 37), ("/predict-then-learn", 50)] {
            bench.ok(&format!(
                "train --data first.csv --model again {}",
                table.options
            ));
            let service = Service::start(&bench, "--model again");
            let mut client = service.client();
            for part in table.parts(rows) {
                client.csv(path, &part).ok();
            }
            let said = service.stop();
            assert!(said.contains("saved"), "{said}");
            assert!(
                bench.bytes("again") == whole,
                "{path}, {rows} rows at a time"
            );
            std::fs::remove_file(bench.path("again")).unwrap();
        }
        // The lock is gone.
        assert_eq!(
            bench.files(),
            ["all.csv", "first.csv", "m", "rest.csv", "whole"]
        );
    }
}

/// Numbers are read as they are written, so that the digest of the rows is that of the table.
#[test]
fn json_is_learned_as_the_table_is() {
    for table in [Table::houses(), Table::sums()] {
        let bench = table.bench();
        let whole = trained(&table, &bench);
        let service = Service::start(&bench, "--model m");
        let mut client = service.client();
        let objects = objects(&table.rest());
        let (some, others) = objects.split_at(100);
        for object in some {
            client.post("/learn", object).ok();
        }
        let (array, lines) = others.split_at(50);
        client
            .post("/learn", &format!("[{}]", array.join(",")))
            .ok();
        let kind = Some("application/jsonl");
        let lines = lines.join("\n");
        client.send("POST", "/learn", kind, lines.as_bytes()).ok();
        service.stop();
        assert!(bench.bytes("m") == whole);
    }
}

/// Replies of `/predict` in CSV, without the column of reasons.
fn without_reasons(replies: &str) -> String {
    let lines = replies.lines().map(|line| line.rsplit_once(',').unwrap().0);
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn replies_are_those_of_predict_whatever_the_number_of_clients() {
    let table = Table::houses();
    let bench = table.bench();
    let expected = bench.ok("predict --data rest.csv --model m --proba");
    let service = Service::start(&bench, "--model m --read-only");
    let rest = table.rest();
    for clients in [1, 8, 64] {
        let replies = thread::scope(|scope| {
            let ask = || service.client().csv("/predict?proba=true", &rest).ok().body;
            let asking: Vec<_> = (0..clients).map(|_| scope.spawn(ask)).collect();
            let replies = asking.into_iter().map(|thread| thread.join().unwrap());
            replies.collect::<Vec<String>>()
        });
        for reply in replies {
            assert_eq!(without_reasons(&reply), expected, "{clients} clients");
        }
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
    let table = Table {
        options: "--target value --fit-rows 200 --trees 4 --algorithm mondrian-2016",
        ..Table::sums()
    };
    let bench = table.bench();
    let expected = bench.ok("predict --data rest.csv --model m --interval 0.9");
    let service = Service::start(&bench, "--model m --read-only");
    let mut client = service.client();
    let replies = client.csv("/predict?interval=0.9", &table.rest()).ok().body;
    assert_eq!(without_reasons(&replies), expected);
    assert_eq!(
        client.csv("/predict?interval=1.5", &table.rest()).status,
        400
    );
    assert_eq!(client.csv("/predict?proba=true", &table.rest()).status, 422);
}

/// Each row is predicted by the model just before it.
#[test]
fn predict_then_learn_predicts_before_it_learns() {
    let table = Table::houses();
    let bench = table.bench();
    let [one, all] = ["one", "all"].map(|name| {
        std::fs::copy(bench.path("m"), bench.path(name)).unwrap();
        Service::start(&bench, &format!("--model {name}"))
    });
    let (mut one, mut all) = (one.client(), all.client());
    let part = &table.parts(200)[0];
    let together = all.csv("/predict-then-learn?proba=true", part).ok().body;
    let rows = objects(part);
    let labels = column(&together, "prediction");
    let numbers = column(&together, "row");
    for (row, object) in rows.iter().enumerate() {
        let reply = one.post("/predict", object).ok().json();
        assert_eq!(reply["prediction"], *labels[row], "row {row}");
        let learned = one.post("/learn", object).ok().json();
        assert_eq!(learned["row"].to_string(), numbers[row]);
        assert_eq!(learned["row"], 500 + row);
    }
}
