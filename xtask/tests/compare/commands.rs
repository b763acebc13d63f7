//! `cargo xtask algorithms` and `cargo xtask plot`.

use comparison::Contender;

use crate::bench::{end, has, xtask};

fn printed(words: &str) -> String {
    let ended = end(&mut xtask(words));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.out
}

#[test]
fn algorithms_are_listed_and_one_has_its_parameters_defaults_rules_and_limits() {
    let list = printed("algorithms");
    let cells: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split('┆').next())
        .collect();
    let is_border = |c: char| c == '│' || c == ' ';
    let names: Vec<&str> = cells
        .iter()
        .map(|cell| cell.trim_matches(is_border))
        .collect();
    for algorithm in Contender::all() {
        assert!(names.contains(&algorithm.name()), "{list}");
    }
    has(&list, "offline|baseline");
    let obsp = printed("algorithms obsp");
    let alias = "alias: obsp-redraw is obsp:budget_scale=1,update=redraw,vote=majority";
    has(
        &obsp,
        &format!("paper: |tasks: |{alias}|limit: few features|a whole number of at least"),
    );
    let unknown = end(&mut xtask("algorithms mondrain"));
    assert_eq!(unknown.code, Some(2));
    has(&unknown.err, "did you mean `mondrian`");
    has(&printed("compare --help"), "cargo xtask algorithms");
    has(&printed("--version"), env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_partition_has_a_panel_for_every_algorithm_and_step() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let plot = |options: &str| {
        let mut command = xtask("plot partition --out");
        end(command.arg(&out).args(options.split_whitespace()))
    };
    let without_cuts = plot("--algorithm boundary-forest");
    assert_eq!(without_cuts.code, Some(1));
    has(
        &without_cuts.err,
        "`boundary-forest` does not divide the plane",
    );
    assert!(!out.exists(), "nothing is written");
    let algorithms = "--algorithm mondrian:budget=5 --algorithm obsp:budget=5";
    let drawn = plot(&format!(
        "--data friedman:n=60,test=0 --steps 2 {algorithms}"
    ));
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    let svg = std::fs::read_to_string(out.join("partition.svg")).unwrap();
    has(&svg, "mondrian · 30 points|obsp · 60 points|budget=5");
}
