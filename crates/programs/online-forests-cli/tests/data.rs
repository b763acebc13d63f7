//! Tables that tests learn.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The class that appears late.
pub(crate) const LATE: &str = "late, and rare";

/// Columns `size,rooms,colour,age,kind`: numbers, whole numbers, words with commas, a number with missing values,
/// classes. Of `age`, every 17th is missing; the class [`LATE`] first appears in row 600, counted from 0.
pub(crate) fn houses(rows: usize) -> String {
    let mut text = "size,rooms,colour,age,kind\n".to_owned();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for row in 0..rows {
        let size = rng.random_range(20.0..200.0);
        let rooms = rng.random_range(1..8);
        let colour = ["red", "green", "\"light, blue\""][rng.random_range(0..3)];
        let age = match row % 17 {
            3 => String::new(),
            _ => rng.random_range(0..100).to_string(),
        };
        let kind = match (row, size > 100.0) {
            (600.., _) if row % 5 == 0 => format!("\"{LATE}\""),
            (_, true) if rooms > 2 => "villa".to_owned(),
            (_, true) => "hall".to_owned(),
            (_, false) => "flat".to_owned(),
        };
        text += &format!("{size:.3},{rooms},{colour},{age},{kind}\n");
    }
    text
}

/// Columns `x,y,value`: two numbers and their noisy sum.
pub(crate) fn sums(rows: usize) -> String {
    let mut text = "x,y,value\n".to_owned();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..rows {
        let [x, y, noise] = [0; 3].map(|_| rng.random_range(-1.0..1.0));
        text += &format!("{x:.4},{y:.4},{:.4}\n", x + y + 0.1 * noise);
    }
    text
}

/// The first rows of a table, its header included.
pub(crate) fn first(text: &str, rows: usize) -> String {
    text.lines()
        .take(rows + 1)
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The header and the rows from `row` on, counted from 0.
pub(crate) fn from(text: &str, row: usize) -> String {
    let (header, rows) = text.split_once('\n').unwrap();
    let rows = rows.lines().skip(row).map(|line| format!("{line}\n"));
    format!("{header}\n{}", rows.collect::<String>())
}
