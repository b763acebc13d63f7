//! An insertion that is simulated: where a point would part from its path, in a tree that does not change.

use forest_core::{Points, TreeRng};

use crate::candidates::{UNREALISED, waiting_time};
use crate::insert::CANDIDATES_PER_LEVEL;
use crate::node::{NodeId, Subtree, Turn};
use crate::search::Search;
use crate::view::View;
use crate::{CutDistribution, Side};

/// The insertion of a point that is not stored.
///
/// The candidates, and what refutes them, are those of the insertion itself; so what is drawn has the law
/// of the place where a sample at this point would get a parent of its own.
pub(crate) struct Simulation<'a, D: CutDistribution> {
    structure: View<'a, D>,
    x: &'a [f32],
    witness: &'a [f32],
    rate: f64,
    turns: &'a [Turn],
    leaf: Subtree,
    until: f64,
    samples: Points<'a>,
}

impl<'a, D: CutDistribution> Simulation<'a, D> {
    /// Of a point `x` that passes `turns` to `leaf`, which nothing cuts before `until`.
    pub(crate) fn new(
        structure: View<'a, D>,
        x: &'a [f32],
        (turns, leaf): (&'a [Turn], Subtree),
        until: f64,
        samples: Points<'a>,
    ) -> Self {
        let witness = samples.features(structure.witness(leaf));
        Self {
            rate: structure.cuts.rate_between(x, witness),
            structure,
            x,
            witness,
            turns,
            leaf,
            until,
            samples,
        }
    }

    /// One draw of the level at which `x` parts from the path, and of the time; `None` if it joins the leaf.
    pub(crate) fn draw(
        &self,
        waiting: &mut Vec<(NodeId, Side)>,
        rng: &mut TreeRng,
    ) -> Option<(usize, f64)> {
        let (mut time, mut level, mut unrealised) = (0.0, 0, 0);
        for _ in 0..CANDIDATES_PER_LEVEL * (self.turns.len() + 1) {
            time += waiting_time(self.rate, rng);
            if time >= self.until || unrealised == UNREALISED {
                return None;
            }
            let over = |turn: &&Turn| turn.time <= time;
            level += self.turns[level..].iter().take_while(over).count();
            match self.is_refuted(level, waiting, rng) {
                Some(false) => return Some((level, time)),
                Some(true) => unrealised = 0,
                None => unrealised += 1,
            }
        }
        None
    }

    /// Whether a cut between `x` and its witness, newly drawn, is refuted at `level`; `None` if it is no cut.
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
            let mut search = Search::new(self.structure, (cuts, cut), x, self.samples, waiting);
            let turns = self.turns[level..].iter().rev();
            Some(search.finds(self.leaf.record(), turns.map(|turn| (turn.node, turn.side))))
        };
        let cuts = self.structure.cuts;
        cuts.with_draw_between(x, witness, self.rate, rng, refuted)?
    }
}
