//! Labels of rows: the algorithm as the user wrote it, and words that distinguish it from others of that name.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::distinction::distinguish;
use super::repetitions::Repetitions;
use super::trees;

/// Returns a label for each algorithm of each section. The same number of trees has the same words in all sections, so that rows
/// can be found again.
pub(super) fn of_rows(sections: &[Vec<Repetitions<'_>>]) -> Vec<Vec<String>> {
    let mut numbers: IndexMap<&str, BTreeSet<usize>> = IndexMap::new();
    for group in sections.iter().flatten() {
        let trees = numbers.entry(name(group)).or_default();
        trees.insert(group.identity.trees());
    }
    let with_trees = |group: &Repetitions<'_>| {
        let numbers = &numbers[name(group)];
        // Where one run did not have trees, failed runs would not have had them either.
        if numbers.len() == 1 || numbers.contains(&0) {
            name(group).to_owned()
        } else {
            joined(name(group), &trees::words(group.identity.trees()))
        }
    };
    let labels = sections.iter().map(|groups| {
        let labels: Vec<String> = groups.iter().map(with_trees).collect();
        with_parameters(groups, &labels)
    });
    labels.collect()
}

fn name<'a>(group: &Repetitions<'a>) -> &'a str {
    &group.first().label
}

fn joined(label: &str, words: &str) -> String {
    if words.is_empty() {
        label.to_owned()
    } else {
        format!("{label}, {words}")
    }
}

/// Adds, where algorithms of a section still have the same label, the parameters in which they differ, since defaults
/// differ between revisions.
fn with_parameters(groups: &[Repetitions<'_>], labels: &[String]) -> Vec<String> {
    let label = |(place, label): (usize, &String)| {
        let places: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == *label).collect();
        let same = places.iter().map(|&place| &groups[place]);
        let words = distinguish(places.len(), parameters(&same.collect::<Vec<_>>()));
        let own = places.iter().position(|&other| other == place);
        joined(label, own.map_or("", |own| &words[own]))
    };
    labels.iter().enumerate().map(label).collect()
}

/// Returns every parameter that any of them has, as `name=value`; empty where a value is missing.
fn parameters(groups: &[&Repetitions<'_>]) -> Vec<Vec<String>> {
    let names = groups.iter().flat_map(|group| group.identity.params());
    let names: BTreeSet<&String> = names.map(|(name, _)| name).collect();
    let words = |wanted: &String, group: &Repetitions<'_>| {
        let mut params = group.identity.params().filter(|(name, _)| *name == wanted);
        params
            .next()
            .map_or_else(String::new, |(name, value)| format!("{name}={value}"))
    };
    let aspect = |wanted: &String| groups.iter().map(|group| words(wanted, group)).collect();
    names.into_iter().map(aspect).collect()
}
