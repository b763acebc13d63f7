//! The lines of the user guide with curl, run as written there except for the port.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::bench::{Bench, column, root, stdout};
use crate::service::Service;

#[test]
fn four_lines_with_curl() {
    if Command::new("curl").arg("--version").output().is_err() {
        println!("curl is not installed: its lines in the guide are not run");
        return;
    }
    let guide = fs::read_to_string(root().join("docs/guide.md")).unwrap();
    let (_, section) = guide.split_once("\n## As a service\n").unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let lines: Vec<&str> = block.split_once("```").unwrap().0.lines().collect();
    let [install, serve, lines @ ..] = &lines[..] else {
        panic!("no lines")
    };
    assert!(install.starts_with("cargo install") && install.ends_with("--features serve"));
    let bench = Bench::new();
    let houses = "datasets/tests/fixtures/houses.csv";
    fs::create_dir_all(bench.path("datasets/tests/fixtures")).unwrap();
    fs::copy(root().join(houses), bench.path(houses)).unwrap();
    let train = format!("train --data {houses} --target price --missing median");
    bench.ok(&format!("{train} --model houses.model"));
    let arguments = serve.strip_prefix("online-forests serve ").unwrap();
    let service = Service::start(&bench, arguments.strip_suffix(" &").unwrap());
    let mut said = Vec::new();
    for line in lines {
        assert!(line.starts_with("curl "), "{line}");
        let line = line.replace("localhost:8080", &service.address.to_string());
        let mut command = bench.program("sh", ["-c", &line]);
        // Another host is not asked.
        let output = command.env("NO_PROXY", "*").output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        said.push(stdout(&output));
    }
    let [predicted, learned, model, metrics] = &said[..] else {
        panic!("{said:?}")
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert!(json(predicted)["prediction"].is_number(), "{predicted}");
    let rows = column(&bench.read(houses), "price").len();
    assert_eq!(column(learned, "row").len(), rows);
    assert_eq!(json(model)["samples_seen"], 2 * rows);
    let learned = format!("online_forests_rows_learned_total {rows}");
    assert!(metrics.contains(&learned), "{metrics}");
    service.stop();
}
