//! What clients can rely on when the service, the disk or the network fails.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::client::{Client, Response};
use crate::service::{Service, Table};

const ROW: &str = r#"{"x": 0.5, "y": 0.5, "value": 1}"#;

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

fn samples_seen(client: &mut Client) -> u64 {
    let model = client.get("/model").ok().json();
    model["samples_seen"].as_u64().unwrap()
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

/// Sends rows with a key; `None` if the client does not wait for the reply.
fn with_key(service: &Service, path: &str, key: &str, body: &str) -> Client {
    let (mut client, host) = (service.client(), service.address);
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\nidempotency-key: {key}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    client.write(head.as_bytes()).unwrap();
    client
}

#[test]
fn a_request_that_comes_again_with_its_key_is_learned_once() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m");
    let ask = |path: &str, key: &str, body: &str| {
        let mut client = with_key(&service, path, key, body);
        client.receive().unwrap()
    };
    // The first client goes before it has its reply.
    let first = with_key(&service, "/learn", "first", ROW);
    wait_for("the row", || samples_seen(&mut service.client()) == 301);
    drop(first);
    let again = ask("/learn?durable=true", "first", ROW).ok();
    assert_eq!(again.json()["row"], 300);
    let both = ["second", "second", "third"].map(|key| ask("/predict-then-learn", key, ROW).ok());
    assert_eq!(both[0].body, both[1].body);
    assert_eq!(both[2].json()["row"], 302);
    assert_eq!(samples_seen(&mut service.client()), 303);
    // Something else with the same key, or no key.
    let other = ROW.replace("0.5", "0.7");
    for (path, key, body, status) in [
        ("/learn", "first", other.as_str(), 422),
        ("/predict-then-learn", "first", ROW, 422),
        ("/learn", "", ROW, 400),
        ("/learn", "two words", ROW, 400),
        ("/learn", &"k".repeat(256), ROW, 400),
    ] {
        let refused = ask(path, key, body);
        assert!(refused.error().contains("Idempotency-Key"), "{refused:?}");
        assert_eq!(refused.status, status, "{key}");
    }
    // A refused request has no effect: its key may be used for what is right.
    assert_eq!(ask("/learn", "wrong", "{").status, 400);
    ask("/learn", "wrong", ROW).ok();
    assert_eq!(samples_seen(&mut service.client()), 304);
}

#[test]
fn after_a_kill_the_keys_of_saved_rows_are_known_and_others_are_learned() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, "--model m --checkpoint never");
    let ask = |service: &Service, path: &str, key: &str| {
        let mut client = with_key(service, path, key, ROW);
        client.receive().unwrap().ok().body
    };
    let saved = ["first", "second"].map(|key| ask(&service, "/learn?durable=true", key));
    ask(&service, "/predict-then-learn", "third");
    service.signal("-KILL");
    service.end();
    let service = Service::start(&bench, "--model m --checkpoint never");
    assert_eq!(samples_seen(&mut service.client()), 302);
    let again = ["first", "second"].map(|key| ask(&service, "/learn", key));
    assert_eq!(again, saved);
    ask(&service, "/predict-then-learn", "third");
    assert_eq!(samples_seen(&mut service.client()), 303);
    // An orderly end saves the keys, too.
    let third = ask(&service, "/predict-then-learn", "third");
    service.stop();
    let service = Service::start(&bench, "--model m");
    assert_eq!(ask(&service, "/predict-then-learn", "third"), third);
    assert_eq!(samples_seen(&mut service.client()), 303);
    // Rows that another program teaches the model are not those of the service.
    service.stop();
    bench.ok("train --data rest.csv --model m --update");
    let service = Service::start(&bench, "--model m");
    let before = samples_seen(&mut service.client());
    ask(&service, "/predict-then-learn", "third");
    assert_eq!(samples_seen(&mut service.client()), before + 1);
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
    // Whether rows are learned is said, and a key makes it safe to try again.
    let mut keyed = with_key(&service, "/learn?durable=true", "key", ROW);
    let failed = keyed.receive().unwrap();
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
    assert_eq!(samples_seen(&mut client), 302);
    // The alert stays for as long as rows are not saved.
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(metric(&mut client, "rows_unsaved"), 2.0);
    assert!(metric(&mut client, "checkpoints_failed_total") >= 2.0);
    fs::rename(bench.path("away"), bench.path("folder")).unwrap();
    wait_for("saved", || client.get("/readyz").status == 200);
    assert_eq!(metric(&mut client, "rows_unsaved"), 0.0);
    let mut keyed = with_key(&service, "/learn?durable=true", "key", ROW);
    assert_eq!(keyed.receive().unwrap().ok().json()["id"], 301);
    assert_eq!(learn(&mut client, "/learn?durable=true"), 302);
    service.stop();
    bench.ok("inspect --model folder/m");
}

/// A limit of the size of files stands for a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_old_file_stays_whole_and_the_end_says_what_is_lost() {
    let bench = Table::sums().bench();
    let serve = bench.command("serve --listen 127.0.0.1:0 --model m --checkpoint 2");
    // A client that writes too much is refused instead of ended.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    command.arg(serve.get_program()).args(serve.get_args());
    command.current_dir(bench.folder());
    let service = Service::spawn(command);
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
    let (status, said) = service.end();
    assert_eq!(status.code(), Some(1), "{said}");
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
    let service = Service::start(&bench, "--model slow --threads 1 --max-bodies 1MB");
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
