//! The checks of every learner, and the bases that are refused.

use forest_core::{Classification, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{self, ConformanceTask};
use registry::{BaseLearner, NamedTask, snapshot};
use row_parts::RowParts;

use crate::{forest, learner, settings};

fn conforms<T: NamedTask + ConformanceTask>(given: (&str, u32)) {
    let build = |schema: Schema<T>, seed| learner(schema, given, seed);
    let save = |learner: &RowParts<T>| snapshot::to_bytes(learner).unwrap();
    let load = |bytes: &[u8]| snapshot::from_bytes::<RowParts<T>>(bytes).unwrap();
    let kept = conformance::check(&build)
        .and_then(|()| conformance::a_snapshot_resumes(&build, &save, &load))
        .and_then(|()| conformance::the_same_bytes(&build, &save))
        .and_then(|()| conformance::a_refusal_leaves_the_same_bytes(&build, &save));
    assert_eq!(kept, Ok(()), "{given:?}");
}

/// More rows than parts predict at a time.
#[test]
fn large_batches_are_small_ones() {
    for given in [("mean", 3), ("mondrian:max_nodes=101", 2)] {
        let build = |schema: Schema<Regression>, seed| learner(schema, given, seed);
        let kept = conformance::large_batches_are_small_ones(&build);
        assert_eq!(kept, Ok(()), "{given:?}");
    }
}

#[test]
fn learners_conform() {
    for given in [("mondrian", 1), ("amf", 3), ("mondrian:window=60", 2)] {
        conforms::<Classification>(given);
        conforms::<Regression>(given);
    }
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let refused = |base: &str, parts| {
        let schema = Schema::<Regression>::new(2).unwrap();
        let built = RowParts::<_>::new(schema, settings(base, parts), forest(0));
        built.unwrap_err().to_string()
    };
    assert!(refused("mondrain", 2).contains("did you mean `mondrian`"));
    assert!(refused("majority", 2).contains("does not support regression"));
    assert!(refused("row-parts", 2).contains("must be an algorithm that this one can hold"));
    assert_eq!(
        refused("mean", 0),
        "parts must be a whole number of at least 1, but is 0"
    );
    assert!(refused("mean", 20_001).contains("at most 100000 trees"));
}

/// A snapshot whose base is the learner itself is refused before the inner one is read.
#[test]
fn snapshots_do_not_nest() {
    let inner = learner::<Regression>(Schema::new(1).unwrap(), ("mean", 2), 0);
    let payload = snapshot::encode_value(&inner).unwrap();
    let forged = snapshot::encode_value(&("row-parts:base=mean".to_owned(), payload)).unwrap();
    let read = snapshot::decode_value::<BaseLearner<Regression, 3>>(&forged);
    let said = read.unwrap_err().to_string();
    assert!(
        said.contains("must be an algorithm that this one can hold"),
        "{said}"
    );
}

/// JSON of a learner with one thing changed is read back and then found out.
#[test]
fn what_contradicts_itself_is_found() {
    let mut whole = learner::<Regression>(Schema::new(1).unwrap(), ("mean", 3), 0);
    for target in 0..7 {
        whole.learn_one(&[0.5], f64::from(target)).unwrap();
    }
    let json = serde_json::to_value(&whole).unwrap();
    let found = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = json.clone();
        change(&mut changed);
        let read: RowParts<Regression> = serde_json::from_value(changed).unwrap();
        read.check_invariants().unwrap_err().to_string()
    };
    let seen = found(&|json| json["seen"] = 8.into());
    assert!(
        seen.contains("part 1") && seen.contains("its rows of the stream"),
        "{seen}"
    );
    let none = found(&|json| json["parts"] = serde_json::json!([]));
    assert!(none.contains("a contiguous range"), "{none}");
    let order = found(&|json| json["parts"].as_array_mut().unwrap().swap(0, 1));
    assert!(order.contains("a contiguous range"), "{order}");
    let fewer = found(&|json| json["settings"]["parts"] = 2.into());
    assert!(fewer.contains("a contiguous range"), "{fewer}");
    let other = found(&|json| json["settings"]["base"] = "mondrian".into());
    assert!(other.contains("does not match the settings"), "{other}");
}
