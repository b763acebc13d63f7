//! The forest by name.

use forest_core::ndarray::ArrayView2;
use forest_core::registry::{
    Capabilities, Declared, Entry, Kind, NamedTask, NamedTree, Role, WINDOW,
};
use forest_core::{Classification, Forest, InputError, LearnWeighted, Proceed, Regression, Widen};

use crate::{DynamicSettings, DynamicTree, Labels};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[DYNAMIC_EXTRA_TREES];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `dynamic-extra-trees`: trees that are a function of the samples they hold.
pub const DYNAMIC_EXTRA_TREES: &Entry = &Entry {
    name: "dynamic-extra-trees",
    description: "extra trees kept up to date as samples arrive and leave: exactly the trees that a batch build would give, or nearly",
    paper: "ours, after Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    limits: &[],
    role: Role::Forest,
    trees: 100,
    aliases: &[],
    classification: Some(classifiers),
    regression: Some(regressors),
};

fn classifiers() -> Vec<Kind<Classification>> {
    kinds()
}

fn regressors() -> Vec<Kind<Regression>> {
    kinds()
}

fn kinds<T: Labels + NamedTask>() -> Vec<Kind<T>> {
    let parameters = DynamicSettings::parameters().into_iter().chain([&WINDOW]);
    let start = |_| DynamicSettings::default();
    vec![Kind::new::<Forest<DynamicTree<T>>>([], parameters, start)]
}

impl<T: Labels + NamedTask> NamedTree for DynamicTree<T> {
    fn rows() -> &'static [&'static Entry] {
        &[DYNAMIC_EXTRA_TREES]
    }

    fn fit_at_once(
        forest: &mut Forest<Self>,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        forest.fit_at_once(features, targets, weights, proceed)
    }

    fn as_weighted_mut(forest: &mut Forest<Self>) -> Option<&mut dyn LearnWeighted<Task = T>> {
        Some(forest)
    }

    fn as_widen_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Widen<Task = T>> {
        Some(forest)
    }

    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        Capabilities {
            explain: Some(forest),
            ..Capabilities::default()
        }
    }
}
