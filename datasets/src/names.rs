//! "Did you mean …?": the nearest names to one that does not exist.

/// Names at least this similar (Jaro–Winkler, 0..1) are worth suggesting.
const SIMILAR: f64 = 0.8;
/// More suggestions than this help nobody.
const SUGGESTIONS: usize = 3;
/// A list of columns is cut after this many.
const LISTED: usize = 12;

/// `" (did you mean `a` or `b`?)"`, or an empty string when nothing is near.
pub(crate) fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(wanted, names);
    if near.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    format!(" (did you mean {}?)", quoted.join(" or "))
}

fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let score = |name: &str| strsim::jaro_winkler(&wanted, &name.to_lowercase());
    let mut scored: Vec<(f64, &str)> = names.into_iter().map(|name| (score(name), name)).collect();
    scored.retain(|(score, _)| *score >= SIMILAR);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
        .iter()
        .take(SUGGESTIONS)
        .map(|(_, name)| *name)
        .collect()
}

/// `"a, b, c"`, cut after a dozen names.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let shown = names[..names.len().min(LISTED)].join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_first_and_far_names_not_at_all() {
        let names = ["letter", "satimage", "pendigits"];
        assert_eq!(did_you_mean("leter", names), " (did you mean `letter`?)");
        assert_eq!(did_you_mean("qqq", names), "");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert!(listed(names.iter().map(String::as_str)).ends_with("11, and 8 more"));
    }
}
