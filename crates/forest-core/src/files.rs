//! Files that appear whole or not at all, and that one program at a time writes.

mod lock;
mod new_file;

pub use lock::{Lock, LockError};
pub use new_file::{NewFile, destination};
