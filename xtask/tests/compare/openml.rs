//! `--data openml:ID` against a server of the test's own.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::json;

use crate::bench::{Bench, Ended, end, has};

const MD5: &str = "e4827b79ae60227f5a33dfe0f7c51951";
const RUN: &str = "--algorithm majority --protocol prequential --seeds 1 --data";

fn arff() -> String {
    let rows: String = (0..40)
        .map(|row| format!("{row},{},{}\n", row % 7, ["no", "yes"][row % 2]))
        .collect();
    format!(
        "@relation turns\n@attribute id numeric\n@attribute x numeric\n@attribute class {{no, yes}}\n@data\n{rows}"
    )
}

/// A server of stored responses, by path, which notes the paths that were asked for.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(md5: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let description = json!({ "data_set_description": {
            "id": "61", "name": "turns", "version": "1", "format": "ARFF", "url": format!("{address}/turns.arff"),
            "default_target_attribute": "class", "row_id_attribute": "id", "md5_checksum": md5,
        } });
        let responses: BTreeMap<String, String> = [
            ("/api/v1/json/data/61".to_owned(), description.to_string()),
            ("/turns.arff".to_owned(), arff()),
        ]
        .into();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let noted = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                respond(&stream.unwrap(), &responses, &noted);
            }
        });
        Self { address, asked }
    }
}

fn respond(
    mut stream: &TcpStream,
    responses: &BTreeMap<String, String>,
    asked: &Mutex<Vec<String>>,
) {
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let path = head[0].split(' ').nth(1).unwrap().to_owned();
    let (status, body) = match responses.get(&path) {
        Some(body) => ("200 OK", body.as_str()),
        None => (
            "412 Precondition Failed",
            r#"{"error":{"code":"111","message":"Unknown dataset"}}"#,
        ),
    };
    asked.lock().unwrap().push(path);
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
}

fn compare(bench: &Bench, server: &str, data: &str) -> Ended {
    let mut command = bench.command(&format!("{RUN} {data}"));
    end(command.env("OPENML_SERVER", server))
}

#[test]
fn a_data_set_is_downloaded_once_with_its_default_target() {
    let bench = Bench::new();
    let server = Server::start(MD5);
    let ended = compare(&bench, &server.address, "openml:61");
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let run = &bench.runs()[0];
    let fields = ["dataset", "target", "n_train", "n_features", "n_classes"];
    let found = json!(fields.map(|field| &run[field]));
    assert_eq!(found, json!(["openml:61", "class", 40, 1, 2]));
    let asked = || server.asked.lock().unwrap().clone();
    assert_eq!(asked(), ["/api/v1/json/data/61", "/turns.arff"]);
    let kept = fs::read_to_string(bench.path("data/openml/61/dataset.arff")).unwrap();
    assert_eq!(kept, arff());
    fs::remove_dir_all(bench.out()).unwrap();
    let again = compare(&bench, "http://127.0.0.1:1", "openml:61@1");
    assert_eq!(again.code, Some(0), "both files are in the data folder");
    assert_eq!(asked().len(), 2);
}

#[test]
fn what_the_network_does_is_reported_with_what_to_do() {
    let other = Server::start("00000000000000000000000000000000").address;
    let checksum = "the checksum of the file is not the expected one (md5:0000";
    let unknown = "the server responded with status 412; check the number and the connection";
    for (server, data, words) in [
        (other.as_str(), "openml:61", checksum),
        (&other, "openml:62", unknown),
        ("http://127.0.0.1:1", "openml:61", "no response"),
    ] {
        let bench = Bench::new();
        let ended = compare(&bench, server, data);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        has(&ended.err, words);
        has(
            &ended.err,
            "run the command again, or put OpenML's description",
        );
        assert!(!bench.out().exists());
        assert!(!bench.path("data/openml/61/dataset.arff").exists());
    }
}
