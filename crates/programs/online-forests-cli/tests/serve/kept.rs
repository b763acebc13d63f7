//! What clients can rely on when the service, the disk or the network fails.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::bench::Bench;
use crate::client::{Client, Response};
use crate::service::{ROW, Service, Table};

/// A model that forgets rows by their ids.
fn forgetting() -> Bench {
    let bench = Table::sums().bench();
    let learner = "--algorithm dynamic-extra-trees --trees 3 --fit-rows 200";
    bench.ok(&format!(
        "train --data first.csv --model forgets --target value {learner}"
    ));
    bench
}

fn learn(client: &mut Client, path: &str) -> u64 {
    client.post(path, ROW).ok().json()["id"].as_u64().unwrap()
}

fn delete(client: &mut Client, id: u64, more: &str) -> Response {
    client.send("DELETE", &format!("/rows/{id}{more}"), None, b"")
}

fn metric(client: &mut Client, name: &str) -> f64 {
    let metrics = client.get("/metrics").ok().body;
    let name = format!("online_forests_{name} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
    line.unwrap().parse().unwrap()
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_is_forgotten_durably_stays_forgotten_after_a_kill() {
    let bench = forgetting();
    let service = Service::start(&bench, "--model forgets --checkpoint never");
    let gone = delete(&mut service.client(), 7, "?durable=true").ok();
    assert_eq!(gone.json()["forgotten"], 7);
    service.signal("-KILL");
    service.end();
    let service = Service::start(&bench, "--model forgets");
    assert_eq!(delete(&mut service.client(), 7, "").status, 404);
    delete(&mut service.client(), 8, "").ok();
}

#[test]
fn an_id_is_never_that_of_another_row_even_after_a_kill() {
    let bench = forgetting();
    let service = Service::start(&bench, "--model forgets --checkpoint never");
    let mut client = service.client();
    let kept = learn(&mut client, "/learn?durable=true");
    // What is not saved has no id.
    for _ in 0..3 {
        let lost = client.post("/learn", ROW).ok().json();
        assert!(lost["id"].is_null() && lost["row"].is_u64(), "{lost}");
    }
    service.signal("-KILL");
    service.end();
    let service = Service::start(&bench, "--model forgets --checkpoint never");
    let mut client = service.client();
    let others: Vec<u64> = (0..3)
        .map(|_| learn(&mut client, "/learn?durable=true"))
        .collect();
    assert_eq!(others, [kept + 1, kept + 2, kept + 3]);
    // Ids continue, and are known to the next service.
    service.stop();
    let service = Service::start(&bench, "--model forgets");
    let mut client = service.client();
    let path = "/predict-then-learn?durable=true";
    let last = learn(&mut client, path);
    assert_eq!(last, kept + 4);
    for id in [0, kept, others[0], last] {
        delete(&mut client, id, "").ok();
        assert_eq!(delete(&mut client, id, "").status, 404);
    }
}

/// Learns a row of source `s`, from one place to another.
fn follow(client: &mut Client, after: &str, upto: &str, more: &str) -> Response {
    let path = format!("/learn?source=s&after={after}&upto={upto}{more}");
    client.post(&path, ROW)
}

/// Checks the number of rows that were learned, and the cursor of source `s`.
#[track_caller]
fn check(client: &mut Client, rows: u64, cursor: &str) {
    let model = client.get("/model").ok().json();
    let found = (&model["samples_seen"], &model["cursors"]["s"]);
    assert_eq!(found, (&rows.into(), &cursor.into()));
}

#[test]
fn rows_of_a_source_are_learned_once_in_their_order() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m");
    let mut client = service.client();
    follow(&mut client, "", "10", "").ok();
    follow(&mut client, "10", "20", "&durable=true").ok();
    for (after, more) in [("10", ""), ("10", "&durable=true"), ("", ""), ("30", "")] {
        let refused = follow(&mut client, after, "40", more);
        let found = (refused.status, refused.json()["cursor"].clone());
        assert_eq!(found, (409, json!("20")), "{after}");
    }
    // A refused request changes nothing, and the same place may be sent again.
    let next = "source=s&after=20&upto=30";
    for (body, status) in [("{", 400), (r#"{"x": "much", "y": 1, "value": 1}"#, 422)] {
        assert_eq!(client.post(&format!("/learn?{next}"), body).status, status);
        check(&mut client, 302, "20");
    }
    client
        .post(&format!("/predict-then-learn?{next}"), ROW)
        .ok();
    // Sources do not know of each other.
    client.post("/learn?source=t&upto=1", ROW).ok();
    check(&mut client, 304, "30");
    let long = "k".repeat(256);
    for query in [
        "source=s",
        "upto=1",
        "after=30",
        "source=&upto=1",
        "source=s&upto=",
        "source=a%20b&upto=1",
        &format!("source={long}&upto=1"),
    ] {
        let reply = client.post(&format!("/learn?{query}"), ROW);
        assert_eq!(reply.status, 400, "{query}");
    }
    check(&mut client, 304, "30");
}

#[test]
fn after_a_kill_the_cursor_is_that_of_the_rows_that_are_saved() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --checkpoint never");
    let mut client = service.client();
    follow(&mut client, "", "1", "").ok();
    follow(&mut client, "1", "2", "&durable=true").ok();
    follow(&mut client, "2", "3", "").ok();
    service.signal("-KILL");
    service.end();
    let service = Service::start(&bench, "--model m --checkpoint never");
    let mut client = service.client();
    check(&mut client, 302, "2");
    follow(&mut client, "2", "3", "").ok();
    // An orderly end saves it, and a training keeps it.
    service.stop();
    bench.ok("train --data rest.csv --model m --update");
    let service = Service::start(&bench, "--model m");
    check(&mut service.client(), 603, "3");
}

/// A folder for the model that can go and come back.
fn in_a_folder() -> Bench {
    let bench = Table::sums().bench();
    fs::create_dir(bench.path("folder")).unwrap();
    fs::rename(bench.path("m"), bench.path("folder/m")).unwrap();
    bench
}

#[test]
fn after_a_failed_save_nothing_is_learned_until_saving_works_again() {
    let bench = in_a_folder();
    let service = Service::start(&bench, "--model folder/m --checkpoint never");
    let mut client = service.client();
    client.post("/learn", ROW).ok();
    fs::rename(bench.path("folder"), bench.path("away")).unwrap();
    // Whether rows are learned is said, and a cursor makes it safe to try again.
    let failed = follow(&mut client, "", "1", "&durable=true");
    assert_eq!(failed.status, 500, "{failed:?}");
    assert!(
        failed
            .error()
            .contains("learned (or forgotten) but not saved")
    );
    for (path, status) in [("/readyz", 503), ("/healthz", 200)] {
        assert_eq!(client.get(path).status, status, "{path}");
    }
    for path in ["/learn", "/learn?durable=true", "/predict-then-learn"] {
        let refused = client.post(path, ROW);
        let says_why = refused.error().contains("until the model can be saved");
        assert!(refused.status == 503 && says_why, "{refused:?}");
    }
    assert_eq!(delete(&mut client, 0, "").status, 503);
    client.post("/predict", ROW).ok();
    assert_eq!(client.samples_seen(), 302);
    // The alert stays for as long as rows are not saved.
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(metric(&mut client, "rows_unsaved"), 2.0);
    assert!(metric(&mut client, "checkpoints_failed_total") >= 2.0);
    fs::rename(bench.path("away"), bench.path("folder")).unwrap();
    wait_for("saved", || client.get("/readyz").status == 200);
    assert_eq!(metric(&mut client, "rows_unsaved"), 0.0);
    assert_eq!(follow(&mut client, "", "1", "&durable=true").status, 409);
    assert_eq!(learn(&mut client, "/learn?durable=true"), 302);
    service.stop();
    bench.ok("inspect --model folder/m");
}

/// A limit of the size of files stands for a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_old_file_stays_whole_and_the_end_says_what_is_lost() {
    let bench = Table::sums().bench();
    let serve = "serve --listen 127.0.0.1:0 --model m --checkpoint 2";
    // A client that writes too much is refused instead of ended.
    let service =
        Service::spawn(bench.behind("sh", &["-c", "trap '' XFSZ; exec \"$0\" \"$@\""], serve));
    let before = bench.bytes("m");
    let process = service.id().to_string();
    let limited = Command::new("prlimit")
        .args(["--fsize=1000", "--pid", &process])
        .status();
    assert!(limited.unwrap().success());
    let mut client = service.client();
    for _ in 0..2 {
        client.post("/learn", ROW).ok();
    }
    wait_for("not ready", || client.get("/readyz").status == 503);
    assert_eq!(client.post("/learn", ROW).status, 503);
    service.signal("-TERM");
    let (code, said) = service.end();
    assert_eq!(code, Some(1), "{said}");
    let lost = "2 rows that were learned since the last save are lost";
    assert!(said.contains(lost) && !said.contains("panicked"), "{said}");
    assert!(bench.bytes("m") == before);
    let left = bench.files();
    assert!(
        !left.iter().any(|name| name.ends_with(".unfinished")),
        "{left:?}"
    );
}

/// Two copies, and one that is written: a limit that one copy has not reached may be too low.
#[test]
fn the_limit_of_memory_counts_all_copies_and_says_so_before_the_first_row() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m");
    let bytes = metric(&mut service.client(), "model_bytes");
    service.stop();
    for (copies, status, ready) in [(2.0, 507, 503), (4.0, 200, 200)] {
        let limit = (copies * bytes) as u64;
        let service = Service::start(&bench, &format!("--model m --max-memory {limit}B"));
        let mut client = service.client();
        assert_eq!(client.get("/readyz").status, ready, "{copies}");
        assert_eq!(client.post("/learn", ROW).status, status, "{copies}");
        assert_eq!(client.get("/readyz").status, ready, "{copies}");
    }
}

/// Bodies that wait are counted, whether or not their clients do.
#[test]
fn bodies_of_clients_that_have_left_are_counted() {
    let bench = Table::sums().bench();
    bench.ok("train --data first.csv --model slow --target value --fit-rows 200 --trees 1000");
    let service = Service::start(&bench, "--model slow --threads 1 --max-requests 3");
    let send = |body: &str| {
        let (mut client, host) = (service.client(), service.address);
        let length = body.len();
        let head = format!("POST /learn HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}");
        client
            .write(format!("{head}\r\n\r\n{body}").as_bytes())
            .unwrap();
        client
    };
    let waiting = || metric(&mut service.client(), "waiting_requests");
    // Keeps the one who learns busy.
    let long = send(&format!("x,y,value\n{}", "0.1,0.2,0.3\n".repeat(3000)));
    std::thread::sleep(Duration::from_millis(200));
    let note = "n".repeat(5000);
    let body = format!("x,y,value,note\n{}", format!("1,1,1,{note}\n").repeat(40));
    for room in [1.0, 2.0] {
        let client = send(&body);
        wait_for("a job", || waiting() == room);
        drop(client);
    }
    for _ in 0..3 {
        let client = send(&body);
        std::thread::sleep(Duration::from_millis(200));
        drop(client);
    }
    assert_eq!(waiting(), 2.0);
    assert_eq!(service.client().csv("/learn", &body).status, 429);
    drop(long);
}
