//! Means alone: the step from the errors of leaves, and what a constant, an offset and a factor of all targets change.

use super::*;

type MeansTree = Forest<MondrianTree<AggregatedMeans>>;

fn tree_of_means(settings: TessellationSettings, seed: u64) -> MeansTree {
    let trees = ForestSettings::default().with_trees(1).with_seed(seed);
    MeansTree::new(Schema::new(2).unwrap(), settings, trees).unwrap()
}

/// Returns what the leaf of the new sample predicted before it, read from the tree after it: the first node on the path
/// that was not an inner node before has its samples. And whether that leaf had several samples and was cut.
fn where_it_fell(
    tree: &MeansTree,
    id: SampleId,
    pause: Pause,
    before: &[Subtree],
    leaf: &[SampleId],
) -> (Vec<f64>, bool) {
    let x = tree.samples().features(id);
    let mut path = tree.trees().next().unwrap().nodes_above(x);
    let place = path.find(|node| !before.contains(&node.subtree)).unwrap();
    let seen = targets(tree, &place, id);
    let mut ids = arrivals(&place);
    ids.retain(|&held| held != id);
    let paused = pause == Pause::WhileLabelsAgree && seen.iter().all(|own| *own == seen[0]);
    let is_inner = place.child(Side::Left).is_some();
    (seen, is_inner && paused && leaf.len() > 1 && ids == leaf)
}

fn inner_nodes(tree: &MeansTree) -> Vec<Subtree> {
    let all = tree.trees().next().unwrap().walk();
    let inner = all.filter(|node| !node.is_leaf());
    inner.map(|node| node.subtree).collect()
}

/// As `is_the_mixture`, with the step from the errors of leaves, which the test keeps by itself.
fn is_the_mixture_by_errors(pause: Pause, (first_loss, share): (Option<f64>, f64)) {
    for seed in 0..60 {
        let mut settings = mondrian::fixed(f64::INFINITY);
        settings.labels.first_loss = first_loss;
        settings.pause = pause;
        let mut tree = tree_of_means(settings, seed);
        let mut rng = TreeRng::new(seed, 1);
        let mut history = History {
            steps: vec![0.0],
            ..History::default()
        };
        let mut squares = 0.0;
        let mut errors = 0.0;
        for round in 0..9 {
            let x = point(&mut rng);
            let target = AggregatedMeans::target(&mut rng);
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
            history.steps.push(if squares > 0.0 {
                8.0 * errors / squares
            } else {
                0.0
            });
            let new = inner_nodes(&tree)
                .into_iter()
                .filter(|node| !before.contains(node));
            if cut {
                let step = history.steps.len() - 1;
                history.cut.extend(new.map(|node| (node, step)));
            }
            for _ in 0..5 {
                let x = point(&mut rng);
                let own = tree.predict_one(&x).unwrap()[0];
                let expected = expected(&tree, &x, share, &history)[0];
                let near = (own - expected).abs() < 1e-11;
                let when = format!("{pause:?}, seed {seed}, round {round}");
                assert!(near, "{when}: {own} {expected}");
            }
        }
    }
}

/// Steps weigh the losses of all nodes alike, and a leaf that is cut later continues with the step of that moment.
#[test]
fn steps_follow_from_the_errors_of_leaves() {
    for first_loss in FIRST_LOSSES {
        is_the_mixture_by_errors(Pause::Never, first_loss);
        is_the_mixture_by_errors(Pause::WhileLabelsAgree, first_loss);
    }
}

/// Returns what one fully grown tree predicts after each of these samples, at five places.
fn predictions(targets: &[f64]) -> Vec<f64> {
    let mut tree = tree_of_means(mondrian::fixed(f64::INFINITY), 5);
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

#[test]
fn a_constant_target_is_predicted_exactly_and_others_within_their_range() {
    for constant in [0.1, -1e9, 3.7e15] {
        let mut predictions = predictions(&[constant; 200]).into_iter();
        assert!(predictions.all(|own| own == constant), "{constant}");
    }
    // Losses are far beyond the range of exp.
    let targets: Vec<f64> = (0..300_i32).map(|row| 1e6 * f64::from(row % 7)).collect();
    let mut predictions = predictions(&targets).into_iter();
    assert!(predictions.all(|own| (0.0..=6e6).contains(&own)));
}

/// What is added to all targets is added to all predictions, and a factor of all targets is one of all predictions.
#[test]
fn predictions_are_in_the_unit_of_the_targets() {
    let mut rng = TreeRng::new(8, 0);
    let targets: Vec<f64> = (0..300).map(|_| 20.0 + 3.0 * rng.normal()).collect();
    let plain = predictions(&targets);
    let more: Vec<f64> = targets.iter().map(|target| target + 100.0).collect();
    for (plain, more) in plain.iter().zip(predictions(&more)) {
        assert!((more - plain - 100.0).abs() < 1e-9, "{plain} {more}");
    }
    let powers = [2f64.powi(-40), 2f64.powi(150)].map(|factor| (factor, 0.0));
    for (factor, slack) in [(1000.0, 1e-12)].into_iter().chain(powers) {
        let scaled: Vec<f64> = targets.iter().map(|target| factor * target).collect();
        for (plain, scaled) in plain.iter().zip(predictions(&scaled)) {
            let off = (scaled / factor - plain).abs();
            assert!(off <= slack * plain.abs(), "{factor}: {scaled} {plain}");
        }
    }
}
