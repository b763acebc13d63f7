//! An insertion that is simulated: where a point would part from its path, in a tree that does not change.

use forest_core::{Points, TreeRng};

use crate::change::insert::CANDIDATES_PER_LEVEL;
use crate::change::search::Search;
use crate::cuts::candidates::{UNREALISED, waiting_time};
use crate::structure::node::NodeId;
use crate::structure::view::View;
use crate::{CutDistribution, Place, Side, Step};

/// The insertion of a point that is not stored.
///
/// The candidates, and what refutes them, are those of the insertion itself; so what is drawn has the distribution
/// of the place where a sample at this point would get a parent of its own.
#[derive(Debug)]
pub struct Simulation<'a, D: CutDistribution> {
    structure: View<'a, D>,
    x: &'a [f32],
    witness: &'a [f32],
    rate: f64,
    way: &'a [Step],
    leaf: Place,
    samples: Points<'a>,
}

impl<'a, D: CutDistribution> Simulation<'a, D> {
    /// Of a point `x` that goes this way to `leaf`.
    pub(crate) fn new(
        structure: View<'a, D>,
        x: &'a [f32],
        way: &'a [Step],
        leaf: Place,
        samples: Points<'a>,
    ) -> Self {
        let witness = samples.features(structure.witness(leaf.subtree));
        Self {
            rate: structure.cuts.rate_between(x, witness),
            structure,
            x,
            witness,
            way,
            leaf,
            samples,
        }
    }

    /// Draws the level at which `x` parts from the path, and of the time; `None` if it joins the leaf.
    pub fn draw(
        &self,
        waiting: &mut Vec<(NodeId, Side)>,
        rng: &mut TreeRng,
    ) -> Option<(usize, f64)> {
        let (mut time, mut level, mut unrealised) = (0.0, 0, 0);
        for _ in 0..CANDIDATES_PER_LEVEL * (self.way.len() + 1) {
            time += waiting_time(self.rate, rng);
            if time >= self.leaf.end || unrealised == UNREALISED {
                return None;
            }
            let over = |step: &&Step| step.time <= time;
            level += self.way[level..].iter().take_while(over).count();
            match self.is_refuted(level, waiting, rng) {
                Some(false) => return Some((level, time)),
                // Only misses in a row show that rounding alone distinguishes the points.
                Some(true) => unrealised = 0,
                None => unrealised += 1,
            }
        }
        None
    }

    /// Returns whether a cut between `x` and its witness, newly drawn, is refuted at `level`; `None` if it is not a cut.
    fn is_refuted(
        &self,
        level: usize,
        waiting: &mut Vec<(NodeId, Side)>,
        rng: &mut TreeRng,
    ) -> Option<bool> {
        let Self { x, witness, .. } = *self;
        let refuted = |cuts: &D, cut: &D::Cut| {
            if cuts.side(cut, x) == cuts.side(cut, witness) {
                return None;
            }
            let mut search = Search::new(self.structure, cuts, cut, x, self.samples, waiting);
            let way = self.way[level..].iter().rev();
            Some(search.finds(
                self.leaf.subtree.record(),
                way.map(|step| (step.node, step.side)),
            ))
        };
        let cuts = self.structure.cuts;
        cuts.with_draw_between(x, witness, self.rate, rng, refuted)?
    }
}
