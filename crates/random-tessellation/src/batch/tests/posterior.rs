//! Final weights against the exact posterior over partitions of a few points.

use std::collections::BTreeMap;

use forest_core::TreeRng;
use forest_testing::statistics::has_frequencies;
use mondrian::AxisCuts;
use tessellation_tree::{CutDistribution, CutSettings, Pause};

use super::Problem;
use super::brute_force::{blocks, log_likelihood};
use crate::LinearCuts;
use crate::batch::BatchSettings;

/// Probabilities of partitions: blocks in order of their first points.
type Distribution = BTreeMap<Vec<Vec<u32>>, f64>;

/// Sequential Monte Carlo is exact up to 1/M: small against the standard errors of these runs.
const PARTICLES: usize = 400;
const RUNS: usize = 6_000;

/// Probability with which a comparison fails by chance.
const LEVEL: f64 = 1e-4;

/// Returns one particle of every run, drawn by its final weight: how often each partition comes.
fn drawn<D: CutDistribution>(
    problem: &Problem,
    settings: &BatchSettings,
) -> BTreeMap<Vec<Vec<u32>>, usize> {
    let mut counts = BTreeMap::new();
    for run in 0..RUNS {
        let mut rng = TreeRng::new(17, run);
        let partition = problem.sample::<D, _>(settings, &mut rng, |mut sampler| {
            sampler.run();
            sampler.resample();
            let mut blocks = blocks(&sampler.particles[0], &sampler.work, problem);
            blocks.sort();
            blocks
        });
        *counts.entry(partition).or_insert(0) += 1;
    }
    counts
}

/// Prior times likelihood, scaled to 1.
fn posterior(prior: &Distribution, problem: &Problem, concentration: f64) -> Distribution {
    let weight = |(blocks, p): (&Vec<Vec<u32>>, &f64)| {
        let likelihood = log_likelihood(blocks, problem, concentration).exp();
        (blocks.clone(), p * likelihood)
    };
    let distribution: Distribution = prior.iter().map(weight).collect();
    let total: f64 = distribution.values().sum();
    distribution
        .into_iter()
        .map(|(blocks, p)| (blocks, p / total))
        .collect()
}

/// The draws have the posterior distribution; a prior that is taken for it, or one with inverted likelihoods, is seen.
fn has_the_posterior<D: CutDistribution>(
    problem: &Problem,
    settings: &BatchSettings,
    prior: &Distribution,
) {
    assert!((prior.values().sum::<f64>() - 1.0).abs() < 1e-9);
    let counts = drawn::<D>(problem, settings);
    assert!(counts.keys().all(|blocks| prior.contains_key(blocks)));
    let counts: Vec<usize> = prior
        .keys()
        .map(|blocks| counts.get(blocks).copied().unwrap_or(0))
        .collect();
    let p = |distribution: &Distribution| {
        has_frequencies(&counts, &distribution.values().copied().collect::<Vec<_>>())
    };
    let exact = posterior(prior, problem, settings.concentration);
    assert!(
        p(&exact) > LEVEL,
        "p = {}: {counts:?}, {exact:?}",
        p(&exact)
    );
    assert!(p(prior) < 1e-12, "the test can fail");
}

fn settings(budget: f64, pause: Pause, cuts: CutSettings) -> BatchSettings {
    BatchSettings {
        cuts,
        budget,
        particles: PARTICLES,
        concentration: 0.4,
        pause,
        ..BatchSettings::default()
    }
}

/// Mass of the cuts between two points.
fn rho<D: CutDistribution>(cuts: &D, problem: &Problem, [a, b]: [usize; 2]) -> f64 {
    cuts.rate_between(&problem.points[a], &problem.points[b])
}

fn on_a_line(places: &[f32], labels: &[u32]) -> Problem {
    Problem {
        points: places.iter().map(|&x| vec![x]).collect(),
        labels: labels.to_vec(),
        classes: 2,
    }
}

/// Returns the blocks of sorted points on a line whose intervals are cut or not.
fn blocks_between(cut: &[bool]) -> Vec<Vec<u32>> {
    let mut blocks = vec![vec![0]];
    for (point, cut) in (1..).zip(cut) {
        if *cut {
            blocks.push(Vec::new());
        }
        blocks.last_mut().expect("one from the start").push(point);
    }
    blocks
}

/// Rates of the intervals between points on a line.
fn interval_rates<D: CutDistribution>(cuts: &D, problem: &Problem) -> Vec<f64> {
    let intervals = 1..problem.points.len();
    intervals.map(|i| rho(cuts, problem, [i - 1, i])).collect()
}

/// Returns the partitions: each interval is cut before τ with probability 1 − exp(−rate·τ), apart from the others.
fn prior_on_a_line(rates: &[f64], budget: f64) -> Distribution {
    let mut distribution = Distribution::new();
    for choice in 0..1u32 << rates.len() {
        let cut: Vec<bool> = (0..rates.len()).map(|i| choice & (1 << i) != 0).collect();
        let interval = |(rate, cut): (&f64, &bool)| {
            if *cut {
                -(-rate * budget).exp_m1()
            } else {
                (-rate * budget).exp()
            }
        };
        let p = rates.iter().zip(&cut).map(interval).product();
        distribution.insert(blocks_between(&cut), p);
    }
    distribution
}

#[test]
fn points_on_a_line_have_the_posterior() {
    let problem = on_a_line(&[0.0, 0.5, 0.7, 1.5], &[0, 1, 1, 0]);
    let rates = interval_rates(&AxisCuts::new(1, &CutSettings::default()), &problem);
    let axes = settings(1.3, Pause::Never, CutSettings::default());
    has_the_posterior::<AxisCuts>(&problem, &axes, &prior_on_a_line(&rates, 1.3));
    let problem = on_a_line(&[0.0, 0.8, 1.0, 1.5], &[0, 0, 1, 1]);
    let rates = interval_rates(&LinearCuts::new(1, &CutSettings::default()), &problem);
    let uniform = settings(2.0, Pause::Never, CutSettings::default());
    has_the_posterior::<LinearCuts>(&problem, &uniform, &prior_on_a_line(&rates, 2.0));
}

/// Of three points, point i is cut off at the rate λᵢ = ½(ρᵢⱼ + ρᵢₖ − ρⱼₖ), and j and k are together up to τ
/// with probability exp(−ρⱼₖτ).
fn prior_of_three<D: CutDistribution>(cuts: &D, problem: &Problem, budget: f64) -> Distribution {
    let pairs = [[1, 2], [0, 2], [0, 1]].map(|pair| rho(cuts, problem, pair));
    let hull = 0.5 * pairs.iter().sum::<f64>();
    let mut distribution = Distribution::from([(vec![vec![0, 1, 2]], (-hull * budget).exp())]);
    for (i, rest) in [(0, vec![1, 2]), (1, vec![0, 2]), (2, vec![0, 1])] {
        let cut_off = hull - pairs[i];
        let p = (-pairs[i] * budget).exp() * -(-cut_off * budget).exp_m1();
        let mut blocks = vec![vec![i as u32], rest];
        blocks.sort();
        distribution.insert(blocks, p);
    }
    let together: f64 = distribution.values().sum();
    distribution.insert(vec![vec![0], vec![1], vec![2]], 1.0 - together);
    distribution
}

#[test]
fn three_points_in_space_have_the_posterior() {
    let problem = Problem {
        points: vec![
            vec![0.0, 0.0, 0.1],
            vec![1.0, 0.2, 0.0],
            vec![0.3, 0.9, 1.0],
        ],
        labels: vec![0, 0, 1],
        classes: 2,
    };
    let uniform = settings(3.0, Pause::Never, CutSettings::default());
    let prior = prior_of_three(&LinearCuts::new(3, &CutSettings::default()), &problem, 3.0);
    has_the_posterior::<LinearCuts>(&problem, &uniform, &prior);
    let weights = CutSettings::weighted(&[1.0, 0.5, 0.2]);
    let prior = prior_of_three(&AxisCuts::new(3, &weights), &problem, 0.8);
    has_the_posterior::<AxisCuts>(&problem, &settings(0.8, Pause::Never, weights), &prior);
}

/// Returns all orders of `rest`.
fn orders(rest: &[usize]) -> Vec<Vec<usize>> {
    if rest.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |&first: &usize| {
        let others: Vec<usize> = rest.iter().copied().filter(|&i| i != first).collect();
        orders(&others)
            .into_iter()
            .map(move |order| [vec![first], order].concat())
    };
    rest.iter().flat_map(with_first).collect()
}

/// Returns the probability that exponential times with these rates come in this order.
fn probability_of_order(order: &[usize], rates: &[f64]) -> f64 {
    let of = |i: usize| rates[order[i]] / order[i..].iter().map(|&k| rates[k]).sum::<f64>();
    (0..order.len()).map(of).product()
}

/// With an infinite budget, intervals are cut in the order of their times, unless their leaf is of one class then.
fn paused_prior(problem: &Problem, rates: &[f64]) -> Distribution {
    let mut distribution = Distribution::new();
    for order in orders(&(0..rates.len()).collect::<Vec<_>>()) {
        let mut cut = vec![false; rates.len()];
        for &interval in &order {
            let blocks = blocks_between(&cut);
            let block = blocks
                .iter()
                .find(|block| block.contains(&(interval as u32)));
            let label = |&i: &u32| problem.labels[i as usize];
            let mut labels = block.expect("each point has a block").iter().map(label);
            let first = labels.next();
            cut[interval] = labels.any(|label| Some(label) != first);
        }
        *distribution.entry(blocks_between(&cut)).or_insert(0.0) +=
            probability_of_order(&order, rates);
    }
    distribution
}

#[test]
fn paused_trees_without_a_budget_have_the_posterior() {
    let problem = on_a_line(&[0.0, 0.5, 0.7, 1.5, 1.8], &[0, 1, 1, 0, 0]);
    let rates = interval_rates(&AxisCuts::new(1, &CutSettings::default()), &problem);
    let prior = paused_prior(&problem, &rates);
    let settings = settings(
        f64::INFINITY,
        Pause::WhileLabelsAgree,
        CutSettings::default(),
    );
    has_the_posterior::<AxisCuts>(&problem, &settings, &prior);
}
