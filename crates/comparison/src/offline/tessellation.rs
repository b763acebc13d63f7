//! The batch random tessellation forests of Ge et al.

use std::marker::PhantomData;

use forest_core::parameters::{Parameter, Rule, Values};
use forest_core::{Classification, ForestSettings, InputError};
use mondrian::AxisCuts;
use ndarray::{Array2, ArrayView2};
use random_tessellation::LinearCuts;
use random_tessellation::batch::{self, BatchForest, BatchSettings, Inference, Rates};
use tessellation_tree::{CutDistribution, CutSettings};

use super::{BatchLearner, FitError, Fitted, Make, OfflineRow, Training};
use crate::record::WEIGHTS;

pub(super) static FORESTS: [OfflineRow; 4] = [
    row(
        "batch-urtf",
        "cuts of all directions equally likely, chosen among particles by their labels",
        UNWEIGHTED,
        learner::<LinearCuts>,
    ),
    row(
        "batch-wurtf",
        "cuts whose normals are weighted by feature, chosen among particles by their labels",
        PARAMETERS,
        learner::<LinearCuts>,
    ),
    row(
        "batch-mrtf",
        "axis-aligned cuts, chosen among particles by their labels",
        UNWEIGHTED,
        learner::<AxisCuts>,
    ),
    row(
        "batch-wmrtf",
        "axis-aligned cuts of weighted features, chosen among particles by their labels",
        PARAMETERS,
        learner::<AxisCuts>,
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

struct TessellationForest<D: CutDistribution> {
    settings: BatchSettings,
    is_transductive: bool,
    cuts: PhantomData<fn() -> D>,
}

struct Votes<D: CutDistribution>(BatchForest<D>);

fn learner<D: CutDistribution>(v: &mut Values) -> Box<dyn BatchLearner<Classification>> {
    Box::new(TessellationForest::<D> {
        settings: settings(v),
        is_transductive: v.is("prediction", "transductive"),
        cuts: PhantomData,
    })
}

fn settings(v: &mut Values) -> BatchSettings {
    let particles = v.get("particles");
    let mut cuts = CutSettings::default();
    if v.knows(WEIGHTS) {
        cuts.weights = Some(v.list(WEIGHTS, EQUAL));
    }
    BatchSettings {
        cuts,
        budget: v.get("budget"),
        inference: if v.is("likelihood", "used") {
            Inference::MonteCarlo { particles }
        } else {
            Inference::Prior
        },
        rates: v.one_of(
            "rates",
            &[("exact", Rates::Exact), ("ball", Rates::BallAsPrinted)],
        ),
        ..BatchSettings::default()
    }
}

impl<D: CutDistribution> BatchLearner<Classification> for TessellationForest<D> {
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
        let schema = training.schema;
        let forest = BatchForest::<D>::fit(schema, samples, &self.settings, settings, |_| ())?;
        Ok(Box::new(Votes(forest)))
    }

    fn is_transductive(&self) -> bool {
        self.is_transductive
    }
}

impl<D: CutDistribution> Fitted for Votes<D> {
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
        let read = |known: &[Parameter], text: &str| {
            settings(&mut Values::read("forest", known, text).unwrap())
        };
        let given = read(PARAMETERS, "weights=1/0.5,rates=ball,budget=3,particles=7");
        assert_eq!(given.cuts, CutSettings::weighted(&[1.0, 0.5]));
        assert_eq!((given.budget, given.rates), (3.0, Rates::BallAsPrinted));
        assert_eq!(given.inference, Inference::MonteCarlo { particles: 7 });
        assert_eq!(
            read(PARAMETERS, "likelihood=ignored").inference,
            Inference::Prior
        );
        assert_eq!(read(UNWEIGHTED, ""), BatchSettings::default());
    }
}
