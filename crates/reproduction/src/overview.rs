//! `README.md` over all pages: a row per claim.

use std::fmt::Write as _;

use results::markdown;

use crate::claim::Verdict;
use crate::item::Item;
use crate::page::Page;
use crate::record::Scale;

const ABOUT: &str = "\
Every table and figure of the papers that we can run, with what the papers claim of it. A verdict is computed from the
records by the rule that the item's page states: *better* means that the 95 % interval of the paired difference over
seeds (Student's t) leaves out 0. A claim *holds* if its rule does at every place it is about, *in part* if at some, and
*cannot be tested here* if there are no records. Rules stand in `xtask/experiments`.
";

/// The text of the overview. Items without records are named below the table.
pub fn write(pages: &[(&Item, &Page<'_>)], scale: Scale) -> String {
    let (pages, without): (Vec<_>, Vec<_>) = pages.iter().partition(|(_, page)| page.has_records());
    let mut text = format!("# What the papers show, and what we see\n\n{ABOUT}\n");
    let _ = writeln!(text, "```sh\ncargo xtask reproduce --scale {scale}\n```\n");
    let all = || pages.iter().flat_map(|(_, page)| &page.judgements);
    let count = |verdict| {
        all()
            .filter(|judgement| judgement.verdict == verdict)
            .count()
    };
    let numbers = [
        Verdict::Holds,
        Verdict::InPart,
        Verdict::DoesNotHold,
        Verdict::Untested,
    ];
    let numbers = numbers.map(|verdict| [verdict.to_string(), count(verdict).to_string()]);
    let total = ["all".to_owned(), all().count().to_string()];
    let header = ["verdict", "claims"].map(str::to_owned);
    let rows = numbers.into_iter().chain([total]).map(Vec::from);
    let _ = writeln!(text, "{}", markdown::table(&header, rows));
    let rows = pages.iter().flat_map(|(item, page)| {
        let judged = item.claim.iter().zip(&page.judgements);
        judged.map(|(claim, judgement)| {
            let address = item.address();
            [
                format!("[{address}]({address}.md)"),
                claim.text.trim().to_owned(),
                format!("**{}**", judgement.verdict),
                judgement.detail.clone(),
            ]
        })
    });
    let header = ["item", "what the paper shows", "verdict", "what we see"];
    text.push_str(&markdown::text_table(header, rows));
    if !without.is_empty() {
        let names: Vec<String> = without.iter().map(|(item, _)| item.address()).collect();
        let names = names.join(", ");
        let _ = writeln!(text, "\nWithout records at this scale: {names}.");
    }
    text
}
