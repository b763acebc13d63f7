//! Values that are written as words.

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
