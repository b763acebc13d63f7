//! `cargo xtask data list`.

use std::path::Path;

use datasets::generators::{self, Generator};
use datasets::manifest::{self, NamedSet};

use crate::terminal::{align_right, table};

pub(super) fn render(data_dir: &Path) -> String {
    let mut sets = table([
        "name", "task", "rows", "train", "features", "classes", "here", "licence",
    ]);
    sets.add_rows(manifest::all().iter().map(|set| set_row(set, data_dir)));
    align_right(&mut sets, 2..6);
    let mut made = table([
        "generator",
        "what it makes",
        "parameters and their defaults",
    ]);
    made.add_rows(generators::ALL.iter().map(generator_row));
    let folder = data_dir.display();
    format!(
        "Named sets; `here` means in the data folder `{folder}`:\n{sets}\n\nGenerators, addressed as `name:key=value,…`:\n{made}\n"
    )
}

fn set_row(set: &NamedSet, data_dir: &Path) -> [String; 8] {
    let or_dash = |number: Option<usize>| number.map_or("–".to_owned(), |n| n.to_string());
    let present = if set.is_present(data_dir) {
        "yes"
    } else {
        "no"
    };
    [
        set.name.clone(),
        set.task.to_string(),
        set.rows.to_string(),
        or_dash(set.train),
        set.n_features.to_string(),
        or_dash(set.n_classes),
        present.to_owned(),
        set.licence.clone(),
    ]
}

fn generator_row(generator: &Generator) -> [String; 3] {
    let defaults = generator
        .takes()
        .map(|parameter| format!("{}={}", parameter.name, parameter.default));
    let defaults = defaults.collect::<Vec<_>>().join(", ");
    [generator.name, generator.title, &defaults].map(str::to_owned)
}
