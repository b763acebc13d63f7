//! `cargo xtask data list`.

use std::ops::Range;
use std::path::Path;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use datasets::generators::{self, Generator};
use datasets::manifest::{self, NamedSet};

/// Tables of the named sets and of the generators.
pub fn render(data_dir: &Path) -> String {
    let mut sets = table([
        "name", "task", "rows", "train", "features", "classes", "here", "licence",
    ]);
    sets.add_rows(manifest::all().iter().map(|set| set_row(set, data_dir)));
    right(&mut sets, 2..6);
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

/// An empty table in the style of all of them.
pub fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}

/// Numbers read best when they end in one line.
pub fn right(table: &mut Table, columns: Range<usize>) {
    for column in table
        .column_iter_mut()
        .skip(columns.start)
        .take(columns.len())
    {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

fn set_row(set: &NamedSet, data_dir: &Path) -> [String; 8] {
    let or_dash = |number: Option<usize>| number.map_or("–".to_owned(), |n| n.to_string());
    [
        set.name.clone(),
        set.task.to_string(),
        set.rows.to_string(),
        or_dash(set.train),
        set.n_features.to_string(),
        or_dash(set.n_classes),
        if set.is_present(data_dir) {
            "yes"
        } else {
            "no"
        }
        .to_owned(),
        set.licence.clone(),
    ]
}

fn generator_row(generator: &Generator) -> [String; 3] {
    let parameters = generator.parameters.iter().chain(&generators::COMMON);
    let parameters =
        parameters.map(|parameter| format!("{}={}", parameter.name, parameter.default));
    let parameters: Vec<String> = parameters.collect();
    [
        generator.name.to_owned(),
        generator.title.to_owned(),
        parameters.join(", "),
    ]
}
