//! Label models by name.

use forest_core::{Classification, Forget, Regression, Vote};
use registry::parameters::{Field, Parameter, Rule, field};
use registry::{ByWord, Maker, NamedTask, learner};

use crate::named::{ForestOf, NamedBranching, NamedCuts, NamedLabels, Plan};
use crate::{
    AggregatedClasses, AggregatedMeans, ClassFrequencies, Dirichlet, FirstLoss, GaussianHierarchy,
    KneserNey, LabelModel, LeafMeans, StepSize,
};

/// A task with a label model for every word.
pub trait LabelledTask: NamedTask {
    /// `empirical`
    type Empirical: LabelModel<Task = Self>;
    /// `aggregated`
    type Aggregated: LabelModel<Task = Self>;
    /// `hierarchical`, where points branch off as `B` tells.
    type Hierarchical<B: NamedBranching>: LabelModel<Task = Self>;
}

impl LabelledTask for Classification {
    type Empirical = ClassFrequencies;
    type Aggregated = AggregatedClasses;
    type Hierarchical<B: NamedBranching> = KneserNey<B>;
}

impl LabelledTask for Regression {
    type Empirical = LeafMeans;
    type Aggregated = AggregatedMeans;
    type Hierarchical<B: NamedBranching> = GaussianHierarchy<B>;
}

const AGGREGATED: &str = "aggregated";

const EMPIRICAL: &str = "empirical";

pub(crate) const HIERARCHICAL: &str = "hierarchical";

/// The parameter that chooses a label model.
pub const LABELS: Parameter = Parameter::new(
    "labels",
    Rule::Words(&[EMPIRICAL, AGGREGATED, HIERARCHICAL]),
    EMPIRICAL,
    "how a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path",
);

/// The learners with cuts `D` and each label model.
pub const fn by_labels<D: NamedCuts, T: LabelledTask>() -> &'static ByWord<T>
where
    T::Empirical: NamedLabels<D>,
    T::Aggregated: NamedLabels<D>,
    T::Hierarchical<D::Branching>: NamedLabels<D>,
{
    const {
        &ByWord {
            parameter: &LABELS,
            makers: &[
                (EMPIRICAL, learner::<ForestOf<D, T::Empirical>>()),
                (AGGREGATED, learner::<ForestOf<D, T::Aggregated>>()),
                (
                    HIERARCHICAL,
                    learner::<ForestOf<D, T::Hierarchical<D::Branching>>>(),
                ),
            ],
        }
    }
}

/// The learners with cuts `D` that mix all prunings.
pub const fn aggregated<D: NamedCuts, T: LabelledTask>() -> &'static dyn Maker<T>
where
    T::Aggregated: NamedLabels<D>,
{
    learner::<ForestOf<D, T::Aggregated>>()
}

impl<D: NamedCuts> NamedLabels<D> for ClassFrequencies {
    const WORD: &'static str = EMPIRICAL;

    fn vote(settings: &Vote) -> Vote {
        *settings
    }

    fn set_vote(settings: &mut Vote, vote: Vote) {
        *settings = vote;
    }

    fn as_forget_mut(forest: &mut ForestOf<D, Self>) -> Option<&mut dyn Forget<Task = Self::Task>> {
        Some(forest)
    }
}

impl<D: NamedCuts> NamedLabels<D> for LeafMeans {
    const WORD: &'static str = EMPIRICAL;

    fn as_forget_mut(forest: &mut ForestOf<D, Self>) -> Option<&mut dyn Forget<Task = Self::Task>> {
        Some(forest)
    }
}

const STEP: Parameter = Parameter::new(
    "step",
    Rule::Number,
    "1",
    "step size of the weights (η): a pruning with losses L weighs exp(−η·L)",
);

const FIRST_LOSS: Parameter = Parameter::new(
    "first_loss",
    Rule::NumberOr(BY_FEATURES),
    BY_FEATURES,
    "share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features: 1/d for d features",
);

const BY_FEATURES: &str = "by-features";

impl<D: NamedCuts> NamedLabels<D> for AggregatedClasses {
    const WORD: &'static str = AGGREGATED;

    const IS_AGGREGATED: bool = true;

    const FIELDS: &'static [Field<Plan<D, Self>>] = &[
        field!(STEP, plan => plan.trees.labels.step),
        field!(FIRST_LOSS, plan => plan.trees.labels.first_loss, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share),
        field!(
            Parameter::new("dirichlet", Rule::NumberOr(BY_CLASSES), BY_CLASSES,
                "added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more"),
            plan => plan.trees.labels.dirichlet, BY_CLASSES => Dirichlet::ByClasses, Dirichlet::Fixed
        ),
    ];

    fn vote(settings: &Self::Settings) -> Vote {
        settings.vote
    }

    fn set_vote(settings: &mut Self::Settings, vote: Vote) {
        settings.vote = vote;
    }
}

const BY_CLASSES: &str = "by-classes";

impl<D: NamedCuts> NamedLabels<D> for AggregatedMeans {
    const WORD: &'static str = AGGREGATED;

    const IS_AGGREGATED: bool = true;

    const FIELDS: &'static [Field<Plan<D, Self>>] = &[
        field!(
            Parameter::new("step", Rule::NumberOr(BY_ERRORS), "1 or by-errors",
                "step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the targets, for numbers alone; 1 is the default for classes"),
            plan => plan.trees.labels.step, BY_ERRORS => StepSize::ByErrors, StepSize::Fixed
        ),
        field!(FIRST_LOSS, plan => plan.trees.labels.first_loss, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share),
    ];
}

const BY_ERRORS: &str = "by-errors";
