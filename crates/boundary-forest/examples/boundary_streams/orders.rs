//! Orders in which the rows of a stream reach a forest.

use forest_core::TreeRng;

/// An order of `0..n`, drawn from a random stream.
pub type Order = fn(usize, &mut TreeRng) -> Vec<usize>;

const ROWS: usize = 1000;

pub fn as_it_is(n: usize, _: &mut TreeRng) -> Vec<usize> {
    (0..n).collect()
}

pub fn shuffled(n: usize, rng: &mut TreeRng) -> Vec<usize> {
    let mut order: Vec<_> = (0..n).collect();
    rng.shuffle(&mut order);
    order
}

/// The first 1000 rows shuffled, so that roots are drawn from them.
pub fn first_shuffled(n: usize, rng: &mut TreeRng) -> Vec<usize> {
    let mut order: Vec<_> = (0..n).collect();
    rng.shuffle(&mut order[..ROWS]);
    order
}

/// Every row takes the place of a random one of 1000 that wait; that one goes on.
pub fn through_a_buffer(n: usize, rng: &mut TreeRng) -> Vec<usize> {
    let mut waiting: Vec<_> = (0..ROWS).collect();
    let mut swap = |row| std::mem::replace(&mut waiting[rng.below(ROWS)], row);
    let mut order: Vec<_> = (ROWS..n).map(&mut swap).collect();
    rng.shuffle(&mut waiting);
    order.extend(waiting);
    order
}

/// Shuffled blocks, each a tenth of what came before it, at least 100 rows.
pub fn in_growing_blocks(n: usize, rng: &mut TreeRng) -> Vec<usize> {
    let (mut order, mut start): (Vec<_>, _) = ((0..n).collect(), 0);
    while start < n {
        let end = n.min(start + (start / 10).max(100));
        rng.shuffle(&mut order[start..end]);
        start = end;
    }
    order
}
