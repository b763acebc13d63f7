//! The order of data sets in a report.

use super::section::Section;

/// Its description for readers.
pub(super) const WORDS: &str = "Data sets are in the order of their names";

/// Sorts by name regardless of case, numbers in it by their size; settings of a set stay in the order in which they ran.
pub(super) fn sort(sections: &mut [Section]) {
    sections.sort_by_cached_key(|section| key(&section.setting.dataset));
}

/// Splits a name into words, each with the number after it.
fn key(name: &str) -> Vec<(String, u64)> {
    let mut words = vec![(String::new(), 0u64)];
    let mut in_number = false;
    for character in name.to_lowercase().chars() {
        let digit = character.to_digit(10);
        if in_number && digit.is_none() {
            words.push((String::new(), 0));
        }
        in_number = digit.is_some();
        let (word, number) = words.last_mut().expect("there is one from the start");
        match digit {
            Some(digit) => *number = number.saturating_mul(10).saturating_add(digit.into()),
            None => word.push(character),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_people_do() {
        let mut names = [
            "sea:n=3000",
            "led",
            "Adult",
            "sea:n=300,test=5",
            "sea:n=300",
            "phoneme",
        ];
        names.sort_by_key(|name| key(name));
        assert_eq!(
            names,
            [
                "Adult",
                "led",
                "phoneme",
                "sea:n=300",
                "sea:n=300,test=5",
                "sea:n=3000"
            ]
        );
    }
}
