//! The offline boundary forest: every tree learns the rows in an order of its own (Mathy et al. 2015, Table 2).

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use forest_core::{OnlineLearner, Schema, argmax};

use super::Function;
use crate::record::Row;

/// The error in percent on the standard test part, after the first `train` rows.
pub const OFFLINE_BOUNDARY_FOREST: Function = Function {
    name: "offline-boundary-forest",
    parameters: &["panel", "data", "train", "trees"],
    run: |arguments| {
        let data = arguments.classes()?;
        let ((train, labels), (test, truth)) = (data.train(), data.test());
        let forest = BoundaryClassifier::<Euclidean>::offline(
            Schema::new(train.ncols())?,
            ClassifierSettings::default(),
            arguments.forest()?,
            train,
            labels,
        )?;
        let answers = forest.predict(test)?;
        let wrong = answers.rows().into_iter().zip(truth);
        let wrong = wrong.filter(|(answer, truth)| argmax(&answer.to_vec()) != **truth as usize);
        let error = 100.0 * wrong.count() as f64 / truth.len() as f64;
        let row = Row::new(&arguments.text("panel")?, "OBF", None).with("error", error);
        Ok(vec![row])
    },
};
