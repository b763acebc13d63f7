//! The offline boundary forest: every tree learns the rows in its own order (Mathy et al. 2015, Table 2).

use boundary_forest::{BoundaryClassifier, TreeSettings};
use forest_core::{OnlineLearner, Schema, argmax};

use super::Function;
use crate::record::Row;

/// Measures the error in percent on the standard test part, after the first `train` rows.
pub(super) const OFFLINE_BOUNDARY_FOREST: Function = Function {
    name: "offline-boundary-forest",
    parameters: &["panel", "data", "train", "trees"],
    run: |arguments| {
        let data = arguments.classes()?;
        let ((train, labels), (test, truth)) = (data.train(), data.test());
        let (schema, settings) = (Schema::new(train.ncols())?, TreeSettings::default());
        let mut forest = BoundaryClassifier::new(schema, settings, arguments.forest()?)?;
        forest.learn_shuffled(train, labels)?;
        let predictions = forest.predict(test)?;
        let wrong = predictions.rows().into_iter().zip(truth);
        let wrong =
            wrong.filter(|(prediction, truth)| argmax(&prediction.to_vec()) != **truth as usize);
        let error = 100.0 * wrong.count() as f64 / truth.len() as f64;
        let row = Row::new(&arguments.text("panel")?, "OBF", None).with("error", error);
        Ok(vec![row])
    },
};
