//! Figures of the same subject over all sets, with one legend and one sentence of instructions.

use indexmap::{IndexMap, IndexSet};
use maud::{Markup, html};

use crate::plot::chart::WithoutLegend;
use crate::plot::stroke::Stroke;
use crate::plot::{Medium, Picture as _};
use crate::report::charts::{self, NamedChart, Part};
use crate::report::section::Section;

pub(super) fn figures(part: Part, sections: &[Section], charts: &[Vec<NamedChart>]) -> Markup {
    let mut groups: IndexMap<(&str, &str), Vec<&NamedChart>> = IndexMap::new();
    for chart in charts.iter().flatten().filter(|chart| chart.part == part) {
        let key = (chart.heading.as_str(), chart.reading.as_str());
        groups.entry(key).or_default().push(chart);
    }
    html! {
        @if groups.is_empty() {
            p.about { "No run has a curve: only the stream protocols have curves." }
        } @else {
            (legend(sections))
        }
        @for ((heading, reading), charts) in groups {
            h3 { (heading) }
            p.about { (reading) }
            div.figures { @for chart in charts { (figure(chart, &html! { (chart.title) })) } }
        }
    }
}

/// Renders a figure with instructions of its own.
pub(super) fn lone_figure(chart: &NamedChart) -> Markup {
    html! { div.figures { (figure(chart, &html! { (chart.reading) })) } }
}

/// Renders a figure that scrolls rather than shrink its letters beyond reading.
fn figure(chart: &NamedChart, caption: &Markup) -> Markup {
    let plain = WithoutLegend(&chart.chart);
    let least = plain.size().0 * 4 / 5;
    html! {
        figure {
            figcaption { (caption) }
            div.picture { div style={ "min-width:" (least) "px" } { (plain.inline(&format!("{} {}", chart.heading, chart.title))) } }
        }
    }
}

/// Renders every algorithm with its line and its mark.
fn legend(sections: &[Section]) -> Markup {
    let looks = charts::looks(sections);
    let results = sections.iter().flat_map(|section| &section.rows);
    let drawn: IndexSet<&str> = results
        .filter(|row| row.result.is_some())
        .map(|row| row.label.as_str())
        .collect();
    html! {
        ul.legend {
            @for look in looks.iter().filter(|look| drawn.contains(look.label)) {
                li { (sample(look.stroke)) @if !look.key.is_empty() { b { (look.key) } } (look.label) }
            }
        }
    }
}

fn sample(stroke: Stroke) -> Markup {
    html! {
        svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true" {
            (stroke.line([(0.0, 7.0), (34.0, 7.0)], Medium::Page))
            (stroke.mark((17.0, 7.0), 5.0, Medium::Page))
        }
    }
}
