//! What holds after every round, for all distributions and settings.

use std::collections::BTreeMap;

use forest_core::{TreeRng, argmax};
use mondrian::AxisCuts;
use tessellation_tree::{CutDistribution, CutSettings, Pause};

use super::Problem;
use super::brute_force::{blocks, log_likelihood, nodes};
use crate::LinearCuts;
use crate::batch::particle::Particle;
use crate::batch::sampler::Sampler;
use crate::batch::{BatchSettings, Rates};

/// Random points, every third one twice, three quarters of them with labels of three classes out of four.
fn problem(d: usize, seed: u64) -> Problem {
    let mut rng = TreeRng::new(seed, 0);
    let mut points: Vec<Vec<f32>> = (0..20)
        .map(|_| (0..d).map(|_| rng.uniform() as f32).collect())
        .collect();
    (0..20)
        .step_by(3)
        .for_each(|i| points[i] = points[(i + 9) % 20].clone());
    let labels = (0..15).map(|_| [0, 1, 3][rng.below(3)]).collect();
    Problem {
        points,
        labels,
        classes: 4,
    }
}

fn checked_run<D: CutDistribution>(problem: &Problem, settings: &BatchSettings, seed: u64) {
    let mut rng = TreeRng::new(seed, 1);
    problem.sample::<D, ()>(settings, &mut rng, |mut sampler| {
        check(&sampler, problem);
        checked_round(&mut sampler, problem);
        while !sampler.is_finished() {
            sampler.resample();
            assert!(sampler.log_weights.iter().all(|weight| *weight == 0.0));
            check(&sampler, problem);
            checked_round(&mut sampler, problem);
        }
        is_that_of_the_heaviest(sampler, problem);
    });
}

/// The tree has the leaves of the first of the heaviest particles, with their posterior means.
fn is_that_of_the_heaviest<D: CutDistribution>(sampler: Sampler<'_, D>, problem: &Problem) {
    let heaviest = sampler.log_weights.iter().copied().fold(f64::MIN, f64::max);
    let first = sampler
        .log_weights
        .iter()
        .position(|weight| *weight == heaviest);
    let particle = &sampler.particles[first.expect("a maximum is one of the weights")];
    let expected = blocks(particle, &sampler.work, problem);
    let concentration = sampler.work.model.settings.concentration;
    let tree = sampler.tree();
    assert_eq!(tree.leaves(), expected.len());
    for (leaf, block) in expected.iter().enumerate() {
        let row = |&i: &u32| tree.leaf_at(&problem.points[i as usize]);
        assert!(block.iter().all(|i| row(i) == leaf));
        let mean = posterior_mean(block, problem, concentration);
        let cells = tree.posterior_mean(leaf).iter().zip(&mean);
        cells.for_each(|(got, expected)| assert!((got - expected).abs() < 1e-12));
        assert_eq!(tree.vote(&problem.points[block[0] as usize]), argmax(&mean));
    }
}

/// (m_jk + α_k) / Σ.
fn posterior_mean(block: &[u32], problem: &Problem, concentration: f64) -> Vec<f64> {
    let labels = || block.iter().filter_map(|&i| problem.labels.get(i as usize));
    let of = |labels: &mut dyn Iterator<Item = &u32>, class: u32| {
        labels.filter(|k| **k == class).count() as f64
    };
    let terms = (0..problem.classes as u32).map(|class| {
        of(&mut labels(), class) + concentration * of(&mut problem.labels.iter(), class)
    });
    let total = labels().count() as f64 + concentration * problem.labels.len() as f64;
    terms.map(|term| term / total).collect()
}

/// A round adds to each weight what it adds to the likelihood of the whole partition.
fn checked_round<D: CutDistribution>(sampler: &mut Sampler<'_, D>, problem: &Problem) {
    let before = log_likelihoods(sampler, problem);
    sampler.advance();
    let after = log_likelihoods(sampler, problem);
    for (m, weight) in sampler.log_weights.iter().enumerate() {
        assert!(
            (weight - (after[m] - before[m])).abs() < 1e-9,
            "particle {m}"
        );
    }
    check(sampler, problem);
}

fn log_likelihoods<D: CutDistribution>(sampler: &Sampler<'_, D>, problem: &Problem) -> Vec<f64> {
    let concentration = sampler.work.model.settings.concentration;
    let of = |particle| {
        let blocks = blocks(particle, &sampler.work, problem);
        log_likelihood(&blocks, problem, concentration)
    };
    sampler.particles.iter().map(of).collect()
}

fn check<D: CutDistribution>(sampler: &Sampler<'_, D>, problem: &Problem) {
    let work = &sampler.work;
    let mut cuts = BTreeMap::new();
    for particle in &sampler.particles {
        check_particle(particle, sampler, problem);
        for event in work.history.path(particle.last) {
            cuts.insert(std::ptr::from_ref(event), event.cut);
        }
    }
    let held = work.cuts.check(problem.width(), cuts.values());
    held.expect("the cuts of all particles, and no others, are stored");
}

fn check_particle<D: CutDistribution>(
    particle: &Particle,
    sampler: &Sampler<'_, D>,
    problem: &Problem,
) {
    let settings = sampler.work.model.settings;
    let events = sampler.work.history.path(particle.last);
    assert!(events.is_sorted_by(|a, b| a.time <= b.time));
    assert!(
        events
            .iter()
            .all(|event| event.time <= particle.time && event.time < settings.budget)
    );
    let mut open: BTreeMap<u32, _> = BTreeMap::new();
    particle
        .open
        .iter()
        .for_each(|leaf| assert!(open.insert(leaf.node, leaf).is_none()));
    for (node, (points, is_leaf)) in (0..).zip(nodes(particle, &sampler.work, problem)) {
        assert!(!points.is_empty(), "a cut has points on both sides");
        let leaf = open.remove(&node);
        assert_eq!(
            leaf.is_some(),
            is_leaf && may_be_cut(&points, settings, problem)
        );
        if let Some(leaf) = leaf {
            assert_eq!(leaf.leaf.points, points);
            let expected = log_likelihood(&[points], problem, settings.concentration);
            assert!((leaf.leaf.log_likelihood - expected).abs() < 1e-9);
        }
    }
    assert!(
        open.is_empty(),
        "every leaf that may be cut is one of the tree"
    );
}

/// From the definition: two points differ, and two labels unless that does not matter.
fn may_be_cut(points: &[u32], settings: &BatchSettings, problem: &Problem) -> bool {
    let rows = || points.iter().map(|&i| &problem.points[i as usize]);
    let mut labels = points
        .iter()
        .filter_map(|&i| problem.labels.get(i as usize));
    let first = labels.next();
    let mixed = labels.any(|label| Some(label) != first);
    let differ = rows().any(|row| Some(row) != rows().next());
    differ && (mixed || settings.pause == Pause::Never)
}

fn all_settings(cuts: &CutSettings) -> Vec<BatchSettings> {
    let usual = BatchSettings {
        cuts: cuts.clone(),
        particles: 12,
        ..BatchSettings::default()
    };
    vec![
        usual.clone(),
        BatchSettings {
            budget: 4.0,
            pause: Pause::Never,
            concentration: 0.3,
            ..usual.clone()
        },
        BatchSettings {
            rates: Rates::BallAsPrinted,
            ..usual.clone()
        },
        BatchSettings {
            particles: 1,
            pause: Pause::Never,
            ..usual
        },
    ]
}

fn checked_runs<D: CutDistribution>(d: usize, cuts: &CutSettings) {
    for (seed, settings) in (0..).zip(all_settings(cuts)) {
        checked_run::<D>(&problem(d, seed), &settings, seed);
    }
}

#[test]
fn weights_and_partitions_are_those_of_the_definition_after_every_round() {
    for d in [1, 2, 5] {
        checked_runs::<LinearCuts>(d, &CutSettings::default());
        let weights: Vec<f64> = (1..=d).map(|i| i as f64).collect();
        checked_runs::<LinearCuts>(d, &CutSettings::weighted(&weights));
        checked_runs::<AxisCuts>(d, &CutSettings::default());
        checked_runs::<AxisCuts>(d, &CutSettings::weighted(&weights));
    }
}
