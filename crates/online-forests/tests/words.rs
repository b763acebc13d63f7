//! The field's words are used in texts and names: predictions, missing values, distributions.

use std::fs;

use crate::docs::{files, root};

/// Words that this project once used in a sense of its own, and the field's words.
const WORDS: [(&str, &[&str]); 9] = [
    (
        "predict, reply",
        &["answer", "answers", "answered", "answering"],
    ),
    ("again", &["anew"]),
    ("continues, resumes", &["goes on", "go on"]),
    ("reports, says, returns", &["tells", "told"]),
    ("missing value", &["gap", "gaps"]),
    ("distribution", &["law", "laws"]),
    ("not any of, without", &["none of"]),
    ("is not a", &["is no", "are no"]),
    ("variants", &["kin"]),
];

/// Phrases in which such a word is right.
const PHRASES: [&str; 9] = [
    // Denies that something exists, not what it is.
    "there is no",
    "there are no",
    // Compare.
    "is no worse",
    "are no worse",
    "are no faster",
    // A term of statistics.
    "power law",
    // Names of a crate, of the files of tests in others, and of a column of stored results.
    "tessellation laws",
    "tests law",
    "over law",
];

/// Lines where such a word stays: the end of the path, a part of the line, the reason.
const EXCEPTIONS: [(&str, &str, &str); 15] = [
    (".html", "gap: ", "a property of CSS"),
    ("page.html", "answer", "keys of the service's figures"),
    ("page.rs", "answered", "a key of the service's figures"),
    ("figures.rs", "answered", "a key of the service's figures"),
    (
        "exported.rs",
        "rows_answered",
        "a name that monitoring reads",
    ),
    ("explained.rs", "answer", "a key of explanations"),
    ("explain/path.rs", "answer", "a key of explanations"),
    ("tests/explaining.rs", "answer", "a key of explanations"),
    ("fitted.rs", "gaps", "a key of model files"),
    ("lemmas.rs", "law", "a column of stored results"),
    ("options.rs", "gap", "former names of options"),
    ("args.rs", "answers", "the former name of an option"),
    (
        "shards/mod.rs",
        "--answers",
        "tests a former name of an option",
    ),
    ("tests/written.rs", "gap", "tests former names of options"),
    (
        "mutants/README.md",
        "",
        "names of tests and files as they were when mutants were run",
    ),
];

/// The law of a tree is a word of theory, and of the tests that hold trees to it.
fn may_say_law(path: &str) -> bool {
    let places = [
        "docs/theory.md",
        "crates/support/tessellation-laws/",
        "/tests/",
        "/tests.rs",
    ];
    places.iter().any(|place| path.contains(place))
}

/// Returns the lower-case words of a line, parts of names included, each between blanks.
fn normalised(line: &str) -> String {
    let letters = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let words = line.to_lowercase().chars().map(letters).collect::<String>();
    let words: Vec<&str> = words.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}

/// Returns the wrong words of a line.
fn wrong(path: &str, line: &str) -> Vec<(&'static str, &'static str)> {
    let mut text = normalised(line);
    for phrase in PHRASES {
        text = text.replace(&format!(" {phrase} "), " … ");
    }
    let is_wrong = |word: &str| {
        text.contains(&format!(" {word} ")) && !(word.starts_with("law") && may_say_law(path))
    };
    let all = WORDS
        .iter()
        .flat_map(|(better, words)| words.iter().map(|word| (*word, *better)));
    all.filter(|(word, _)| is_wrong(word)).collect()
}

fn is_exception(path: &str, line: &str) -> Option<usize> {
    let is_here =
        |(file, text, _): &(&str, &str, &str)| path.ends_with(file) && line.contains(text);
    EXCEPTIONS.iter().position(is_here)
}

fn is_read(path: &str) -> bool {
    // The history of what was there once, and the list itself.
    !path.ends_with("CHANGELOG.md") && !path.ends_with("tests/words.rs")
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
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate().filter(|_| is_read(&path)) {
            let wrong = wrong(&path, line);
            if wrong.is_empty() {
                continue;
            }
            match is_exception(&path, line) {
                Some(place) => used[place] = true,
                None => faults.push(format!("{path}:{}: {wrong:?}: {}", number + 1, line.trim())),
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
        "an exception is not needed: {used:?}"
    );
}
