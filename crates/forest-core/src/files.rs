//! Files that appear whole or not at all, and that one program at a time writes.

mod beside;
mod destination;
mod lock;
mod new_file;

pub use destination::destination;
pub use lock::{Lock, LockError};
pub use new_file::NewFile;
