//! Rows of the table of algorithms: which forests a distribution of cuts makes, of each label model.

use crate::{CutDistribution, INCREASING, LabelModel, TessellationSettings, TessellationTree};
use forest_core::parameters::Parameter;
use forest_core::registry::{Declared, Kind, NamedTask, Selector};
use forest_core::{Classification, Forest, Regression};

use crate::labels::declared::{AGGREGATED, EMPIRICAL, HIERARCHICAL, LABELS};
use crate::{
    AggregatedClasses, AggregatedMeans, ClassFrequencies, GaussianHierarchy, KneserNey, LeafMeans,
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
