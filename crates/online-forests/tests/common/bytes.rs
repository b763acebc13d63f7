//! Crafted snapshots: altered, with a checksum that fits again.

/// Where the container's fields stand (docs/snapshot-format.md).
pub const VERSION: usize = 8;
pub const TASK: usize = 10;
pub const CODEC: usize = 11;
pub const LABEL_LENGTH: usize = 12;
pub const PAYLOAD_LENGTH: usize = 20;
pub const LABEL: usize = 36;

/// Returns the snapshot after `change`, with a checksum that fits.
pub fn crafted(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut content = bytes[..bytes.len() - 4].to_vec();
    change(&mut content);
    content.extend(crc32fast::hash(&content).to_le_bytes());
    content
}

/// Returns where the payload starts.
pub fn payload_start(bytes: &[u8]) -> usize {
    let length = bytes[LABEL_LENGTH..][..8].try_into().unwrap();
    LABEL + u64::from_le_bytes(length) as usize
}
