//! Trees of one run, each after another number of cuts.

use forest_core::ndarray::Array2;
use mondrian::AxisCuts;
use random_tessellation::LinearCuts;
use random_tessellation::batch::{BatchSettings, BatchTree};
use tessellation_tree::CutDistribution;

use crate::{fitted, schema, training, trees, two_classes};

fn after_cuts<D: CutDistribution>(
    rows: &Array2<f32>,
    targets: &[u32],
    settings: &BatchSettings,
    counts: &[usize],
) -> Vec<BatchTree<D>> {
    let training = training(rows, targets);
    BatchTree::after_cuts(
        schema(rows.ncols()),
        training,
        settings,
        trees(1).seed,
        counts,
    )
    .unwrap()
}

fn stopped_trees_are_those_of_the_run<D: CutDistribution>() {
    let (rows, targets) = two_classes(120, 3);
    let settings = BatchSettings {
        particles: 8,
        ..BatchSettings::default()
    };
    let counts = [0, 1, 2, 5, 9, 9, 100_000];
    let stopped = after_cuts::<D>(&rows, &targets, &settings, &counts);
    for (tree, &count) in stopped.iter().zip(&counts[..6]) {
        assert_eq!(tree.leaves(), count + 1);
    }
    let nine = after_cuts::<D>(&rows, &targets, &settings, &[9]);
    assert_eq!(nine[0].cut_times(), stopped[5].cut_times());
    let whole = fitted::<D>(rows.view(), &targets, &settings, trees(1));
    let last = &stopped[6];
    let whole = &whole.trees()[0];
    assert_eq!(last.cut_times(), whole.cut_times());
    for row in rows.outer_iter() {
        let row = row.to_vec();
        assert_eq!(last.leaf_at(&row), whole.leaf_at(&row));
    }
}

#[test]
fn a_run_that_is_stopped_has_that_many_cuts_and_continues_unchanged() {
    stopped_trees_are_those_of_the_run::<LinearCuts>();
    stopped_trees_are_those_of_the_run::<AxisCuts>();
}

/// After a round the heaviest particle is the one whose labels are separated best: with many particles even one
/// cut says something.
#[test]
fn labels_choose_the_first_cut() {
    let (rows, targets) = two_classes(400, 2);
    let right = |particles: usize| {
        let settings = BatchSettings {
            particles,
            ..BatchSettings::default()
        };
        let tree = &after_cuts::<LinearCuts>(&rows, &targets, &settings, &[1])[0];
        let votes = rows.outer_iter().map(|row| tree.vote(&row.to_vec()) as u32);
        votes.zip(&targets).filter(|(a, b)| a == *b).count()
    };
    assert!(right(1000) > 370, "{} of 400", right(1000));
    assert!(right(1000) > right(1));
}
