//! Means alone: the step from the errors of leaves, and what a constant, an offset and a factor of all targets change.

use super::*;

type MeansTree = Forest<MondrianTree<AggregatedMeans>>;

fn tree_of_means(settings: TessellationSettings, seed: u64) -> MeansTree {
    let trees = ForestSettings::default().with_trees(1).with_seed(seed);
    MeansTree::new(Schema::new(2).unwrap(), settings, trees).unwrap()
}

/// Returns what the leaf of the new sample predicted before it, read from the tree after it: the first node on the path that was not an
/// inner node before has its samples. And whether that leaf had several samples and was cut.
fn where_it_fell(
    tree: &MeansTree,
    id: SampleId,
    pause: Pause,
    before: &[Subtree],
    leaf: &[SampleId],
) -> (Vec<f64>, bool) {
    let mut path = tree
        .trees()
        .next()
        .unwrap()
        .nodes_above(tree.samples().features(id));
    let place = path.find(|node| !before.contains(&node.subtree)).unwrap();
    let seen = targets(tree, &place, id);
    let ids: Vec<_> = arrivals(&place)
        .into_iter()
        .filter(|&held| held != id)
        .collect();
    let paused = pause == Pause::WhileLabelsAgree && seen.iter().all(|own| *own == seen[0]);
    let is_inner = place.child(Side::Left).is_some();
    (seen, is_inner && paused && leaf.len() > 1 && ids == leaf)
}

fn inner_nodes(tree: &MeansTree) -> Vec<Subtree> {
    let Some(root) = tree.trees().next().unwrap().root() else {
        return Vec::new();
    };
    let (mut found, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        if let [Some(left), Some(right)] = [Side::Left, Side::Right].map(|side| node.child(side)) {
            found.push(node.subtree);
            open.extend([left, right]);
        }
    }
    found
}

/// As `is_the_mixture`, with the step from the errors of leaves, which the test keeps by itself.
fn is_the_mixture_by_errors(pause: Pause, (first_loss, share): (Option<f64>, f64)) {
    for seed in 0..60 {
        let labels = LabelSettings {
            first_loss,
            ..LabelSettings::default()
        };
        let settings = TessellationSettings {
            labels,
            pause,
            ..mondrian::fixed(f64::INFINITY)
        };
        let (mut tree, mut rng) = (tree_of_means(settings, seed), TreeRng::new(seed, 1));
        let mut history = History {
            steps: vec![0.0],
            ..History::default()
        };
        let (mut squares, mut errors) = (0.0, 0.0);
        for round in 0..9 {
            let (x, target) = (point(&mut rng), AggregatedMeans::target(&mut rng));
            let before = inner_nodes(&tree);
            let leaf = tree.trees().next().unwrap().nodes_above(&x).last();
            let leaf = leaf.map_or_else(Vec::new, |leaf| arrivals(&leaf));
            tree.learn_one(&x, target).unwrap();
            tree.check_invariants().unwrap();
            let id = SampleId::new(round);
            let (seen, cut) = where_it_fell(&tree, id, pause, &before, &leaf);
            if !seen.is_empty() {
                squares += 2.0 * AggregatedMeans::loss(&seen, target);
                errors += 1.0;
            }
            let next = if squares > 0.0 {
                8.0 * errors / squares
            } else {
                0.0
            };
            history.steps.push(next);
            let new = inner_nodes(&tree)
                .into_iter()
                .filter(|node| !before.contains(node));
            if cut {
                history
                    .cut
                    .extend(new.map(|node| (node, history.steps.len() - 1)));
            }
            for _ in 0..5 {
                let x = point(&mut rng);
                let own = tree.predict_one(&x).unwrap()[0];
                let expected = expected(&tree, &x, share, &history)[0];
                assert!(
                    (own - expected).abs() < 1e-11,
                    "{pause:?}, seed {seed}, round {round}: {own} {expected}"
                );
            }
        }
    }
}

#[test]
fn steps_by_errors_weigh_the_losses_of_all_nodes_alike() {
    for first_loss in FIRST_LOSSES {
        is_the_mixture_by_errors(Pause::Never, first_loss);
    }
}

#[test]
fn a_leaf_that_is_cut_later_continues_with_the_step_of_that_moment() {
    for first_loss in FIRST_LOSSES {
        is_the_mixture_by_errors(Pause::WhileLabelsAgree, first_loss);
    }
}

/// Returns one tree of aggregated means after each of these samples, at the places of all.
fn predictions(targets: &[f64], settings: &TessellationSettings) -> Vec<f64> {
    let mut tree = tree_of_means(settings.clone(), 5);
    let mut rng = TreeRng::new(6, 0);
    let mut point = || [(); 2].map(|()| rng.below(12) as f32);
    let mut predictions = Vec::new();
    for &target in targets {
        tree.learn_one(&point(), target).unwrap();
        tree.check_invariants().unwrap();
        let places = [(); 5].map(|()| point());
        predictions.extend(places.map(|x| tree.predict_one(&x).unwrap()[0]));
    }
    predictions
}

fn unlimited() -> TessellationSettings {
    mondrian::fixed(f64::INFINITY)
}

#[test]
fn a_constant_target_is_predicted_exactly() {
    for constant in [0.1, -1e9, 3.7e15] {
        let predictions = predictions(&[constant; 200], &unlimited());
        assert!(predictions.iter().all(|&own| own == constant), "{constant}");
    }
}

#[test]
fn what_is_added_to_all_targets_is_added_to_all_predictions() {
    let mut rng = TreeRng::new(7, 0);
    let targets: Vec<f64> = (0..200).map(|_| 3.0 * rng.normal()).collect();
    let more: Vec<f64> = targets.iter().map(|target| target + 100.0).collect();
    let (plain, more) = (
        predictions(&targets, &unlimited()),
        predictions(&more, &unlimited()),
    );
    for (plain, more) in plain.into_iter().zip(more) {
        assert!((more - plain - 100.0).abs() < 1e-9, "{plain} {more}");
    }
}

#[test]
fn predictions_are_means_of_what_was_seen() {
    let targets: Vec<f64> = (0..300_i32).map(|row| 1e6 * f64::from(row % 7)).collect();
    // Losses are far beyond the range of exp.
    for own in predictions(&targets, &unlimited()) {
        assert!((0.0..=6e6).contains(&own), "{own}");
    }
}

#[test]
fn targets_times_a_factor_give_predictions_times_that_factor() {
    let mut rng = TreeRng::new(8, 0);
    let targets: Vec<f64> = (0..300).map(|_| 20.0 + 3.0 * rng.normal()).collect();
    let plain = predictions(&targets, &unlimited());
    let factors = [1000.0, 2f64.powi(-40), 2f64.powi(150)];
    for (factor, slack) in factors.into_iter().zip([1e-12, 0.0, 0.0]) {
        let scaled: Vec<f64> = targets.iter().map(|target| factor * target).collect();
        let scaled = predictions(&scaled, &unlimited());
        for (plain, scaled) in plain.iter().zip(scaled) {
            let off = (scaled / factor - plain).abs();
            assert!(off <= slack * plain.abs(), "{factor}: {scaled} {plain}");
        }
    }
}
