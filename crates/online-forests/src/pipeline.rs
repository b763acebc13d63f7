//! A pipeline around a learner held by name is one, too: it is named, saved and loaded like it.
//!
//! ```
//! use online_forests::preprocessing::Scaling;
//! use online_forests::{
//!     Algorithm, AnyRegressor, ForestSettings, OnlineLearner, Pipeline, Regression, Schema, snapshot,
//! };
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pipeline.snapshot");
//! let forest = "mondrian".parse::<Algorithm>()?.build::<Regression>(Schema::new(1)?, ForestSettings::default())?;
//! let mut pipeline = Pipeline::on_first_rows(20, [Scaling::Standard.into()], forest)?;
//! for gram in 0..100u16 {
//!     pipeline.learn_one(&[f32::from(gram) / 1000.0], f64::from(gram))?;
//! }
//! snapshot::save(&pipeline, &path)?;
//! let loaded: Pipeline<AnyRegressor> = snapshot::load(&path)?;
//! assert_eq!(loaded.predict_one(&[0.05])?, pipeline.predict_one(&[0.05])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use preprocessing::Pipeline;

use crate::{Algorithm, AnyLearner, Named};

impl<L: Named> Named for Pipeline<L> {
    /// That of the learner after the steps.
    fn algorithm(&self) -> Algorithm {
        self.learner().algorithm()
    }

    fn trees(&self) -> usize {
        self.learner().trees()
    }
}

impl<L: AnyLearner> AnyLearner for Pipeline<L> {
    fn label_prefix() -> String {
        format!("pipeline/{}", L::label_prefix())
    }
}
