//! How far leaves are exposed while samples arrive.

use forest_core::laws::Broken;
use forest_core::{Ground, OnlineTree, SampleId, TreeRng};

use super::{Experiment, Tree};
use crate::{CutMeasure, NodeView, Pause, TessellationSettings};

type View<'a, M> = NodeView<'a, M, crate::LeafMeans>;

/// After each sample the leaf it reached is exposed to exactly the budget of that moment; if the
/// sample is alone, so is the leaf beside it. Leaves that may not be cut are exposed to nothing.
///
/// # Errors
/// The first leaf that is exposed too far or not far enough.
pub fn learning_exposes_to_the_budget<M: CutMeasure>(
    experiment: &Experiment<'_, M>,
) -> Result<(), Broken> {
    let store = experiment.store();
    let ground = experiment.ground(&store);
    for index in 0..experiment.trees {
        let mut rng = TreeRng::new(experiment.seed, index);
        let mut tree = Tree::<M>::new(experiment.features(), &experiment.settings.measure);
        for id in 0..store.len() {
            tree.learn(SampleId::new(id), &ground, &mut rng);
            let budget = experiment.settings.budget.at(id + 1);
            check_leaf(&tree, &experiment.points[id], &ground, budget).map_err(|how| Broken {
                law: "learning_exposes_to_the_budget",
                how: format!("tree {index} after {} samples: {how}", id + 1),
            })?;
        }
    }
    Ok(())
}

fn check_leaf<M: CutMeasure>(
    tree: &Tree<M>,
    x: &[f32],
    ground: &Ground<'_, Tree<M>>,
    budget: f64,
) -> Result<(), String> {
    let path: Vec<View<'_, M>> = tree.path(x).collect();
    let leaf = &path[path.len() - 1];
    if leaf.points() > 1 {
        return is_exposed(leaf, ground, budget);
    }
    let siblings = path.iter().rev().nth(1).and_then(NodeView::cut);
    let ids = siblings.map_or(Vec::new(), |cut| vec![cut.left, cut.right]);
    let mut leaves = tree.leaves();
    match leaves.find(|other| other.id() != leaf.id() && ids.contains(&other.id())) {
        Some(sibling) => is_exposed(&sibling, ground, budget),
        None => Ok(()),
    }
}

fn is_exposed<M: CutMeasure>(
    leaf: &View<'_, M>,
    ground: &Ground<'_, Tree<M>>,
    budget: f64,
) -> Result<(), String> {
    let expected = if may_be_cut(leaf, ground) {
        budget
    } else {
        leaf.birth()
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
fn may_be_cut<M: CutMeasure>(leaf: &View<'_, M>, ground: &Ground<'_, Tree<M>>) -> bool {
    let TessellationSettings {
        min_points, pause, ..
    } = *ground.settings;
    let mut targets = leaf.samples().map(|id| ground.samples.target(id));
    let first = targets.next();
    let agree = targets.all(|target| Some(target) == first);
    leaf.points() > min_points as usize && !(pause == Pause::WhileLabelsAgree && agree)
}
