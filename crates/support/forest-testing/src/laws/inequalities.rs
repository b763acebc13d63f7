//! Cuts as they are read.

use crate::conformance::Broken;
use forest_core::TreeRng;
use forest_core::registry::Inequality;
use tessellation_tree::{CutDistribution, Side};

/// Cuts, each tested with as many points.
const CUTS: usize = 300;

/// Checks that a point lies left of a cut just if it satisfies the cut's inequality, unless it lies on the cut up to rounding:
/// random cuts and points of `d` features.
///
/// # Errors
/// The first point on another side, an entry that is 0, or a feature that there is not.
pub fn cuts_are_their_inequalities<D: CutDistribution>(
    d: usize,
    settings: &D::Settings,
) -> Result<(), Broken> {
    let mut rng = TreeRng::new(d as u64, 3);
    let mut cuts = D::new(d, settings);
    let mut inequality = Inequality::default();
    let (mut seen, mut left) = (0, 0);
    while seen < CUTS {
        let [a, b] = [point(d, &mut rng), point(d, &mut rng)];
        let rate = cuts.rate_between(&a, &b);
        let Some(cut) = cuts.draw_between(&a, &b, rate, &mut rng) else {
            continue;
        };
        seen += 1;
        cuts.inequality(&cut, &mut inequality);
        let sound = |(feature, entry): &(usize, f64)| *feature < d && *entry != 0.0;
        let normal = &inequality.normal;
        require(
            !normal.is_empty() && normal.iter().all(sound),
            &inequality,
            &[],
        )?;
        for _ in 0..CUTS {
            let x = point(d, &mut rng);
            let beyond = inequality.value(&x) - inequality.threshold;
            let side = cuts.side(&cut, &x);
            let agree = (side == Side::Left) == (beyond <= 0.0);
            require(agree || beyond.abs() < 1e-9, &inequality, &x)?;
            left += usize::from(side == Side::Left);
        }
        cuts.release(&cut);
    }
    // Cuts between random points have some on both sides.
    require((CUTS..CUTS * (CUTS - 1)).contains(&left), &inequality, &[])
}

fn point(d: usize, rng: &mut TreeRng) -> Vec<f32> {
    (0..d).map(|_| 4.0 * rng.uniform() as f32 - 1.0).collect()
}

fn require(holds: bool, inequality: &Inequality, x: &[f32]) -> Result<(), Broken> {
    if holds {
        return Ok(());
    }
    Err(Broken {
        check: "cuts_are_their_inequalities",
        how: format!("{inequality:?} at {x:?}"),
    })
}
