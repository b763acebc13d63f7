//! Who is best over data sets.

use indexmap::IndexSet;

use super::names::comparable;
use super::section::{Rank, Row, Section, with_words};
use super::table::{Cell, Mark, Table, TableRow};
use crate::metric::Metric;
use crate::number;
use crate::record::Protocol;
use crate::statistics::{
    Equivalence, Estimate, Friedman, Matrix, TOLERANCE, equivalence, holm, nemenyi, wilcoxon,
};

/// The level of the tests over data sets.
const ALPHA: f64 = 0.05;

/// The least probability that is written out.
const LEAST_SHOWN: f64 = 1e-6;

/// Maximum number of sets with a column each: a row has to fit on a page.
const MOST_SETS: usize = 6;

/// Differences of at most this are practically none: one percentage point of a metric between two bounds, else one per cent of the
/// larger value.
const REGION: f64 = 0.01;

/// With fewer sets, the prior would decide who is practically equivalent.
const FEWEST_FOR_EQUIVALENCE: usize = 6;

/// The name of the column of practical equivalence.
const EQUIVALENCE: &str = "first better, equal, worse";

/// Algorithms over the data sets of one protocol, by one metric, best first.
#[derive(Clone, Debug)]
pub struct Overall {
    /// The protocol.
    pub protocol: Protocol,
    /// Words that distinguish the conditions from others of the same protocol and metric; mostly empty.
    pub distinction: String,
    /// The metric of the ranking.
    pub metric: Metric,
    /// Their values, including baselines.
    pub matrix: Matrix,
    /// The mean rank of each, ascending.
    pub ranks: Vec<f64>,
    /// The cells, set by set, algorithm by algorithm.
    pub cells: Vec<Vec<SetCell>>,
    /// Algorithms without a result on every set.
    pub left_out: Vec<String>,
    /// Sets on which runs failed, each with the number of seeds that are left out for all.
    pub failed_on: Vec<String>,
    /// The test whether they differ at all; `None` for fewer than five sets.
    pub friedman: Option<Friedman>,
    /// Mean ranks closer than this do not differ at 5 % (Nemenyi).
    pub critical_difference: f64,
    /// The p-value of each against the first, by Wilcoxon's test with Holm's correction; `None` for the first.
    pub p: Vec<Option<f64>>,
    /// The probabilities that the first is practically better than each other one, equivalent or worse; `None` if there are fewer than
    /// six sets.
    pub equivalence: Option<Vec<Equivalence>>,
}

/// An algorithm on a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetCell {
    /// Its mean over seeds.
    pub value: Estimate,
    /// Its rank: 1 for the best mean of the set, baselines included; equal ones share the mean of their ranks.
    pub rank: f64,
    /// Whether it is the best algorithm of the set, or tied with it.
    pub standing: Rank,
}

/// Ranks all sets under the same conditions (protocol, metric, preprocessing, …) that have two algorithms with a result on
/// each of them, and leaves out others.
pub fn overall(sections: &[Section]) -> Vec<Overall> {
    let groups = comparable(sections).into_iter();
    let all = groups.filter_map(|(words, group)| Overall::of(words, &group));
    all.collect()
}

impl Overall {
    /// Ranks sections of one protocol and metric; `None` for fewer than two algorithms that have a result on each.
    fn of(distinction: String, sections: &[&Section]) -> Option<Self> {
        let metric = sections[0].columns[0];
        let rows = sections.iter().flat_map(|section| &section.rows);
        let names: IndexSet<String> = rows.map(Row::name).collect();
        let (mut ranked, mut left_out) = (Vec::new(), Vec::new());
        for name in names {
            let on_set = |section: &&Section| {
                let row = section.rows.iter().find(|row| row.name() == name)?;
                Some((row.result.as_ref()?.compared, row.rank))
            };
            match sections.iter().map(on_set).collect::<Option<Vec<_>>>() {
                Some(values) => ranked.push((name, values)),
                None => left_out.push(name),
            }
        }
        let matrix = |ranked: &[(String, Vec<(Estimate, Rank)>)]| {
            let names = ranked.iter().map(|(name, _)| name.clone());
            let mut matrix = Matrix::new(metric, names.collect());
            for (set, section) in sections.iter().enumerate() {
                let means = ranked.iter().map(|(_, values)| values[set].0.mean);
                matrix.push(&section.set(), means.collect()).ok()?;
            }
            Some(matrix)
        };
        if ranked.len() < 2 {
            return None;
        }
        let ranks = matrix(&ranked)?.average_ranks();
        let mut order: Vec<usize> = (0..ranked.len()).collect();
        order.sort_by(|one, other| ranks[*one].total_cmp(&ranks[*other]));
        let ranked: Vec<_> = order.iter().map(|&at| ranked[at].clone()).collect();
        let matrix = matrix(&ranked)?;
        let others = 1..ranked.len();
        let p = others.map(|other| wilcoxon(&matrix.differences(0, other)).p);
        let p = holm(&p.collect::<Vec<f64>>()).into_iter().map(Some);
        let mut cells = Vec::new();
        for (set, ranks) in matrix.ranks().into_iter().enumerate() {
            let of_set = ranked.iter().map(|(_, values)| values[set]);
            let of_set = of_set.zip(ranks).map(|((value, standing), rank)| SetCell {
                value,
                rank,
                standing,
            });
            cells.push(of_set.collect());
        }
        let mut failed_on = Vec::new();
        for section in sections {
            let seeds = section.failed_seeds().len();
            if seeds > 0 {
                let seeds = number::counted(seeds, "seed");
                failed_on.push(format!("{} ({seeds})", section.set()));
            }
        }
        Some(Self {
            protocol: sections[0].setting.protocol,
            distinction,
            metric,
            ranks: matrix.average_ranks(),
            cells,
            left_out,
            failed_on,
            friedman: Friedman::of(&matrix),
            critical_difference: nemenyi(ranked.len(), sections.len(), ALPHA),
            p: [None].into_iter().chain(p).collect(),
            equivalence: against_first(&matrix, metric),
            matrix,
        })
    }

    /// Returns the title.
    pub fn title(&self) -> String {
        let title = format!("Over all sets · {} · {}", self.protocol, self.metric.title);
        with_words(title, &self.distinction)
    }

    /// Returns the critical difference, if the best and the worst mean rank could be so far apart.
    pub fn reachable_difference(&self) -> Option<f64> {
        let most = self.ranks.len() as f64 - 1.0;
        (self.matrix.sets().len() > 1 && self.critical_difference < most)
            .then_some(self.critical_difference)
    }

    /// Returns the first and last of each sequence of algorithms whose mean ranks are at most `difference` apart, without
    /// sequences that are parts of others.
    pub fn joined(&self, difference: f64) -> Vec<(usize, usize)> {
        let last = |first: usize| {
            let reaches = |&rank: &f64| rank - self.ranks[first] <= difference;
            self.ranks.iter().rposition(reaches).unwrap_or(first)
        };
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for first in 0..self.ranks.len() {
            let is_new = joined.last().is_none_or(|&(_, end)| last(first) > end);
            if is_new && last(first) > first {
                joined.push((first, last(first)));
            }
        }
        joined
    }

    /// Returns notes on how to read the table.
    pub fn notes(&self) -> Vec<String> {
        let sets = self.matrix.sets().len();
        let mut notes = vec![format!(
            "mean rank over {}, 1 is best; beside each value its rank in the set, baselines included; values that differ by \
             less than {TOLERANCE:e} of their size are equal, and share their ranks",
            number::counted(sets, "set")
        )];
        notes.push(self.friedman_note());
        notes.push(self.difference_note());
        notes.push(self.wilcoxon_note());
        if self.equivalence.is_some() {
            notes.push(format!(
                "{EQUIVALENCE}: the probabilities that the first is practically better than this one, equivalent, or worse (Bayesian \
                 signed-rank test); equivalent are differences of up to {REGION} of a metric between two bounds, else of up to {REGION} of \
                 the larger value"
            ));
        }
        if !self.failed_on.is_empty() {
            let sets = self.failed_on.join(", ");
            notes.push(format!("seeds left out, since a run failed: {sets}"));
        }
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            notes.push(format!("left out, without a result on every set: {names}"));
        }
        notes
    }

    fn difference_note(&self) -> String {
        let difference = number::short(self.critical_difference);
        let (algorithms, most) = (self.ranks.len(), self.ranks.len() - 1);
        match self.reachable_difference() {
            Some(_) => {
                format!("at 5 %, mean ranks closer than {difference} do not differ (Nemenyi)")
            }
            None if self.matrix.sets().len() < 2 => {
                "no critical-difference diagram: one set cannot tell whether ranks differ"
                    .to_owned()
            }
            None => format!(
                "no critical-difference diagram: with so few sets, mean ranks would have to differ by {difference} \
                 (Nemenyi, 5 %), and those of {algorithms} differ by at most {most}"
            ),
        }
    }

    fn friedman_note(&self) -> String {
        let Some(Friedman {
            chi_square,
            f,
            p,
            least_p,
        }) = self.friedman
        else {
            return format!(
                "too few sets for Friedman's test, which needs {}",
                Friedman::FEWEST_SETS
            );
        };
        let (sets, algorithms) = (self.matrix.sets().len(), self.ranks.len());
        let finding = if p < ALPHA {
            "the algorithms differ".to_owned()
        } else if least_p >= ALPHA && chi_square > 0.0 {
            // If all values are equal, p is 1 for that reason.
            format!(
                "{sets} sets cannot show whether {algorithms} algorithms differ, since p cannot come below {}",
                number::short(least_p)
            )
        } else {
            "no difference between the algorithms is shown".to_owned()
        };
        let statistic = if f.is_finite() {
            format!("F = {}", number::short(f))
        } else {
            "all sets rank alike".to_owned()
        };
        let p = if p < LEAST_SHOWN {
            format!("p < {LEAST_SHOWN:e}")
        } else {
            format!("p = {}", number::short(p))
        };
        format!("Friedman's test (Iman and Davenport, ties corrected): {statistic}, {p}: {finding}")
    }

    /// Returns the least possible p-value against the first after Holm's correction: all signs alike, times the number of comparisons.
    fn least_p(&self) -> f64 {
        let (sets, comparisons) = (self.matrix.sets().len(), self.ranks.len() - 1);
        (comparisons as f64 * 2f64.powi(1 - sets as i32)).min(1.0)
    }

    /// Returns whether p-values are shown, which they are if they can be below 5 %.
    fn shows_p(&self) -> bool {
        self.least_p() < ALPHA
    }

    fn wilcoxon_note(&self) -> String {
        let (sets, comparisons) = (self.matrix.sets().len(), self.ranks.len() - 1);
        if self.shows_p() {
            format!(
                "p: Wilcoxon's signed-rank test against the first, Holm's correction for {}",
                number::counted(comparisons, "comparison")
            )
        } else {
            format!(
                "p is left out: on {}, Wilcoxon's test against the first with Holm's correction for {} cannot come below {}; \
                 more sets or fewer algorithms can",
                number::counted(sets, "set"),
                number::counted(comparisons, "comparison"),
                number::short(self.least_p())
            )
        }
    }

    /// Returns the table, best first: with intervals for the page, else with as much as fits on a line.
    pub(super) fn table(&self, detail: Detail) -> Table {
        let is_full = detail == Detail::Full;
        let shows_sets = is_full || self.matrix.sets().len() <= MOST_SETS;
        let mut header: Vec<Cell> = vec!["algorithm".into(), "mean rank".into()];
        if self.shows_p() {
            header.push("p".into());
        }
        if self.equivalence.is_some() {
            header.push(EQUIVALENCE.into());
        }
        if shows_sets {
            let small = format!("{} ± over seeds", self.metric.title);
            header.extend(self.matrix.sets().map(|(set, _)| Cell {
                small: small.clone(),
                ..set.into()
            }));
        }
        let mut rows = Vec::new();
        for (index, &rank) in self.ranks.iter().enumerate() {
            let name = &self.matrix.algorithms()[index];
            let mut cells: Vec<Cell> = vec![name.into(), Cell::new(format!("{rank:.2}"), rank)];
            if self.shows_p() {
                cells.push(
                    self.p[index].map_or_else(Cell::default, |p| Cell::new(number::short(p), p)),
                );
            }
            if let Some(found) = &self.equivalence {
                cells.push(index.checked_sub(1).map_or_else(Cell::default, |other| {
                    let Equivalence {
                        better,
                        equivalent,
                        worse,
                    } = found[other];
                    Cell::new(format!("{better:.2}, {equivalent:.2}, {worse:.2}"), better)
                }));
            }
            if shows_sets {
                let sets = self.cells.iter();
                cells.extend(sets.map(|of_set| of_set[index].shown(of_set, detail)));
            }
            let mark = if name.ends_with("(baseline)") && is_full {
                Mark::Baseline
            } else {
                Mark::Plain
            };
            rows.push(TableRow { mark, cells });
        }
        Table {
            title: self.title(),
            about: String::new(),
            header,
            rows,
            notes: self.notes(),
        }
    }
}

/// How much a table over all sets shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Values and ranks, of a few sets.
    Short,
    /// Intervals and standings, of all sets.
    Full,
}

impl SetCell {
    /// Returns the cell of a table; all of a set have the same number of decimals.
    fn shown(&self, of_set: &[Self], detail: Detail) -> Cell {
        let mean = self.value.mean;
        if detail == Detail::Short {
            return Cell::new(format!("{mean:.4} ({})", self.rank), mean);
        }
        let largest = of_set.iter().map(|cell| cell.value.mean.abs());
        let decimals = number::decimals_of(largest.fold(0.0, f64::max));
        let mark = match self.standing {
            Rank::Best => Mark::Best,
            Rank::Tied => Mark::Tied,
            Rank::Behind | Rank::Unranked => Mark::Plain,
        };
        let small = match self.standing.word() {
            "" => format!("rank {}", self.rank),
            word => format!("rank {} · {word}", self.rank),
        };
        Cell {
            small,
            mark,
            ..Cell::new(number::interval(&self.value, decimals), mean)
        }
    }
}

/// Returns the probabilities that the first algorithm is better than each other one, equivalent or worse; `None` if there are too few sets.
fn against_first(matrix: &Matrix, metric: Metric) -> Option<Vec<Equivalence>> {
    if matrix.sets().len() < FEWEST_FOR_EQUIVALENCE {
        return None;
    }
    let is_bounded = metric.range.iter().all(|end| end.is_finite());
    let mut all = Vec::new();
    for other in 1..matrix.algorithms().len() {
        let mut differences = matrix.differences(0, other);
        if !is_bounded {
            for (difference, (_, values)) in differences.iter_mut().zip(matrix.sets()) {
                let scale = values[0].abs().max(values[other].abs());
                *difference = if scale > 0.0 {
                    *difference / scale
                } else {
                    0.0
                };
            }
        }
        all.push(equivalence(&differences, REGION));
    }
    Some(all)
}

#[cfg(test)]
mod tests;
