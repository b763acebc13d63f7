//! Replies to requests that may come again.
//!
//! A client whose connection ended before the reply was there cannot know whether its rows were learned. It states a key with the
//! request, and the same one when it sends the request again.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::http::HeaderMap;
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
#[derive(Clone, Debug)]
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

/// The latest replies, by key.
#[derive(Debug, Default)]
pub(crate) struct Replies {
    latest: VecDeque<(Key, Arc<Reply>)>,
    bytes: usize,
}

impl Replies {
    /// Returns the reply that a request had, if its key is known.
    ///
    /// # Errors
    /// Returns 422 if another request had the key.
    pub(crate) fn find(&self, key: &Key) -> Result<Option<Arc<Reply>>, Refusal> {
        let mut latest = self.latest.iter();
        match latest.find(|(known, _)| known.text == key.text) {
            Some((known, _)) if known.digest != key.digest => Err(Refusal::unprocessable(
                "another request had this Idempotency-Key; use a different key for each request",
            )),
            Some((_, reply)) => Ok(Some(Arc::clone(reply))),
            None => Ok(None),
        }
    }

    /// Remembers a reply, and drops the oldest ones that exceed the limits.
    pub(crate) fn keep(&mut self, key: Key, reply: &Arc<Reply>) {
        self.bytes += reply.bytes();
        self.latest.push_back((key, Arc::clone(reply)));
        while self.latest.len() > MOST || (self.bytes > MOST_BYTES && self.latest.len() > 1) {
            if let Some((_, oldest)) = self.latest.pop_front() {
                self.bytes -= oldest.bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Field;
    use crate::request::Form;

    fn reply(rows: u64) -> Arc<Reply> {
        let mut reply = Reply::new(Form::Csv, vec!["id".to_owned()]);
        (0..rows).for_each(|row| reply.add(vec![Field::Id(row)], Vec::new()));
        Arc::new(reply)
    }

    fn key(number: usize) -> Key {
        let text = format!("key {number}");
        Key { text, digest: 1 }
    }

    #[test]
    fn the_latest_keys_are_known_in_bounded_memory() {
        let mut replies = Replies::default();
        for number in 0..MOST + 10 {
            replies.keep(key(number), &reply(1));
        }
        assert!(replies.find(&key(9)).unwrap().is_none());
        assert!(replies.find(&key(10)).unwrap().is_some());
        let other = Key {
            digest: 2,
            ..key(10)
        };
        assert!(replies.find(&other).is_err());
        let large = reply(100_000);
        for number in 0..9 {
            replies.keep(key(number), &large);
            assert!(replies.find(&key(number)).unwrap().is_some());
        }
        assert!(replies.bytes <= MOST_BYTES.max(large.bytes()));
        let bytes: usize = replies.latest.iter().map(|(_, it)| it.bytes()).sum();
        assert_eq!(replies.bytes, bytes);
    }
}
