//! Limits on the memory of a reader.

/// A row of more bytes (16 MiB) is refused and passed over.
pub const MAX_ROW: usize = 1 << 24;

/// A cell of more bytes (1 MiB) is refused.
pub const MAX_CELL: usize = 1 << 20;

/// A row of more cells is refused.
pub const MAX_COLUMNS: usize = 1 << 20;

/// Unpacked content beyond this (2 GiB) is refused where it has to be held whole: a small file can hold an endless one.
pub const MAX_CONTENT: u64 = 1 << 31;
