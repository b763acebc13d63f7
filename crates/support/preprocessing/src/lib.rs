//! Preprocessing of features, and class names; both are saved with the
//! model.
//!
//! A [`Pipeline`] is a chain of [`Step`]s and a learner, and is itself a learner: it takes raw rows, and
//! one snapshot holds all of it. Reloaded from a file, a model predicts raw rows with the same
//! bits.
//!
//! ```
//! use forest_core::{Classification, OnlineLearner, Prior, Schema};
//! use ndarray::array;
//! use preprocessing::{LabelEncoder, OneHotEncoder, Pipeline, Scaling};
//!
//! // Metres, a colour code and a weight in grams.
//! let rows = array![[1.7, 0., 65e3], [1.6, 1., 50e3], [1.8, 2., 90e3], [1.9, 0., 80e3]];
//! let encoder = OneHotEncoder::fit(rows.view(), &[1])?;
//! let scaler = Scaling::Standard.fit(encoder.transform(rows.view())?.view())?;
//!
//! let names = LabelEncoder::fit(["dog", "cat"]);
//! let schema = Schema::<Classification>::new(5)?.with_classes(2)?; // what the learner sees
//! let mut pipeline = Pipeline::new([encoder.into(), scaler], Prior::new(schema))?
//!     .with_class_names(names)?;
//!
//! assert_eq!(pipeline.schema().features(), 3); // raw features
//! let dog = pipeline.class_names().index("dog")?;
//! pipeline.learn_one(&[1.7, 2., 70e3], dog)?;
//! assert_eq!(pipeline.predict_one(&[1.7, 2., 70e3])?, [0.0, 1.0]);
//! assert_eq!(pipeline.class_names().name(1), Some("dog"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The steps, and their rules
//!
//! | step | formula | outside the values it was fitted on | constant feature | fitted on |
//! |---|---|---|---|---|
//! | [`MinMaxScaler`] | (x − min) / (max − min) | the line continues | 0 | rows, first rows, stream so far |
//! | [`StandardScaler`] | (x − mean) / standard deviation | the line continues | 0 | rows, first rows, stream so far |
//! | [`RobustScaler`] | (x − median) / interquartile range | the line continues | 0 | rows, first rows |
//! | [`QuantileScaler`] | empirical distribution function | 0 below, 1 above | 0 | rows, first rows |
//! | [`Pca`] | projection onto k directions | the plane continues | adds nothing | rows |
//! | [`OneHotEncoder`] | 1 in the feature of its category | all 0 | one feature, 1 | rows |
//!
//! Every step maps finite rows to finite rows: values beyond the range of `f32` become ±`f32::MAX`. A value
//! that is not finite is an error that names its row and feature.
//!
//! Medians and quantiles of a whole stream would need a summary whose results do not depend on
//! how the stream is divided into batches and whose error is bounded in rank. No maintained library does
//! that and can be serialised, and exact quantiles of a first window do not need one: so
//! they are fitted on given or first rows. Principal components and one-hot encoding are fitted on given rows
//! only, since fitting them can fail, and learning cannot.
//!
//! # Where to look
//!
//! | question | items |
//! |---|---|
//! | scaling rows by hand | [`Scaler::fit`], [`Scaler::transform`], [`Scaler::observe`] |
//! | a scaling that fits itself on the stream | [`Pipeline::on_first_rows`], [`Scaling`], [`Step::RunningStandard`] |
//! | classes or categories given as text | [`LabelEncoder`] |
//! | weights of features | [`variance_weights`], [`label_weights`] |
//! | errors | [`FitError`], [`PipelineError`], [`UnknownName`], [`DuplicateName`] |

mod error;
mod feature_scaling;
mod one_hot;
mod pca;
mod pipeline;
mod scale;
mod step;
mod transformation;
mod weights;

pub use error::{FitError, PipelineError};
pub use feature_scaling::FeatureScaling;
pub use forest_core::{DuplicateName, LabelEncoder, UnknownName};
pub use one_hot::OneHotEncoder;
pub use pca::Pca;
pub use pipeline::{Pipeline, WeightedPipeline};
pub use scale::{
    Line, LinearScale, MinMax, MinMaxScaler, QuantileScaler, Quantiles, Robust, RobustScaler,
    RunningScale, Scale, Scaler, Standard, StandardScaler,
};
pub use step::{Scaling, Step};
pub use weights::{WeightedTask, label_weights, variance_weights};
