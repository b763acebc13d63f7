//! Groups runs that repeat one another, over which means are taken.

use indexmap::IndexMap;
use indexmap::map::Entry;

use crate::Identity;
use crate::record::Record;

/// Runs that agree in everything but the seed.
pub(super) struct Repetitions<'a> {
    pub identity: Identity<'a>,
    by_seed: IndexMap<u64, &'a Record>,
    /// The number of runs left out, since another run has the same seed.
    pub surplus: usize,
}

/// Returns the runs of each setting, in the order in which settings appear.
pub(super) fn by_setting(records: &[Record]) -> Vec<Vec<&Record>> {
    let mut settings: Vec<Vec<&Record>> = Vec::new();
    for record in records {
        let same = |runs: &&mut Vec<&Record>| runs[0].setting == record.setting;
        match settings.iter_mut().find(same) {
            Some(runs) => runs.push(record),
            None => settings.push(vec![record]),
        }
    }
    settings
}

/// Groups repeated runs of one setting, in the order in which they appear.
pub(super) fn by_identity<'a>(runs: &[&'a Record]) -> Vec<Repetitions<'a>> {
    let mut groups: Vec<Repetitions<'a>> = Vec::new();
    for run in runs {
        let identity = Identity::of(run);
        let same = |group: &&mut Repetitions<'_>| group.identity.agrees(&identity);
        match groups.iter_mut().find(same) {
            Some(group) => group.add(identity, run),
            None => groups.push(Repetitions {
                identity,
                by_seed: [(run.seed, *run)].into(),
                surplus: 0,
            }),
        }
    }
    groups
}

impl<'a> Repetitions<'a> {
    /// Adds a run; a seed counts once, by the first measured run, else by the first.
    fn add(&mut self, identity: Identity<'a>, run: &'a Record) {
        if !self.identity.is_complete() {
            self.identity = identity;
        }
        match self.by_seed.entry(run.seed) {
            Entry::Vacant(place) => drop(place.insert(run)),
            Entry::Occupied(mut place) => {
                self.surplus += 1;
                if place.get().failed() && !run.failed() {
                    place.insert(run);
                }
            }
        }
    }

    /// Returns one run for each seed.
    pub(super) fn runs(&self) -> impl Iterator<Item = &'a Record> {
        self.by_seed.values().copied()
    }

    /// Returns the first run.
    pub(super) fn first(&self) -> &'a Record {
        self.by_seed[0]
    }
}
