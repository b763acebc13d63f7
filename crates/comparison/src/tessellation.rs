//! The batch random tessellation forests of Ge et al.

use forest_core::parameters::{Numbers, Parameter, Rule, Values, Words};
use forest_core::{Classification, InputError};
use mondrian::{AxisCuts, AxisWeights};
use ndarray::{Array2, ArrayView2};
use random_tessellation::batch::{self, BallMass, BatchForest, BatchSettings, Inference, Rates};
use random_tessellation::{CutNormals, FeatureWeights, LinearCuts};
use tessellation_tree::CutSettings;

use crate::{
    BatchEntry, BatchLearner, Declared, FitError, FitOptions, Fitted, Make, Training, settings,
};

/// `batch-urtf`.
pub(crate) static BATCH_URTF: BatchEntry = row(
    "batch-urtf",
    "cuts of all directions equally likely, chosen among particles by their labels",
    unweighted,
    |values| learner::<LinearCuts>(values, |_| CutNormals::Uniform),
);

/// `batch-wurtf`.
pub(crate) static BATCH_WURTF: BatchEntry = row(
    "batch-wurtf",
    "cuts whose normals are weighted by feature, chosen among particles by their labels",
    Fields::parameters,
    |values| learner::<LinearCuts>(values, weighted_normals),
);

/// `batch-mrtf`.
pub(crate) static BATCH_MRTF: BatchEntry = row(
    "batch-mrtf",
    "axis-aligned cuts, chosen among particles by their labels",
    unweighted,
    |values| learner::<AxisCuts>(values, axis_weights),
);

/// `batch-wmrtf`.
pub(crate) static BATCH_WMRTF: BatchEntry = row(
    "batch-wmrtf",
    "axis-aligned cuts of weighted features, chosen among particles by their labels",
    Fields::parameters,
    |values| learner::<AxisCuts>(values, axis_weights),
);

const fn row(
    name: &'static str,
    description: &'static str,
    parameters: fn() -> Vec<&'static Parameter>,
    make: Make<Classification>,
) -> BatchEntry {
    BatchEntry {
        name,
        description,
        paper: "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019",
        limits: &[],
        parameters,
        classification: Some(make),
        regression: None,
    }
}

fn weighted_normals(weights: &[f64]) -> CutNormals {
    CutNormals::Weighted(FeatureWeights(weights.to_vec()))
}

fn axis_weights(weights: &[f64]) -> AxisWeights {
    if weights.is_empty() {
        AxisWeights::Equal
    } else {
        AxisWeights::Given(weights.to_vec())
    }
}

/// A batch forest: Algorithm 2 of the paper for each tree.
struct TessellationForest<D: BallMass> {
    fields: Fields,
    /// The settings of cuts with these weights; equal ones if `None`.
    cuts: fn(&[f64]) -> D::Settings,
}

fn learner<D: BallMass + 'static>(
    values: &Values,
    cuts: fn(&[f64]) -> D::Settings,
) -> Box<dyn BatchLearner<Classification>> {
    let fields = Fields::with(values);
    Box::new(TessellationForest::<D> { fields, cuts })
}

/// The fields that have a parameter.
#[derive(Clone, Debug, PartialEq)]
struct Fields {
    particles: usize,
    budget: f64,
    /// One per feature; equal ones if empty.
    weights: Vec<f64>,
    rates: Rates,
    likelihood: Likelihood,
    prediction: Prediction,
}

/// Whether labels choose among partitions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Likelihood {
    Used,
    Ignored,
}

/// Whether the points to be predicted are cut along with the others.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Prediction {
    Transductive,
    Inductive,
}

const EQUAL: Numbers = Numbers("equal");
const RATES: Words<Rates, 2> = Words([("exact", Rates::Exact), ("ball", Rates::BallAsPrinted)]);
const LIKELIHOODS: Words<Likelihood, 2> =
    Words([("used", Likelihood::Used), ("ignored", Likelihood::Ignored)]);
const PREDICTIONS: Words<Prediction, 2> = Words([
    ("transductive", Prediction::Transductive),
    ("inductive", Prediction::Inductive),
]);

settings! {
    Fields {
        particles: Parameter::new("particles", Rule::Count(1), "100", "partitions that compete for a tree");
        budget: Parameter::new("budget", Rule::NUMBER_OR_INFINITY, "inf", "the time up to which cuts are drawn");
        rates: Parameter::new("rates", Rule::Words(&RATES.names()), "exact",
            "rates of cuts: exact, or of a ball around the points, as the paper has them"), RATES;
        likelihood: Parameter::new("likelihood", Rule::Words(&LIKELIHOODS.names()), "used",
            "whether labels choose among particles; ignored: the forests `.i` of the paper"), LIKELIHOODS;
        // Online forests do not see the rows to be predicted.
        prediction: Parameter::new("prediction", Rule::Words(&PREDICTIONS.names()), "inductive",
            "transductive: rows to be predicted are cut along with the others, without labels (the paper)"), PREDICTIONS;
        weights: Parameter::new(WEIGHTS, Rule::Or(&Rule::NUMBERS, &[EQUAL.0]), EQUAL.0,
            "weight of each feature, separated by `/`"),
            |weights: &Vec<f64>| EQUAL.text(weights), |text| EQUAL.value(text);
    }
}

const WEIGHTS: &str = "weights";

fn unweighted() -> Vec<&'static Parameter> {
    let mut parameters = Fields::parameters();
    parameters.retain(|parameter| parameter.name != WEIGHTS);
    parameters
}

impl Fields {
    fn settings<C: CutSettings>(&self, cuts: fn(&[f64]) -> C) -> BatchSettings<C> {
        BatchSettings {
            cuts: cuts(&self.weights),
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

impl<D: BallMass + 'static> BatchLearner<Classification> for TessellationForest<D> {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        options: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let (schema, settings) = (*training.schema(), self.fields.settings(self.cuts));
        let samples = batch::Training {
            rows: training.rows(),
            targets: training.targets(),
            test_rows: training.unlabelled(),
        };
        let forest = BatchForest::<D>::fit(schema, samples, &settings, options.forest(), |_| ())?;
        Ok(Box::new(Votes(forest)))
    }

    fn is_transductive(&self) -> bool {
        self.fields.prediction == Prediction::Transductive
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
    use super::*;

    fn read(text: &str) -> Fields {
        Fields::with(&Values::read("forest", &Fields::parameters(), text).unwrap())
    }

    #[test]
    fn parameters_reach_the_settings() {
        let settings =
            read("weights=1/0.5,rates=ball,budget=3,particles=7").settings(weighted_normals);
        let weights = FeatureWeights(vec![1.0, 0.5]);
        assert_eq!(settings.cuts, CutNormals::Weighted(weights));
        assert_eq!(
            (settings.budget, settings.rates),
            (3.0, Rates::BallAsPrinted)
        );
        assert_eq!(settings.inference, Inference::MonteCarlo { particles: 7 });
        let prior = read("likelihood=ignored,weights=2/1");
        let settings = prior.settings(axis_weights);
        assert_eq!(settings.inference, Inference::Prior);
        assert_eq!(settings.cuts, AxisWeights::Given(vec![2.0, 1.0]));
        let transductive = read("prediction=transductive").prediction;
        assert_eq!(
            [prior.prediction, transductive],
            [Prediction::Inductive, Prediction::Transductive]
        );
    }

    #[test]
    fn defaults_are_those_declared_and_those_of_the_forest() {
        let default = Fields::default();
        assert_eq!(default.settings(axis_weights), BatchSettings::default());
        let stated = default.values();
        assert_eq!(stated, Values::default().or_defaults(&Fields::parameters()));
    }
}
