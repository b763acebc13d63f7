//! Tessellation forests by name: settings from values of parameters, and forests of any distribution of cuts.

use forest_core::parameters::Values;
use forest_core::registry::{Built, MAX_NODES, UNLIMITED};
use forest_core::{Forest, ForestSettings, Schema};

use crate::parameters::{
    AGGREGATED, BUDGET, BUDGET_SCALE, BY_CLASSES, BY_ERRORS, BY_FEATURES, HIERARCHICAL, INCREASING,
    LABELS, MIN_POINTS, PAUSE, RATE, UPDATE,
};
use crate::{
    BranchCounts, Budget, Combination, CutDistribution, CutSettings, HyperparameterRule,
    LabelModel, LabelSettings, Pause, TessellationSettings, TessellationTree, Update,
};

/// Makes a forest with the label model that `labels` chooses: a leaf's own `L`, or the mixture of all prunings `A`.
///
/// # Errors
/// Returns the setting that breaks its rule.
pub fn either<D: CutDistribution, L: LabelModel, A: LabelModel<Task = L::Task>>(
    v: &mut Values,
    schema: Schema<L::Task>,
    settings: ForestSettings,
) -> Built<L::Task> {
    if v.is(LABELS.name, AGGREGATED) {
        return forest::<D, A>(v, schema, settings);
    }
    forest::<D, L>(v, schema, settings)
}

/// Makes a forest with label model `L`, and with the window that is asked for if that can forget.
///
/// # Errors
/// Returns the setting that breaks its rule.
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
    let scale = D::budget_scale(schema.features());
    let settings = TessellationSettings::of(v, schema.features(), scale);
    let built = Forest::<TessellationTree<D, L>>::new(schema, settings, forest)?;
    Ok(Box::new(built))
}

impl LabelSettings {
    /// Returns the settings that these values state; those of the model that they choose are read.
    fn of(v: &mut Values) -> Self {
        // A row without a choice has the mixture of all prunings.
        let model = v.peek(LABELS.name).unwrap_or(AGGREGATED).to_owned();
        let mut settings = Self {
            vote: v.vote(),
            ..Self::default()
        };
        if model == AGGREGATED {
            settings.step = v.unless("step", BY_ERRORS);
            settings.first_loss = v.unless("first_loss", BY_FEATURES);
            if v.knows("dirichlet") {
                settings.dirichlet = v.unless("dirichlet", BY_CLASSES);
            }
        } else if model == HIERARCHICAL && v.knows("discount") {
            settings.discount = Some(v.get("discount"));
            let words = [
                ("tables", BranchCounts::Tables),
                ("customers", BranchCounts::Customers),
            ];
            settings.branch_counts = v.one_of("branch_counts", &words);
        } else if model == HIERARCHICAL {
            use HyperparameterRule::{Evidence, LeaveOneOut, Paper};
            let words = [
                ("leave-one-out", LeaveOneOut),
                ("evidence", Evidence),
                ("paper", Paper),
            ];
            settings.hyperparameters = v.one_of("hyperparameters", &words);
            let words = [
                ("of-mean", Combination::OfMean),
                ("mixture", Combination::Mixture),
            ];
            settings.combination = v.one_of("variance", &words);
        }
        settings
    }
}

impl TessellationSettings {
    /// Returns the settings that these values state; `budget_scale` is the default.
    fn of(v: &mut Values, features: usize, budget_scale: f64) -> Self {
        let mut cuts = CutSettings::default();
        if v.knows("weights") && !v.is("weights", "none") {
            cuts.weights = Some(v.list("weights", "equal"));
        }
        cuts.rate = v.knows(RATE.name).then(|| v.get(RATE.name));
        let pauses = [("pure", Pause::WhileLabelsAgree), ("never", Pause::Never)];
        use Update::{Conditional, NewPointOnly, Redraw};
        let updates = [
            ("conditional", Conditional),
            ("redraw", Redraw),
            ("new-point-only", NewPointOnly),
        ];
        Self {
            cuts,
            labels: LabelSettings::of(v),
            budget: if v.is(BUDGET.name, INCREASING) {
                Budget::minimax(v.or(BUDGET_SCALE.name, budget_scale), features)
            } else {
                Budget::Fixed(v.get(BUDGET.name))
            },
            max_uncut: v.get(MIN_POINTS.name),
            pause: v.one_of(PAUSE.name, &pauses),
            update: v.one_of(UPDATE.name, &updates),
            max_nodes: v.unless(MAX_NODES.name, UNLIMITED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AXIS_LABELS;

    /// A row without values makes the defaults of the library but for what the row says.
    #[test]
    fn defaults_of_the_parameters_are_those_of_the_settings() {
        let known = [
            BUDGET,
            MIN_POINTS,
            PAUSE,
            UPDATE,
            RATE,
            MAX_NODES,
            AXIS_LABELS,
        ];
        let settings = TessellationSettings::of(&mut Values::defaults(&known), 2, 8.0);
        let cuts = CutSettings {
            rate: Some(0.5),
            ..CutSettings::default()
        };
        assert_eq!(
            settings,
            TessellationSettings {
                cuts,
                ..TessellationSettings::default()
            }
        );
    }
}
