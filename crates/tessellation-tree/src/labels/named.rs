//! Label models by name: their parameters, and the forests that a distribution of cuts makes with them.

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{Built, WINDOW};
use forest_core::{Classification, Forest, ForestSettings, Regression, Schema, SettingError, Vote};

use crate::{
    AggregatedClasses, AggregatedMeans, BranchCounts, ClassAggregation, ClassFrequencies,
    Combination, CutDistribution, Dirichlet, FirstLoss, GaussianSettings, HyperparameterRule,
    KneserNeySettings, LabelModel, LabelSettings, LeafMeans, MeanAggregation, StepSize,
    TessellationSettings, TessellationTree,
};

/// The word for the model of a leaf's own labels.
pub const EMPIRICAL: &str = "empirical";

/// The word for mixtures of all prunings.
pub const AGGREGATED: &str = "aggregated";

/// The word for smoothing along the path.
pub const HIERARCHICAL: &str = "hierarchical";

/// `labels`, which chooses a label model.
pub const LABELS: Parameter = Parameter::new(
    "labels",
    Rule::Words(&[EMPIRICAL, AGGREGATED]),
    EMPIRICAL,
    "how a tree predicts: by its leaf, or by all its prunings, weighted by their losses",
);

/// `labels` of axis-aligned cuts.
pub const AXIS_LABELS: Parameter = Parameter::new(
    "labels",
    Rule::Words(&[EMPIRICAL, AGGREGATED, HIERARCHICAL]),
    EMPIRICAL,
    "how a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path",
);

/// `window` of models that can forget.
pub const LABELS_WINDOW: Parameter = WINDOW.beside("labels", &[EMPIRICAL, HIERARCHICAL]);

/// The parameters of mixtures of all prunings; η is that of classes and that of numbers.
pub const AGGREGATION: [Parameter; 4] = Parameter::all_beside(
    forest_core::parameters! {
        "step": Rule::POSITIVE, "1", "step size of the weights (η): a pruning with losses L weighs exp(−η·L)", for Classification;
        "step": Rule::Or(&Rule::POSITIVE, &[BY_ERRORS]), BY_ERRORS,
            "step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the targets, for numbers alone; 1 is the default for classes",
            for Regression;
        "first_loss": Rule::Or(&Rule::SHARE, &[BY_FEATURES]), BY_FEATURES,
            "share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features: 1/d for d features";
        "dirichlet": Rule::Or(&Rule::POSITIVE, &[BY_CLASSES]), BY_CLASSES,
            "added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more", for Classification;
    },
    "labels",
    &[AGGREGATED],
);

const BY_ERRORS: &str = "by-errors";
const BY_FEATURES: &str = "by-features";
const BY_CLASSES: &str = "by-classes";

/// The parameters of smoothing along the path: two of classes and two of numbers.
pub const SMOOTHING: [Parameter; 4] = Parameter::all_beside(
    forest_core::parameters! {
        // The paper's γ = 10·D.
        "discount": Rule::NUMBER, "10",
            "how fast a node forgets its parent's class probabilities (γ), as a multiple of the number of features",
            for Classification;
        "branch_counts": Rule::Words(&["tables", "customers"]), "tables",
            "what a branch counts of the node it is put above: its classes, or, as the authors' code, its customers",
            for Classification;
        "hyperparameters": Rule::Words(&["leave-one-out", "evidence", "paper"]), "leave-one-out",
            "noise and slope: as in the paper, with the most evidence, or the latter with variances scaled to leave-one-out errors",
            for Regression;
        "variance": Rule::Words(&["of-mean", "mixture"]), "of-mean",
            "variance of a prediction: the expected squared error of the mean of the trees, or that of the paper's mixture of trees",
            for Regression;
    },
    "labels",
    &[HIERARCHICAL],
);

/// Makes a forest that learns classes, with the label model that `labels` chooses among those of all cuts.
///
/// # Errors
/// The setting that breaks its rule.
pub fn classifier<D: CutDistribution>(
    v: &mut Values,
    schema: Schema<Classification>,
    settings: ForestSettings,
) -> Built<Classification> {
    if v.is(LABELS.name, AGGREGATED) {
        return forest::<D, AggregatedClasses>(v, schema, settings);
    }
    forest::<D, ClassFrequencies>(v, schema, settings)
}

/// Makes a forest that learns numbers, as [`classifier`] does for classes.
///
/// # Errors
/// The setting that breaks its rule.
pub fn regressor<D: CutDistribution>(
    v: &mut Values,
    schema: Schema<Regression>,
    settings: ForestSettings,
) -> Built<Regression> {
    if v.is(LABELS.name, AGGREGATED) {
        return forest::<D, AggregatedMeans>(v, schema, settings);
    }
    forest::<D, LeafMeans>(v, schema, settings)
}

/// Makes a forest with label model `L`, and with the window that is asked for if that can forget.
///
/// # Errors
/// The setting that breaks its rule.
pub fn forest<D: CutDistribution, L: LabelModel>(
    v: &mut Values,
    schema: Schema<L::Task>,
    settings: ForestSettings,
) -> Built<L::Task> {
    let forest = if L::FORGETS {
        v.window(settings)
    } else {
        settings
    };
    let settings = TessellationSettings::of(v, schema.features());
    let built = Forest::<TessellationTree<D, L>>::new(schema, settings, forest)?;
    Ok(Box::new(built))
}

impl LabelSettings for () {}

impl LabelSettings for Vote {
    fn of(v: &mut Values) -> Self {
        v.vote()
    }
}

impl LabelSettings for ClassAggregation {
    fn of(v: &mut Values) -> Self {
        let added = v.unless("dirichlet", BY_CLASSES);
        Self {
            vote: v.vote(),
            step: v.get("step"),
            first_loss: first_loss(v),
            dirichlet: added.map_or(Dirichlet::ByClasses, Dirichlet::Fixed),
        }
    }

    fn check(&self) -> Result<(), SettingError> {
        check(&AGGREGATION, "step", self.step)?;
        if let FirstLoss::Share(share) = self.first_loss {
            check(&AGGREGATION, "first_loss", share)?;
        }
        match self.dirichlet {
            Dirichlet::ByClasses => Ok(()),
            Dirichlet::Fixed(added) => check(&AGGREGATION, "dirichlet", added),
        }
    }
}

impl Default for ClassAggregation {
    fn default() -> Self {
        Self::of(&mut Values::defaults(&AGGREGATION))
    }
}

impl LabelSettings for MeanAggregation {
    fn of(v: &mut Values) -> Self {
        let step = v.text("step").parse();
        Self {
            step: step.map_or(StepSize::ByErrors, StepSize::Fixed),
            first_loss: first_loss(v),
        }
    }

    fn check(&self) -> Result<(), SettingError> {
        if let FirstLoss::Share(share) = self.first_loss {
            check(&AGGREGATION, "first_loss", share)?;
        }
        match self.step {
            StepSize::ByErrors => Ok(()),
            StepSize::Fixed(step) => check(&AGGREGATION, "step", step),
        }
    }
}

impl Default for MeanAggregation {
    fn default() -> Self {
        Self::of(&mut Values::defaults(&AGGREGATION[1..]))
    }
}

fn first_loss(v: &mut Values) -> FirstLoss {
    let share = v.unless("first_loss", BY_FEATURES);
    share.map_or(FirstLoss::ByFeatures, FirstLoss::Share)
}

impl LabelSettings for KneserNeySettings {
    fn of(v: &mut Values) -> Self {
        let of_branch = [
            ("tables", BranchCounts::Tables),
            ("customers", BranchCounts::Customers),
        ];
        Self {
            vote: v.vote(),
            discount: v.get("discount"),
            branch_counts: v.one_of("branch_counts", &of_branch),
        }
    }

    fn check(&self) -> Result<(), SettingError> {
        check(&SMOOTHING, "discount", self.discount)
    }
}

impl Default for KneserNeySettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(&SMOOTHING))
    }
}

impl LabelSettings for GaussianSettings {
    fn of(v: &mut Values) -> Self {
        let combinations = [
            ("of-mean", Combination::OfMean),
            ("mixture", Combination::Mixture),
        ];
        Self {
            hyperparameters: match v.text("hyperparameters").as_str() {
                "paper" => HyperparameterRule::Paper,
                "evidence" => HyperparameterRule::Evidence,
                _ => HyperparameterRule::LeaveOneOut,
            },
            combination: v.one_of("variance", &combinations),
        }
    }
}

impl Default for GaussianSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(&SMOOTHING))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_label_models_are_in_their_range() {
        let classes = |step, share, added| ClassAggregation {
            step,
            first_loss: FirstLoss::Share(share),
            dirichlet: Dirichlet::Fixed(added),
            ..ClassAggregation::default()
        };
        assert!(
            classes(0.1, 0.0, 0.5).check().is_ok() && ClassAggregation::default().check().is_ok()
        );
        for broken in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            let step = StepSize::Fixed(broken);
            let means = MeanAggregation {
                step,
                ..MeanAggregation::default()
            };
            assert!(means.check().is_err() && classes(broken, 0.0, 0.5).check().is_err());
            assert!(classes(0.1, 0.0, broken).check().is_err());
        }
        assert!(classes(0.1, 1.1, 0.5).check().is_err());
        for (discount, holds) in [(0.0, true), (-0.1, false), (f64::INFINITY, false)] {
            let settings = KneserNeySettings {
                discount,
                ..KneserNeySettings::default()
            };
            assert_eq!(settings.check().is_ok(), holds, "{discount}");
        }
    }
}
