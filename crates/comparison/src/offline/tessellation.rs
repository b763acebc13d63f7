//! The batch random tessellation forests of Ge et al.

use forest_core::parameters::{Numbers, Parameter, Rule, Values, Words};
use forest_core::registry::settings;
use forest_core::{Classification, ForestSettings, InputError};
use mondrian::{AxisCuts, AxisWeights};
use ndarray::{Array2, ArrayView2};
use random_tessellation::batch::{self, BallMass, BatchForest, BatchSettings, Inference, Rates};
use random_tessellation::{CutNormals, FeatureWeights, LinearCuts};
use tessellation_tree::CutSettings;

use super::{BatchLearner, Declared, FitError, Fitted, Make, OfflineRow, Training};
use crate::record::WEIGHTS;

pub(super) static FORESTS: [OfflineRow; 4] = [
    row(
        "batch-urtf",
        "cuts of all directions equally likely, chosen among particles by their labels",
        unweighted,
        |values| learner::<LinearCuts>(values, |_| CutNormals::Uniform),
    ),
    row(
        "batch-wurtf",
        "cuts whose normals are weighted by feature, chosen among particles by their labels",
        Fields::parameters,
        |values| learner::<LinearCuts>(values, weighted_normals),
    ),
    row(
        "batch-mrtf",
        "axis-aligned cuts, chosen among particles by their labels",
        unweighted,
        |values| learner::<AxisCuts>(values, axis_weights),
    ),
    row(
        "batch-wmrtf",
        "axis-aligned cuts of weighted features, chosen among particles by their labels",
        Fields::parameters,
        |values| learner::<AxisCuts>(values, axis_weights),
    ),
];

const fn row(
    name: &'static str,
    description: &'static str,
    parameters: fn() -> Vec<&'static Parameter>,
    make: Make<Classification>,
) -> OfflineRow {
    OfflineRow {
        name,
        description,
        paper: "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019",
        limits: &[],
        parameters,
        has_trees: true,
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

#[derive(Clone, Debug, PartialEq)]
struct Fields {
    particles: usize,
    budget: f64,
    weights: Vec<f64>,
    rates: Rates,
    uses_labels: bool,
    is_transductive: bool,
}

const EQUAL: Numbers = Numbers("equal");
const RATES: Words<Rates, 2> = Words([("exact", Rates::Exact), ("ball", Rates::BallAsPrinted)]);
const LIKELIHOODS: Words<bool, 2> = Words([("used", true), ("ignored", false)]);
const PREDICTIONS: Words<bool, 2> = Words([("transductive", true), ("inductive", false)]);

settings! {
    Fields {
        particles: Parameter::new("particles", Rule::Count(1), "100", "partitions that compete for a tree");
        budget: Parameter::new("budget", Rule::NUMBER_OR_INFINITY, "inf", "the time up to which cuts are drawn");
        rates: Parameter::new("rates", Rule::Words(&RATES.names()), "exact",
            "rates of cuts: exact, or of a ball around the points, as the paper has them"), RATES;
        uses_labels: Parameter::new("likelihood", Rule::Words(&LIKELIHOODS.names()), "used",
            "whether labels choose among particles; ignored: the forests `.i` of the paper"), LIKELIHOODS;
        // Online forests do not see the rows to be predicted.
        is_transductive: Parameter::new("prediction", Rule::Words(&PREDICTIONS.names()), "inductive",
            "transductive: rows to be predicted are cut along with the others, without labels (the paper)"), PREDICTIONS;
        weights: Parameter::new(WEIGHTS, Rule::Or(&Rule::NUMBERS, &[EQUAL.0]), EQUAL.0,
            "weight of each feature, separated by `/`"),
            |weights: &Vec<f64>| EQUAL.text(weights), |text| EQUAL.value(text);
    }
}

fn unweighted() -> Vec<&'static Parameter> {
    let mut parameters = Fields::parameters();
    parameters.retain(|parameter| parameter.name != WEIGHTS);
    parameters
}

impl Fields {
    fn settings<C: CutSettings>(&self, cuts: fn(&[f64]) -> C) -> BatchSettings<C> {
        let inference = if self.uses_labels {
            Inference::MonteCarlo {
                particles: self.particles,
            }
        } else {
            Inference::Prior
        };
        BatchSettings {
            cuts: cuts(&self.weights),
            budget: self.budget,
            inference,
            rates: self.rates,
            ..BatchSettings::default()
        }
    }
}

struct TessellationForest<D: BallMass> {
    fields: Fields,
    cuts: fn(&[f64]) -> D::Settings,
}

struct Votes<D: BallMass>(BatchForest<D>);

fn learner<D: BallMass + 'static>(
    values: &Values,
    cuts: fn(&[f64]) -> D::Settings,
) -> Box<dyn BatchLearner<Classification>> {
    Box::new(TessellationForest::<D> {
        fields: Fields::with(values),
        cuts,
    })
}

impl<D: BallMass + 'static> BatchLearner<Classification> for TessellationForest<D> {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let samples = batch::Training {
            rows: training.rows,
            targets: training.targets,
            test_rows: training.unlabelled,
        };
        let fields = self.fields.settings(self.cuts);
        let forest = BatchForest::<D>::fit(training.schema, samples, &fields, settings, |_| ())?;
        Ok(Box::new(Votes(forest)))
    }

    fn is_transductive(&self) -> bool {
        self.fields.is_transductive
    }
}

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

    #[test]
    fn parameters_reach_the_settings_and_defaults_are_those_of_the_forest() {
        let read = |text: &str| {
            Fields::with(&Values::read("forest", &Fields::parameters(), text).unwrap())
        };
        let given = "weights=1/0.5,rates=ball,budget=3,particles=7,prediction=transductive";
        let settings = read(given).settings(weighted_normals);
        assert_eq!(
            settings.cuts,
            CutNormals::Weighted(FeatureWeights(vec![1.0, 0.5]))
        );
        assert_eq!(
            (settings.budget, settings.rates),
            (3.0, Rates::BallAsPrinted)
        );
        assert_eq!(settings.inference, Inference::MonteCarlo { particles: 7 });
        assert!(read(given).is_transductive && !Fields::default().is_transductive);
        let settings = read("likelihood=ignored,weights=2/1").settings(axis_weights);
        assert_eq!(settings.inference, Inference::Prior);
        assert_eq!(settings.cuts, AxisWeights::Given(vec![2.0, 1.0]));
        assert_eq!(
            Fields::default().settings(axis_weights),
            BatchSettings::default()
        );
        let declared = Values::default().or_defaults(&Fields::parameters());
        assert_eq!(Fields::default().values(), declared);
    }
}
