//! The batch random tessellation forests of Ge et al.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use forest_core::{Classification, ForestSettings, InputError};
use mondrian::{AxisCuts, AxisWeights};
use ndarray::{Array2, ArrayView2};
use parameters::{Field, Numbers, Parameter, Rule, Words, field};
use random_tessellation::batch::{BallMass, BatchForest, BatchSettings, Inference, Rates};
use random_tessellation::{FeatureWeights, LinearCuts, NormalLaw};
use tessellation_tree::CutDistribution;

use crate::entry::make;
use crate::{BatchEntry, BatchLearner, Declared, FitError, FitOptions, Fitted, Training};

/// `batch-urtf`.
pub static BATCH_URTF: BatchEntry = row::<UniformNormals>(
    "batch-urtf",
    "cuts of every direction alike, chosen among particles by their labels",
    unweighted::<UniformNormals>,
);

/// `batch-wurtf`.
pub static BATCH_WURTF: BatchEntry = row::<WeightedNormals>(
    "batch-wurtf",
    "cuts whose normals are weighted by feature, chosen among particles by their labels",
    TessellationForest::<WeightedNormals>::parameters,
);

/// `batch-mrtf`.
pub static BATCH_MRTF: BatchEntry = row::<AxisCuts>(
    "batch-mrtf",
    "axis-aligned cuts, chosen among particles by their labels",
    unweighted::<AxisCuts>,
);

/// `batch-wmrtf`.
pub static BATCH_WMRTF: BatchEntry = row::<AxisCuts>(
    "batch-wmrtf",
    "axis-aligned cuts of weighted features, chosen among particles by their labels",
    TessellationForest::<AxisCuts>::parameters,
);

const fn row<D: NamedCuts>(
    name: &'static str,
    description: &'static str,
    parameters: fn() -> Vec<&'static Parameter>,
) -> BatchEntry {
    BatchEntry {
        name,
        description,
        paper: "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019",
        limits: &[],
        parameters,
        classification: Some(make::<TessellationForest<D>, Classification>),
        regression: None,
    }
}

/// Cuts of a name, which may have weights.
trait NamedCuts: 'static {
    type Cuts: BallMass;

    /// With these weights; none: equal ones.
    fn settings(weights: &[f64]) -> CutSettings<Self>;
}

type CutSettings<N> = <<N as NamedCuts>::Cuts as CutDistribution>::Settings;

#[derive(Clone, Debug, PartialEq)]
struct UniformNormals;

impl NamedCuts for UniformNormals {
    type Cuts = LinearCuts;

    fn settings(_: &[f64]) -> NormalLaw {
        NormalLaw::Uniform
    }
}

#[derive(Clone, Debug, PartialEq)]
struct WeightedNormals;

impl NamedCuts for WeightedNormals {
    type Cuts = LinearCuts;

    fn settings(weights: &[f64]) -> NormalLaw {
        NormalLaw::Weighted(FeatureWeights(weights.to_vec()))
    }
}

impl NamedCuts for AxisCuts {
    type Cuts = Self;

    fn settings(weights: &[f64]) -> AxisWeights {
        match weights.is_empty() {
            true => AxisWeights::Equal,
            false => AxisWeights::Given(weights.to_vec()),
        }
    }
}

/// A batch forest with the cuts of name `D`: Algorithm 2 of the paper for each tree.
#[derive(Clone, Debug, PartialEq)]
struct TessellationForest<D> {
    particles: usize,
    budget: f64,
    /// One a feature, or none: equal ones.
    weights: Vec<f64>,
    rates: Rates,
    likelihood: Likelihood,
    prediction: Prediction,
    cuts: PhantomData<fn() -> D>,
}

/// Whether labels choose among partitions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Likelihood {
    Used,
    Ignored,
}

/// Whether the points that will be asked are cut along with the others.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Prediction {
    Transductive,
    Inductive,
}

impl<D> Default for TessellationForest<D> {
    fn default() -> Self {
        Self {
            particles: 100,
            budget: f64::INFINITY,
            weights: Vec::new(),
            rates: Rates::Exact,
            likelihood: Likelihood::Used,
            // The others do not see the rows that will be asked.
            prediction: Prediction::Inductive,
            cuts: PhantomData,
        }
    }
}

const EQUAL: Numbers = Numbers("equal");
const RATES: Words<Rates, 2> = Words([("exact", Rates::Exact), ("ball", Rates::BallAsPrinted)]);
const LIKELIHOODS: Words<Likelihood, 2> =
    Words([("used", Likelihood::Used), ("ignored", Likelihood::Ignored)]);
const PREDICTIONS: Words<Prediction, 2> = Words([
    ("transductive", Prediction::Transductive),
    ("inductive", Prediction::Inductive),
]);

impl<D: 'static> Declared for TessellationForest<D> {
    const FIELDS: &'static [Field<Self>] = &[
        field!(
            Parameter::new("particles", Rule::Count(1), "100", "partitions that compete for a tree"),
            forest => forest.particles
        ),
        field!(
            Parameter::new(
                "budget",
                Rule::NumberOrInfinity,
                "inf",
                "the time up to which cuts are drawn",
            ),
            forest => forest.budget
        ),
        field!(
            Parameter::new(
                "rates",
                Rule::Words(&RATES.names()),
                "exact",
                "rates of cuts: exact, or of a ball around the points, as the paper has them",
            ),
            forest => forest.rates, RATES
        ),
        field!(
            Parameter::new(
                "likelihood",
                Rule::Words(&LIKELIHOODS.names()),
                "used",
                "whether labels choose among particles; ignored: the forests `.i` of the paper",
            ),
            forest => forest.likelihood, LIKELIHOODS
        ),
        field!(
            Parameter::new(
                "prediction",
                Rule::Words(&PREDICTIONS.names()),
                "inductive",
                "transductive: rows to be predicted are cut along with the others, without labels (the paper)",
            ),
            forest => forest.prediction, PREDICTIONS
        ),
        Field {
            parameter: Parameter::new(
                WEIGHTS,
                EQUAL.rule(),
                EQUAL.0,
                "weight of each feature, separated by `/`",
            ),
            get: |forest| EQUAL.text(&forest.weights),
            set: |forest, text| forest.weights = EQUAL.value(text),
        },
    ];
}

const WEIGHTS: &str = "weights";

fn unweighted<D: 'static>() -> Vec<&'static Parameter> {
    let mut parameters = TessellationForest::<D>::parameters();
    parameters.retain(|parameter| parameter.name != WEIGHTS);
    parameters
}

impl<D: NamedCuts> TessellationForest<D> {
    fn settings(&self) -> BatchSettings<CutSettings<D>> {
        BatchSettings {
            cuts: D::settings(&self.weights),
            budget: self.budget,
            inference: match self.likelihood {
                Likelihood::Used => Inference::MonteCarlo {
                    particles: self.particles,
                },
                Likelihood::Ignored => Inference::Prior,
            },
            rates: self.rates,
            ..BatchSettings::default()
        }
    }
}

impl<D: NamedCuts> BatchLearner<Classification> for TessellationForest<D> {
    /// Trees that have begun are completed before a fit ends, and all begin at once.
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        options: FitOptions<'_>,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let stopped = AtomicBool::new(false);
        let on_tree = |complete| {
            let reported = (options.progress)(complete, options.trees);
            stopped.fetch_or(reported.is_break(), Ordering::Relaxed);
        };
        let forest = ForestSettings {
            trees: options.trees,
            seed: options.seed,
            ..ForestSettings::default()
        };
        let none = Array2::zeros((0, training.schema().features()));
        let unlabelled = training.unlabelled().unwrap_or(none.view());
        let forest = BatchForest::<D::Cuts>::grow(
            *training.schema(),
            training.rows(),
            training.targets(),
            unlabelled,
            &self.settings(),
            forest,
            on_tree,
        )?;
        match stopped.into_inner() {
            true => Err(FitError::Stopped),
            false => Ok(Box::new(Votes(forest))),
        }
    }

    fn is_transductive(&self) -> bool {
        self.prediction == Prediction::Transductive
    }
}

struct Votes<D: BallMass>(BatchForest<D>);

impl<D: BallMass> Fitted for Votes<D> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        self.0.predict(rows)
    }

    fn trees(&self) -> usize {
        self.0.trees().len()
    }
}

#[cfg(test)]
mod tests {
    use parameters::Values;

    use super::*;

    fn read<D: 'static>(text: &str) -> TessellationForest<D> {
        let known = TessellationForest::<D>::parameters();
        TessellationForest::with(&Values::read("forest", &known, text).unwrap())
    }

    #[test]
    fn parameters_reach_the_settings() {
        let settings =
            read::<WeightedNormals>("weights=1/0.5,rates=ball,budget=3,particles=7").settings();
        let weights = FeatureWeights(vec![1.0, 0.5]);
        assert_eq!(settings.cuts, NormalLaw::Weighted(weights));
        assert_eq!(
            (settings.budget, settings.rates),
            (3.0, Rates::BallAsPrinted)
        );
        assert_eq!(settings.inference, Inference::MonteCarlo { particles: 7 });
        let prior = read::<AxisCuts>("likelihood=ignored,weights=2/1");
        assert_eq!(prior.settings().inference, Inference::Prior);
        assert_eq!(prior.settings().cuts, AxisWeights::Given(vec![2.0, 1.0]));
        assert!(
            !prior.is_transductive()
                && read::<AxisCuts>("prediction=transductive").is_transductive()
        );
    }

    #[test]
    fn defaults_are_those_declared_and_those_of_the_forest() {
        let default = TessellationForest::<UniformNormals>::default();
        assert_eq!(default.settings(), BatchSettings::default());
        let stated = Values::of(&default, TessellationForest::FIELDS);
        assert_eq!(
            stated,
            Values::default().or_defaults(&TessellationForest::<UniformNormals>::parameters())
        );
    }
}
