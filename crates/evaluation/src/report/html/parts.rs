//! Figures: those of all sets that show the same, with one legend and one sentence that says how to read them.

use indexmap::{IndexMap, IndexSet};
use maud::{Markup, PreEscaped, html};

use crate::plot::Picture as _;
use crate::plot::chart::WithoutLegend;
use crate::plot::palette;
use crate::plot::stroke::Stroke;
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
            p.about { "No run has a curve: only the protocols along a stream have some." }
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

/// A figure that shares its reading with no other.
pub(super) fn lone_figure(chart: &NamedChart) -> Markup {
    html! { div.figures { (figure(chart, &html! { (chart.reading) })) } }
}

/// A picture that cannot be drawn says why in its place. It scrolls before its letters are too small to read.
fn figure(chart: &NamedChart, caption: &Markup) -> Markup {
    let plain = WithoutLegend(&chart.chart);
    let least = plain.size().0 * 4 / 5;
    let picture = match plain.inline() {
        Ok(svg) => PreEscaped(svg),
        Err(error) => html! { p.warning { (error) } },
    };
    html! {
        figure {
            figcaption { (caption) }
            div.picture { div style={ "min-width:" (least) "px" } { (picture) } }
        }
    }
}

/// Every algorithm with its line and its mark, in full.
fn legend(sections: &[Section]) -> Markup {
    let strokes = charts::strokes(sections);
    let results = sections.iter().flat_map(|section| &section.rows);
    let drawn: IndexSet<&str> = results
        .filter(|row| row.result.is_some())
        .map(|row| row.label.as_str())
        .collect();
    html! {
        ul.legend {
            @for (label, stroke) in strokes.iter().filter(|(label, _)| drawn.contains(label)) {
                li { (sample(*stroke)) (label) }
            }
        }
    }
}

fn sample(stroke: Stroke) -> Markup {
    let [dash, gap, width] = stroke.pattern.dash_gap_width();
    let corner = |(x, y): (i32, i32)| format!("{},{} ", x + 17, y + 7);
    let mark: String = palette::mark(stroke, 5).into_iter().map(corner).collect();
    html! {
        svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true" fill="none"
            stroke=(palette::on_page(stroke.colour)) stroke-width=(width) {
            path d="M0 7H34" stroke-dasharray={ (dash) " " (gap) } {}
            polygon points=(mark.trim()) {}
        }
    }
}
