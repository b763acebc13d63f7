//! Random tessellation forests: cuts of any direction.

use forest_core::Vote;
use random_tessellation::{
    DirectionCuts, DirectionSettings, FeatureWeights, SparseCuts, SparseSettings, UniformCuts,
    WeightedCuts,
};
use tessellation_tree::{CutSettings, LabelModel, TessellationSettings, TessellationTree};

use super::tessellation::{self, BUDGET, MIN_POINTS, PAUSE, UPDATE, VOTE, VoteSettings, WINDOW};
use crate::configuration::{Configuration, Role};
use crate::named::NamedTree;
use crate::parameter::{Parameter, Rule, Tasks};
use crate::{Algorithm, AnyClassifier, AnyRegressor};

const PAPER: &str = "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019";

pub(crate) static URTF: Configuration = Configuration {
    name: "urtf",
    description: "cuts of every direction alike, up to a fixed budget; the online tree has the batch law",
    paper: PAPER,
    role: Role::Forest,
    parameters: &[BUDGET, MIN_POINTS, PAUSE, UPDATE, VOTE, WINDOW],
    classification: Some(|algorithm, context| {
        let settings = TessellationSettings::default();
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Uniform)
    }),
    regression: Some(|algorithm, context| {
        let settings = TessellationSettings::default();
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Uniform)
    }),
};

pub(crate) static WURTF: Configuration = Configuration {
    name: "wurtf",
    description: "cuts whose normals are weighted by feature, up to a fixed budget",
    paper: PAPER,
    role: Role::Forest,
    parameters: &[BUDGET, MIN_POINTS, PAUSE, UPDATE, VOTE, WINDOW, WEIGHTS],
    classification: Some(|algorithm, context| {
        let settings = with_cuts(weights(algorithm));
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Weighted)
    }),
    regression: Some(|algorithm, context| {
        let settings = with_cuts(weights(algorithm));
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Weighted)
    }),
};

pub(crate) static SPARSE: Configuration = Configuration {
    name: "sparse",
    description: "cuts of every direction alike among a few random features",
    paper: PAPER,
    role: Role::Forest,
    parameters: &[
        BUDGET,
        MIN_POINTS,
        PAUSE,
        UPDATE,
        VOTE,
        WINDOW,
        FEATURES_OF_A_CUT,
    ],
    classification: Some(|algorithm, context| {
        let settings = with_cuts(sparse(algorithm));
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Sparse)
    }),
    regression: Some(|algorithm, context| {
        let settings = with_cuts(sparse(algorithm));
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Sparse)
    }),
};

pub(crate) static DIRECTIONS: Configuration = Configuration {
    name: "directions",
    description: "cuts along a finite set of directions that each tree draws for itself",
    paper: PAPER,
    role: Role::Forest,
    parameters: &[
        BUDGET,
        MIN_POINTS,
        PAUSE,
        UPDATE,
        VOTE,
        WINDOW,
        COUNT,
        FEATURES_OF_A_DIRECTION,
    ],
    classification: Some(|algorithm, context| {
        let settings = with_cuts(directions(algorithm));
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyClassifier::Directions)
    }),
    regression: Some(|algorithm, context| {
        let settings = with_cuts(directions(algorithm));
        let forest = tessellation::forest(algorithm, context, settings, Vote::Frequencies);
        forest.map(AnyRegressor::Directions)
    }),
};

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    default: "equal",
    meaning: "weight of each feature, separated by `/`: the standard deviation of a normal's entry",
    rule: Rule::NumbersOr("equal"),
    tasks: Tasks::Both,
};

const FEATURES_OF_A_CUT: Parameter = Parameter {
    name: "features",
    default: "3",
    meaning: "features that a cut reads; 1: axis-aligned, 2: pairs of axes",
    rule: Rule::Count(1),
    tasks: Tasks::Both,
};

const COUNT: Parameter = Parameter {
    name: "directions",
    default: "50",
    meaning: "directions of a tree",
    rule: Rule::Count(1),
    tasks: Tasks::Both,
};

const FEATURES_OF_A_DIRECTION: Parameter = Parameter {
    name: "features",
    default: "all",
    meaning: "features that a direction reads, chosen at random",
    rule: Rule::CountOr(1, "all"),
    tasks: Tasks::Both,
};

fn with_cuts<C: CutSettings, L: VoteSettings>(cuts: C) -> TessellationSettings<C, L> {
    TessellationSettings {
        cuts,
        ..TessellationSettings::default()
    }
}

fn weights(algorithm: &Algorithm) -> FeatureWeights {
    let given = algorithm
        .text(WEIGHTS.name)
        .filter(|text| *text != WEIGHTS.default);
    let numbers = given.into_iter().flat_map(|text| text.split('/'));
    FeatureWeights(numbers.filter_map(|number| number.parse().ok()).collect())
}

fn weights_text(FeatureWeights(weights): &FeatureWeights) -> String {
    if weights.is_empty() {
        return WEIGHTS.default.to_string();
    }
    let numbers: Vec<String> = weights.iter().map(f64::to_string).collect();
    numbers.join("/")
}

fn sparse(algorithm: &Algorithm) -> SparseSettings {
    let SparseSettings { features } = SparseSettings::default();
    SparseSettings {
        features: algorithm.value(FEATURES_OF_A_CUT.name, features),
    }
}

fn directions(algorithm: &Algorithm) -> DirectionSettings {
    let default = DirectionSettings::default();
    let features = algorithm.text(FEATURES_OF_A_DIRECTION.name);
    DirectionSettings {
        directions: algorithm.value(COUNT.name, default.directions),
        features: features.and_then(|text| text.parse().ok()).unwrap_or(0),
    }
}

impl<L: LabelModel<Settings: VoteSettings>> NamedTree for TessellationTree<UniformCuts, L> {
    fn algorithm(settings: &TessellationSettings<(), L::Settings>, window: String) -> Algorithm {
        tessellation::stated::<L::Task, _, _>(&URTF, settings, [(WINDOW.name, window)])
    }
}

impl<L: LabelModel<Settings: VoteSettings>> NamedTree for TessellationTree<WeightedCuts, L> {
    fn algorithm(
        settings: &TessellationSettings<FeatureWeights, L::Settings>,
        window: String,
    ) -> Algorithm {
        let own = [
            (WINDOW.name, window),
            (WEIGHTS.name, weights_text(&settings.cuts)),
        ];
        tessellation::stated::<L::Task, _, _>(&WURTF, settings, own)
    }
}

impl<L: LabelModel<Settings: VoteSettings>> NamedTree for TessellationTree<SparseCuts, L> {
    fn algorithm(
        settings: &TessellationSettings<SparseSettings, L::Settings>,
        window: String,
    ) -> Algorithm {
        let own = [
            (WINDOW.name, window),
            (FEATURES_OF_A_CUT.name, settings.cuts.features.to_string()),
        ];
        tessellation::stated::<L::Task, _, _>(&SPARSE, settings, own)
    }
}

impl<L: LabelModel<Settings: VoteSettings>> NamedTree for TessellationTree<DirectionCuts, L> {
    fn algorithm(
        settings: &TessellationSettings<DirectionSettings, L::Settings>,
        window: String,
    ) -> Algorithm {
        let DirectionSettings {
            directions,
            features,
        } = settings.cuts;
        let features = match features {
            0 => FEATURES_OF_A_DIRECTION.default.to_string(),
            some => some.to_string(),
        };
        let own = [
            (WINDOW.name, window),
            (COUNT.name, directions.to_string()),
            (FEATURES_OF_A_DIRECTION.name, features),
        ];
        tessellation::stated::<L::Task, _, _>(&DIRECTIONS, settings, own)
    }
}
