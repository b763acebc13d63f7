//! One of the partitions that sequential Monte Carlo carries along.

use std::rc::Rc;

use forest_core::TreeRng;
use tessellation_tree::{CutDistribution, MISSES_PER_FEATURE, Side, pick, waiting_time};

use super::Rates;
use super::leaf::Leaf;
use super::model::Model;

/// A partition at a time. Only leaves that may be cut are held; the cuts say which others there are.
#[derive(Clone, Default)]
pub(super) struct Particle {
    pub(super) open: Vec<Open>,
    pub(super) time: f64,
    /// Its last cut.
    pub(super) last: Option<u32>,
    /// Its number of cuts.
    cut_count: u32,
}

/// A leaf that may be cut.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) leaf: Rc<Leaf>,
    /// The rate of the leaf: kept here too, where the sum over leaves reads it.
    rate: f64,
    pub(super) node: u32,
    /// Candidates that did not separate its points.
    misses: usize,
}

/// What the particles of a tree share.
pub(super) struct Work<'a, D: CutDistribution> {
    pub(super) model: &'a Model<'a>,
    pub(super) cuts: D,
    pub(super) history: History<D::Cut>,
    pub(super) rng: &'a mut TreeRng,
    /// Zeros, one a class.
    counts: Vec<u32>,
}

impl<'a, D: CutDistribution> Work<'a, D> {
    pub(super) fn new(model: &'a Model<'a>, rng: &'a mut TreeRng) -> Self {
        let cuts = D::new(model.points.width(), &model.settings.cuts);
        Self {
            counts: vec![0; model.likelihood.classes()],
            model,
            cuts,
            history: History::new(),
            rng,
        }
    }
}

impl Particle {
    /// Creates one leaf with all points, at time 0 (Algorithm 2, lines 3 and 4).
    pub(super) fn new<D: CutDistribution>(work: &mut Work<'_, D>) -> Self {
        let mut particle = Self::default();
        let points: Vec<u32> = (0..).take(work.model.points.len()).collect();
        particle.add_leaf(points, 0, work);
        particle
    }

    /// Returns whether it has reached the budget, or nothing is left that may be cut.
    pub(super) fn is_finished(&self, budget: f64) -> bool {
        self.time >= budget || self.open.is_empty()
    }

    /// Makes the next cut (Algorithm 2, lines 10 to 16); returns what it adds to the log-likelihood, if it comes.
    ///
    /// Candidates come at the rate of all leaves together, each to a leaf in proportion to its rate. With exact rates,
    /// one that separates nothing has only passed time; as printed, the leaf is cut at once.
    pub(super) fn step<D: CutDistribution>(&mut self, work: &mut Work<'_, D>) -> Option<f64> {
        loop {
            // Summed again for every candidate: a running sum would drift, and leaves are few beside the points.
            let rates = self.open.iter().map(|open| open.rate);
            let total: f64 = rates.clone().sum();
            self.time += waiting_time(total, work.rng);
            if self.time >= work.model.settings.budget {
                return None;
            }
            let chosen = pick(rates, total, work.rng)?;
            if let Some(cut) = self.propose(chosen, work) {
                return Some(self.cut(chosen, cut, work));
            }
        }
    }

    /// Returns a cut of leaf `at`, or nothing. The leaf is closed after many candidates that separated nothing.
    fn propose<D: CutDistribution>(&mut self, at: usize, work: &mut Work<'_, D>) -> Option<D::Cut> {
        let limit = MISSES_PER_FEATURE * work.model.points.width();
        let open = &mut self.open[at];
        while open.misses < limit {
            let cut = open
                .leaf
                .candidate(&mut work.cuts, &work.model.points, work.rng);
            if cut.is_some() {
                return cut;
            }
            open.misses += 1;
            // The caller draws another waiting time: a miss is time that has passed without a cut.
            if work.model.settings.rates == Rates::Exact && open.misses < limit {
                return None;
            }
        }
        self.open.swap_remove(at);
        None
    }

    /// Replaces leaf `at` by the two sides of `cut` (line 15); returns ln of the ratio of likelihoods
    /// (line 16), to which all other leaves contribute the same.
    fn cut<D: CutDistribution>(&mut self, at: usize, cut: D::Cut, work: &mut Work<'_, D>) -> f64 {
        let Open { leaf, node, .. } = self.open.swap_remove(at);
        self.last = Some(work.history.record(self.last, node, self.time, cut));
        // As `BatchTree::new` numbers nodes: each cut appends its two children, and the root is 0.
        let first_child = 2 * self.cut_count + 1;
        self.cut_count += 1;
        let is_left =
            |&&point: &&u32| work.cuts.side(&cut, work.model.points.row(point)) == Side::Left;
        let (left, right): (Vec<u32>, Vec<u32>) = leaf.points.iter().partition(is_left);
        let left = self.add_leaf(left, first_child, work);
        left + self.add_leaf(right, first_child + 1, work) - leaf.log_likelihood
    }

    /// Adds a leaf; returns its log-likelihood.
    fn add_leaf<D: CutDistribution>(
        &mut self,
        points: Vec<u32>,
        node: u32,
        work: &mut Work<'_, D>,
    ) -> f64 {
        let labels = work.model.points.labels(&points);
        let likelihood = &work.model.likelihood;
        let log_likelihood = likelihood.log_likelihood(labels, &mut work.counts);
        let leaf = Leaf::open(points, log_likelihood, &work.cuts, work.model);
        self.open.extend(leaf.map(|leaf| Open {
            rate: leaf.rate,
            leaf: Rc::new(leaf),
            node,
            misses: 0,
        }));
        log_likelihood
    }
}

/// A cut of one or more particles.
#[derive(Clone, Debug)]
pub(super) struct Event<C> {
    /// The cut before it.
    parent: Option<u32>,
    /// Particles that stand at this event, and events that follow it.
    users: u32,
    /// The node that is cut: 0 is the root, and cut k of a particle makes 2k + 1 (left) and 2k + 2 (right).
    pub(super) node: u32,
    pub(super) time: f64,
    pub(super) cut: C,
}

/// The events of all particles: a forest in which each particle stands at its last event, and its
/// history is the path to the root. What no particle needs is dropped, so that most of what is kept is the part
/// that all of them have in common (Jacob, Murray, Rubenthaler 2015).
#[derive(Clone, Debug)]
pub(super) struct History<C> {
    events: Vec<Event<C>>,
    free: Vec<u32>,
}

impl<C: Copy> History<C> {
    pub(super) fn new() -> Self {
        Self {
            events: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Moves a particle from `parent` to a new event.
    pub(super) fn record(&mut self, parent: Option<u32>, node: u32, time: f64, cut: C) -> u32 {
        let event = Event {
            parent,
            users: 1,
            node,
            time,
            cut,
        };
        if let Some(place) = self.free.pop() {
            self.events[place as usize] = event;
            return place;
        }
        self.events.push(event);
        u32::try_from(self.events.len() - 1).expect("particles and samples are counted in 32 bits")
    }

    /// Adds a particle that stands at `last`.
    pub(super) fn share(&mut self, last: Option<u32>) {
        if let Some(place) = last {
            self.events[place as usize].users += 1;
        }
    }

    /// Removes a particle that stands at `last`; `drop` is called with the cuts that no particle has any more.
    pub(super) fn leave(&mut self, mut last: Option<u32>, mut drop: impl FnMut(&C)) {
        while let Some(place) = last {
            let event = &mut self.events[place as usize];
            event.users -= 1;
            if event.users > 0 {
                return;
            }
            drop(&event.cut);
            self.free.push(place);
            last = event.parent;
        }
    }

    /// Returns the events of a particle that stands at `last`, first to last.
    pub(super) fn path(&self, last: Option<u32>) -> Vec<&Event<C>> {
        let event = |place: u32| &self.events[place as usize];
        let before = |event: &&Event<C>| event.parent.map(|place| &self.events[place as usize]);
        let mut path: Vec<_> = std::iter::successors(last.map(event), before).collect();
        path.reverse();
        path
    }
}
