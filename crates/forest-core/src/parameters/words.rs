//! Values that are written as words, and lists of numbers.

use crate::parameters::parsed;

/// Words and what each stands for.
///
/// ```
/// use forest_core::parameters::Words;
/// const SIDES: Words<i8, 2> = Words([("left", -1), ("right", 1)]);
/// assert_eq!(SIDES.word(&1), "right");
/// assert_eq!(SIDES.value("left"), -1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Words<V, const N: usize>(pub [(&'static str, V); N]);

impl<V: Copy + PartialEq, const N: usize> Words<V, N> {
    /// Returns the words alone, for a [`Rule::Words`](crate::parameters::Rule::Words).
    pub const fn names(&self) -> [&'static str; N] {
        let mut names = [""; N];
        let mut index = 0;
        while index < N {
            names[index] = self.0[index].0;
            index += 1;
        }
        names
    }

    /// Returns the word for a value.
    ///
    /// # Panics
    /// If there is none.
    pub fn word(&self, value: &V) -> String {
        let found = self.0.iter().find(|(_, known)| known == value);
        found.expect("every value has a word").0.to_owned()
    }

    /// Returns the value of a word.
    ///
    /// # Panics
    /// If the word stands for none.
    pub fn value(&self, word: &str) -> V {
        let found = self.0.iter().find(|(known, _)| *known == word);
        found.expect("the rule accepts only these words").1
    }
}

/// Lists of numbers, with the word that stands for an empty one.
///
/// ```
/// use forest_core::parameters::{Numbers, Rule};
/// const WEIGHTS: Numbers = Numbers("equal");
/// const RULE: Rule = Rule::Or(&Rule::NUMBERS, &["equal"]);
/// assert_eq!(RULE.canonical("1/.5"), Some("1/0.5".to_owned()));
/// assert_eq!(WEIGHTS.text(&[1.0, 0.5]), "1/0.5");
/// assert_eq!(WEIGHTS.value("1/0.5"), [1.0, 0.5]);
/// assert_eq!(WEIGHTS.text(&[]), "equal");
/// assert!(WEIGHTS.value("equal").is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Numbers(pub &'static str);

impl Numbers {
    /// Returns the text of a list.
    pub fn text(self, numbers: &[f64]) -> String {
        let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
        if numbers.is_empty() {
            self.0.to_owned()
        } else {
            numbers.join("/")
        }
    }

    /// Returns the list of a text.
    ///
    /// # Panics
    /// If the rule does not accept the text.
    pub fn value(self, text: &str) -> Vec<f64> {
        let numbers = text.split('/').filter(|_| text != self.0);
        numbers.map(parsed).collect()
    }
}
