//! What can be wrong with the parameters of a generator.

use parameters::ParameterError;
use thiserror::Error;

/// A generator was addressed with parameters it cannot use.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GeneratorError {
    /// The text after the colon.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// More rows than are reasonable to hold in memory.
    #[error("`{address}`: {rows} rows of {columns} features do not fit in memory; choose fewer")]
    TooLarge {
        /// The address.
        address: String,
        /// Training and test rows.
        rows: usize,
        /// Features.
        columns: usize,
    },
}
