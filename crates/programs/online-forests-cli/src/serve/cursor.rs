//! Cursors: how far the rows of a source, such as a partition of a broker, are learned.
//!
//! A client whose connection ends before the reply cannot know whether its rows were learned. The cursors of a model are saved with its
//! rows, in one file, so that they show it, also after a kill: the client continues from there.

use std::collections::BTreeMap;

use axum::http::StatusCode;

use crate::serve::refusal::Refusal;

/// The most characters of the name of a source, and of a place.
const LONGEST: usize = 255;

/// The most sources of a model.
const MOST: usize = 1024;

/// Rows of a source that follow one place and end at another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub source: String,
    /// Empty before the first rows of a source.
    pub after: String,
    pub upto: String,
}

impl Move {
    /// Returns what the query states, `None` for rows without a source.
    ///
    /// # Errors
    /// Returns 400 for a part without the others, or a text that is too long or not of visible ASCII.
    pub(super) fn read(
        source: Option<String>,
        after: Option<String>,
        upto: Option<String>,
    ) -> Result<Option<Self>, Refusal> {
        let (source, upto) = match (source, upto) {
            (None, None) if after.is_none() => return Ok(None),
            (Some(source), Some(upto)) => (source, upto),
            _ => {
                let reason = "rows of a source need its name and their last place: source=NAME&after=CURSOR&upto=PLACE";
                return Err(Refusal::bad_request(reason));
            }
        };
        let after = after.unwrap_or_default();
        let is_text =
            |text: &str| text.len() <= LONGEST && text.bytes().all(|it| it.is_ascii_graphic());
        if source.is_empty()
            || upto.is_empty()
            || ![&source, &after, &upto]
                .into_iter()
                .all(|text| is_text(text))
        {
            return Err(Refusal::bad_request(format!(
                "source, after and upto: expected 1 to {LONGEST} visible characters of ASCII (`after` may be empty)"
            )));
        }
        Ok(Some(Self {
            source,
            after,
            upto,
        }))
    }

    /// Checks that the rows follow those of their source that are learned.
    ///
    /// # Errors
    /// Returns 409 with the cursor if they do not, and 422 for more sources than a model has.
    pub(super) fn check(&self, cursors: &BTreeMap<String, String>) -> Result<(), Refusal> {
        let cursor = cursors.get(&self.source).map_or("", String::as_str);
        if cursor != self.after {
            let reason = format!(
                "the rows of {} are learned up to `{cursor}`; continue from there",
                self.source
            );
            return Err(Refusal {
                cursor: Some(cursor.to_owned()),
                ..Refusal::new(StatusCode::CONFLICT, reason)
            });
        }
        if cursor.is_empty() && cursors.len() >= MOST {
            return Err(Refusal::unprocessable(format!(
                "a model has at most {MOST} sources"
            )));
        }
        Ok(())
    }
}
