use super::*;
use crate::reproduce::record::{Record, RecordRow};

/// Lines with a value for each x.
type Lines<'a> = [(&'a str, &'a [(f64, f64)])];

fn rows(lines: &Lines<'_>) -> Vec<RecordRow> {
    let row =
        |line: &str, &(x, y): &(f64, f64)| RecordRow::new(("p", line, Some(x)), &[("accuracy", y)]);
    let of_line = |(line, points): &(&str, &[(f64, f64)])| -> Vec<RecordRow> {
        points.iter().map(|point| row(line, point)).collect()
    };
    lines.iter().flat_map(of_line).collect()
}

/// Records of seeds.
type Cells = Vec<Record>;

fn by_seed(seeds: &[(u64, Vec<RecordRow>)]) -> Cells {
    let record = r#"{"item":"", "scale":"quick", "seed":0, "call":{}, "host":{"revision":"", "cpu":""}, "rows":[]}"#;
    let mut records = Vec::new();
    for (seed, rows) in seeds {
        let mut record: Record = serde_json::from_str(record).unwrap();
        record.run.seed = *seed;
        record.rows.clone_from(rows);
        records.push(record);
    }
    records
}

fn results(lines: &Lines<'_>) -> Cells {
    by_seed(&[0, 1, 2].map(|seed| (seed, rows(lines))))
}

/// `a` has these values in the seeds, the others always the same.
fn seeds(values: [f64; 3], others: &Lines<'_>) -> Cells {
    let of = |(seed, value)| {
        let own = rows(&[("a", &[(1.0, value)])]);
        (seed, [own, rows(others)].concat())
    };
    by_seed(&(0..).zip(values).map(of).collect::<Vec<_>>())
}

fn judgement(sentence: &str, records: &Cells) -> Result<(&'static str, String)> {
    let records: Vec<&Record> = records.iter().collect();
    let paper = |_: &str, line: &str, _: &str| (line == "a").then_some(0.9);
    let metrics = ["accuracy", "rmse"].map(str::to_owned);
    judge(
        sentence,
        &metrics,
        &["p"].into(),
        &Results::new(&records),
        &paper,
    )
}

fn verdict(sentence: &str, results: &Cells) -> &'static str {
    judgement(sentence, results).unwrap().0
}

fn line(y: impl Fn(f64) -> f64) -> Cells {
    let points = [100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0].map(|x| (x, y(x)));
    results(&[("a", &points)])
}

#[test]
fn every_rule_is_decided_on_both_sides_of_its_border() {
    let check = |sentence: &str, holds: &Cells, does_not: &Cells| {
        let verdicts = [holds, does_not].map(|results| verdict(sentence, results));
        assert_eq!(verdicts, [VERDICTS[0], VERDICTS[2]], "{sentence}");
    };
    // Values of `a` and `b` by which a rule holds, and by which it does not.
    for case in [
        "a better than b | 0.91 0.9 | 0.9 0.9",
        "a better than b | 0.91 0.9 | 0.89 0.9",
        "a no worse than b by more than 0.0101 | 0.89 0.9 | 0.88 0.9",
        "a no worse than b by more than 10 % | 0.82 0.9 | 0.80 0.9",
        "a within 0.0101 of b | 0.91 0.9 | 0.92 0.9",
        "a within 0.01 of 0.667 | 0.66 0 | 0.65 0",
        "a at least 0.5 | 0.5 0 | 0.49 0",
        "a at most 0.5 | 0.5 0 | 0.51 0",
        "a at least 2 times b | 2 1 | 1.99 1",
    ] {
        let parts: Vec<&str> = case.split(" | ").collect();
        let two = |values: &str| {
            let values: Vec<f64> = values
                .split(' ')
                .map(|value| value.parse().unwrap())
                .collect();
            results(&[("a", &[(1.0, values[0])]), ("b", &[(1.0, values[1])])])
        };
        check(parts[0], &two(parts[1]), &two(parts[2]));
    }
    let near = |y| {
        by_seed(&[(
            0,
            vec![RecordRow::new(("p", "a", None), &[("accuracy", y)])],
        )])
    };
    let sentence = "a near the reference values within 0.01";
    check(sentence, &near(0.905), &near(0.915));
    let slope = "a grows as x to the power -0.5 ± 0.05";
    check(slope, &line(|x| x.powf(-0.54)), &line(|x| x.powf(-0.56)));
    let logarithm = "a: a logarithm fits better than a power";
    check(logarithm, &line(f64::ln), &line(f64::sqrt));
    check("a increases", &line(|x| x), &line(|x| -x));
    check("a decreases", &line(|x| -x), &line(|x| x));
    let [flat, steep] = [40_000.0, 20_000.0].map(|by| line(|x| 1.0 + x / by));
    check("a within a range of 10 %", &flat, &steep);
    let up_and_down = line(|x| -(x - 300.0).abs());
    assert_eq!(verdict("a increases", &up_and_down), VERDICTS[1]);
    for sentence in [
        "a better b",
        "a within ten of b",
        "a better than b · near last",
        "",
    ] {
        let error = judgement(sentence, &flat).unwrap_err().to_string();
        assert!(error.contains("experiments/README.md"), "{sentence}");
    }
    // A smaller error is better.
    let row = |line, y| RecordRow::new(("p", line, Some(1.0)), &[("rmse", y)]);
    let errors = by_seed(&[(0, vec![row("a", 0.5), row("b", 0.6)])]);
    assert_eq!(verdict("rmse: a better than b", &errors), VERDICTS[0]);
}

/// Student's t with two degrees of freedom: a standard error of 0.01/√3 gives ± 0.0248.
#[test]
fn what_lies_within_an_interval_is_undecided() {
    let b: &Lines<'_> = &[("b", &[(1.0, 0.9)]), ("c", &[(1.0, 0.5)])];
    let wide = seeds([0.91, 0.92, 0.93], b);
    let narrow = seeds([0.919, 0.92, 0.921], b);
    for (sentence, narrow_holds) in [
        ("a better than b", true),
        ("a at most 0.93", true),
        ("a at most 0.91", false),
        ("a at least 0.91", true),
        ("a at least 0.93", false),
    ] {
        let (verdict, detail) = judgement(sentence, &wide).unwrap();
        assert_eq!(verdict, VERDICTS[2], "{sentence}");
        assert!(detail.contains("undecided: 1"), "{detail}");
        let (verdict, detail) = judgement(sentence, &narrow).unwrap();
        assert_eq!(verdict == VERDICTS[0], narrow_holds, "{sentence}");
        assert!(!detail.contains("undecided"), "{detail}");
    }
    // `b` is the best of the others, and `a` is compared with it alone.
    let within = seeds([0.9, 0.89, 0.88], b);
    let below = seeds([0.89, 0.889, 0.891], b);
    let best = seeds([0.9, 0.91, 0.895], b);
    let level = "a level with the best of c; b; missing";
    for (sentence, results, expected) in [
        (level, &within, VERDICTS[0]),
        (level, &below, VERDICTS[2]),
        ("a the best of c; b; missing", &best, VERDICTS[0]),
        ("a the best of c; b; missing", &within, VERDICTS[2]),
        ("a level with the best of d", &within, VERDICTS[3]),
    ] {
        assert_eq!(verdict(sentence, results), expected, "{sentence}");
    }
}

/// Seeds differ by far more than lines do: a value paired with that of another seed would reverse the verdict.
#[test]
fn a_run_missing_on_one_side_moves_no_pair() {
    let run = |line: &str, seed: u64, y: f64| (seed, rows(&[(line, &[(1.0, y)])]));
    let first = [(0, 0.5), (1, 0.6), (2, 0.7), (3, 0.8)].map(|(seed, y)| run("a", seed, y));
    let second = [(1, 0.589), (2, 0.69), (3, 0.791)];
    for second in [second, [second[2], second[0], second[1]]] {
        let second = second.map(|(seed, y)| run("b", seed, y));
        let results = by_seed(&[&first[..], &second].concat());
        assert_eq!(verdict("a better than b", &results), VERDICTS[0]);
        assert_eq!(verdict("b better than a", &results), VERDICTS[2]);
        assert_eq!(verdict("a the best of b", &results), VERDICTS[0]);
    }
}

#[test]
fn a_claim_may_be_about_some_places_or_a_share_of_them() {
    let b = [(1.0, 0.2), (2.0, 0.2), (3.0, 0.2), (4.0, 0.4)];
    let results = results(&[("a", &b.map(|(x, _)| (x, 0.3))), ("b", &b)]);
    for (about, expected) in [
        ("", VERDICTS[1]),
        (" · at 75 % of the places", VERDICTS[0]),
        (" · at 76 % of the places", VERDICTS[2]),
        (" · at last", VERDICTS[2]),
        (" · from 4", VERDICTS[2]),
        (" · at 2", VERDICTS[0]),
        (" · on p; q", VERDICTS[1]),
        (" · on q", VERDICTS[3]),
    ] {
        assert_eq!(
            verdict(&format!("a better than b{about}"), &results),
            expected,
            "{about}"
        );
    }
    assert_eq!(verdict("a better than c", &results), VERDICTS[3]);
    let (verdict, reason) = judgement("untestable: the data: not public", &results).unwrap();
    assert_eq!(
        (verdict, &reason[..]),
        (VERDICTS[3], "the data: not public")
    );
}
