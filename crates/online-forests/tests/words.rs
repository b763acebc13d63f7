//! The field's words are used in texts and names: predictions, missing values, distributions.

use std::fs;

use crate::docs::{files, root};

/// Words that this project once used in a sense of its own, and the field's words.
const WORDS: [(&str, &str); 10] = [
    ("answer|answers|answered|answering", "predict, reply"),
    ("anew", "again"),
    ("goes on|go on", "continues, resumes"),
    ("tells|told", "reports, says, returns"),
    ("gap|gaps", "missing value"),
    ("law|laws", "distribution"),
    ("none of", "not any of, without"),
    ("is no|are no", "is not a"),
    ("kin", "variants"),
    ("whoever", "anyone who, a client that"),
];

/// Phrases in which such a word is right.
const PHRASES: [&str; 10] = [
    // Denies that something exists, not what it is.
    "there is no",
    "there are no",
    // Compare.
    "is no worse",
    "are no worse",
    "are no faster",
    // A term of statistics.
    "power law",
    // Names of a module, of the files of tests in others, and of a column of stored results.
    "testing laws",
    "features laws",
    "tests law",
    "over law",
];

/// Lines where such a word stays: the end of the path, a part of the line, the reason.
const EXCEPTIONS: [(&str, &str, &str); 8] = [
    ("metrics.rs", "answered", "a name that monitors read"),
    ("explained.rs", "answer", "a key of explanations"),
    ("explain/path.rs", "answer", "a key of explanations"),
    ("tests/explaining.rs", "answer", "a key of explanations"),
    ("fitted.rs", "gaps", "a key of model files"),
    ("lemmas.rs", "law", "a column of stored results"),
    ("options.rs", "gap", "former names of options"),
    ("tests/written.rs", "gap", "tests those former names"),
];

/// The law of a tree is a word of theory, and of the tests that hold trees to it.
fn may_say_law(path: &str) -> bool {
    let is_test = path.contains("/tests/") || path.ends_with("/tests.rs");
    is_test || path.ends_with("docs/theory.md") || path.contains("forest-testing/")
}

/// Returns the lower-case words of a line, parts of names included, each between blanks.
fn normalised(line: &str) -> String {
    let words = line.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

/// Returns the wrong words of a line, and better ones.
fn wrong(path: &str, line: &str) -> Vec<(&'static str, &'static str)> {
    let text = PHRASES.iter().fold(normalised(line), |text, phrase| {
        text.replace(&format!(" {phrase} "), " … ")
    });
    let is_wrong = |word: &str| {
        text.contains(&format!(" {word} ")) && !(word.starts_with("law") && may_say_law(path))
    };
    let wrong = |words: &str| words.split('|').any(is_wrong);
    WORDS
        .into_iter()
        .filter(|(words, _)| wrong(words))
        .collect()
}

#[test]
fn texts_use_the_words_of_the_field() {
    let (mut faults, mut used) = (Vec::new(), [false; EXCEPTIONS.len()]);
    let extensions = ["rs", "py", "pyi", "md", "toml", "html"];
    for file in extensions
        .iter()
        .flat_map(|extension| files(&root(), extension))
    {
        let path = file.strip_prefix(root()).unwrap().display().to_string();
        // The history of what was there once, and the list itself.
        if path == "CHANGELOG.md" || path.ends_with("tests/words.rs") {
            continue;
        }
        for (number, line) in (1..).zip(fs::read_to_string(&file).unwrap().lines()) {
            let wrong = wrong(&path, line);
            let excepts =
                |(end, part, _): &(&str, &str, &str)| path.ends_with(end) && line.contains(part);
            match EXCEPTIONS.iter().position(excepts) {
                _ if wrong.is_empty() => {}
                Some(place) => used[place] = true,
                None => faults.push(format!("{path}:{number}: {wrong:?}: {}", line.trim())),
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} lines:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(
        used.iter().all(|used| *used),
        "exceptions not needed: {used:?}"
    );
}
