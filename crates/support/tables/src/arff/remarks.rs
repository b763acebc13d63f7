//! Suffixes of a line: a weight, and a comment.

/// Returns the line without the comment at its end: a `%` outside of quotes, at the start or behind a blank.
pub(super) fn without_comment(line: &str) -> &str {
    if !line.contains('%') {
        return line;
    }
    let (mut quote, mut before) = (None, ' ');
    for (at, char) in line.char_indices() {
        let begins = before.is_whitespace() || matches!(before, ',' | '{');
        match (quote, char) {
            (None, '%') if before.is_whitespace() => return line[..at].trim_end(),
            (None, '\'' | '"') if begins => quote = Some(char),
            (Some(open), _) if open == char && before != '\\' => quote = None,
            _ => {}
        }
        before = char;
    }
    line
}

/// Returns the values of a row, and the weight behind them, as in `1,2, {0.5}`.
pub(super) fn without_weight(line: &str) -> (&str, Option<f64>) {
    let weighted = || {
        let (values, weight) = line.strip_suffix('}')?.rsplit_once('{')?;
        let weight = weight.trim().parse().ok()?;
        let values = values.trim_end();
        let values = values.strip_suffix(',').unwrap_or(values).trim_end();
        (!values.is_empty()).then_some((values, Some(weight)))
    };
    weighted().unwrap_or((line, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stand_outside_of_quotes_behind_a_blank() {
        for (line, content) in [
            ("% all", ""),
            ("a,no % note", "a,no"),
            ("a,50%", "a,50%"),
            ("'10 % of it',b\t% note", "'10 % of it',b"),
            ("a,'it\\' % s',b % note", "a,'it\\' % s',b"),
            ("d'or % note", "d'or"),
        ] {
            assert_eq!(without_comment(line), content, "{line}");
        }
    }

    #[test]
    fn weights_stand_in_braces_behind_the_values() {
        for (line, values, weight) in [
            ("a,b, {2}", "a,b", Some(2.0)),
            ("{0 1, 2 x} , { .5 }", "{0 1, 2 x}", Some(0.5)),
            ("{0 1}", "{0 1}", None),
            ("{2}", "{2}", None),
            ("a,'{2}'", "a,'{2}'", None),
        ] {
            assert_eq!(without_weight(line), (values, weight), "{line}");
        }
    }
}
