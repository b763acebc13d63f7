//! Branching off any tree: insertions that are simulated.

use forest_core::{SampleStore, Task, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, Path};

use super::{BranchOff, Delay, Departure, Passage};

/// Simulated insertions: with oblique cuts ΔΛ has no closed form, but where an insertion would put a new
/// parent is one draw of the place where a point leaves its path. Predictions average over several.
///
/// The draws come from a generator that depends on the tree's times and the point alone, so that equal queries give equal
/// predictions. Nothing is kept. An estimate by m draws has at most the variance 1/(4m) for a
/// probability, and none between equal trees and points. A full tree does not hold the samples that this takes: there, points
/// stay on their paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draws;

/// How many insertions are simulated. Cuts whose normals are stored (uniform, weighted, sparse) allocate room for
/// one normal a draw; other cuts allocate nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawSettings {
    /// For each prediction of a tree, at least 1.
    pub draws: u32,
}

impl BranchOff for Draws {
    type Settings = DrawSettings;

    fn pass<D: CutDistribution, T: Task>(
        &self,
        mut path: Path<'_, D>,
        settings: &DrawSettings,
        samples: &SampleStore<T>,
        passage: &mut Passage,
    ) {
        passage.note(&mut path);
        let Some(simulation) = path.simulation(&passage.way, samples.points()) else {
            return;
        };
        let mut rng = generator(passage, path.point());
        for _ in 0..settings.draws {
            let drawn = simulation.draw(&mut passage.waiting, &mut rng);
            let departure = drawn.map(|(place, time)| Departure {
                place,
                probability: 1.0 / f64::from(settings.draws),
                delay: Delay::Drawn(time - passage.places[place].birth),
            });
            passage.departures.extend(departure);
        }
        let stays = settings.draws as usize - passage.departures.len();
        passage.stays = stays as f64 / f64::from(settings.draws);
        passage
            .departures
            .sort_unstable_by_key(|departure| departure.place);
    }
}

/// Returns a generator for this tree, given by the times on the path, and this point.
fn generator(passage: &Passage, x: &[f32]) -> TreeRng {
    let times = passage.way.iter().map(|step| step.time.to_bits());
    let coordinates = x.iter().map(|x| u64::from(x.to_bits()));
    let mix = |hash: u64, bits: u64| {
        let mixed = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    };
    TreeRng::new(times.chain(coordinates).fold(0, mix), 0)
}

#[cfg(test)]
mod tests {
    use registry::Declared as _;

    use super::*;
    use crate::GaussianSettings;

    #[test]
    fn no_draw_is_too_few() {
        let check = |draws| DrawSettings { draws }.check_rules().is_ok();
        assert!(check(1) && !check(0));
    }

    #[test]
    fn label_models_check_how_points_branch_off() {
        let check = |draws| {
            let settings = GaussianSettings {
                branching: DrawSettings { draws },
                ..GaussianSettings::default()
            };
            settings.check_rules().is_ok()
        };
        assert!(check(1) && !check(0));
    }
}
