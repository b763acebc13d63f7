//! What clients can rely on when the service, the disk or the network fails.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::bench::Bench;
use crate::client::{Client, Response};
use crate::service::{ROW, Service, Table, wait_for};

/// A model that forgets rows by their ids.
fn forgetting() -> Bench {
    let options = "--target value --algorithm dynamic-extra-trees --trees 3 --fit-rows 200";
    Table::sums_with(options).bench()
}

fn learn(client: &mut Client, path: &str) -> u64 {
    client.post(path, ROW).ok().json()["id"].as_u64().unwrap()
}

fn delete(client: &mut Client, id: u64, more: &str) -> Response {
    client.send(&format!("DELETE /rows/{id}{more}"), "", b"")
}

fn metric(client: &mut Client, name: &str) -> f64 {
    let metrics = client.get("/metrics").ok().body;
    let name = format!("online_forests_{name} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
    line.unwrap().parse().unwrap()
}

#[test]
fn ids_and_what_is_forgotten_are_kept_through_a_kill() {
    let bench = forgetting();
    let never = "--model m --checkpoint never";
    let service = Service::start(&bench, never);
    let mut client = service.client();
    let kept = learn(&mut client, "/learn?durable=true");
    let gone = delete(&mut client, 7, "?durable=true").ok();
    assert_eq!(gone.json()["forgotten"], 7);
    // What is not saved has no id.
    for _ in 0..3 {
        let lost = client.post("/learn", ROW).ok().json();
        assert!(lost["id"].is_null() && lost["row"].is_u64(), "{lost}");
    }
    service.kill();
    let service = Service::start(&bench, never);
    let mut client = service.client();
    assert_eq!(delete(&mut client, 7, "").status, 404);
    delete(&mut client, 8, "").ok();
    let others = [(); 3].map(|()| learn(&mut client, "/learn?durable=true"));
    assert_eq!(others, [kept + 1, kept + 2, kept + 3]);
    // Ids continue, and are known to the next service.
    service.stop();
    let service = Service::start(&bench, "--model m");
    let mut client = service.client();
    let last = learn(&mut client, "/predict-then-learn?durable=true");
    assert_eq!(last, kept + 4);
    for id in [0, kept, others[0], last] {
        delete(&mut client, id, "").ok();
        assert_eq!(delete(&mut client, id, "").status, 404);
    }
}

/// Learns a row of source `s`, from one place to another.
fn follow(client: &mut Client, after: &str, upto: &str, more: &str) -> Response {
    client.post(
        &format!("/learn?source=s&after={after}&upto={upto}{more}"),
        ROW,
    )
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
    // A source may have places without rows.
    client.post("/learn?source=s&after=30&upto=35", "[]").ok();
    check(&mut client, 304, "35");
    client
        .post("/learn?source=s&after=35&upto=30&durable=true", "[]")
        .ok();
    let long = format!("source={}&upto=1", "k".repeat(256));
    let parts = ["source=s", "upto=1", "after=30"];
    let texts = [
        "source=&upto=1",
        "source=s&upto=",
        "source=a%20b&upto=1",
        &long,
    ];
    for query in parts.into_iter().chain(texts) {
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
    service.kill();
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

#[test]
fn after_a_failed_save_nothing_is_learned_until_saving_works_again() {
    // A folder for the model that can go and come back.
    let bench = Table::sums().bench();
    fs::create_dir(bench.path("folder")).unwrap();
    fs::rename(bench.path("m"), bench.path("folder/m")).unwrap();
    let service = Service::start(&bench, "--model folder/m --checkpoint never");
    let mut client = service.client();
    client.post("/learn", ROW).ok();
    fs::rename(bench.path("folder"), bench.path("away")).unwrap();
    // The reply states whether the rows are learned, and a cursor makes it safe to try again.
    let failed = follow(&mut client, "", "1", "&durable=true");
    failed.refused(500, "learned (or forgotten) but not saved");
    client.get("/readyz").refused(503, "");
    client.get("/healthz").ok();
    for path in ["/learn", "/learn?durable=true", "/predict-then-learn"] {
        client
            .post(path, ROW)
            .refused(503, "until the model can be saved");
    }
    delete(&mut client, 0, "").refused(503, "");
    client.post("/predict", ROW).ok();
    assert_eq!(client.samples_seen(), 302);
    // The alert stays for as long as rows are not saved.
    wait_for("another attempt", || {
        metric(&mut client, "checkpoints_failed_total") >= 2.0
    });
    assert_eq!(metric(&mut client, "rows_unsaved"), 2.0);
    fs::rename(bench.path("away"), bench.path("folder")).unwrap();
    wait_for("saved", || client.get("/readyz").status == 200);
    assert_eq!(metric(&mut client, "rows_unsaved"), 0.0);
    follow(&mut client, "", "1", "&durable=true").refused(409, "");
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
    let shell = ["-c", "trap '' XFSZ; exec \"$0\" \"$@\""];
    let service = Service::spawn(bench.behind("sh", &shell, serve));
    let before = bench.bytes("m");
    let process = format!("--pid={}", service.id());
    let limited = Command::new("prlimit")
        .args(["--fsize=1000", &process])
        .status();
    assert!(limited.unwrap().success());
    let mut client = service.client();
    for _ in 0..2 {
        client.post("/learn", ROW).ok();
    }
    wait_for("not ready", || client.get("/readyz").status == 503);
    client.post("/learn", ROW).refused(503, "");
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
    for (copies, status, ready) in [(3.0, 507, 503), (4.0, 200, 200)] {
        let limit = (copies * bytes) as u64;
        let service = Service::start(&bench, &format!("--model m --max-memory {limit}B"));
        let mut client = service.client();
        let said = client.get("/readyz").body;
        assert_eq!(said.contains("--max-memory"), ready == 503, "{said}");
        let found = [
            client.get("/readyz").status,
            client.post("/learn", ROW).status,
            client.get("/readyz").status,
            client.post("/predict", ROW).status,
        ];
        assert_eq!(found, [ready, status, ready, 200], "{copies}");
    }
}

/// Bodies that wait are counted, whether or not their clients do.
#[test]
fn bodies_of_clients_that_have_left_are_counted() {
    let bench = Table::sums_with("--target value --fit-rows 200 --trees 1000").bench();
    let service = Service::start(&bench, "--model m --threads 1 --max-requests 3");
    // Learning it takes longer than all that follows.
    let body = format!("x,y,value\n{}", "0.1,0.2,0.3\n".repeat(10_000));
    let send = || {
        let mut client = service.client();
        client.begin("/learn", body.len(), &body);
        client
    };
    let waiting = || metric(&mut service.client(), "waiting_requests");
    let first = send();
    for room in [1.0, 2.0] {
        let client = send();
        wait_for("a job", || waiting() == room);
        drop(client);
    }
    for _ in 0..3 {
        let client = send();
        thread::sleep(Duration::from_millis(200));
        drop(client);
    }
    assert_eq!(waiting(), 2.0);
    service.client().csv("/learn", &body).refused(429, "");
    drop(first);
    service.kill();
}
