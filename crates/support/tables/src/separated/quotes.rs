//! Quoted cells of a row that continue after their line.

use std::iter;

/// A quoted cell that holds a line end, or the end of the row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Spanning {
    /// Where its quote opens.
    pub(super) start: usize,
    /// Whether its quote is closed where the cell ends.
    pub(super) is_closed: bool,
}

/// Returns the quoted cells of a row that hold line ends or are not closed.
pub(super) fn spanning(row: &[u8], separator: u8) -> impl Iterator<Item = Spanning> {
    let mut at = Some(0);
    iter::from_fn(move || {
        while let Some(start) = at {
            let quoted = row.get(start) == Some(&b'"');
            let close = quoted.then(|| closing(row, start + 1));
            let end = close.map_or(start, |close| close.map_or(row.len(), |close| close + 1));
            at = next_cell(row, end, separator);
            let ends_here = |byte: &u8| [separator, b'\r', b'\n'].contains(byte);
            let is_closed = close != Some(None) && row.get(end).is_none_or(ends_here);
            let spans = close == Some(None) || row[start..end].contains(&b'\n');
            if quoted && spans {
                return Some(Spanning { start, is_closed });
            }
        }
        None
    })
}

/// Returns the quote that closes a cell; of two that follow each other, neither does.
fn closing(row: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let quote = at + row.get(at..)?.iter().position(|byte| *byte == b'"')?;
        match row.get(quote + 1) {
            Some(b'"') => at = quote + 2,
            _ => return Some(quote),
        }
    }
}

/// Where the cell behind the next separator begins.
fn next_cell(row: &[u8], at: usize, separator: u8) -> Option<usize> {
    let ends = |byte: &u8| [separator, b'\r', b'\n'].contains(byte);
    let end = at + row[at..].iter().position(ends)?;
    (row[end] == separator).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(row: &str) -> Vec<(usize, bool)> {
        let cells = spanning(row.as_bytes(), b',');
        cells.map(|cell| (cell.start, cell.is_closed)).collect()
    }

    #[test]
    fn only_cells_that_hold_line_ends_or_are_not_closed_are_found() {
        assert_eq!(found("a,\"b,c\",d\n"), []);
        assert_eq!(found("a,\"b\nc\",\"d\n\"\n"), [(2, true), (8, true)]);
        assert_eq!(found("a,\"b\n\"\"c\",d\n"), [(2, true)]);
        assert_eq!(found("\"12 inch,1\n2,\"x\",3\n"), [(0, false)]);
        assert_eq!(found("a,\"b\nc"), [(2, false)]);
        assert_eq!(found("a,\"bc"), [(2, false)]);
        // A quote within a cell opens nothing.
        assert_eq!(found("5\" a,\"b\"c\n"), []);
    }
}
