//! Errors of decoders.

use std::io;

use arrow_schema::ArrowError;
use thiserror::Error;

use super::guarded::guarded;
use crate::Fault;

/// Characters that are shown of an error, which may quote a long schema.
const SHOWN: usize = 200;

/// An input that failed, on its way through a decoder.
#[derive(Debug, Error)]
#[error(transparent)]
pub(super) struct Failed(pub(super) io::Error);

/// Returns the result of a decoder; a panic of a decoder is damage, too.
pub(super) fn decoded<T>(decode: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, Fault> {
    let panicked = || Err(damage("its parts contradict each other"));
    guarded(decode).unwrap_or_else(panicked).map_err(fault)
}

/// Returns an error for damage that decoders do not find.
pub(super) fn damage(what: &str) -> ArrowError {
    ArrowError::ParseError(what.to_owned())
}

fn fault(error: ArrowError) -> Fault {
    let damaged = |what: String| Fault::Columnar(what.chars().take(SHOWN).collect());
    match error {
        ArrowError::IoError(what, source) => match source.downcast() {
            Ok(Failed(source)) => source.into(),
            Err(_) => damaged(what),
        },
        error => {
            let text = error.to_string();
            codec(&text).map_or_else(|| damaged(text.clone()), Fault::Codec)
        }
    }
}

/// What a Parquet file is packed with, if the decoder says that it cannot unpack it.
fn codec(error: &str) -> Option<String> {
    let (_, codec) = error
        .split_once("Disabled feature at compile time: ")
        .or_else(|| error.split_once("The codec type "))?;
    let name = codec.split(' ').next()?.to_ascii_uppercase();
    Some(if name == "BROTLI" {
        "Brotli".to_owned()
    } else {
        name
    })
}
