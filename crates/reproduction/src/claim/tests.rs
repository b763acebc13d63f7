//! Tests every rule on both sides of its border.

use super::*;
use crate::cells::Cells;
use crate::testing::{record, rows};

const NO_PAPER: &dyn Fn(&Cell, &str) -> Option<f64> = &|_, _| None;

fn results(lines: &[(&str, &[(f64, f64)])]) -> Cells {
    let records: Vec<_> = (0..3).map(|seed| record(seed, rows(lines))).collect();
    Cells::new(&records)
}

fn one_value(ours: f64, other: f64) -> Cells {
    results(&[("a", &[(1.0, ours)]), ("b", &[(1.0, other)])])
}

fn verdict(rule: &str, results: &Cells) -> Verdict {
    verdict_of(&format!("text = 'claim'\nrule = {rule}"), results)
}

fn verdict_of(claim: &str, results: &Cells) -> Verdict {
    let claim: Claim = toml::from_str(claim).unwrap();
    claim
        .judge(results, &["p".to_owned()], "accuracy", NO_PAPER)
        .verdict
}

/// Checks that a rule holds by the first results, and not by the second.
fn border(rule: &str, holds: &Cells, does_not: &Cells) {
    assert_eq!(verdict(rule, holds), Verdict::Holds, "{rule}");
    assert_eq!(verdict(rule, does_not), Verdict::DoesNotHold, "{rule}");
}

#[test]
fn better_is_a_larger_accuracy_and_a_smaller_error() {
    let rule = "{ better = ['a', 'b'] }";
    border(rule, &one_value(0.91, 0.9), &one_value(0.9, 0.9));
    border(rule, &one_value(0.91, 0.9), &one_value(0.89, 0.9));
    let claim: Claim =
        toml::from_str("text = 'c'\nmetric = 'rmse'\nrule = { better = ['a', 'b'] }").unwrap();
    let mut records = vec![record(
        0,
        rows(&[("a", &[(1.0, 0.5)]), ("b", &[(1.0, 0.6)])]),
    )];
    crate::testing::rename(&mut records, "rmse");
    let judged = claim.judge(&Cells::new(&records), &["p".to_owned()], "rmse", NO_PAPER);
    assert_eq!(judged.verdict, Verdict::Holds);
}

#[test]
fn a_difference_within_its_interval_is_undecided() {
    let seeds = |differences: [f64; 3]| {
        let of = |(seed, difference): (usize, f64)| {
            let lines: &[(&str, &[(f64, f64)])] =
                &[("a", &[(1.0, 0.9 + difference)]), ("b", &[(1.0, 0.9)])];
            record(seed as u64, rows(lines))
        };
        let records: Vec<_> = differences.into_iter().enumerate().map(of).collect();
        Cells::new(&records)
    };
    let claim: Claim = toml::from_str("text = 'c'\nrule = { better = ['a', 'b'] }").unwrap();
    // Mean 0.02, standard error 0.01/√3; Student's t with two degrees of freedom: ± 0.0248.
    let judged = claim.judge(
        &seeds([0.01, 0.02, 0.03]),
        &["p".into()],
        "accuracy",
        NO_PAPER,
    );
    assert_eq!(judged.verdict, Verdict::DoesNotHold);
    assert!(judged.detail.contains("undecided: 1"), "{}", judged.detail);
    let judged = claim.judge(
        &seeds([0.019, 0.02, 0.021]),
        &["p".into()],
        "accuracy",
        NO_PAPER,
    );
    assert_eq!(judged.verdict, Verdict::Holds);
}

/// Seeds differ by far more than series do: a value paired with that of another seed would reverse the verdict.
#[test]
fn a_run_missing_on_one_side_moves_no_pair() {
    let runs = |series: &'static str, values: &[(u64, f64)]| {
        let run = |&(seed, value): &(u64, f64)| {
            let lines: &[(&str, &[(f64, f64)])] = &[(series, &[(1.0, value)])];
            record(seed, rows(lines))
        };
        values.iter().map(run).collect::<Vec<_>>()
    };
    let first = runs("a", &[(0, 0.5), (1, 0.6), (2, 0.7), (3, 0.8)]);
    for second in [
        [(1, 0.589), (2, 0.69), (3, 0.791)],
        [(3, 0.791), (1, 0.589), (2, 0.69)],
    ] {
        let second = runs("b", &second);
        let results = Cells::new(first.iter().chain(&second));
        assert_eq!(verdict("{ better = ['a', 'b'] }", &results), Verdict::Holds);
        assert_eq!(
            verdict("{ better = ['b', 'a'] }", &results),
            Verdict::DoesNotHold
        );
        let cell = |series| results.cell("p", series, Some(1.0)).unwrap();
        let difference = cell("a").gain(cell("b"), "accuracy").unwrap();
        assert!((difference.mean - 0.01).abs() < 1e-12 && difference.n == 3);
    }
}

/// `b` is the best of the others, and `a` is compared with it alone.
#[test]
fn level_and_best_are_judged_by_the_best_of_the_others() {
    let seeds = |differences: [f64; 3]| {
        let of = |(seed, difference): (usize, f64)| {
            let lines: &[(&str, &[(f64, f64)])] = &[
                ("a", &[(1.0, 0.9 + difference)]),
                ("b", &[(1.0, 0.9)]),
                ("c", &[(1.0, 0.5)]),
            ];
            record(seed as u64, rows(lines))
        };
        Cells::new(
            &differences
                .into_iter()
                .enumerate()
                .map(of)
                .collect::<Vec<_>>(),
        )
    };
    let level = "{ level = { first = 'a', with = ['c', 'b', 'missing'] } }";
    let best = "{ best = { first = 'a', of = ['c', 'b', 'missing'] } }";
    // Mean −0.01, standard error 0.01/√3; Student's t with two degrees of freedom: ± 0.0248.
    let within = seeds([0.0, -0.01, -0.02]);
    let below = seeds([-0.01, -0.011, -0.009]);
    border(level, &within, &below);
    border(best, &seeds([0.0, 0.01, -0.005]), &within);
    assert_eq!(
        verdict("{ level = { first = 'a', with = ['d'] } }", &within),
        Verdict::Untested
    );
}

/// By its mean over all of its seeds, `b` would be the best.
#[test]
fn the_best_is_found_over_the_seeds_that_both_have() {
    let run = |seed: u64| {
        let (a, b) = ([(1.0, 0.9)], [(1.0, if seed < 3 { 0.89 } else { 1.0 })]);
        let lines: &[(&str, &[(f64, f64)])] = &[("b", &b), ("a", &a)];
        record(seed, rows(&lines[..if seed < 3 { 2 } else { 1 }]))
    };
    let results = Cells::new(&(0..4).map(run).collect::<Vec<_>>());
    assert_eq!(
        verdict("{ best = { first = 'a', of = ['b'] } }", &results),
        Verdict::Holds
    );
}

#[test]
fn a_share_of_the_places_may_suffice() {
    let places = results(&[
        ("a", &[(1.0, 0.3), (2.0, 0.3), (3.0, 0.3), (4.0, 0.3)]),
        ("b", &[(1.0, 0.2), (2.0, 0.2), (3.0, 0.2), (4.0, 0.4)]),
    ]);
    let claim = |share: &str| format!("text = 'c'\n{share}\nrule = {{ better = ['a', 'b'] }}");
    assert_eq!(verdict_of(&claim(""), &places), Verdict::InPart);
    assert_eq!(verdict_of(&claim("share = 0.75"), &places), Verdict::Holds);
    assert_eq!(
        verdict_of(&claim("share = 0.76"), &places),
        Verdict::DoesNotHold
    );
}

#[test]
fn margins_are_absolute_or_shares() {
    let rule = "{ no-worse = { first = 'a', than = 'b', by = 0.0101 } }";
    border(rule, &one_value(0.89, 0.9), &one_value(0.88, 0.9));
    let rule = "{ no-worse = { first = 'a', than = 'b', by = '10 %' } }";
    border(rule, &one_value(0.82, 0.9), &one_value(0.80, 0.9));
    let rule = "{ near = { first = 'a', to = 'b', by = 0.0101 } }";
    border(rule, &one_value(0.91, 0.9), &one_value(0.92, 0.9));
    let rule = "{ within = { series = 'a', of = 0.667, by = 0.01 } }";
    border(rule, &one_value(0.66, 0.0), &one_value(0.65, 0.0));
    assert!(
        toml::from_str::<Claim>("text = 'c'\nrule = { flat = { series = 'a', by = 'ten' } }")
            .is_err()
    );
}

#[test]
fn limits_and_ratios() {
    border(
        "{ at-least = { series = 'a', value = 0.5 } }",
        &one_value(0.5, 0.0),
        &one_value(0.49, 0.0),
    );
    border(
        "{ at-most = { series = 'a', value = 0.5 } }",
        &one_value(0.5, 0.0),
        &one_value(0.51, 0.0),
    );
    let rule = "{ times = { first = 'a', of = 'b', at_least = 2 } }";
    border(rule, &one_value(2.0, 1.0), &one_value(1.99, 1.0));
}

#[test]
fn a_limit_within_the_interval_of_the_mean_is_undecided() {
    let seeds = |values: [f64; 3]| {
        let run = |(seed, value): (usize, f64)| {
            let lines: &[(&str, &[(f64, f64)])] = &[("a", &[(1.0, value)])];
            record(seed as u64, rows(lines))
        };
        let records: Vec<_> = values.into_iter().enumerate().map(run).collect();
        Cells::new(&records)
    };
    // Student's t with two degrees of freedom: 0.49 ± 0.0248.
    let wide = seeds([0.48, 0.49, 0.5]);
    let narrow = seeds([0.489, 0.49, 0.491]);
    for (rule, value, holds) in [
        ("at-most", 0.5, true),
        ("at-most", 0.48, false),
        ("at-least", 0.48, true),
        ("at-least", 0.5, false),
    ] {
        let rule = format!("{{ {rule} = {{ series = 'a', value = {value} }} }}");
        let claim: Claim = toml::from_str(&format!("text = 'c'\nrule = {rule}")).unwrap();
        let judged = claim.judge(&wide, &["p".into()], "accuracy", NO_PAPER);
        assert_eq!(judged.verdict, Verdict::DoesNotHold, "{rule}");
        assert!(judged.detail.contains("undecided: 1"), "{}", judged.detail);
        let judged = claim.judge(&narrow, &["p".into()], "accuracy", NO_PAPER);
        assert_eq!(judged.verdict == Verdict::Holds, holds, "{rule}");
        assert!(!judged.detail.contains("undecided"), "{}", judged.detail);
    }
}

fn line(y: impl Fn(f64) -> f64) -> Cells {
    let points: Vec<(f64, f64)> = [100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0]
        .map(|x| (x, y(x)))
        .to_vec();
    results(&[("a", &points)])
}

#[test]
fn lines_have_slopes_and_directions() {
    let rule = "{ slope = { series = 'a', at = -0.5, by = 0.05 } }";
    border(rule, &line(|x| x.powf(-0.54)), &line(|x| x.powf(-0.56)));
    border("{ logarithmic = 'a' }", &line(f64::ln), &line(f64::sqrt));
    border("{ increases = 'a' }", &line(|x| x), &line(|x| -x));
    border("{ decreases = 'a' }", &line(|x| -x), &line(|x| x));
    let rule = "{ flat = { series = 'a', by = '10 %' } }";
    border(
        rule,
        &line(|x| 1.0 + x / 40_000.0),
        &line(|x| 1.0 + x / 20_000.0),
    );
    let hump = line(|x| -(x - 300.0).abs());
    assert_eq!(verdict("{ increases = 'a' }", &hump), Verdict::InPart);
}

#[test]
fn near_paper_looks_only_where_the_paper_has_a_number() {
    let claim = "text = 'c'\nrule = { near-paper = { series = ['a', 'b'], by = 0.01 } }";
    let claim: Claim = toml::from_str(claim).unwrap();
    let paper = |cell: &Cell, _: &str| (cell.series == "a").then_some(0.9);
    let judge = |ours| {
        let results = one_value(ours, 0.1);
        claim
            .judge(&results, &["p".to_owned()], "accuracy", &paper)
            .verdict
    };
    assert_eq!(judge(0.905), Verdict::Holds);
    assert_eq!(judge(0.915), Verdict::DoesNotHold);
}

#[test]
fn what_has_no_records_is_not_tested_and_what_lacks_some_holds_in_part() {
    let rule = "{ better = ['a', 'c'] }";
    assert_eq!(verdict(rule, &one_value(1.0, 0.0)), Verdict::Untested);
    let claim = "text = 'c'\non = ['p', 'q']\nrule = { better = ['a', 'b'] }";
    assert_eq!(verdict_of(claim, &one_value(1.0, 0.0)), Verdict::InPart);
    let untestable = "{ untestable = 'the data are not public' }";
    assert_eq!(verdict(untestable, &one_value(1.0, 0.0)), Verdict::Untested);
}

#[test]
fn a_claim_may_be_about_some_x_only() {
    let crossing = results(&[
        ("a", &[(1.0, 0.1), (2.0, 0.9)]),
        ("b", &[(1.0, 0.2), (2.0, 0.3)]),
    ]);
    let at = |at: &str| format!("text = 'c'\nat = {at}\nrule = {{ better = ['a', 'b'] }}");
    assert_eq!(verdict_of(&at("'last'"), &crossing), Verdict::Holds);
    assert_eq!(verdict_of(&at("'first'"), &crossing), Verdict::DoesNotHold);
    assert_eq!(verdict_of(&at("{ from = 2 }"), &crossing), Verdict::Holds);
    assert_eq!(
        verdict_of(&at("{ to = 1.5 }"), &crossing),
        Verdict::DoesNotHold
    );
    assert_eq!(verdict_of(&at("{ only = [2] }"), &crossing), Verdict::Holds);
    assert_eq!(verdict_of(&at("'all'"), &crossing), Verdict::InPart);
}

#[test]
fn a_changed_record_changes_the_verdict() {
    let mut records: Vec<_> = (0..3)
        .map(|seed| record(seed, rows(&[("a", &[(1.0, 0.91)]), ("b", &[(1.0, 0.9)])])))
        .collect();
    let rule = "{ better = ['a', 'b'] }";
    assert_eq!(verdict(rule, &Cells::new(&records)), Verdict::Holds);
    crate::testing::set(&mut records[1], "a", 0.2);
    assert_eq!(verdict(rule, &Cells::new(&records)), Verdict::DoesNotHold);
}
