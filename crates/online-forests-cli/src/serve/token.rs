//! Who may ask.

use std::fs;
use std::path::Path;

use axum::http::{HeaderMap, header};
use subtle::ConstantTimeEq as _;

use crate::CommandError;

/// Characters of a token, at least.
const FEWEST: usize = 16;

/// What requests must state.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The text of a file, without blanks around it.
    ///
    /// # Errors
    /// A file that cannot be read, or a token that is too short or could not be sent.
    pub fn read(path: &Path) -> Result<Self, CommandError> {
        let text = fs::read_to_string(path);
        let text = text.map_err(|source| CommandError::io("read", path, source))?;
        let token = text.trim();
        match token.len() >= FEWEST && token.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Self(token.to_owned())),
            false => Err(CommandError::Token {
                path: path.to_owned(),
                fewest: FEWEST,
            }),
        }
    }

    /// Whether a request states it. Takes the same time whichever character is wrong.
    pub fn is_stated(&self, headers: &HeaderMap) -> bool {
        let stated = headers.get(header::AUTHORIZATION);
        let stated = stated.and_then(|value| value.as_bytes().split_first_chunk::<7>());
        stated.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case(b"bearer ") && bool::from(token.ct_eq(self.0.as_bytes()))
        })
    }
}
