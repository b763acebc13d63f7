//! Lists of names in errors.

/// A list of columns is cut after this many.
const LISTED: usize = 12;

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
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert!(listed(names.iter().map(String::as_str)).ends_with("11, and 8 more"));
    }
}
