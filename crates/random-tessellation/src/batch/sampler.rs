//! Algorithm 2: sequential Monte Carlo over the partitions of one tree.

use forest_core::{TreeRng, argmax};
use tessellation_tree::CutDistribution;

use super::model::Model;
use super::particle::{Particle, Work};
use super::tree::BatchTree;

/// M particles and their weights.
pub(super) struct Sampler<'a, D: CutDistribution> {
    pub(super) work: Work<'a, D>,
    pub(super) particles: Vec<Particle>,
    /// ln of each weight, up to a term that all have in common.
    pub(super) log_weights: Vec<f64>,
}

impl<'a, D: CutDistribution> Sampler<'a, D> {
    /// Creates all particles at time 0, with equal weights.
    pub(super) fn new(model: &'a Model<'a>, rng: &'a mut TreeRng) -> Self {
        let particles = model.settings.particles;
        let mut work = Work::new(model, rng);
        let start = Particle::new(&mut work);
        Self {
            work,
            particles: vec![start; particles],
            log_weights: vec![0.0; particles],
        }
    }

    /// Runs rounds until all particles have reached the budget; before the first, all are equal.
    pub(super) fn run(&mut self) {
        self.advance();
        while !self.is_finished() {
            self.resample();
            self.advance();
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        let budget = self.work.model.settings.budget;
        let mut particles = self.particles.iter();
        particles.all(|particle| particle.is_finished(budget))
    }

    /// Makes the next cut of each particle, and weights it (lines 9 to 18).
    pub(super) fn advance(&mut self) {
        let budget = self.work.model.settings.budget;
        for (particle, log_weight) in self.particles.iter_mut().zip(&mut self.log_weights) {
            if !particle.is_finished(budget) {
                *log_weight += particle.step(&mut self.work).unwrap_or(0.0);
            }
        }
    }

    /// Resamples particles in proportion to their weights, which become equal (lines 6 to 8, multinomial).
    pub(super) fn resample(&mut self) {
        let mut children = vec![0; self.particles.len()];
        let parents = self.draw_parents();
        parents.iter().for_each(|&parent| children[parent] += 1);
        // Before copies are made, so that normals of particles that end are free for the next cuts.
        let Work { history, cuts, .. } = &mut self.work;
        for (particle, &children) in self.particles.iter().zip(&children) {
            if children == 0 {
                history.leave(particle.last, |cut| cuts.release(cut));
            }
        }
        let mut old: Vec<Option<Particle>> = self.particles.drain(..).map(Some).collect();
        for parent in parents {
            children[parent] -= 1;
            // The last child takes the parent's place.
            let particle = match children[parent] {
                0 => old[parent].take(),
                _ => old[parent]
                    .clone()
                    .inspect(|copy| self.work.history.share(copy.last)),
            };
            self.particles.extend(particle);
        }
        self.log_weights.fill(0.0);
    }

    /// Returns one parent for each particle, independently.
    fn draw_parents(&mut self) -> Vec<usize> {
        // Relative to the largest, or all weights might underflow to 0.
        let largest = self.log_weights[argmax(&self.log_weights)];
        let mut ends = Vec::new();
        let mut end = 0.0;
        for weight in &self.log_weights {
            end += libm::exp(weight - largest);
            ends.push(end);
        }
        let last = ends.len() - 1;
        let draw = |_: &f64| {
            let place = self.work.rng.uniform() * ends[last];
            // Rounding may make the place the last end itself.
            ends.partition_point(|end| *end <= place).min(last)
        };
        ends.iter().map(draw).collect()
    }

    /// Returns the tree of the heaviest particle, the first of several; the run can continue.
    pub(super) fn tree(&self) -> BatchTree<D> {
        let mut cuts = self.work.cuts.clone();
        let mut history = self.work.history.clone();
        let heaviest = argmax(&self.log_weights);
        for (index, particle) in self.particles.iter().enumerate() {
            if index != heaviest {
                history.leave(particle.last, |cut| cuts.release(cut));
            }
        }
        let events = history.path(self.particles[heaviest].last);
        BatchTree::new(cuts, &events, self.work.model)
    }
}
