//! Conditions that data sets must share to be ranked together.

use indexmap::IndexMap;

use super::distinction::{before, distinguish};
use super::section::Section;
use crate::record::{Order, Protocol, Validation};

/// The conditions that hold for every set. The numbers of rows follow from the sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Conditions<'a> {
    protocol: Protocol,
    metric: &'a str,
    preprocessing: &'a str,
    order: Option<Order>,
    folds: Option<usize>,
    validation: Option<Validation>,
    delay: Option<usize>,
    /// Data in several settings, or in several versions under one name, count once in a ranking: this is the
    /// number of the setting, from 0.
    repetition: usize,
}

/// Groups sections of different data under the same conditions, with words that distinguish the conditions.
pub(super) fn comparable(sections: &[Section]) -> Vec<(String, Vec<&Section>)> {
    let mut groups: IndexMap<Conditions<'_>, Vec<&Section>> = IndexMap::new();
    for section in sections {
        let mut conditions = Conditions::of(section);
        let same = |other: &&Section| {
            let (one, other) = (&section.setting, &other.setting);
            one.data_sha256 == other.data_sha256 || one.dataset == other.dataset
        };
        while groups
            .get(&conditions)
            .is_some_and(|group| group.iter().any(same))
        {
            conditions.repetition += 1;
        }
        groups.entry(conditions).or_default().push(section);
    }
    let all: Vec<&Conditions<'_>> = groups.keys().collect();
    let words = all.iter().map(|own| own.words(&all)).collect::<Vec<_>>();
    words.into_iter().zip(groups.into_values()).collect()
}

fn words_of(number: Option<usize>, words: fn(usize) -> String) -> String {
    number.map_or_else(String::new, words)
}

impl<'a> Conditions<'a> {
    fn of(section: &'a Section) -> Self {
        let setting = &section.setting;
        Self {
            protocol: setting.protocol,
            metric: section.columns[0].name,
            preprocessing: &setting.preprocessing,
            order: setting.order,
            folds: setting.folds,
            validation: setting.validation,
            delay: setting.delay,
            repetition: 0,
        }
    }

    /// Returns words that distinguish it from others of its protocol and metric.
    fn words(&self, all: &[&Self]) -> String {
        let same = |other: &&&Self| (other.protocol, other.metric) == (self.protocol, self.metric);
        let same: Vec<&Self> = all.iter().filter(same).copied().collect();
        let aspects: [fn(&Self) -> String; 6] = [
            |own| before(own.preprocessing, ", fitted on"),
            |own| match own.order {
                None | Some(Order::Stream) => String::new(),
                Some(order) => order.to_string(),
            },
            |own| words_of(own.folds, |folds| format!("{folds} folds")),
            |own| {
                own.validation
                    .map_or_else(String::new, |own| own.to_string())
            },
            |own| words_of(own.delay, |rows| format!("labels {rows} rows late")),
            |own| format!("setting {} of each set", own.repetition + 1),
        ];
        let aspects = aspects.map(|aspect| same.iter().map(|other| aspect(other)).collect());
        let words = distinguish(same.len(), aspects).into_iter().zip(same);
        let mut own = words.filter(|(_, other)| *other == self);
        own.next().map_or_else(String::new, |(words, _)| words)
    }
}
