//! Names and parameters: what is read is what is written, and what is wrong is said.

use crate::common::{every, learned, prediction_bits};
use forest_testing::conformance::ConformanceTask;
use online_forests::snapshot;
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, BuildError, Classification, ForestSettings, Parameter,
    Regression, Schema, Task,
};

fn message(text: &str) -> String {
    text.parse::<Algorithm>().unwrap_err().to_string()
}

#[test]
fn names_are_unique() {
    let names: Vec<_> = Algorithm::all().map(|algorithm| algorithm.name()).collect();
    let unique: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(names.len(), unique.len());
}

/// A learner knows its algorithm with every parameter stated; built from that, it is the same.
fn a_learner_is_built_again_from_its_own_name<T: ConformanceTask>() {
    for algorithm in every::<T>() {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm.clone()));
        let learner = learned::<T>(&algorithm, 50);
        let stated = learner.algorithm();
        assert_eq!(stated.name(), algorithm.name());
        for pair in algorithm.explicit_values() {
            let is_stated = stated.explicit_values().any(|other| other == pair);
            assert!(is_stated, "{stated} lacks {pair:?}");
        }
        let again = learned::<T>(&stated.to_string().parse().unwrap(), 50);
        let bytes = |learner| snapshot::to_bytes::<AnyLearner<T>>(learner).unwrap();
        assert_eq!(bytes(&again), bytes(&learner), "{stated}");
    }
}

#[test]
fn every_learner_is_built_again_from_its_own_name() {
    a_learner_is_built_again_from_its_own_name::<Classification>();
    a_learner_is_built_again_from_its_own_name::<Regression>();
}

/// The default in the table is the one in the settings.
fn the_table_states_the_true_default<T: Task>() {
    for algorithm in Algorithm::all().filter(Algorithm::supports::<T>) {
        let forest = ForestSettings::default().with_trees(1);
        let learner = algorithm.build::<T>(Schema::new(2).unwrap(), forest);
        let learner = learner.unwrap();
        let stated = learner.algorithm();
        for table in [algorithm.parameters(), algorithm.parameters_of::<T>()] {
            states::<T>(&table, &stated);
        }
    }
}

fn states<T: Task>(table: &[Parameter], stated: &Algorithm) {
    for (name, value) in stated.explicit_values() {
        let mut table = table.iter();
        let parameter = table.find(|parameter| parameter.name == name).unwrap();
        // Defaults that depend on the stream are stated as a formula in d, which is 2 here: c_2 = 1/π; those that
        // depend on the task as that for classes, and that for numbers.
        let formula = match parameter.default {
            "by-errors" if T::NAME == Classification::NAME => "1".to_owned(),
            "8/c_d" => (8.0 * std::f64::consts::PI).to_string(),
            // That of classes; the table of numbers has its own.
            "0.7" if name == "recheck" && T::NAME == Regression::NAME => "0.5".to_owned(),
            value => value.to_owned(),
        };
        assert_eq!(formula, value, "{stated}: {name}");
    }
}

#[test]
fn the_table_states_the_true_defaults() {
    the_table_states_the_true_default::<Classification>();
    the_table_states_the_true_default::<Regression>();
}

/// Texts, and what is said of them.
const WRONG: &[(&str, &str)] = &[
    (
        "majorty:x=1",
        "unknown algorithm `majorty` (did you mean `majority`?)",
    ),
    ("", "unknown algorithm ``"),
    (
        "majority:key",
        "majority: `key` is not `key=value`; write `majority:key=value,…`",
    ),
    ("mean:key=1", "mean has no parameter `key`; it takes: none"),
    (
        "mondrian:budjet=5",
        "mondrian has no parameter `budjet` (did you mean `budget` or `budget_scale`?); it takes: budget=inf, min_points=1, pause=pure",
    ),
    (
        "obsp:step=0.5",
        "obsp has no parameter `step` with labels=empirical",
    ),
    (
        "obsp:window=5,labels=aggregated",
        "obsp has no parameter `window` with labels=aggregated",
    ),
    (
        "mondrian:budget_scale=0.5",
        "mondrian has no parameter `budget_scale` with budget=inf",
    ),
    (
        "mondrian:budget=5,pause=pure,budget=6",
        "mondrian: budget is given twice; give it once",
    ),
    (
        "mondrian:budget=-1",
        "mondrian: budget must be a number of at least 0, or inf, or increasing, but is `-1`",
    ),
    (
        "mondrian:budget=NaN",
        "mondrian: budget must be a number of at least 0, or inf, or increasing, but is `NaN`",
    ),
    (
        "mondrian:budget=",
        "mondrian: budget must be a number of at least 0, or inf, or increasing, but is ``",
    ),
    (
        "mondrian:pause=often",
        "mondrian: pause must be one of pure, never, but is `often`",
    ),
    (
        "mondrian:min_points=0",
        "mondrian: min_points must be a whole number of at least 1, but is `0`",
    ),
    (
        "mondrian:budget=increasing,budget_scale=0",
        "mondrian: budget_scale must be a finite number above 0, but is `0`",
    ),
    (
        "boundary-forest:max_children=1",
        "boundary-forest: max_children must be a whole number of at least 2, or unlimited",
    ),
];

#[test]
fn what_is_wrong_with_a_text_is_said() {
    for (text, expected) in WRONG {
        let said = message(text);
        assert!(said.contains(expected), "{said}");
    }
    let said = message("xyz");
    assert!(!said.contains("did you mean"), "{said}");
    for algorithm in Algorithm::all() {
        assert!(said.contains(algorithm.name()), "{said}");
    }
    assert!(message("mondrian:min_points=5000000000").contains("but is `5000000000`"));
    assert_eq!("majority:".parse(), "majority".parse::<Algorithm>());
}

/// Texts that only a task or a stream makes wrong, and what is said of them.
#[test]
fn what_is_wrong_for_a_task_or_a_stream_is_said_when_building() {
    fn said<T: Task>(text: &str, trees: usize) -> String {
        let algorithm: Algorithm = text.parse().unwrap();
        let forest = ForestSettings::default().with_trees(trees);
        let built = algorithm.build::<T>(Schema::new(1).unwrap(), forest);
        built.err().map_or(String::new(), |error| error.to_string())
    }
    let wrong_task = BuildError::wrong_task("majority", "regression").to_string();
    let epsilon = said::<Classification>("boundary-forest:epsilon=0.1", 1);
    let no_effect =
        "boundary-forest: epsilon as given has no effect in classification; leave it out";
    let no_trees = "mondrian:budget=2: trees must be at least 1, but is 0";
    assert_eq!(said::<Regression>("majority", 1), wrong_task);
    assert_eq!(epsilon, no_effect);
    assert_eq!(said::<Regression>("mondrian:budget=2", 0), no_trees);
    let alpha_above_beta = said::<Regression>("stream-rf:alpha=200", 1);
    assert!(alpha_above_beta.contains("beta must be no less than alpha"));
    for (text, classes, numbers) in [
        ("majority", true, false),
        ("boundary-forest:epsilon=0.1", false, true),
        ("amf:step=by-errors", false, true),
        ("amf:step=2", true, true),
    ] {
        let algorithm: Algorithm = text.parse().unwrap();
        assert_eq!(algorithm.supports::<Classification>(), classes, "{text}");
        assert_eq!(algorithm.supports::<Regression>(), numbers, "{text}");
    }
}

#[test]
fn parameters_are_written_in_the_order_of_the_table() {
    let read = " mondrian : update = redraw , budget=5.0 ".parse::<Algorithm>();
    let algorithm = read.unwrap();
    assert_eq!(algorithm.to_string(), "mondrian:budget=5,update=redraw");
    let given: Vec<_> = algorithm.explicit_values().collect();
    assert_eq!(given, [("budget", "5"), ("update", "redraw")]);
}

/// What has a name of its own predicts the same under the general name, and each reports the name that it was built by.
#[test]
fn a_label_model_with_a_name_of_its_own_is_the_same_under_the_general_name() {
    for (text, name) in [
        ("mondrian:labels=aggregated", "amf"),
        ("mondrian:labels=hierarchical", "mondrian-2014"),
        ("mrtf:pause=pure", "mondrian"),
    ] {
        let [one, other] = [text, name].map(|text| {
            let algorithm: Algorithm = text.parse().unwrap();
            let learner = learned::<Classification>(&algorithm, 50);
            let bytes = snapshot::to_bytes(&learner).unwrap();
            let loaded: AnyClassifier = snapshot::from_bytes(&bytes).unwrap();
            for learner in [&learner, &loaded] {
                assert_eq!(learner.algorithm().name(), algorithm.name());
            }
            prediction_bits(&loaded)
        });
        assert!(one == other, "{text} is not {name}");
    }
}
