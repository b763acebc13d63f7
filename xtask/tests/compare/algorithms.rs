//! `cargo xtask algorithms`, from the command line to the text.

use std::process::{Command, Output};

use comparison::Contender;

fn xtask(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = xtask(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_algorithm_is_listed_with_its_tasks() {
    let list = printed(&["algorithms"]);
    for algorithm in Contender::all() {
        let name = algorithm.name();
        let line = list.lines().find(|line| {
            line.split('┆')
                .next()
                .unwrap()
                .contains(&format!(" {name} "))
        });
        assert!(line.is_some(), "{name} is missing in\n{list}");
    }
    assert!(list.contains("offline") && list.contains("baseline"));
}

#[test]
fn one_algorithm_has_its_parameters_defaults_rules_and_limits() {
    for algorithm in Contender::all() {
        let text = printed(&["algorithms", algorithm.name()]);
        let words: Vec<&str> = text.split_whitespace().collect();
        for parameter in algorithm.about().parameters {
            assert!(
                words.contains(&parameter.name),
                "{}\n{text}",
                parameter.name
            );
        }
        assert!(text.contains("paper: ") && text.contains("tasks: "));
    }
    let obsp = printed(&["algorithms", "obsp"]);
    let alias = "alias: obsp-redraw is obsp:budget_scale=1,update=redraw,vote=majority";
    assert!(obsp.contains(alias), "{obsp}");
    assert!(obsp.contains("limit: few features"), "{obsp}");
    assert!(obsp.contains("a whole number of at least"), "{obsp}");
}

#[test]
fn a_name_that_is_none_gets_the_nearest_suggested() {
    let output = xtask(&["algorithms", "mondrain"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("did you mean `mondrian`"), "{error}");
}

#[test]
fn compare_points_here_and_there_is_a_version() {
    assert!(printed(&["compare", "--help"]).contains("cargo xtask algorithms"));
    assert!(printed(&["--version"]).contains(env!("CARGO_PKG_VERSION")));
}
