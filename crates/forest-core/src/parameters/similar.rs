//! "Did you mean …?": the nearest names to one that does not exist.

/// Names at least this similar (Jaro and Winkler, 0 to 1) are suggested.
const SIMILAR: f64 = 0.8;

const MOST_SUGGESTIONS: usize = 3;

/// `" (did you mean `a` or `b`?)"`, the most similar first, or an empty text if no name is similar.
///
/// ```
/// use forest_core::parameters::did_you_mean;
/// let names = ["letter", "satimage", "pendigits"];
/// assert_eq!(did_you_mean("leter", names), " (did you mean `letter`?)");
/// assert_eq!(did_you_mean("qqq", names), "");
/// ```
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let wanted = wanted.to_lowercase();
    let similarity = |name: &str| strsim::jaro_winkler(&wanted, &name.to_lowercase());
    let scored = names.into_iter().map(|name| (similarity(name), name));
    let mut similar: Vec<_> = scored.filter(|(score, _)| *score >= SIMILAR).collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    similar.truncate(MOST_SUGGESTIONS);
    let quoted: Vec<_> = similar
        .iter()
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    if quoted.is_empty() {
        String::new()
    } else {
        format!(" (did you mean {}?)", quoted.join(" or "))
    }
}
