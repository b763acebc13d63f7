//! Values that are lists of numbers.

use crate::parameters::parsed;

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
