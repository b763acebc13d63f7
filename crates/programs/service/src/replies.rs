//! Replies to requests that may come again.
//!
//! A client whose connection ended before the reply was there cannot know whether its rows were learned. It states a key with the
//! request, and the same one when it sends the request again, also to a service that was started again meanwhile: replies
//! are saved beside the model, those to rows of the model alone.

mod file;

use std::collections::VecDeque;
use std::path::Path;

use axum::http::HeaderMap;
use file::File;
use forest_model::{CommandError, Position};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::refusal::Refusal;
use crate::reply::Reply;

/// The most keys that are remembered.
const MOST: usize = 1024;

/// The most bytes of all replies that are remembered; the latest one always is.
const MOST_BYTES: usize = 1 << 24;

/// The header that states a key, and the maximum length of one.
const HEADER: &str = "idempotency-key";
const LONGEST: usize = 255;

/// Identifies a request.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Key {
    /// The key that the client has stated.
    text: String,
    /// A digest of what is requested, and of the body.
    digest: u64,
}

impl Key {
    /// Returns the key that is stated with a request for `asked` with this body.
    ///
    /// # Errors
    /// Returns 400 for a key that is too long or not of visible ASCII.
    pub(crate) fn of(
        headers: &HeaderMap,
        asked: &str,
        body: &[u8],
    ) -> Result<Option<Self>, Refusal> {
        let Some(text) = headers.get(HEADER) else {
            return Ok(None);
        };
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > LONGEST || !bytes.iter().all(u8::is_ascii_graphic) {
            return Err(Refusal::bad_request(format!(
                "Idempotency-Key: expected 1 to {LONGEST} visible characters of ASCII without blanks"
            )));
        }
        let seed = XxHash3_64::oneshot(asked.as_bytes());
        Ok(Some(Self {
            text: String::from_utf8_lossy(bytes).into_owned(),
            digest: XxHash3_64::oneshot_with_seed(seed, body),
        }))
    }
}

/// A reply that is remembered.
#[derive(Debug, Deserialize, Serialize)]
struct Known {
    key: Key,
    /// The position of the model behind the rows of the request.
    position: Position,
    reply: Reply,
}

/// The latest replies, by key.
#[derive(Debug, Default)]
pub(crate) struct Replies {
    latest: VecDeque<Known>,
    bytes: usize,
    file: File,
}

impl Replies {
    /// Returns the replies that were saved with a model file of this position, to rows that it has.
    ///
    /// # Errors
    /// Returns an error if the file of replies cannot be read.
    pub(crate) fn start(model: Option<&Path>, saved: Position) -> Result<Self, CommandError> {
        let (file, saved) = File::read(model, saved)?;
        let mut replies = Self {
            file,
            ..Self::default()
        };
        saved.into_iter().for_each(|known| replies.push(known));
        Ok(replies)
    }

    /// Saves the replies for a model file that is then replaced by one of position `next`. Whether or not it is, the replies that the next
    /// start finds are those to rows of the model file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn save(&self, next: Position) -> Result<(), CommandError> {
        self.file.write(&self.latest, next)
    }

    /// Records that the model file has this position.
    pub(crate) fn record_saved(&mut self, position: Position) {
        self.file.saved = position;
    }

    /// Returns the reply that a request had, if its key is known.
    ///
    /// # Errors
    /// Returns 422 if another request had the key.
    pub(crate) fn find(&self, key: &Key) -> Result<Option<Reply>, Refusal> {
        let mut latest = self.latest.iter();
        match latest.find(|known| known.key.text == key.text) {
            Some(known) if known.key.digest != key.digest => Err(Refusal::unprocessable(
                "another request had this Idempotency-Key; use a different key for each request",
            )),
            Some(known) => Ok(Some(known.reply.clone())),
            None => Ok(None),
        }
    }

    /// Remembers the reply to a request whose rows the model has learned up to this position, and drops the oldest replies that exceed the
    /// limits.
    pub(crate) fn keep(&mut self, key: Key, position: Position, reply: Reply) {
        self.push(Known {
            key,
            position,
            reply,
        });
    }

    fn push(&mut self, known: Known) {
        self.bytes += known.reply.bytes();
        self.latest.push_back(known);
        while self.latest.len() > MOST || (self.bytes > MOST_BYTES && self.latest.len() > 1) {
            if let Some(oldest) = self.latest.pop_front() {
                self.bytes -= oldest.reply.bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Form;

    fn reply(bytes: usize) -> Reply {
        Reply {
            form: Form::Csv,
            text: "x".repeat(bytes),
            rows: 1,
            bad: 0,
        }
    }

    fn key(number: usize) -> Key {
        let text = format!("key {number}");
        Key { text, digest: 1 }
    }

    /// A position after this number of rows.
    fn after(rows: u64) -> Position {
        let start = Position::start(["x"]);
        Position {
            learned: rows,
            digest: start.digest + rows,
            ..start
        }
    }

    #[test]
    fn the_latest_keys_are_known_in_bounded_memory() {
        let mut replies = Replies::default();
        for number in 0..MOST + 10 {
            replies.keep(key(number), after(0), reply(1));
        }
        assert!(replies.find(&key(9)).unwrap().is_none());
        assert!(replies.find(&key(10)).unwrap().is_some());
        let other = Key {
            digest: 2,
            ..key(10)
        };
        assert!(replies.find(&other).is_err());
        let large = reply(4 << 20);
        for number in 0..9 {
            replies.keep(key(number), after(0), large.clone());
            assert!(replies.find(&key(number)).unwrap().is_some());
        }
        assert!(replies.bytes <= MOST_BYTES.max(large.bytes()));
        let bytes: usize = replies.latest.iter().map(|it| it.reply.bytes()).sum();
        assert_eq!(replies.bytes, bytes);
    }

    /// What the next service knows of ten keys, of which the last five were learned after the last save, when it finds a model of this
    /// position.
    fn known_at(found: Position) -> Vec<usize> {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("m");
        let mut replies = Replies::start(Some(&model), after(0)).unwrap();
        for number in 0..10 {
            if number == 5 {
                replies.save(after(5)).unwrap();
                replies.record_saved(after(5));
            }
            replies.keep(key(number), after(number as u64 + 1), reply(1));
        }
        replies.save(after(10)).unwrap();
        let next = Replies::start(Some(&model), found).unwrap();
        let known = |number: &usize| next.find(&key(*number)).unwrap().is_some();
        (0..10).filter(known).collect()
    }

    #[test]
    fn a_later_service_knows_the_keys_of_rows_that_its_model_has() {
        assert_eq!(known_at(after(10)), (0..10).collect::<Vec<_>>());
        // The service was killed between the two files.
        assert_eq!(known_at(after(5)), (0..5).collect::<Vec<_>>());
        // Models of other rows: an older one, one that learned more elsewhere, and one with as many other rows.
        let other = Position {
            digest: 0,
            ..after(10)
        };
        for found in [after(3), after(12), other] {
            assert_eq!(known_at(found), Vec::<usize>::new());
        }
    }

    #[test]
    fn a_later_service_replies_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("m");
        let reply = Reply {
            text: "3,\"7\"\n".to_owned(),
            bad: 1,
            ..reply(0)
        };
        let mut replies = Replies::start(Some(&model), after(0)).unwrap();
        replies.keep(key(1), after(2), reply.clone());
        replies.save(after(2)).unwrap();
        let next = Replies::start(Some(&model), after(2)).unwrap();
        assert_eq!(next.find(&key(1)).unwrap(), Some(reply));
        let keys = folder.path().join("m.keys");
        std::fs::write(&keys, "[]").unwrap();
        let damaged = Replies::start(Some(&model), after(2)).unwrap_err();
        assert!(damaged.to_string().contains("remove it"), "{damaged}");
    }
}
