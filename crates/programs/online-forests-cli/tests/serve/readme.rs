//! The lines of the user guide with curl, run as written there except for the port.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::bench::{Bench, column};
use crate::service::Service;

#[test]
fn four_lines_with_curl() {
    if Command::new("curl").arg("--version").output().is_err() {
        println!("curl is not installed: its lines in the guide are not run");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let guide = fs::read_to_string(root.join("docs/guide.md")).unwrap();
    let (_, section) = guide.split_once("\n## As a service\n").unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let lines: Vec<&str> = block.split_once("```").unwrap().0.lines().collect();
    let [install, serve, lines @ ..] = &lines[..] else {
        panic!("no lines")
    };
    assert!(install.starts_with("cargo install") && install.ends_with("--features serve"));
    assert_eq!(lines.len(), 4);
    let (bench, houses) = (Bench::new(), "datasets/tests/fixtures/houses.csv");
    fs::create_dir_all(bench.path("datasets/tests/fixtures")).unwrap();
    fs::copy(root.join(houses), bench.path(houses)).unwrap();
    bench.ok(&format!(
        "train --data {houses} --target price --missing median --model houses.model"
    ));
    let arguments = serve.strip_prefix("online-forests serve ").unwrap();
    let service = Service::start(&bench, arguments.strip_suffix(" &").unwrap());
    let said: Vec<String> = lines
        .iter()
        .map(|line| run(&bench, &service, line))
        .collect();
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert!(json(&said[0])["prediction"].is_number(), "{}", said[0]);
    let rows = column(&fs::read_to_string(root.join(houses)).unwrap(), "price").len();
    assert_eq!(column(&said[1], "row").len(), rows);
    assert_eq!(json(&said[2])["samples_seen"], 2 * rows);
    let learned = format!("online_forests_rows_learned_total {rows}");
    assert!(said[3].contains(&learned), "{}", said[3]);
    service.stop();
}

fn run(bench: &Bench, service: &Service, line: &str) -> String {
    assert!(line.starts_with("curl "), "{line}");
    let line = line.replace("localhost:8080", &service.address.to_string());
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(bench.folder());
    // Another host is not asked.
    let output = command.env("NO_PROXY", "*").output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
