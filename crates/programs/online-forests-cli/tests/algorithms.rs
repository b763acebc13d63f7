//! What `algorithms` lists.

use online_forests::Algorithm;

use crate::bench::Bench;

#[test]
fn every_algorithm_is_listed_and_has_its_parameters() {
    let bench = Bench::new();
    let list = bench.ok("algorithms");
    for algorithm in Algorithm::all() {
        let name = algorithm.name();
        let row = |line: &str| {
            line.split('┆')
                .next()
                .is_some_and(|it| it.contains(&format!(" {name} ")))
        };
        assert!(list.lines().any(row), "{name} is missing in\n{list}");
    }
    let obsp = bench.ok("algorithms obsp");
    for words in [
        "budget",
        "limit: few features",
        "alias: obsp-redraw is obsp:",
        "paper: ",
    ] {
        assert!(obsp.contains(words), "no {words} in\n{obsp}");
    }
    assert!(bench.ok("train --help").contains("`algorithms`"));
    bench.refused("algorithms mondrain", &["did you mean `mondrian`"]);
}
