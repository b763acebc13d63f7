//! The file `MODEL.keys`, which has the remembered replies.
//!
//! It is written before the model file, and a kill may come between the two. So it has the position of the model file before and after:
//! the one that the next start finds decides which requests its rows contain. A model of another position was changed by
//! another program or replaced, and nothing is known of its requests.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use forest_core::files::NewFile;
use forest_model::{CommandError, Position};
use serde::{Deserialize, Serialize};

use super::Known;

const DAMAGED: &str =
    "it does not have the replies to earlier requests; remove it if no client repeats one";

/// The file, and the position of the model file.
#[derive(Debug)]
pub(super) struct File {
    /// `None` for a stream, with which nobody can start again.
    path: Option<PathBuf>,
    pub(super) saved: Position,
}

/// The content of the file.
#[derive(Deserialize, Serialize)]
struct Content<K> {
    before: Position,
    after: Position,
    replies: K,
}

impl Default for File {
    fn default() -> Self {
        Self {
            path: None,
            saved: Position::start([]),
        }
    }
}

impl File {
    /// Returns the file of a model, and the replies that it has to rows of a model of this position.
    pub(super) fn read(
        model: Option<&Path>,
        saved: Position,
    ) -> Result<(Self, VecDeque<Known>), CommandError> {
        let path = model.map(|model| model.with_added_extension("keys"));
        let content = path.as_deref().map(content).transpose()?.flatten();
        let replies = content.map(|content| content.of(saved));
        let file = Self { path, saved };
        Ok((file, replies.unwrap_or_default()))
    }

    /// Writes replies, before the model file is replaced by one of position `after`. A file without replies is not made.
    pub(super) fn write(
        &self,
        replies: &VecDeque<Known>,
        after: Position,
    ) -> Result<(), CommandError> {
        let path = self.path.as_ref();
        let Some(path) = path.filter(|path| !replies.is_empty() || path.exists()) else {
            return Ok(());
        };
        let content = Content {
            before: self.saved,
            after,
            replies,
        };
        let text = serde_json::to_vec(&content).expect("plain data can be written");
        let written = NewFile::create(path).and_then(|mut file| {
            file.write_all(&text)?;
            file.commit()
        });
        written.map_err(|source| CommandError::io("write", path, source))
    }
}

impl Content<VecDeque<Known>> {
    /// Returns the replies to requests whose rows a model of this position has.
    fn of(mut self, position: Position) -> VecDeque<Known> {
        if position == self.before {
            self.replies
                .retain(|known| known.position.rows() <= position.rows());
        } else if position != self.after {
            self.replies.clear();
        }
        self.replies
    }
}

/// Reads the file; `None` if it does not exist.
fn content(path: &Path) -> Result<Option<Content<VecDeque<Known>>>, CommandError> {
    let refused = |source| CommandError::io("read", path, source);
    let text = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(refused)?,
    };
    let content = serde_json::from_slice(&text);
    let content = content.map_err(|_| refused(io::Error::new(ErrorKind::InvalidData, DAMAGED)))?;
    Ok(Some(content))
}
