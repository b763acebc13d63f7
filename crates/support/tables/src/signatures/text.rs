//! Text formats that are not tables.

use crate::libsvm::has_several_labels;

const PYTHON: &str = "convert it to CSV, for example in Python: pandas.read_json(FILE).to_csv(...)";

/// Returns the format and what makes a table of it, by the first lines.
pub(super) fn format(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start();
    let line = head
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    if line.starts_with(b"version https://git-lfs.github.com/spec/")
        || line.starts_with(b"/annex/objects/")
    {
        Some((
            "a pointer to a file that is stored elsewhere",
            "run git lfs pull or git annex get",
        ))
    } else if is_markup(head) {
        Some((
            "an HTML or XML document",
            "convert it to CSV; if it should be a table, the download failed",
        ))
    } else if is_json(head, line) {
        Some(("JSON", PYTHON))
    } else if is_multilabel(line) {
        Some((
            "LIBSVM's format with several labels a row",
            "learn one label at a time: write one number before the features of each row",
        ))
    } else if is_vowpal_wabbit(line) {
        Some((
            "Vowpal Wabbit's format",
            "convert it to CSV or LIBSVM: one number before the features of each row, `label index:value …`",
        ))
    } else {
        None
    }
}

fn is_multilabel(line: &[u8]) -> bool {
    str::from_utf8(line).is_ok_and(has_several_labels)
}

/// Returns whether a line has a label and perhaps a weight, then behind a bar the name of a namespace and features, at least one of them with a value.
fn is_vowpal_wabbit(line: &[u8]) -> bool {
    let Some((label, features)) = str::from_utf8(line)
        .ok()
        .and_then(|line| line.split_once('|'))
    else {
        return false;
    };
    let mut label = label.split_ascii_whitespace();
    let is_number = |word: &str| word.starts_with('\'') || word.parse::<f64>().is_ok();
    let has_value = |word: &str| {
        let value = word.rsplit_once(':').map(|(_, value)| value.parse::<f64>());
        matches!(value, Some(Ok(_)))
    };
    let mut spaces = features.split('|');
    label.all(is_number)
        && spaces.any(|features| {
            let words = features.split_ascii_whitespace();
            words.clone().count() > 1 && words.into_iter().any(has_value)
        })
}

fn is_markup(head: &[u8]) -> bool {
    let starts: [&[u8]; 5] = [b"<!doctype", b"<html", b"<head", b"<body", b"<?xml"];
    let has = |start: &&[u8]| {
        head.get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    starts.iter().any(has)
}

/// Returns whether the text is JSON. An object begins with a name in quotes; an array begins with an object, an array, a text, or with numbers. A cell of numbers in
/// brackets has other cells behind it.
fn is_json(head: &[u8], line: &[u8]) -> bool {
    let inside = |open: &[u8]| head.strip_prefix(open).map(<[u8]>::trim_ascii_start);
    let ends = || {
        line.iter()
            .position(|byte| *byte == b']')
            .is_none_or(|end| end + 1 == line.len())
    };
    match (inside(b"{"), inside(b"[")) {
        (Some([b'"' | b'}', ..]), _) | (_, Some([b'{' | b'[' | b'"', ..])) => true,
        (_, Some([b'0'..=b'9' | b'-', ..])) => ends(),
        _ => false,
    }
}
