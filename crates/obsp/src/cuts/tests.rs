//! Pairs are drawn as their weights say.

use super::*;
use crate::PairWeights;

/// The weight of each axis beside axis 0, 1, 2 and 3.
const PARTNERS: [[f64; 4]; 4] = [
    [0.0, 1.0, 2.0, 0.0],
    [1.0, 0.0, 3.0, 0.5],
    [2.0, 3.0, 0.0, 4.0],
    [0.0, 0.5, 4.0, 0.0],
];

/// Returns the axis at whose weight `u` of the sum is reached.
fn partner(first: usize, u: f64) -> usize {
    let sum: f64 = PARTNERS[first].iter().sum();
    let up_to = |axis: usize| PARTNERS[first][..=axis].iter().sum::<f64>();
    (0..4).find(|&axis| u * sum < up_to(axis)).unwrap()
}

#[test]
fn a_partner_is_drawn_in_proportion_to_the_weights_beside_it() {
    let weights = PairWeights::Given(vec![1.0, 2.0, 0.0, 3.0, 0.5, 4.0]);
    let cuts = PairCuts::new(4, &PairSettings { rate: 3.0, weights });
    let (a, b) = ([0.0; 4], [1.0, 0.5, 2.0, 4.0]);
    let rate = cuts.rate_between(&a, &b);
    for seed in 0..100 {
        let (mut rng, mut again) = (TreeRng::new(seed, 0), TreeRng::new(seed, 0));
        let pair = cuts.draw_pair(&a, &b, rate, &mut rng).unwrap();
        let (first, _) = cuts.rates(&a, &b).pick(rate, &mut again).unwrap();
        assert_eq!(
            (pair.first, pair.second),
            (first, partner(first, again.uniform()))
        );
    }
}
