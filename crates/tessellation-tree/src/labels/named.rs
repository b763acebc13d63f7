//! Label models by name: their parameters, and the rows of the table that a distribution of cuts makes with them.

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{Declared, Kind, NamedTask, Selector, VOTE, VOTES, settings};
use forest_core::{Classification, Forest, Regression};

use crate::{
    AggregatedClasses, AggregatedMeans, ClassAggregation, ClassFrequencies, CutDistribution,
    Dirichlet, FirstLoss, GaussianHierarchy, INCREASING, KneserNey, LabelModel, LeafMeans,
    MeanAggregation, StepSize, TessellationSettings, TessellationTree,
};

/// The forests with cuts `D` that a row makes: of each label model, and with each kind of budget.
#[derive(Debug)]
pub struct Tessellation<D: CutDistribution<Settings: Declared> + 'static> {
    /// The label model by its word, if there is only one.
    pub only: Option<&'static str>,
    /// `budget`, with the default of the row.
    pub budget: Parameter,
    /// What a budget that grows depends on; empty if the row has fixed budgets only.
    pub schedule: &'static [Parameter],
    /// The other parameters, in groups; those of the label model come last.
    pub parameters: &'static [&'static [Parameter]],
    /// Returns the settings to start from with a fixed budget, for points of this number of features.
    pub fixed: Start<D>,
    /// Returns those with a budget that grows.
    pub increasing: Start<D>,
}

/// The settings that a row starts from, for points of a number of features.
pub type Start<D> = fn(usize) -> TessellationSettings<<D as CutDistribution>::Settings, ()>;

impl<D: CutDistribution<Settings: Declared> + 'static> Tessellation<D> {
    /// Returns the kinds of forests that learn classes.
    pub fn classifiers(&'static self) -> Vec<Kind<Classification>> {
        self.chosen(Self::of_classes())
    }

    /// Returns the kinds of forests that learn numbers.
    pub fn regressors(&'static self) -> Vec<Kind<Regression>> {
        self.chosen(Self::of_numbers())
    }

    /// Returns the kinds of forests of axis-aligned cuts that learn classes.
    pub fn axis_aligned_classifiers(&'static self) -> Vec<Kind<Classification>> {
        let [leaf, prunings] = Self::of_classes();
        self.chosen([leaf, prunings, (HIERARCHICAL, Self::kinds::<KneserNey>)])
    }

    /// Returns the kinds of forests of axis-aligned cuts that learn numbers.
    pub fn axis_aligned_regressors(&'static self) -> Vec<Kind<Regression>> {
        let [leaf, prunings] = Self::of_numbers();
        self.chosen([
            leaf,
            prunings,
            (HIERARCHICAL, Self::kinds::<GaussianHierarchy>),
        ])
    }

    fn of_classes() -> [Model<D, Classification>; 2] {
        [
            (EMPIRICAL, Self::kinds::<ClassFrequencies>),
            (AGGREGATED, Self::kinds::<AggregatedClasses>),
        ]
    }

    fn of_numbers() -> [Model<D, Regression>; 2] {
        [
            (EMPIRICAL, Self::kinds::<LeafMeans>),
            (AGGREGATED, Self::kinds::<AggregatedMeans>),
        ]
    }

    fn chosen<T: NamedTask, const N: usize>(
        &'static self,
        models: [Model<D, T>; N],
    ) -> Vec<Kind<T>> {
        let models = models.into_iter();
        let chosen = models.filter(|(word, _)| self.only.is_none_or(|only| only == *word));
        chosen.flat_map(|(word, kinds)| kinds(self, word)).collect()
    }

    /// Returns the kinds with one label model: with a fixed budget and, if the row has one, with a schedule.
    fn kinds<L: LabelModel<Settings: Declared> + 'static>(
        &'static self,
        word: &'static str,
    ) -> Vec<Kind<L::Task>> {
        let fixed = Selector::number(&self.budget);
        if self.schedule.is_empty() {
            return vec![self.kind::<L>(word, None, self.fixed)];
        }
        vec![
            self.kind::<L>(word, Some(fixed), self.fixed),
            self.kind::<L>(
                word,
                Some(Selector::word(&self.budget, INCREASING)),
                self.increasing,
            ),
        ]
    }

    fn kind<L: LabelModel<Settings: Declared> + 'static>(
        &'static self,
        word: &'static str,
        budget: Option<Selector>,
        start: Start<D>,
    ) -> Kind<L::Task> {
        let grows = budget.is_some_and(|budget| budget.is_chosen_by(INCREASING));
        let schedule = self.schedule.iter().filter(|_| grows);
        let others = self.parameters.iter().copied().flatten();
        let own = [&self.budget].into_iter().chain(schedule).chain(others);
        let is_new = |model: &&Parameter| own.clone().all(|known| known.name != model.name);
        let of_model = L::Settings::parameters().into_iter().filter(is_new);
        let labels = self.only.is_none().then(|| Selector::word(&LABELS, word));
        Kind::new::<Forest<TessellationTree<D, L>>>(
            labels.into_iter().chain(budget),
            own.clone().chain(of_model),
            move |features| start(features).with_labels(L::Settings::default()),
        )
    }
}

/// A label model by its word, and the kinds with it.
type Model<D, T> = (
    &'static str,
    fn(&'static Tessellation<D>, &'static str) -> Vec<Kind<T>>,
);

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

const FIRST_LOSS: Parameter = Parameter::new(
    "first_loss",
    Rule::Or(&Rule::SHARE, &[BY_FEATURES]),
    BY_FEATURES,
    "share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features: 1/d for d features",
);

const BY_FEATURES: &str = "by-features";

settings! {
    ClassAggregation {
        vote: VOTE, VOTES;
        step: Parameter::new("step", Rule::POSITIVE, "1",
            "step size of the weights (η): a pruning with losses L weighs exp(−η·L)");
        first_loss: FIRST_LOSS, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share;
        dirichlet: Parameter::new("dirichlet", Rule::Or(&Rule::POSITIVE, &[BY_CLASSES]), BY_CLASSES,
            "added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more"),
            BY_CLASSES => Dirichlet::ByClasses, Dirichlet::Fixed;
    }
}

const BY_CLASSES: &str = "by-classes";

settings! {
    MeanAggregation {
        step: Parameter::new("step", Rule::Or(&Rule::POSITIVE, &[BY_ERRORS]), "1 or by-errors",
            "step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the targets, for numbers alone; 1 is the default for classes"),
            BY_ERRORS => StepSize::ByErrors, StepSize::Fixed;
        first_loss: FIRST_LOSS, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share;
    }
}

const BY_ERRORS: &str = "by-errors";
