//! Services that follow the model file of another.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::service::{Service, Table, objects, wait_for};

#[test]
fn a_replica_has_each_checkpoint_and_predicts_all_the_time() {
    let table = Table::houses();
    let bench = table.bench();
    let service = Service::start(&bench, "--model m --checkpoint 20");
    let replica = Service::start(&bench, "--model m --read-only --follow-model");
    let object = &objects(&table.rest())[0];
    let seen = thread::scope(|scope| {
        let learning = scope.spawn(|| {
            let mut client = service.client();
            for (number, part) in (1..).zip(table.parts(10)) {
                client.csv("/learn", &part).ok();
                // Now and then, until the replica has a checkpoint.
                if number % 10 == 0 {
                    let rows = 500 + 10 * number;
                    wait_for("the rows", || replica.client().samples_seen() == rows);
                }
            }
        });
        let mut client = replica.client();
        let mut seen = Vec::new();
        while !learning.is_finished() {
            client.post("/predict", object).ok();
            seen.push(client.samples_seen());
        }
        learning.join().unwrap();
        seen
    });
    assert!(seen.is_sorted(), "{seen:?}");
    let expected = bench.ok("predict --data rest.csv --model m --proba");
    let mut client = replica.client();
    let replies = client.csv("/predict?proba=true", &table.rest()).ok().body;
    assert_eq!(crate::same::without_reasons(&replies), expected);
    replica.stop();
    service.stop();
}

/// A file that is not a model, or another one, leaves the replica unchanged.
#[test]
fn a_replica_keeps_its_model_if_the_new_file_is_invalid() {
    let table = Table::houses();
    let bench = Table::sums().bench();
    bench.write("houses.csv", &table.text);
    table.train(&bench, "houses.csv", "other");
    let mut replica = Service::start(&bench, "--model m --read-only --follow-model");
    let good = bench.bytes("m");
    // A model of the same task, of which requests have other columns.
    let wide = Table::sums().text.replace('\n', "\n1,");
    bench.write("wide.csv", format!("z,{}", wide.trim_end_matches("1,")));
    Table::sums().train(&bench, "wide.csv", "wide");
    let row = r#"{"x": 0.5, "y": 0.5}"#;
    for (bytes, words) in [
        (&bench.bytes("wide")[..], "has other columns"),
        (b"nonsense", "this is not a snapshot"),
        (&good[..good.len() / 2], "cut off"),
        (&bench.bytes("other"), "the model is unchanged"),
    ] {
        bench.write("new", bytes);
        fs::rename(bench.path("new"), bench.path("m")).unwrap();
        replica.wait_for_line(words);
        assert_eq!(replica.client().samples_seen(), 300);
        replica.client().post("/predict", row).ok();
    }
    bench.remove("m");
    thread::sleep(Duration::from_millis(300));
    assert_eq!(replica.client().samples_seen(), 300);
    Table::sums().train(&bench, "all.csv", "m");
    wait_for("the new model", || replica.client().samples_seen() == 600);
    replica.stop();
}
