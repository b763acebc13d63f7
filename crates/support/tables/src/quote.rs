//! Cells and names in messages, cut where they are long.

/// A cell is cut after this many characters.
const SHOWN: usize = 40;

/// A list of names is cut after this many.
const LISTED: usize = 12;

/// Returns the text, cut after 40 characters and then with its length: a cell may hold megabytes.
///
/// ```
/// assert_eq!(tables::short("blue"), "blue");
/// assert_eq!(tables::short(&"x".repeat(50)), format!("{}… (50 bytes)", "x".repeat(40)));
/// ```
pub fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
    }
}

/// `"a, b, c"`, cut after a dozen names.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(LISTED).map(short).collect();
    let shown = shown.join(", ");
    match names.count() {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert!(listed(names.iter().map(String::as_str)).ends_with("11, and 8 more"));
    }

    #[test]
    fn cells_are_cut_between_characters() {
        assert_eq!(short(&"é".repeat(40)), "é".repeat(40));
        assert!(short(&"é".repeat(41)).ends_with("é… (82 bytes)"));
    }
}
