//! The matrix of algorithms and sets, and the critical-difference diagram.

use maud::{Markup, html};

use super::{cells, parts, scrolling};
use crate::number;
use crate::report::charts;
use crate::report::overall::{Cell, Overall};
use crate::report::section::Rank;

pub(super) fn all(overall: &[Overall]) -> Markup {
    html! {
        @if overall.is_empty() {
            p.about { "No two algorithms have a result on the same sets." }
        } @else {
            p.about {
                "A row for each algorithm, the best mean rank first. Each cell has the mean over seeds ± its 95 % interval \
                 (Student's t; it covers seeds, not the choice of test rows), and the rank in the set. Different metrics \
                 are not averaged: each has a matrix of its own. " (Rank::RULE) "."
            }
        }
        @for overall in overall { (one(overall)) }
    }
}

fn one(overall: &Overall) -> Markup {
    html! {
        h3 { (overall.title()) }
        (table(overall))
        @for note in overall.notes() { p.note { (note) } }
        @if let Some(chart) = charts::ranks(overall) { (parts::lone_figure(&chart)) }
    }
}

fn table(overall: &Overall) -> Markup {
    let sets = overall.matrix.sets().map(|(set, _)| set);
    let metric = overall.metric.title;
    let content = html! {
        thead { tr {
            @for name in overall.first_columns() { th scope="col" { (name) } }
            @for set in sets { th scope="col" { (set) br; small { (metric) " ± over seeds" } } }
        } }
        tbody {
            @for index in 0..overall.ranks.len() {
                tr class=[is_baseline(overall, index).then_some("baseline")] {
                    (cells(&overall.first_cells(index)))
                    @for of_set in &overall.cells { (cell(&of_set[index], of_set)) }
                }
            }
        }
    };
    scrolling(&overall.title(), &content)
}

fn is_baseline(overall: &Overall, index: usize) -> bool {
    overall.matrix.algorithms()[index].ends_with("(baseline)")
}

/// Renders a cell; all cells of a set have the same number of decimals.
fn cell(cell: &Cell, of_set: &[Cell]) -> Markup {
    let largest = of_set.iter().map(|cell| cell.value.mean.abs());
    let decimals = number::decimals_of(largest.fold(0.0, f64::max));
    let class = match cell.standing {
        Rank::Best => Some("best"),
        Rank::Tied => Some("tie"),
        Rank::Behind | Rank::Unranked => None,
    };
    html! {
        td class=[class] data-value=(cell.value.mean) {
            (number::interval(&cell.value, decimals))
            br;
            small { "rank " (cell.rank) @if class.is_some() { " · " (cell.standing.word()) } }
        }
    }
}
