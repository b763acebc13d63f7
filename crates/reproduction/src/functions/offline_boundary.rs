//! The offline boundary forest: every tree learns the rows in an order of its own (Mathy et al. 2015, Table 2).

use anyhow::bail;
use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use datasets::Target;
use forest_core::{ForestSettings, OnlineLearner, Schema, argmax};
use ndarray::s;

use super::Function;
use crate::record::Row;

/// The error in percent on the standard test part, after the first `train` rows.
pub const OFFLINE_BOUNDARY_FOREST: Function = Function {
    name: "offline-boundary-forest",
    parameters: &["panel", "data", "train", "trees"],
    run: |arguments| {
        let data = arguments.library.open(&arguments.text("data")?)?;
        let Target::Classes { labels, .. } = &data.target else {
            bail!("`{}` has no classes", data.name);
        };
        let split = data.split.unwrap_or(data.rows());
        let train = arguments.count("train")?.min(split);
        let settings = ForestSettings {
            trees: arguments.count("trees")?,
            seed: arguments.seed,
            ..ForestSettings::default()
        };
        let forest = BoundaryClassifier::<Euclidean>::offline(
            Schema::new(data.n_features())?,
            ClassifierSettings::default(),
            settings,
            data.features.slice(s![..train, ..]),
            &labels[..train],
        )?;
        let answers = forest.predict(data.features.slice(s![split.., ..]))?;
        let wrong = answers.rows().into_iter().zip(&labels[split..]);
        let wrong = wrong.filter(|(answer, truth)| argmax(&answer.to_vec()) != **truth as usize);
        let error = 100.0 * wrong.count() as f64 / (labels.len() - split) as f64;
        let row = Row::new(&arguments.text("panel")?, "OBF", None).with("error", error);
        Ok(vec![row])
    },
};
