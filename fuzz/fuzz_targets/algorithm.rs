//! A text is refused, or names an algorithm that reads back and can be built.
#![no_main]

use libfuzzer_sys::fuzz_target;
use online_forests::{
    Algorithm, Classification, ForestSettings, OnlineLearner, Regression, Schema,
};

fuzz_target!(|text: &str| {
    let Ok(algorithm) = text.parse::<Algorithm>() else {
        return;
    };
    let written = algorithm.to_string();
    let read: Algorithm = written.parse().expect("what is written can be read");
    assert_eq!(read.to_string(), written);
    let settings = ForestSettings::default().with_trees(2);
    if let Ok(mut learner) =
        algorithm.build::<Classification>(Schema::new(2).expect("two features"), settings)
    {
        learner
            .learn_one(&[0.0, 1.0], 1)
            .expect("the row is finite");
    }
    if let Ok(mut learner) =
        algorithm.build::<Regression>(Schema::new(2).expect("two features"), settings)
    {
        learner
            .learn_one(&[0.0, 1.0], 1.0)
            .expect("the row is finite");
    }
});
