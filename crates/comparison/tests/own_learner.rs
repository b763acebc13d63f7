//! Runs the example and checks its findings.

#[path = "../examples/own_learner.rs"]
mod example;

#[test]
fn a_learner_written_in_a_few_lines_is_compared_with_two_of_ours() {
    example::main().unwrap();
    let lines = include_str!("../examples/own_learner.rs").lines().count();
    assert!(lines < 40, "{lines} lines");
}
