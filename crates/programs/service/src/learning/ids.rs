//! The ids of rows for clients: no id is ever given to two rows.
//!
//! An id is the number of the row among all that the model has learned. A service that is killed loses rows whose ids clients
//! know, and others get these numbers in the model. So each start that does not find all rows that had ids begins another *series*:
//! its ids are the numbers after that many times [`SERIES`]. The row at which each series begins is written to the file
//! `MODEL.ids` before its first id is given.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use forest_core::files::NewFile;
use forest_model::CommandError;
use serde::{Deserialize, Serialize};

/// The number of ids of a series.
const SERIES: u64 = 1_000_000_000_000;

/// The ids that were given.
#[derive(Debug)]
pub(super) struct Ids {
    /// `None` for a stream, with which nobody can start again.
    path: Option<PathBuf>,
    known: Known,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Known {
    /// The number of the row at which each series began.
    begun_at: Vec<u64>,
    /// The number of rows of the model when the service ended regularly; `None` while it runs, and after it was killed.
    ended_at: Option<u64>,
}

impl Ids {
    /// Prepares ids for what is learned from now on by a model of this number of rows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub(super) fn start(model: Option<&Path>, rows: u64) -> Result<Self, CommandError> {
        let path = model.map(|model| model.with_added_extension("ids"));
        let known = path.as_deref().map(read).transpose()?.flatten();
        let mut known = known.unwrap_or(Known {
            begun_at: vec![0],
            ended_at: Some(rows),
        });
        if known.ended_at != Some(rows) {
            known.begun_at.push(rows);
        }
        known.ended_at = None;
        let ids = Self { path, known };
        ids.write()?;
        Ok(ids)
    }

    /// Records that all rows with ids are in the model file, which has `rows` rows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. Then the next start begins another series.
    pub(super) fn end(&mut self, rows: u64) -> Result<(), CommandError> {
        self.known.ended_at = Some(rows);
        self.write()
    }

    /// Returns the id of the row that is being learned with this number.
    pub(super) fn id(&self, number: u64) -> u64 {
        (self.known.begun_at.len() as u64 - 1) * SERIES + number
    }

    /// Returns the number of the row that has an id; `None` if the model does not have it.
    pub(super) fn number(&self, id: u64) -> Option<u64> {
        let (series, number) = ((id / SERIES) as usize, id % SERIES);
        let begun_at = self.known.begun_at.get(series..)?;
        let (own, later) = begun_at.split_first()?;
        let is_lost = later.iter().any(|begun_at| number >= *begun_at);
        (number >= *own && !is_lost).then_some(number)
    }

    fn write(&self) -> Result<(), CommandError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let text = serde_json::to_vec(&self.known).expect("plain data can be written");
        let written = NewFile::create(path).and_then(|mut file| {
            file.write_all(&text)?;
            file.commit()
        });
        written.map_err(|source| CommandError::io("write", path, source))
    }
}

/// Reads the file; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<Known>, CommandError> {
    let refused = |source| CommandError::io("read", path, source);
    let text = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(refused)?,
    };
    let known: Known = serde_json::from_slice(&text)
        .map_err(|_| refused(io::Error::new(ErrorKind::InvalidData, DAMAGED)))?;
    if known.begun_at.is_empty() {
        Err(refused(io::Error::new(ErrorKind::InvalidData, DAMAGED)))
    } else {
        Ok(Some(known))
    }
}

const DAMAGED: &str = "it does not say which ids were given; remove it if no client knows an id";

#[cfg(test)]
mod tests {
    use super::*;

    fn start(folder: &Path, rows: u64) -> Ids {
        Ids::start(Some(&folder.join("m")), rows).unwrap()
    }

    #[test]
    fn ids_are_numbers_of_rows_until_rows_are_lost_and_no_id_is_given_twice() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut first = start(folder, 100);
        assert_eq!((first.id(100), first.number(7)), (100, Some(7)));
        first.end(120).unwrap();
        // Nothing was lost: the series continues. This service is killed at any time, and 140 rows were saved.
        assert_eq!(start(folder, 120).id(120), 120);
        let second = start(folder, 140);
        assert_eq!(second.id(140), SERIES + 140);
        assert_eq!(
            [139, 140, 150].map(|id| second.number(id)),
            [Some(139), None, None]
        );
        assert_eq!(
            [139, 140].map(|row| second.number(SERIES + row)),
            [None, Some(140)]
        );
        // Another kill, before which 10 rows were saved.
        let third = start(folder, 150);
        let ids = [
            139,
            140,
            SERIES + 149,
            SERIES + 150,
            2 * SERIES + 150,
            3 * SERIES,
        ];
        let rows = [Some(139), None, Some(149), None, Some(150), None];
        assert_eq!(ids.map(|id| third.number(id)), rows);
    }

    #[test]
    fn an_older_model_in_the_place_of_the_file_has_other_ids() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        start(folder, 100).end(150).unwrap();
        let older = start(folder, 110);
        assert_eq!((older.id(110), older.number(110)), (SERIES + 110, None));
        fs::write(folder.join("m.ids"), "{}").unwrap();
        let damaged = Ids::start(Some(&folder.join("m")), 110).unwrap_err();
        assert!(damaged.to_string().contains("remove it"), "{damaged}");
    }
}
