//! The table of algorithms: the rows that the crates of a program submit.

use std::sync::LazyLock;

use crate::registry::{Entry, Role};

/// Rows that are in the table of every program that links the crate which submits them.
#[doc(hidden)]
#[derive(Debug)]
pub struct Rows(pub &'static [&'static Entry]);

inventory::collect!(Rows);

/// Adds rows to the table of algorithms of every program that the crate is linked into.
///
/// From then on the algorithms are known by name wherever names are read: they are compared, trained, saved and loaded. If a name is
/// submitted twice, the program panics when it first reads a name.
///
/// ```
/// use forest_core::registry::{Algorithm, Entry};
///
/// const AVERAGE: &Entry = &Entry { name: "average", ..*forest_core::registry::MEAN };
/// forest_core::submit!(&[AVERAGE]);
///
/// assert_eq!("average".parse::<Algorithm>()?.name(), "average");
/// # Ok::<(), forest_core::registry::AlgorithmError>(())
/// ```
#[macro_export]
macro_rules! submit {
    ($rows:expr) => {
        $crate::registry::inventory::submit! { $crate::registry::Rows($rows) }
    };
}

/// Returns the rows by name, baselines last. The order in which crates are linked decides nothing.
pub(crate) fn entries() -> impl Iterator<Item = &'static Entry> {
    static TABLE: LazyLock<Vec<&'static Entry>> = LazyLock::new(table);
    TABLE.iter().copied()
}

fn table() -> Vec<&'static Entry> {
    let submitted = inventory::iter::<Rows>.into_iter();
    let mut table: Vec<_> = submitted.flat_map(|rows| rows.0).copied().collect();
    table.sort_by_key(|entry| (entry.role == Role::Baseline, entry.name));
    let twice = table.windows(2).find(|pair| pair[0].name == pair[1].name);
    assert!(twice.is_none(), "algorithm submitted twice: {twice:?}");
    table
}
