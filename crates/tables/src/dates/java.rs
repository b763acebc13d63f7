//! Patterns of Java's `SimpleDateFormat`, as ARFF declares them.

use std::iter::Peekable;
use std::str::Chars;

/// The same pattern for `strptime`; `None` if a letter has no counterpart there.
pub(super) fn strptime(java: &str) -> Option<String> {
    let mut chars = java.chars().peekable();
    let mut pattern = String::new();
    while let Some(char) = chars.next() {
        match char {
            '\'' => quoted(&mut chars, &mut pattern),
            letter if letter.is_ascii_alphabetic() => {
                pattern += counterpart(letter, 1 + repeats(&mut chars, letter))?;
            }
            other => literal(other, &mut pattern),
        }
    }
    // A fraction of any length; a point before it may be missing with it.
    Some(pattern.replace("%S.%f", "%S%.f"))
}

/// Text up to the closing quote; two quotes are one.
fn quoted(chars: &mut Peekable<Chars<'_>>, pattern: &mut String) {
    if chars.next_if_eq(&'\'').is_some() {
        return literal('\'', pattern);
    }
    while let Some(char) = chars.next() {
        match char {
            '\'' if chars.next_if_eq(&'\'').is_none() => return,
            char => literal(char, pattern),
        }
    }
}

fn literal(char: char, pattern: &mut String) {
    pattern.push(char);
    if char == '%' {
        pattern.push(char);
    }
}

fn repeats(chars: &mut Peekable<Chars<'_>>, letter: char) -> usize {
    std::iter::from_fn(|| chars.next_if_eq(&letter)).count()
}

fn counterpart(letter: char, count: usize) -> Option<&'static str> {
    Some(match (letter, count) {
        ('y' | 'u', 2) => "%y",
        ('y' | 'u', _) => "%Y",
        ('M' | 'L', ..=2) => "%m",
        ('M' | 'L', 3) => "%b",
        ('M' | 'L', _) => "%B",
        ('d', _) => "%d",
        ('D', _) => "%j",
        ('H', _) => "%H",
        ('h', _) => "%I",
        ('m', _) => "%M",
        ('s', _) => "%S",
        ('S', _) => "%f",
        ('a', _) => "%p",
        ('E', ..=3) => "%a",
        ('E', _) => "%A",
        ('Z', _) => "%z",
        ('X', 3) => "%:z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_java_are_translated() {
        for (java, pattern) in [
            ("yyyy-MM-dd HH:mm:ss", "%Y-%m-%d %H:%M:%S"),
            ("yyyy-MM-dd'T'HH:mm:ss", "%Y-%m-%dT%H:%M:%S"),
            ("d.M.yy", "%d.%m.%y"),
            ("EEE, d MMM yyyy hh:mm a", "%a, %d %b %Y %I:%M %p"),
            ("HH:mm:ss.SSSZ", "%H:%M:%S%.f%z"),
            ("hh 'o''clock' ''%", "%I o'clock '%%"),
        ] {
            assert_eq!(strptime(java).as_deref(), Some(pattern), "{java}");
        }
        assert_eq!(strptime("yyyy zzz"), None);
    }
}
