//! Renders `tables.tex`: the tables for a paper, as `tabular` environments with the rules of the package `booktabs`.

use super::overall::overall;
use super::section::{Rank, Section};

pub(super) fn render(sections: &[Section]) -> String {
    let all = overall(sections).into_iter();
    let all = all.map(|overall| {
        let lines = overall.lines();
        let lines = lines.iter().map(|cells| row(cells, Rank::Unranked));
        table(&overall.title(), &overall.header(), lines, &overall.notes())
    });
    let each = sections.iter().map(|section| {
        let lines = section.lines().map(|(row_of, cells)| {
            let texts: Vec<String> = cells.into_iter().map(|cell| cell.text).collect();
            row(&texts, row_of.rank)
        });
        table(&section.title(), &section.header(), lines, &section.notes())
    });
    let tables: String = all.chain(each).collect();
    format!(
        "% Needs \\usepackage{{booktabs}}. Written by a comparison; the best rows are bold.\n{tables}"
    )
}

/// Renders a table under a comment that names it; notes are comments, too.
fn table(
    title: &str,
    header: &[String],
    lines: impl Iterator<Item = String>,
    notes: &[String],
) -> String {
    let columns = format!("l{}", "r".repeat(header.len() - 1));
    let comments = [title.to_owned()].into_iter().chain(notes.iter().cloned());
    let comments: String = comments
        .map(|words| format!("% {}\n", words.replace('\n', " ")))
        .collect();
    let (header, lines) = (row(header, Rank::Unranked), lines.collect::<String>());
    format!(
        "\n{comments}\\begin{{tabular}}{{{columns}}}\n\\toprule\n{header}\\midrule\n{lines}\\bottomrule\n\\end{{tabular}}\n"
    )
}

fn row(cells: &[String], rank: Rank) -> String {
    let cells = cells.iter().map(|cell| match (escaped(cell), rank) {
        (text, Rank::Best) if !text.is_empty() => format!("\\textbf{{{text}}}"),
        (text, _) => text,
    });
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// Escapes characters that LaTeX takes for commands, and those that its fonts lack.
fn escaped(text: &str) -> String {
    let of = |character: char| match character {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{character}"),
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '<' | '>' => format!("${character}$"),
        '±' => "$\\pm$".to_owned(),
        '–' => "--".to_owned(),
        '·' => "$\\cdot$".to_owned(),
        '²' => "$^2$".to_owned(),
        'κ' => "$\\kappa$".to_owned(),
        'µ' => "$\\mu$".to_owned(),
        '→' => "$\\to$".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::section::Row;
    use super::*;

    #[test]
    fn tables_have_the_rules_of_booktabs_and_no_bare_commands() {
        let rows = ["a_b:c=50%", "d"].map(|label| Row::example(label, false, &[0.9, 0.8]));
        let mut section = Section::example("one & two", "kappa".parse().unwrap(), rows.to_vec());
        section.rows[0].rank = Rank::Best;
        let tex = render(&[section]);
        for words in [
            "\\begin{tabular}{lrr}\n\\toprule\nalgorithm & mean rank & one \\& two \\\\\n\\midrule\n",
            "\\textbf{a\\_b:c=50\\%} & \\textbf{0.8500 $\\pm$ 0.6353} & \\textbf{best}",
            "Cohen's $\\kappa$ $\\pm$ over seeds",
            "\\bottomrule\n\\end{tabular}\n",
        ] {
            assert!(tex.contains(words), "{words}:\n{tex}");
        }
        let is_comment = |line: &&str| line.starts_with('%');
        let bare = tex
            .lines()
            .filter(|line| !is_comment(line))
            .filter(|line| line.contains("_") && !line.contains("\\_"));
        assert_eq!(bare.count(), 0);
    }
}
