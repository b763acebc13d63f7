//! The cuts of all particles, each stored once.

/// A cut of one or more particles.
#[derive(Clone, Debug)]
pub(super) struct Event<C> {
    /// The cut before it.
    parent: Option<u32>,
    /// Particles that stand at this event, and events that follow it.
    users: u32,
    /// The node that is cut: 0 is the root, and the k-th cut of a particle, from 0, makes 2k + 1 (left) and
    /// 2k + 2 (right).
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

    /// One more particle stands at `last`.
    pub(super) fn share(&mut self, last: Option<u32>) {
        if let Some(place) = last {
            self.events[place as usize].users += 1;
        }
    }

    /// One particle less stands at `last`; `drop` gets the cuts that no particle has any more.
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
