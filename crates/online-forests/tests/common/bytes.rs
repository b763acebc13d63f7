//! Crafted snapshots: altered, with a checksum that fits again.

/// Where the container's fields stand (docs/snapshot-format.md).
pub(crate) const VERSION: usize = 8;
pub(crate) const TASK: usize = 10;
pub(crate) const CODEC: usize = 11;
pub(crate) const LABEL_LENGTH: usize = 12;
pub(crate) const PAYLOAD_LENGTH: usize = 20;
pub(crate) const LABEL: usize = 28;

/// Returns the snapshot after `change`, with a checksum that fits.
pub(crate) fn crafted(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut content = bytes[..bytes.len() - 4].to_vec();
    change(&mut content);
    content.extend(crc32fast::hash(&content).to_le_bytes());
    content
}

/// Returns where the payload starts.
pub(crate) fn payload_start(bytes: &[u8]) -> usize {
    LABEL + u64::from_le_bytes(bytes[LABEL_LENGTH..][..8].try_into().unwrap()) as usize
}
