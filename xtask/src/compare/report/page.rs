//! The page around the content: head and style.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");

/// A whole document.
pub fn render(content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Comparison of online forests" }
                style { (PreEscaped(STYLE)) }
            }
            body { (content) }
        }
    }
}
