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
    let mondrian = bench.ok("algorithms mondrian");
    let (first, aggregated) = mondrian
        .split_once("in addition with labels=aggregated:")
        .unwrap();
    let has = |text: &str, name: &str| text.contains(&format!("│ {name} "));
    assert!(has(first, "budget") && !has(first, "step"), "{mondrian}");
    assert!(has(aggregated, "step"), "{mondrian}");
    assert!(bench.ok("train --help").contains("`algorithms`"));
    bench.refused("algorithms mondrain", &["did you mean `mondrian`"]);
}
