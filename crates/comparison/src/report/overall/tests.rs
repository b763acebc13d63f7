use super::*;

/// Returns a section of this set with the mean of each algorithm.
fn section(set: &str, metric: &str, rows: &[(&str, f64)]) -> Section {
    let rows = rows
        .iter()
        .map(|(label, mean)| Row::example(label, *label == "mean", &[*mean]));
    Section::example(set, metric.parse().unwrap(), rows.collect())
}

#[test]
fn algorithms_are_ranked_best_first_and_those_without_a_result_left_out() {
    let sections = [
        section(
            "one",
            "rmse",
            &[("mean", 3.0), ("a", 2.0), ("b", 1.0), ("c", 1.5)],
        ),
        section("two", "rmse", &[("mean", 5.0), ("a", 5.0), ("b", 4.0)]),
    ];
    let [overall] = &overall(&sections)[..] else {
        panic!("there is one metric");
    };
    assert_eq!(overall.matrix.algorithms(), ["b", "a", "mean (baseline)"]);
    assert_eq!(overall.ranks, [1.0, 2.25, 2.75]);
    assert_eq!(overall.p, [None, Some(1.0), Some(1.0)]);
    let lines = texts(overall);
    assert_eq!(lines[0], ["b", "1.00", "1.0000 (1)", "4.0000 (1)"]);
    assert_eq!(lines[1], ["a", "2.25", "2.0000 (2)", "5.0000 (2.5)"]);
    let notes = overall.notes().join("\n");
    for words in [
        "p is left out: on 2 sets, Wilcoxon's test against the first with Holm's correction for 2 comparisons cannot come below 1.00;",
        "too few sets for Friedman's test",
        "values that differ by less than 1e-9 of their size are equal",
        "no critical-difference diagram",
        "left out, without a result on every set: c",
    ] {
        assert!(notes.contains(words), "{notes}");
    }
}

/// Returns the texts of the cells of the table.
fn texts(overall: &Overall) -> Vec<Vec<String>> {
    let rows = overall.table(Detail::Short).rows.into_iter();
    rows.map(|row| row.cells.into_iter().map(|cell| cell.text).collect())
        .collect()
}

/// What a learner lost by failing is said over all sets.
#[test]
fn sets_on_which_a_run_failed_are_named() {
    let rows = [("lucky", 0.5), ("a", 1.0), ("b", 2.0)];
    let mut sets = ["one", "two"].map(|set| section(set, "rmse", &rows));
    sets[1].rows[0].failed = vec![3];
    let notes = overall(&sets).remove(0).notes().join("\n");
    let said = "seeds left out, since a run failed: two (1 seed)";
    assert!(notes.contains(said), "{notes}");
}

fn alike(sets: usize, algorithms: usize) -> Overall {
    let names: Vec<String> = (0..algorithms).map(|number| format!("a{number}")).collect();
    let rows = names.iter().zip(1..);
    let rows: Vec<(&str, f64)> = rows
        .map(|(name, rank)| (&**name, f64::from(rank)))
        .collect();
    let sets = (0..sets).map(|set| section(&set.to_string(), "rmse", &rows));
    overall(&sets.collect::<Vec<_>>()).remove(0)
}

/// Five sets that rank two algorithms alike do so by chance once in 16.
#[test]
fn what_cannot_be_significant_is_not_claimed() {
    let notes = alike(5, 2).notes().join("\n");
    for words in ["F = inf", "p = 0:", "the algorithms differ"] {
        assert!(!notes.contains(words), "{notes}");
    }
    assert!(
        notes.contains(
            "5 sets cannot show whether 2 algorithms differ, since p cannot come below 0.0625"
        ),
        "{notes}"
    );
    let many = alike(6, 40);
    let notes = many.notes().join("\n");
    assert!(!many.shows_p(), "{notes}");
    assert!(
        notes.contains("Holm's correction for 39 comparisons cannot come below 1.00;"),
        "{notes}"
    );
    assert!(
        notes.contains("all sets rank alike, p < 1e-6: the algorithms differ"),
        "{notes}"
    );
    assert!(alike(6, 2).shows_p());
    assert!(!alike(6, 3).shows_p(), "2/32 is above 5 %");
}

#[test]
fn metrics_are_not_mixed_and_one_set_has_no_tests() {
    let sections = [
        section("one", "rmse", &[("a", 2.0), ("b", 1.0)]),
        section("two", "accuracy", &[("a", 0.5), ("b", 0.4)]),
        section("three", "rmse", &[("a", 2.0), ("b", 1.0)]),
    ];
    let overall = overall(&sections);
    assert_eq!(overall.len(), 2);
    assert_eq!(overall[0].metric.name, "rmse");
    assert_eq!(overall[0].matrix.sets().len(), 2);
    assert_eq!(overall[0].ranks, [1.0, 2.0]);
    assert_eq!(
        (overall[1].metric.name, overall[1].friedman),
        ("accuracy", None)
    );
    assert_eq!(overall[1].reachable_difference(), None);
}

/// The same two sets, first with 70 % of their rows learned, then with half of them, then with other content.
#[test]
fn a_set_counts_once_among_those_that_are_ranked_together() {
    let rows = [("a", 2.0), ("b", 1.0)];
    let first = ["one", "two"].map(|set| section(set, "rmse", &rows));
    let mut second = first.clone();
    second.iter_mut().for_each(|half| half.setting.n_train = 50);
    let mut third = first.clone();
    third
        .iter_mut()
        .for_each(|changed| changed.setting.data_sha256.push('2'));
    let overall = overall(&[first, second, third].concat());
    let titles: Vec<String> = overall.iter().map(Overall::title).collect();
    assert_eq!(
        titles,
        [
            "Over all sets · hold-out · RMSE · setting 1 of each set",
            "Over all sets · hold-out · RMSE · setting 2 of each set",
            "Over all sets · hold-out · RMSE · setting 3 of each set"
        ]
    );
    assert!(overall.iter().all(|both| both.matrix.sets().len() == 2));
}

#[test]
fn on_six_sets_the_table_has_probabilities_of_practical_differences() {
    let rows = [("a", 0.5), ("b", 0.502), ("c", 0.7)];
    let sets: Vec<String> = (0..6).map(|set| set.to_string()).collect();
    let of = |count: usize| {
        let sets = sets.iter().take(count);
        let sections: Vec<Section> = sets.map(|set| section(set, "rmse", &rows)).collect();
        overall(&sections)[0].clone()
    };
    assert_eq!(of(5).equivalence, None);
    let six = of(6);
    let found = six.equivalence.clone().unwrap();
    // .002 of .502 is less than a hundredth; .2 of .7 is more.
    assert_eq!(found[0].equivalent, 1.0);
    assert!(found[1].better > 0.99, "{found:?}");
    let header = six.table(Detail::Short).header;
    let column = header.iter().position(|name| name.text == EQUIVALENCE);
    let cells: Vec<String> = texts(&six)
        .into_iter()
        .map(|line| line[column.unwrap()].clone())
        .collect();
    assert_eq!(cells[..2], ["", "0.00, 1.00, 0.00"]);
    assert!(
        six.notes()
            .iter()
            .any(|note| note.contains("Bayesian signed-rank test"))
    );
}

/// Ten sets on which four algorithms rank alike: Nemenyi's difference is 2.569·√(4·5/60) = 1.48.
#[test]
fn bars_join_what_does_not_differ() {
    let rows = [("a", 0.1), ("b", 0.2), ("c", 0.3), ("d", 0.4)];
    let sets: Vec<String> = (0..10).map(|set| set.to_string()).collect();
    let sections: Vec<Section> = sets.iter().map(|set| section(set, "rmse", &rows)).collect();
    let overall = &overall(&sections)[0];
    let difference = overall.reachable_difference().unwrap();
    assert!((difference - 1.483).abs() < 0.001, "{difference}");
    assert_eq!(overall.joined(difference), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(overall.joined(2.0), [(0, 2), (1, 3)]);
    assert_eq!(overall.joined(3.0), [(0, 3)]);
    assert_eq!(overall.joined(0.5), []);
}
