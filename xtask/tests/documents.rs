//! Every path and item that the documents name exists.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns all files below `folder` whose name ends with `extension`, build folders aside.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            // What commands write is not the project's text.
            let outputs = ["results", "data"].map(|name| root().join(name));
            let is_output = outputs.contains(&path);
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
    let spans = prose.split('`').skip(1).step_by(2);
    spans.map(str::to_owned).collect()
}

/// A path from the root of the repository.
fn is_path(span: &str) -> bool {
    let folder = span.split('/').next().unwrap_or_default();
    let known = ["crates", "docs", "xtask", "benches", "datasets", ".ci"].contains(&folder);
    let is_pattern = span.contains(|c: char| c.is_whitespace() || "*<{…".contains(c));
    known && span.contains('/') && !is_pattern
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
const OF_PAPERS: &str = "BTQuery BTTrain BFInitialization BFQuery BFTrain";

#[test]
fn every_path_and_item_in_the_documents_exists() {
    let known = identifiers();
    let mut missing = Vec::new();
    // Without the history of what was there once.
    let documents = files(&root(), "md").into_iter();
    for document in documents.filter(|path| !path.ends_with("CHANGELOG.md")) {
        let text = fs::read_to_string(&document).unwrap();
        for span in spans(&text) {
            let exists = match (is_path(&span), is_item(&span)) {
                (true, _) => root().join(&span).exists(),
                (_, true) => words(&span).all(|word| known.contains(word)),
                _ => true,
            };
            if !exists && !OF_PAPERS.contains(span.as_str()) {
                missing.push(format!("{}: `{span}`", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "not there:\n{}", missing.join("\n"));
}
