//! The process on a window of the plane, whatever points there are.

use forest_core::{Inequality, Point, TreeRng};
use tessellation_tree::{CutDistribution, waiting_time};

/// Returns the cells into which a convex `window` is cut up to time `budget`, each by its corners in order.
///
/// Points see the same process: those of one cell are the points of one leaf of a batch tree, in distribution.
pub fn cells<D: CutDistribution>(
    cuts: &mut D,
    window: &[Point],
    budget: f64,
    rng: &mut TreeRng,
) -> Vec<Vec<Point>> {
    let mut cells = Vec::new();
    let mut waiting = vec![(window.to_vec(), 0.0)];
    while let Some((cell, mut time)) = waiting.pop() {
        // Candidates hit the cell's bounding box. Corners are `f64`: the rounded box must contain them.
        let far = |start: f64, pick: fn(f64, f64) -> f64| {
            [0, 1].map(|k| cell.iter().fold(start, |far, corner| pick(far, corner[k])) as f32)
        };
        let lower = far(f64::INFINITY, f64::min).map(f32::next_down);
        let upper = far(f64::NEG_INFINITY, f64::max).map(f32::next_up);
        let rate = cuts.rate_within(&lower, &upper);
        let sides = loop {
            time += waiting_time(rate, rng);
            if time >= budget {
                break None;
            }
            if let Some(cut) = cuts.draw_within([&lower, &upper], rate, rng) {
                let mut inequality = Inequality::default();
                cuts.inequality(&cut, &mut inequality);
                cuts.release(&cut);
                if inequality.chord(&cell).is_some() {
                    break Some(inequality.divide(&cell));
                }
            }
        };
        match sides {
            Some(sides) => waiting.extend(sides.map(|cell| (cell, time))),
            None => cells.push(cell),
        }
    }
    cells
}
