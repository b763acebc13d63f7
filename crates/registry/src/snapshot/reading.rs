//! What this thread reads, for values that were written otherwise in old versions of the format.

use std::cell::RefCell;

use super::container::VERSION;

struct Reading {
    version: u16,
    algorithm: String,
}

thread_local! {
    static READING: RefCell<Reading> = const {
        RefCell::new(Reading { version: VERSION, algorithm: String::new() })
    };
}

/// Answers `ask` the version of the format of the snapshot that this thread reads, and the name of the learner whose payload
/// it reads in it: the newest version and no name while it reads no snapshot.
pub fn reading<R>(ask: impl FnOnce(u16, &str) -> R) -> R {
    READING.with_borrow(|reading| ask(reading.version, &reading.algorithm))
}

/// Reads a snapshot of this version.
pub(super) fn version<R>(version: u16, read: impl FnOnce() -> R) -> R {
    let _restored = Restored(replace(|reading| Reading {
        version,
        algorithm: reading.algorithm.clone(),
    }));
    read()
}

/// Reads the payload of a learner of this name, perhaps inside that of another.
pub(super) fn algorithm<R>(name: &str, read: impl FnOnce() -> R) -> R {
    let _restored = Restored(replace(|reading| Reading {
        version: reading.version,
        algorithm: name.to_owned(),
    }));
    read()
}

fn replace(new: impl FnOnce(&Reading) -> Reading) -> Reading {
    READING.with_borrow_mut(|reading| {
        let new = new(reading);
        std::mem::replace(reading, new)
    })
}

/// Puts back what was read before, after a panic too.
struct Restored(Reading);

impl Drop for Restored {
    fn drop(&mut self) {
        READING.with_borrow_mut(|reading| std::mem::swap(reading, &mut self.0));
    }
}
