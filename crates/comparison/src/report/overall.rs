//! Who is best over data sets.

use indexmap::IndexSet;

use super::conditions::comparable;
use super::section::Rank;
use super::section::{Row, Section};
use super::{equivalent, table};
use crate::metric::Metric;
use crate::number;
use crate::record::Protocol;
use crate::statistics::{
    Equivalence, Estimate, Friedman, Matrix, TOLERANCE, holm, nemenyi, wilcoxon,
};

/// The level of the tests over data sets.
const ALPHA: f64 = 0.05;

/// The least probability that is written out.
const LEAST_SHOWN: f64 = 1e-6;

/// Maximum number of sets with a column each: a row has to fit on a page.
const MOST_SETS: usize = 6;

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
    pub cells: Vec<Vec<Cell>>,
    /// Algorithms without a result on every set.
    pub left_out: Vec<String>,
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
pub struct Cell {
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
    let groups = groups.filter_map(|(distinction, group)| {
        Some(Overall {
            distinction,
            ..Overall::of(&group)?
        })
    });
    groups.collect()
}

impl Overall {
    /// Ranks sections of one protocol and metric.
    fn of(sections: &[&Section]) -> Option<Self> {
        let Section {
            setting, columns, ..
        } = sections.first()?;
        let value = |section: &Section, name: &String| {
            let row = section.rows.iter().find(|row| row.name() == *name)?;
            Some((row.result.as_ref()?.value, row.rank))
        };
        let everywhere = |name: &String| {
            sections
                .iter()
                .all(|section| value(section, name).is_some())
        };
        let all = sections.iter().flat_map(|section| &section.rows);
        let all: IndexSet<String> = all.map(Row::name).collect();
        let (names, left_out): (Vec<_>, Vec<_>) = all.into_iter().partition(everywhere);
        let matrix = |names: &[String]| {
            let mut matrix = Matrix::new(columns[0], names.to_vec());
            for section in sections {
                let values = names
                    .iter()
                    .filter_map(|name| Some(value(section, name)?.0.mean))
                    .collect();
                matrix.push(&section.set(), values).ok()?;
            }
            Some(matrix)
        };
        let sorted = by_rank(&matrix(&names)?);
        let estimates = sections.iter().map(|section| {
            let of_set = sorted.iter().filter_map(|name| value(section, name));
            of_set.collect()
        });
        let estimates: Vec<Vec<(Estimate, Rank)>> = estimates.collect();
        let overall = Self::new(setting.protocol, columns[0], matrix(&sorted)?, &estimates)?;
        Some(Self {
            left_out,
            ..overall
        })
    }

    /// Tests a matrix whose algorithms are sorted by rank; returns `None` if there are too few.
    fn new(
        protocol: Protocol,
        metric: Metric,
        matrix: Matrix,
        estimates: &[Vec<(Estimate, Rank)>],
    ) -> Option<Self> {
        if matrix.algorithms().len() < 2 {
            return None;
        }
        let (algorithms, sets) = (matrix.algorithms().len(), matrix.sets().len());
        let against_first = |other| wilcoxon(&matrix.differences(0, other)).p;
        let p = holm(&(1..algorithms).map(against_first).collect::<Vec<f64>>());
        Some(Self {
            protocol,
            distinction: String::new(),
            metric,
            ranks: matrix.average_ranks(),
            cells: cells(&matrix, estimates),
            left_out: Vec::new(),
            friedman: Friedman::of(&matrix),
            critical_difference: nemenyi(algorithms, sets, ALPHA),
            p: [None].into_iter().chain(p.into_iter().map(Some)).collect(),
            equivalence: equivalent::against_first(&matrix, metric),
            matrix,
        })
    }

    /// Returns the title.
    pub fn title(&self) -> String {
        let title = format!("Over all sets · {} · {}", self.protocol, self.metric.title);
        match self.distinction.as_str() {
            "" => title,
            distinction => format!("{title} · {distinction}"),
        }
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
        notes.extend(self.equivalence.as_ref().map(|_| equivalent::note()));
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

    /// Returns the names of the first columns, before those of the sets.
    pub(super) fn first_columns(&self) -> Vec<String> {
        let p = self.shows_p().then_some("p");
        let equivalence = self.equivalence.as_ref().map(|_| equivalent::COLUMN);
        let names = ["algorithm", "mean rank"].into_iter().chain(p);
        let names = names.chain(equivalence);
        names.map(str::to_owned).collect()
    }

    /// Returns the first cells of an algorithm, before those of the sets.
    pub(super) fn first_cells(&self, index: usize) -> Vec<table::Cell> {
        let name = self.matrix.algorithms()[index].clone();
        let rank = self.ranks[index];
        let mut cells = vec![name.into(), table::Cell::new(format!("{rank:.2}"), rank)];
        if self.shows_p() {
            let p = self.p[index];
            let text = p.map_or(String::new(), number::short);
            cells.push(table::Cell { text, value: p });
        }
        if let Some(found) = &self.equivalence {
            cells.push(equivalent::cell(index.checked_sub(1).map(|at| &found[at])));
        }
        cells
    }

    /// Returns the names of the columns.
    pub fn header(&self) -> Vec<String> {
        let mut header = self.first_columns();
        if self.shows_sets() {
            header.extend(self.matrix.sets().map(|(set, _)| set.to_owned()));
        }
        header
    }

    /// Returns a row for each algorithm, best first.
    pub fn lines(&self) -> Vec<Vec<String>> {
        let line = |index: usize| {
            let cells = self.first_cells(index).into_iter();
            let mut line: Vec<String> = cells.map(|cell| cell.text).collect();
            if self.shows_sets() {
                let cells = self.cells.iter().map(|of_set| of_set[index]);
                line.extend(cells.map(|cell| format!("{:.4} ({})", cell.value.mean, cell.rank)));
            }
            line
        };
        (0..self.ranks.len()).map(line).collect()
    }

    fn shows_sets(&self) -> bool {
        self.matrix.sets().len() <= MOST_SETS
    }
}

fn cells(matrix: &Matrix, estimates: &[Vec<(Estimate, Rank)>]) -> Vec<Vec<Cell>> {
    let of_set = |(ranks, estimates): (Vec<f64>, &Vec<(Estimate, Rank)>)| {
        let pairs = ranks.into_iter().zip(estimates);
        let cell = |(rank, &(value, standing)): (f64, &(Estimate, Rank))| Cell {
            value,
            rank,
            standing,
        };
        pairs.map(cell).collect()
    };
    matrix
        .ranks()
        .into_iter()
        .zip(estimates)
        .map(of_set)
        .collect()
}

fn by_rank(matrix: &Matrix) -> Vec<String> {
    let ranks = matrix.average_ranks().into_iter().zip(matrix.algorithms());
    let mut ranked: Vec<(f64, &String)> = ranks.collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.into_iter().map(|(_, name)| name.clone()).collect()
}

#[cfg(test)]
mod tests;
