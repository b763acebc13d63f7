//! Errors of decoders.

use std::io;
use std::panic::{self, AssertUnwindSafe};

use arrow_schema::ArrowError;
use thiserror::Error;

use crate::Fault;

/// Characters that are shown of an error, which may quote a long schema.
const SHOWN: usize = 200;

/// An input that failed, on its way through a decoder.
#[derive(Debug, Error)]
#[error(transparent)]
pub(super) struct Failed(pub(super) io::Error);

/// Returns the result of a decoder; a panic of a decoder, which is printed, is damage, too.
pub(super) fn decoded<T>(decode: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, Fault> {
    let panicked = |_| Err(damage("its parts contradict each other"));
    panic::catch_unwind(AssertUnwindSafe(decode))
        .unwrap_or_else(panicked)
        .map_err(fault)
}

/// Returns an error for damage that decoders do not find.
pub(super) fn damage(what: &str) -> ArrowError {
    ArrowError::ParseError(what.to_owned())
}

fn fault(error: ArrowError) -> Fault {
    let what = match error {
        ArrowError::IoError(what, source) => match source.downcast() {
            Ok(Failed(source)) => return source.into(),
            Err(_) => what,
        },
        error => error.to_string(),
    };
    let what: String = what.chars().take(SHOWN).collect();
    let text = format!("cannot be read as Parquet or Arrow: {what}; fetch or write the file again");
    Fault::of_input(text)
}
