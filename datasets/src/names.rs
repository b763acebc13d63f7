//! Names that distinguish data sets.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Component, Path};

use crate::Dataset;
use crate::open::stem;

/// Renames data sets that have one name although they were opened from different files: each gets as much of its path as
/// distinguishes them, so `d1/train.csv` and `d2/train.csv` are `d1/train` and `d2/train`, and `a.csv` and `a.arff` keep their
/// extensions. There are as many addresses as data sets, in the same order. The same address twice keeps its name twice.
pub fn disambiguate<A: AsRef<OsStr>>(data: &mut [Dataset], addresses: &[A]) {
    let names: Vec<String> = data.iter().map(|set| set.name.clone()).collect();
    let distinct: BTreeSet<&String> = names.iter().collect();
    for name in distinct {
        let places: Vec<usize> = (0..names.len()).filter(|&i| names[i] == *name).collect();
        let paths: Vec<&Path> = places
            .iter()
            .map(|&place| Path::new(addresses[place].as_ref()))
            .collect();
        let longer = (places.len() > 1).then(|| longer(&paths)).flatten();
        for (place, name) in places.into_iter().zip(longer.into_iter().flatten()) {
            data[place].name = name;
        }
    }
}

/// Returns the shortest ends of paths that all differ: without extensions, else with them.
fn longer(paths: &[&Path]) -> Option<Vec<String>> {
    let stems = paths.iter().map(|path| parts(path, stem(path)));
    let files = paths.iter().map(|path| parts(path, file_name(path)));
    ends(&stems.collect::<Vec<_>>()).or_else(|| ends(&files.collect::<Vec<_>>()))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the folders of a path, then `name`.
fn parts(path: &Path, name: String) -> Vec<String> {
    let components = path.parent().into_iter().flat_map(Path::components);
    let is_folder = |part: &Component<'_>| !matches!(part, Component::CurDir | Component::RootDir);
    let text = |part: Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    let folders = components.filter(is_folder).map(text);
    folders.chain([name]).collect()
}

/// Returns the last parts of each, as many as make all of them differ; `None` if they never do.
fn ends(parts: &[Vec<String>]) -> Option<Vec<String>> {
    let longest = parts.iter().map(Vec::len).max()?;
    (1..=longest)
        .map(|count| {
            let end = |parts: &Vec<String>| parts[parts.len().saturating_sub(count)..].join("/");
            parts.iter().map(end).collect::<Vec<String>>()
        })
        .find(|ends| ends.iter().collect::<BTreeSet<_>>().len() == ends.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Option<Vec<String>> {
        longer(&paths.iter().map(Path::new).collect::<Vec<_>>())
    }

    #[test]
    fn names_get_as_much_of_the_path_as_makes_them_differ() {
        for (paths, expected) in [
            (["d1/train.csv", "d2/train.csv"], ["d1/train", "d2/train"]),
            (["/a/x/t.csv", "/b/x/t.csv"], ["a/x/t", "b/x/t"]),
            (["t.csv", "old/t.csv.gz"], ["t", "old/t"]),
            (["t.csv", "t.arff"], ["t.csv", "t.arff"]),
            (["d/t.csv", "d/t.csv.gz"], ["t.csv", "t.csv.gz"]),
        ] {
            assert_eq!(names(&paths).unwrap(), expected);
        }
        assert_eq!(names(&["t.csv", "./t.csv"]), None, "the same file");
    }
}
