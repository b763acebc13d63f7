//! Methods without a number of cuts.

use std::error::Error;

use evaluation::{BatchAlgorithm, FitOptions, Training};
use forest_core::{Classification, argmax};

use crate::{Accuracies, CUTS, Split};

/// Name in the tables, and what it is.
const METHODS: [(&str, &str); 4] = [
    ("LR", "logistic-regression"),
    ("DT", "decision-tree"),
    ("SVM (linear)", "linear-svm"),
    ("SVM", "svm"),
];

/// The same after every number of cuts.
pub fn run(split: &Split) -> Result<Vec<Accuracies>, Box<dyn Error>> {
    let methods = METHODS
        .iter()
        .filter(|(_, name)| split.is_small() || !name.contains("svm"));
    let accuracies = methods.map(|&(method, name)| {
        let learner = name
            .parse::<BatchAlgorithm>()?
            .learner::<Classification>()?;
        let training = Training::new(split.train.view(), &split.labels)?;
        let fitted = learner.fit(&training, FitOptions::new(1, split.number as u64))?;
        let answers = fitted.predict(split.test.view())?;
        let answers = answers.outer_iter().map(|row| argmax(&row.to_vec()) as u32);
        let percent = split.accuracy(answers);
        Ok(Accuracies {
            method,
            split: split.number,
            percent: vec![percent; CUTS.len()],
        })
    });
    accuracies.collect()
}
