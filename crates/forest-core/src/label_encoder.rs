//! Names of classes or categories, and their indices.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::InputError;

/// Names ↔ indices 0, 1, 2, …: of the classes of a learner, or of a feature given as text.
///
/// Serialised as the list of names.
///
/// ```
/// use forest_core::LabelEncoder;
///
/// let encoder = LabelEncoder::fit(["setosa", "virginica", "setosa", "versicolor"]);
/// assert_eq!(encoder.index("versicolor")?, 1);
/// assert_eq!(encoder.name(2), Some("virginica"));
/// assert!(encoder.index("rose").is_err());
/// # Ok::<(), forest_core::InputError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct LabelEncoder {
    names: Vec<String>,
    indices: BTreeMap<String, u32>,
}

impl LabelEncoder {
    /// Returns the different words: in numeric order if all are numbers, else alphabetically.
    pub fn fit<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> Self {
        let mut different = BTreeSet::new();
        for word in words {
            if !different.contains(word.as_ref()) {
                different.insert(word.as_ref().to_owned());
            }
        }
        let mut names: Vec<String> = different.into_iter().collect();
        let number = |name: &String| name.parse::<f64>().ok();
        if names.iter().all(|name| number(name).is_some()) {
            names.sort_by(|a, b| {
                let [a, b] = [a, b].map(|name| number(name).unwrap_or(0.0));
                a.total_cmp(&b)
            });
        }
        let indices = names.iter().cloned().zip(0..).collect();
        Self { names, indices }
    }

    /// Returns these names, in this order.
    ///
    /// # Errors
    /// Returns an error if a name occurs twice.
    pub fn new(names: Vec<String>) -> Result<Self, InputError> {
        let mut indices = BTreeMap::new();
        for (index, name) in (0..).zip(&names) {
            if indices.insert(name.clone(), index).is_some() {
                let what = "is named twice; each class or category needs a name of its own";
                return Err(InputError::Value(format!("`{name}` {what}")));
            }
        }
        Ok(Self { names, indices })
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the names by index.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the name of an index; `None` if it has none.
    pub fn name(&self, index: u32) -> Option<&str> {
        self.names.get(index as usize).map(String::as_str)
    }

    /// Returns the index of a name.
    ///
    /// # Errors
    /// Returns an error that lists the first ten names if it is not one of them.
    pub fn index(&self, name: &str) -> Result<u32, InputError> {
        if let Some(&index) = self.indices.get(name) {
            return Ok(index);
        }
        let mut known = self.names[..self.len().min(10)].join(", ");
        if self.len() > 10 {
            known += &format!(", … ({} in all)", self.len());
        }
        Err(InputError::Value(format!(
            "no class or category is named `{name}`; there are {known}"
        )))
    }

    /// Returns the index of a name; one that is new gets the next.
    pub fn index_or_add(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        let index = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), index);
        index
    }
}

impl TryFrom<Vec<String>> for LabelEncoder {
    type Error = InputError;

    fn try_from(names: Vec<String>) -> Result<Self, InputError> {
        Self::new(names)
    }
}

impl From<LabelEncoder> for Vec<String> {
    fn from(encoder: LabelEncoder) -> Self {
        encoder.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_numeric_order_and_words_are_not() {
        let names = |words: &[&str]| LabelEncoder::fit(words).names().join(" ");
        assert_eq!(names(&["10", "2", "-1", "2"]), "-1 2 10");
        assert_eq!(names(&["10", "2", "x"]), "10 2 x");
    }

    #[test]
    fn every_name_comes_back_from_its_index_and_from_a_file() {
        let encoder = LabelEncoder::fit(["10", "9", "8", "10"]);
        let text = serde_json::to_string(&encoder).unwrap();
        assert_eq!(text, r#"["8","9","10"]"#);
        let loaded: LabelEncoder = serde_json::from_str(&text).unwrap();
        assert_eq!(loaded, encoder);
        for (index, name) in (0..).zip(encoder.names()) {
            assert_eq!(loaded.index(name), Ok(index));
            assert_eq!(loaded.name(index), Some(name.as_str()));
        }
        assert_eq!(loaded.name(3), None);
    }

    #[test]
    fn a_name_given_twice_is_an_error_wherever_it_comes_from() {
        let names = vec!["a".to_owned(), "b".to_owned(), "a".to_owned()];
        let said = LabelEncoder::new(names).unwrap_err().to_string();
        assert!(said.starts_with("`a` is named twice"), "{said}");
        assert!(serde_json::from_str::<LabelEncoder>(r#"["a","a"]"#).is_err());
    }

    #[test]
    fn a_new_name_gets_the_next_index_and_keeps_it() {
        let mut encoder = LabelEncoder::fit(["up", "down"]);
        let names = ["up", "left", "down", "left"];
        assert_eq!(names.map(|name| encoder.index_or_add(name)), [1, 2, 0, 2]);
        assert_eq!(encoder.names(), ["down", "up", "left"]);
        assert_eq!(encoder.index("left"), Ok(2));
    }

    #[test]
    fn an_error_of_an_unknown_name_lists_those_that_exist() {
        let error = LabelEncoder::fit(["up", "down"]).index("left").unwrap_err();
        assert!(error.to_string().ends_with("there are down, up"), "{error}");
        let many = LabelEncoder::fit((0..12).map(|i| i.to_string()));
        let said = many.index("x").unwrap_err().to_string();
        assert!(said.ends_with("9, … (12 in all)"), "{said}");
    }
}
