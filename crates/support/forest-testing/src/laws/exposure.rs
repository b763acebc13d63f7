//! How far leaves are exposed while samples arrive.

use crate::conformance::Broken;
use forest_core::{ForestContext, OnlineTree, SampleId, TreeRng};
use tessellation_tree::{CutDistribution, NodeView, Pause, Side, Subtree, TessellationSettings};

use super::{Experiment, Tree};

/// After each sample the leaf it reached is exposed to exactly the budget of that moment; if the
/// sample is alone, so is the leaf beside it. Leaves that may not be cut are exposed to nothing.
///
/// # Errors
/// The first leaf that is exposed too far or not far enough.
pub fn learning_exposes_to_the_budget<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
) -> Result<(), Broken> {
    let store = experiment.store();
    let context = experiment.context(&store);
    for index in 0..experiment.trees {
        let mut rng = TreeRng::new(experiment.seed, index);
        let mut tree = Tree::<D>::new(experiment.features(), &experiment.settings.cuts);
        for id in 0..store.len() {
            tree.learn(SampleId::new(id), &context, &mut rng);
            let budget = experiment.settings.budget.at(id + 1);
            check_leaf(&tree, &experiment.points[id], &context, budget).map_err(|how| Broken {
                check: "learning_exposes_to_the_budget",
                how: format!("tree {index} after {} samples: {how}", id + 1),
            })?;
        }
    }
    Ok(())
}

fn check_leaf<D: CutDistribution>(
    tree: &Tree<D>,
    x: &[f32],
    context: &ForestContext<'_, Tree<D>>,
    budget: f64,
) -> Result<(), String> {
    let path: Vec<NodeView<'_, D>> = tree.nodes_above(x).collect();
    let leaf = &path[path.len() - 1];
    if leaf.points() > 1 {
        return is_exposed(leaf, context, budget);
    }
    let parent = path.iter().rev().nth(1);
    let siblings = parent.into_iter().flat_map(|parent| {
        let sides = [Side::Left, Side::Right];
        sides.into_iter().filter_map(|side| parent.child(side))
    });
    let mut others = siblings.filter(|other| other.subtree != leaf.subtree);
    match others.find(|other| matches!(other.subtree, Subtree::Leaf(_))) {
        Some(sibling) => is_exposed(&sibling, context, budget),
        None => Ok(()),
    }
}

fn is_exposed<D: CutDistribution>(
    leaf: &NodeView<'_, D>,
    context: &ForestContext<'_, Tree<D>>,
    budget: f64,
) -> Result<(), String> {
    let expected = if may_be_cut(leaf, context) {
        budget
    } else {
        leaf.birth
    };
    if leaf.time() == expected {
        return Ok(());
    }
    Err(format!(
        "a leaf of {} points is exposed to {}, expected {expected}",
        leaf.points(),
        leaf.time()
    ))
}

/// `splittable`, from its definition.
fn may_be_cut<D: CutDistribution>(
    leaf: &NodeView<'_, D>,
    context: &ForestContext<'_, Tree<D>>,
) -> bool {
    let TessellationSettings {
        max_uncut, pause, ..
    } = *context.settings;
    let mut targets = leaf.samples().map(|id| context.samples.target(id));
    let first = targets.next();
    let agree = targets.all(|target| Some(target) == first);
    leaf.points() > max_uncut as usize && !(pause == Pause::WhileLabelsAgree && agree)
}
