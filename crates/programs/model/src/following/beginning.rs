//! The first line of a followed file, which may be repeated in the file that replaces it.

/// The number of bytes of a first line that are kept. A longer one is not recognised.
const LONGEST: usize = 1 << 20;

/// The first line of the first file, its end included.
#[derive(Debug, Default)]
pub(super) struct FirstLine {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl FirstLine {
    /// Records bytes of the first file, one part after another.
    pub(super) fn note(&mut self, bytes: &[u8]) {
        if self.is_whole || self.bytes.len() > LONGEST {
            return;
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        self.is_whole = end.is_some();
        self.bytes
            .extend(&bytes[..end.map_or(bytes.len(), |end| end + 1)]);
    }

    /// Returns whether characters take several bytes each, as in UTF-16.
    pub(super) fn is_wide(&self) -> bool {
        self.bytes.contains(&0)
    }
}

/// The beginning of a later file.
#[derive(Debug, Default)]
pub(super) struct Beginning(Vec<u8>);

impl Beginning {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// Returns the beginning without the line, if it repeats that line; `None` as long as that is not known.
    pub(super) fn without(&self, line: &FirstLine) -> Option<&[u8]> {
        let found = self.0.as_slice();
        match found.strip_prefix(line.bytes.as_slice()) {
            Some(rest) if line.is_whole => Some(rest),
            _ if line.bytes.starts_with(found) => None,
            _ => Some(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(parts: &[&str]) -> FirstLine {
        let mut line = FirstLine::default();
        parts.iter().for_each(|part| line.note(part.as_bytes()));
        line
    }

    fn without(found: &str, line: &FirstLine) -> Option<String> {
        let mut beginning = Beginning::default();
        beginning.add(found.as_bytes());
        let rest = beginning.without(line)?;
        Some(String::from_utf8(rest.to_vec()).unwrap())
    }

    #[test]
    fn a_header_that_is_repeated_is_left_out() {
        for line in [line(&["a,b\n1,2\n", "3,4\n"]), line(&["a,", "b\n", "1"])] {
            assert_eq!(without("a,b\n5,6\n", &line).as_deref(), Some("5,6\n"));
            assert_eq!(without("a,b\n", &line).as_deref(), Some(""));
            assert_eq!(without("5,6\n", &line).as_deref(), Some("5,6\n"));
            assert_eq!(without("a,b,c\n", &line).as_deref(), Some("a,b,c\n"));
            assert_eq!(without("a,b", &line), None);
            assert_eq!(without("", &line), None);
        }
    }
}
