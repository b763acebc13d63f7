//! Mondrian forests by name.

use registry::{Configuration, Entry, Role, learner};
use tessellation_tree::{Budget, NamedCuts, NamedLabels, Plan, TessellationFields};

use crate::{AxisCuts, BUDGET_SCALE, MondrianClassifier, MondrianRegressor, fixed, increasing};

/// `mondrian`: a fixed budget.
pub static MONDRIAN: Entry = Entry {
    name: "mondrian",
    description: "axis-aligned cuts up to a fixed budget; the online tree has the batch law",
    paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
            NIPS 2014",
    role: Role::Forest,
    classification: Some(learner::<MondrianClassifier>()),
    regression: Some(learner::<MondrianRegressor>()),
};

/// `mondrian-increasing`: a budget that grows.
pub static MONDRIAN_INCREASING: Entry = Entry {
    name: "mondrian-increasing",
    description: "axis-aligned cuts up to a budget that grows with the number of samples",
    paper: "Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online \
            Mondrian Forests, NIPS 2017",
    role: Role::Forest,
    classification: Some(learner::<MondrianClassifier>()),
    regression: Some(learner::<MondrianRegressor>()),
};

impl NamedCuts for AxisCuts {
    fn configurations<L: NamedLabels>() -> &'static [Configuration<Plan<Self, L>>] {
        type Fields<L> = TessellationFields<AxisCuts, L>;
        const {
            &[
                Configuration {
                    entry: &MONDRIAN,
                    default: |_| Plan::new(fixed(f64::INFINITY)),
                    includes: |plan| matches!(plan.trees.budget, Budget::Fixed(_)),
                    fields: &[
                        &[
                            Fields::<L>::BUDGET,
                            Fields::<L>::MIN_POINTS,
                            // The 2014 forest pauses leaves whose labels agree.
                            Fields::<L>::PAUSE.with_default("pure"),
                            Fields::<L>::UPDATE,
                        ],
                        Fields::<L>::VOTE,
                        &[Fields::<L>::WINDOW, Fields::<L>::MAX_NODES],
                    ],
                },
                Configuration {
                    entry: &MONDRIAN_INCREASING,
                    default: |features| Plan::new(increasing(BUDGET_SCALE, features)),
                    includes: |plan| matches!(plan.trees.budget, Budget::Schedule { .. }),
                    fields: &[
                        &[
                            Fields::<L>::BUDGET_SCALE,
                            Fields::<L>::BUDGET_POWER,
                            Fields::<L>::MIN_POINTS,
                            Fields::<L>::PAUSE,
                            Fields::<L>::UPDATE,
                        ],
                        Fields::<L>::VOTE,
                        &[Fields::<L>::WINDOW, Fields::<L>::MAX_NODES],
                    ],
                },
            ]
        }
    }
}
