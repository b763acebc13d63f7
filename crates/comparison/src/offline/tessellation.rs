//! The batch random tessellation forests of Ge et al.

use forest_core::parameters::{Parameter, Rule, Values};
use forest_core::{Classification, ForestSettings, InputError};
use mondrian::{AxisCuts, AxisWeights};
use ndarray::{Array2, ArrayView2};
use random_tessellation::batch::{self, BallMass, BatchForest, BatchSettings, Inference, Rates};
use random_tessellation::{CutNormals, FeatureWeights, LinearCuts};
use tessellation_tree::CutSettings;

use super::{BatchLearner, FitError, Fitted, Make, OfflineRow, Training};
use crate::record::WEIGHTS;

pub(super) static FORESTS: [OfflineRow; 4] = [
    row(
        "batch-urtf",
        "cuts of all directions equally likely, chosen among particles by their labels",
        UNWEIGHTED,
        |values| learner::<LinearCuts>(values, |_| CutNormals::Uniform),
    ),
    row(
        "batch-wurtf",
        "cuts whose normals are weighted by feature, chosen among particles by their labels",
        PARAMETERS,
        |values| learner::<LinearCuts>(values, weighted_normals),
    ),
    row(
        "batch-mrtf",
        "axis-aligned cuts, chosen among particles by their labels",
        UNWEIGHTED,
        |values| learner::<AxisCuts>(values, axis_weights),
    ),
    row(
        "batch-wmrtf",
        "axis-aligned cuts of weighted features, chosen among particles by their labels",
        PARAMETERS,
        |values| learner::<AxisCuts>(values, axis_weights),
    ),
];

const fn row(
    name: &'static str,
    description: &'static str,
    parameters: &'static [Parameter],
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

const EQUAL: &str = "equal";

const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "particles": Rule::Count(1), "100", "partitions that compete for a tree";
    "budget": Rule::NUMBER_OR_INFINITY, "inf", "the time up to which cuts are drawn";
    "rates": Rule::Words(&["exact", "ball"]), "exact",
        "rates of cuts: exact, or of a ball around the points, as the paper has them";
    "likelihood": Rule::Words(&["used", "ignored"]), "used",
        "whether labels choose among particles; ignored: the forests `.i` of the paper";
    // Online forests do not see the rows to be predicted.
    "prediction": Rule::Words(&["transductive", "inductive"]), "inductive",
        "transductive: rows to be predicted are cut along with the others, without labels (the paper)";
    "weights": Rule::Or(&Rule::NUMBERS, &[EQUAL]), EQUAL, "weight of each feature, separated by `/`";
};

/// All but the last.
const UNWEIGHTED: &[Parameter] = PARAMETERS.split_at(PARAMETERS.len() - 1).0;

impl Fields {
    fn of(v: &mut Values) -> Self {
        Self {
            particles: v.get("particles"),
            budget: v.get("budget"),
            weights: if v.knows(WEIGHTS) {
                v.list(WEIGHTS, EQUAL)
            } else {
                Vec::new()
            },
            rates: v.one_of(
                "rates",
                &[("exact", Rates::Exact), ("ball", Rates::BallAsPrinted)],
            ),
            uses_labels: v.is("likelihood", "used"),
            is_transductive: v.is("prediction", "transductive"),
        }
    }

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
    values: &mut Values,
    cuts: fn(&[f64]) -> D::Settings,
) -> Box<dyn BatchLearner<Classification>> {
    Box::new(TessellationForest::<D> {
        fields: Fields::of(values),
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
        let read = |text: &str| Fields::of(&mut Values::read("forest", PARAMETERS, text).unwrap());
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
        assert!(read(given).is_transductive && !read("").is_transductive);
        let settings = read("likelihood=ignored,weights=2/1").settings(axis_weights);
        assert_eq!(settings.inference, Inference::Prior);
        assert_eq!(settings.cuts, AxisWeights::Given(vec![2.0, 1.0]));
        assert_eq!(read("").settings(axis_weights), BatchSettings::default());
    }
}
