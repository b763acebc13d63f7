//! What can be wrong with the parameters of a generator.

use thiserror::Error;

/// A generator was addressed with parameters it cannot use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GeneratorError {
    /// The text after the colon is not `key=value,…`.
    #[error("`{generator}`: `{text}` is not `key=value`; write `{generator}:n=1000,seed=3`")]
    NotKeyValue {
        /// The generator.
        generator: &'static str,
        /// The piece that is wrong.
        text: String,
    },
    /// A key the generator does not have.
    #[error("`{generator}` has no parameter `{key}`{nearest}; it takes {known}")]
    UnknownKey {
        /// The generator.
        generator: &'static str,
        /// The key.
        key: String,
        /// `" (did you mean …?)"` or nothing.
        nearest: String,
        /// Every key with its default.
        known: String,
    },
    /// A key given twice.
    #[error("`{generator}`: parameter `{key}` is given twice")]
    Repeated {
        /// The generator.
        generator: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A value outside its range.
    #[error("`{generator}`: `{key}={value}` is not possible; `{key}` is {rule}")]
    BadValue {
        /// The generator.
        generator: &'static str,
        /// The key.
        key: &'static str,
        /// The value as written.
        value: String,
        /// What it may be.
        rule: String,
    },
    /// More rows than are reasonable to hold in memory.
    #[error("`{generator}`: {rows} rows of {columns} features do not fit in memory; choose fewer")]
    TooLarge {
        /// The generator.
        generator: &'static str,
        /// Training and test rows.
        rows: usize,
        /// Features.
        columns: usize,
    },
}
