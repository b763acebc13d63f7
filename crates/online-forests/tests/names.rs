//! Names and parameters: what is read is what is written, and what is wrong is said.

use crate::common::{every, learned, prediction_bits};
use forest_testing::conformance::ConformanceTask;
use online_forests::snapshot;
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, BuildError, Classification, ForestSettings, NamedTask,
    OnlineLearner, Parameter, Regression, Schema, Task,
};

fn message(text: &str) -> String {
    text.parse::<Algorithm>().unwrap_err().to_string()
}

#[test]
fn every_name_is_read_back() {
    for algorithm in every::<Classification>()
        .into_iter()
        .chain(every::<Regression>())
    {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm.clone()));
    }
}

#[test]
fn names_and_parameters_are_unique() {
    let names: Vec<_> = Algorithm::all().map(|algorithm| algorithm.name()).collect();
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(names.len(), unique.len());
}

/// A learner knows its algorithm with every parameter stated; built from that, it is the same.
fn a_learner_is_built_again_from_its_own_name<T: NamedTask + ConformanceTask>() {
    for algorithm in every::<T>() {
        let learner = learned::<T>(&algorithm, 50);
        let stated = learner.algorithm();
        assert_eq!(stated.name(), algorithm.name());
        for pair in algorithm.explicit_values() {
            assert!(
                stated.explicit_values().any(|other| other == pair),
                "{stated} lacks {pair:?}"
            );
        }
        let again = learned::<T>(&stated.to_string().parse().unwrap(), 50);
        let bytes = |learner| snapshot::to_bytes::<AnyLearner<T>>(learner).unwrap();
        assert_eq!(bytes(&again), bytes(&learner), "{stated}");
    }
}

#[test]
fn a_classifier_is_built_again_from_its_own_name() {
    a_learner_is_built_again_from_its_own_name::<Classification>();
}

#[test]
fn a_regressor_is_built_again_from_its_own_name() {
    a_learner_is_built_again_from_its_own_name::<Regression>();
}

/// The default in the table is the one in the settings.
fn the_table_states_the_true_default<T: NamedTask>() {
    for algorithm in Algorithm::all().filter(Algorithm::supports::<T>) {
        let learner = algorithm
            .build::<T>(
                Schema::new(2).unwrap(),
                ForestSettings::default().with_trees(1).with_seed(0),
            )
            .unwrap();
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

#[test]
fn an_unknown_algorithm_names_the_nearest_and_all() {
    let said = message("majorty:x=1");
    assert!(
        said.contains("`majorty` (did you mean `majority`?)"),
        "{said}"
    );
    for algorithm in Algorithm::all() {
        assert!(said.contains(algorithm.name()), "{said}");
    }
    assert!(!message("xyz").contains("did you mean"));
    assert!(message("").starts_with("unknown algorithm ``"));
}

#[test]
fn a_stray_text_is_not_a_parameter() {
    assert_eq!(
        message("majority:key"),
        "majority: `key` is not `key=value`; write `majority:key=value,…`"
    );
    assert_eq!("majority:".parse(), "majority".parse::<Algorithm>());
    assert_eq!(
        message("mean:key=1"),
        "mean has no parameter `key`; it takes: none"
    );
}

#[test]
fn a_task_that_an_algorithm_does_not_do_is_refused() {
    let majority: Algorithm = "majority".parse().unwrap();
    assert!(majority.supports::<Classification>() && !majority.supports::<Regression>());
    let refused = majority.build::<Regression>(
        Schema::new(1).unwrap(),
        ForestSettings::default().with_trees(1).with_seed(0),
    );
    assert_eq!(
        refused.unwrap_err(),
        BuildError::wrong_task("majority", "regression")
    );
}

#[test]
fn a_value_that_means_nothing_in_a_task_is_refused_there() {
    let by_errors: Algorithm = "amf:step=by-errors".parse().unwrap();
    assert!(by_errors.supports::<Regression>() && !by_errors.supports::<Classification>());
    let fixed: Algorithm = "amf:step=2".parse().unwrap();
    assert!(fixed.supports::<Regression>() && fixed.supports::<Classification>());
}

#[test]
fn parameters_are_written_in_the_order_of_the_table() {
    let read = " mondrian : update = redraw , budget=5.0 ".parse::<Algorithm>();
    let algorithm = read.unwrap();
    assert_eq!(algorithm.to_string(), "mondrian:budget=5,update=redraw");
    let given: Vec<_> = algorithm.explicit_values().collect();
    assert_eq!(given, [("budget", "5"), ("update", "redraw")]);
}

#[test]
fn an_unknown_parameter_names_the_nearest_and_all() {
    assert_eq!(
        message("mondrian:budjet=5"),
        "mondrian has no parameter `budjet` (did you mean `budget` or `budget_scale`?); \
         it takes: budget=inf, min_points=1, pause=pure, \
         update=conditional, vote=frequencies, window=unlimited, weights=none, max_nodes=unlimited, \
         labels=empirical, budget_scale=8, step=by-errors, first_loss=by-features, dirichlet=by-classes, discount=10, \
         branch_counts=tables, hyperparameters=leave-one-out, variance=of-mean"
    );
}

#[test]
fn a_parameter_of_another_label_model_is_refused() {
    assert_eq!(
        message("obsp:step=0.5"),
        "obsp has no parameter `step` with labels=empirical"
    );
    assert_eq!(
        message("mondrian:budget_scale=0.5"),
        "mondrian has no parameter `budget_scale` with budget=inf"
    );
    assert_eq!(
        message("obsp:window=5,labels=aggregated"),
        "obsp has no parameter `window` with labels=aggregated"
    );
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

#[test]
fn a_bad_value_names_parameter_rule_and_value() {
    let refused = [
        (
            "budget=-1",
            "budget must be a number of at least 0, or inf, or increasing, but is `-1`",
        ),
        (
            "budget=NaN",
            "budget must be a number of at least 0, or inf, or increasing, but is `NaN`",
        ),
        (
            "budget=",
            "budget must be a number of at least 0, or inf, or increasing, but is ``",
        ),
        (
            "pause=often",
            "pause must be one of pure, never, but is `often`",
        ),
        (
            "min_points=0",
            "min_points must be a whole number of at least 1, but is `0`",
        ),
        ("min_points=5000000000", "but is `5000000000`"),
        (
            "budget=increasing,budget_scale=0",
            "budget_scale must be a finite number above 0, but is `0`",
        ),
    ];
    for (parameters, expected) in refused {
        let said = message(&format!("mondrian:{parameters}"));
        assert!(said.contains(expected), "{said}");
    }
    let said = message("boundary-forest:max_children=1");
    assert!(said.contains("at least 2, or unlimited"), "{said}");
}

#[test]
fn a_parameter_is_given_once() {
    let said = message("mondrian:budget=5,pause=pure,budget=6");
    assert_eq!(said, "mondrian: budget is given twice; give it once");
}

#[test]
fn a_parameter_of_the_other_task_is_refused() {
    let boundary: Algorithm = "boundary-forest:epsilon=0.1".parse().unwrap();
    assert!(boundary.supports::<Regression>() && !boundary.supports::<Classification>());
    let refused = boundary.build::<Classification>(
        Schema::new(1).unwrap(),
        ForestSettings::default().with_trees(1).with_seed(0),
    );
    let said = refused.unwrap_err().to_string();
    assert_eq!(
        said,
        "boundary-forest: epsilon as given has no effect in classification; leave it out"
    );
}

#[test]
fn a_rule_that_depends_on_more_than_one_text_is_checked_when_building() {
    let schema = Schema::<Regression>::new(1).unwrap();
    let seeded = |text: &str, trees| {
        text.parse::<Algorithm>().unwrap().build(
            schema,
            ForestSettings::default().with_trees(trees).with_seed(0),
        )
    };
    let no_trees = seeded("mondrian:budget=2", 0).unwrap_err().to_string();
    assert_eq!(
        no_trees,
        "mondrian:budget=2: trees must be at least 1, but is 0"
    );
    let alpha_above_beta = seeded("stream-rf:alpha=200", 1).unwrap_err();
    assert!(
        alpha_above_beta
            .to_string()
            .contains("beta must be no less than alpha")
    );
}

#[test]
fn one_of_anything_is_not_a_plural() {
    let algorithm: Algorithm = "mondrian".parse().unwrap();
    let schema = Schema::<Regression>::new(2).unwrap();
    let mut forest = algorithm.build(schema, ForestSettings::default()).unwrap();
    let said = forest.learn_one(&[0.5], 1.0).unwrap_err().to_string();
    assert_eq!(said, "a row has 1 feature, but this learner was made for 2");
    let rows = ndarray::array![[0.5_f32, 0.5]];
    let said = forest.learn(rows.view(), &[]).unwrap_err().to_string();
    assert_eq!(said, "0 targets for 1 row: each row needs exactly one");
}
