//! Every path and item that the documents name exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns all files below `folder` whose name ends with `extension`, build folders aside.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            // What commands write is not the project's text.
            let is_output = ["results", "data"]
                .map(|name| root().join(name))
                .contains(&path);
            if name == "target" || is_output || name.starts_with('.') {
                continue;
            }
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

/// Returns the words of all sources in Rust and Python, comments aside, and the names of crates.
fn identifiers() -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for (extension, comment) in [("rs", "//"), ("py", "#"), ("pyi", "#")] {
        for path in files(&root(), extension) {
            let text = fs::read_to_string(path).unwrap();
            let lines = text.lines().map(str::trim_start);
            let code = lines.filter(|line| !line.starts_with(comment));
            known.extend(code.flat_map(words).map(str::to_owned));
        }
    }
    for path in files(&root(), "toml") {
        let text = fs::read_to_string(path).unwrap();
        known.extend(words(&text).map(|word| word.replace('-', "_")));
        known.extend(words(&text).map(str::to_owned));
    }
    known
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Returns the spans of code in a document, blocks aside.
fn spans(document: &str) -> Vec<String> {
    let prose: Vec<&str> = document.split("```").step_by(2).collect();
    let prose = prose.join(" ");
    prose
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Folders whose paths are written from the root of the repository.
const FOLDERS: [&str; 6] = [
    "crates/",
    "docs/",
    "xtask/",
    "benches/",
    "datasets/",
    ".ci/",
];

fn is_path(span: &str) -> bool {
    FOLDERS.iter().any(|folder| span.starts_with(folder))
        && !span.contains(|c: char| c.is_whitespace() || "*<{…".contains(c))
}

/// `Type::method`, `module::item`, or a name in camel case.
fn is_item(span: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let camel = span.len() > 3
        && span.starts_with(|c: char| c.is_ascii_uppercase())
        && span.contains(|c: char| c.is_ascii_lowercase())
        && span[1..].contains(|c: char| c.is_ascii_uppercase());
    span.chars().all(letters) && (span.contains("::") || camel)
}

/// The algorithms of the paper on boundary trees.
const OF_PAPERS: [&str; 5] = [
    "BTQuery",
    "BTTrain",
    "BFInitialization",
    "BFQuery",
    "BFTrain",
];

/// Documents, without the history of what was there once.
fn documents() -> Vec<PathBuf> {
    let all = files(&root(), "md").into_iter();
    all.filter(|path| !path.ends_with("CHANGELOG.md")).collect()
}

#[test]
fn every_path_and_item_in_the_documents_exists() {
    let known = identifiers();
    let mut missing = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for span in spans(&text) {
            let exists = match (is_path(&span), is_item(&span)) {
                (true, _) => root().join(&span).exists(),
                (_, true) => words(&span).all(|word| known.contains(word)),
                _ => true,
            };
            if !exists && !OF_PAPERS.contains(&span.as_str()) {
                missing.push(format!("{}: `{span}`", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "not there:\n{}", missing.join("\n"));
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Returns whether a manifest has a file or a folder of tests as a program of its own.
fn is_program(path: &Path, manifest: &str) -> bool {
    let name = name(path);
    let paths = [format!("tests/{name}.rs"), format!("tests/{name}/main.rs")];
    let has = |path: &String| manifest.contains(&format!("path = \"{path}\""));
    name != "main" && paths.iter().any(has)
}

/// Returns the paths that are neither data, nor a package, nor named in the folder's `main.rs`.
fn not_run(folder: &Path, paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let main = fs::read_to_string(folder.join("main.rs")).unwrap();
    let is_data = |path: &Path| {
        let has_code = path.is_dir() && !files(path, "rs").is_empty();
        !has_code && path.extension().is_none_or(|ending| ending != "rs")
    };
    let is_run = |path: &Path| {
        let (package, name) = (path.join("Cargo.toml").exists(), name(path));
        name == "main" || package || is_data(path) || main.contains(&format!("mod {name};"))
    };
    paths.into_iter().filter(|path| !is_run(path)).collect()
}

/// Where tests are one program, a file that `main.rs` does not name would not run, and nobody would see it.
#[test]
fn every_file_of_tests_is_run() {
    let mut forgotten = Vec::new();
    for manifest in files(&root(), "toml") {
        let text = fs::read_to_string(&manifest).unwrap();
        if !text.contains("autotests = false") {
            continue;
        }
        let tests = manifest.parent().unwrap().join("tests");
        let (named, unnamed): (Vec<PathBuf>, _) = paths(&tests)
            .into_iter()
            .partition(|path| is_program(path, &text));
        forgotten.extend(not_run(&tests, unnamed));
        for folder in named.into_iter().filter(|path| path.is_dir()) {
            forgotten.extend(not_run(&folder, paths(&folder)));
        }
    }
    assert!(forgotten.is_empty(), "no test runs {forgotten:?}");
}
