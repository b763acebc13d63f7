//! Who is best over data sets.

use indexmap::IndexSet;

use super::names;
use super::section::{Section, SectionRow, joined};
use super::table::{Cell, Mark, Table, TableRow};
use crate::metric::Metric;
use crate::number::{self, counted};
use crate::protocol::Protocol;
use crate::statistics::{Equivalence, Estimate, Friedman, Matrix, TOLERANCE};
use crate::statistics::{equivalence, holm, nemenyi, wilcoxon};

const ALPHA: f64 = 0.05;

/// The least probability that is written out.
const LEAST_SHOWN: f64 = 1e-6;

/// Maximum number of sets with a column each where a row has to fit on a line.
pub(super) const MOST_SETS: usize = 6;

/// Differences of at most this are practically none: of a metric between two bounds, else of the larger value.
const REGION: f64 = 0.01;

/// With fewer sets, the prior would decide who is practically equivalent.
const FEWEST_FOR_EQUIVALENCE: usize = 6;

const EQUIVALENCE: &str = "first better, equal, worse";

/// Algorithms over the data sets of one protocol, by one metric, best first.
#[derive(Clone, Debug)]
pub(super) struct Overall {
    pub protocol: Protocol,
    /// Words that distinguish the conditions from others of the same protocol and metric; mostly empty.
    pub distinction: String,
    pub metric: Metric,
    /// The values that are compared, including baselines.
    pub matrix: Matrix,
    /// The mean rank of each, ascending.
    pub ranks: Vec<f64>,
    /// The mean and the standing of each on each set.
    values: Vec<Vec<(Estimate, Mark)>>,
    left_out: Vec<String>,
    /// Sets on which runs failed, each with the number of seeds that are left out for all.
    failed_on: Vec<String>,
    /// Mean ranks closer than this do not differ at 5 % (Nemenyi).
    critical_difference: f64,
}

/// Ranks, over the sets of each protocol, metric and other condition, the algorithms that have a result on all of them.
pub(super) fn overall(sections: &[Section]) -> Vec<Overall> {
    let groups = names::comparable(sections).into_iter();
    let ranked = groups.filter_map(|(words, group)| Overall::of(words, &group));
    ranked.collect()
}

impl Overall {
    /// Ranks sections of one protocol and metric; `None` for fewer than two algorithms that have a result on each.
    fn of(distinction: String, sections: &[&Section]) -> Option<Self> {
        let rows = sections.iter().flat_map(|section| &section.rows);
        let mut ranked = Vec::new();
        let mut left_out = Vec::new();
        for name in rows.map(SectionRow::name).collect::<IndexSet<String>>() {
            let mut values = Vec::new();
            for section in sections {
                let row = section.rows.iter().find(|row| row.name() == name);
                values.extend(row.and_then(|row| Some((row.compared?, row.mark))));
            }
            if values.len() == sections.len() {
                ranked.push((name, values));
            } else {
                left_out.push(name);
            }
        }
        let metric = sections[0].metrics[0];
        let matrix = |ranked: &[(String, Vec<(Estimate, Mark)>)]| {
            let names = ranked.iter().map(|(name, _)| name.clone());
            let mut matrix = Matrix::new(metric, names.collect());
            for (place, section) in sections.iter().enumerate() {
                let means = ranked.iter().map(|(_, values)| values[place].0.mean);
                matrix.push(&section.set(), means.collect());
            }
            matrix
        };
        if ranked.len() < 2 {
            return None;
        }
        let ranks = matrix(&ranked).average_ranks();
        let mut by_rank: Vec<_> = ranks.into_iter().zip(ranked).collect();
        by_rank.sort_by(|one, other| one.0.total_cmp(&other.0));
        let ranked: Vec<_> = by_rank.into_iter().map(|(_, one)| one).collect();
        let mut failed_on = Vec::new();
        for section in sections {
            match section.failed_seeds().len() {
                0 => (),
                seeds => failed_on.push(format!("{} ({})", section.set(), counted(seeds, "seed"))),
            }
        }
        let matrix = matrix(&ranked);
        Some(Self {
            protocol: sections[0].setting.protocol,
            distinction,
            metric,
            ranks: matrix.average_ranks(),
            critical_difference: nemenyi(ranked.len(), sections.len(), ALPHA),
            values: ranked.into_iter().map(|(_, values)| values).collect(),
            left_out,
            failed_on,
            matrix,
        })
    }

    pub(super) fn title(&self) -> String {
        let title = format!("Over all sets · {} · {}", self.protocol, self.metric.title);
        joined(&title, " · ", &self.distinction)
    }

    /// Returns the critical difference, if the best and the worst mean rank could be so far apart.
    pub(super) fn reachable_difference(&self) -> Option<f64> {
        let most = self.ranks.len() as f64 - 1.0;
        let is_reachable = self.matrix.sets.len() > 1 && self.critical_difference < most;
        is_reachable.then_some(self.critical_difference)
    }

    /// Returns the first and last of each sequence of algorithms whose mean ranks are at most `difference` apart,
    /// without sequences that are parts of others.
    pub(super) fn joined(&self, difference: f64) -> Vec<(usize, usize)> {
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (first, rank) in self.ranks.iter().enumerate() {
            let reaches = |other: &f64| other - rank <= difference;
            let last = self.ranks.iter().rposition(reaches).unwrap_or(first);
            if last > first && joined.last().is_none_or(|&(_, end)| last > end) {
                joined.push((first, last));
            }
        }
        joined
    }

    /// Returns the least possible p-value against the first, after Holm's correction: that of equal signs.
    fn least_p(&self) -> f64 {
        let comparisons = self.ranks.len() as f64 - 1.0;
        (comparisons * 2f64.powi(1 - self.matrix.sets.len() as i32)).min(1.0)
    }

    /// Returns the p-values of the others against the first (Wilcoxon, Holm); `None` if none can be below 5 %.
    fn p(&self) -> Option<Vec<f64>> {
        let against = |other: usize| wilcoxon(&self.matrix.differences(0, other));
        let p: Vec<f64> = (1..self.ranks.len()).map(against).collect();
        (self.least_p() < ALPHA).then(|| holm(&p))
    }

    /// Returns the practical equivalence of the first with each of the others; `None` for few sets.
    fn equivalence(&self) -> Option<Vec<Equivalence>> {
        if self.matrix.sets.len() < FEWEST_FOR_EQUIVALENCE {
            return None;
        }
        let is_bounded = self.metric.range.iter().all(|end| end.is_finite());
        let mut all = Vec::new();
        for other in 1..self.ranks.len() {
            let mut differences = self.matrix.differences(0, other);
            for (difference, (_, values)) in differences.iter_mut().zip(&self.matrix.sets) {
                let scale = values[0].abs().max(values[other].abs());
                if !is_bounded && scale > 0.0 {
                    *difference /= scale;
                }
            }
            all.push(equivalence(&differences, REGION));
        }
        Some(all)
    }

    fn notes(&self) -> Vec<String> {
        let count = self.matrix.sets.len();
        let algorithms = self.ranks.len();
        let sets = counted(count, "set");
        let comparisons = counted(algorithms - 1, "comparison");
        let mut notes = vec![format!(
            "mean rank over {sets}, 1 is best; beside each value its rank in the set, baselines included; values that \
             differ by less than {TOLERANCE:e} of their size are equal, and share their ranks"
        )];
        notes.push(self.friedman_note());
        let difference = number::short(self.critical_difference);
        notes.push(match self.reachable_difference() {
            Some(_) => format!("at 5 %, mean ranks closer than {difference} do not differ (Nemenyi)"),
            None if count < 2 => "no critical-difference diagram: one set cannot show whether ranks differ".to_owned(),
            None => format!(
                "no critical-difference diagram: with so few sets, mean ranks would have to differ by {difference} \
                 (Nemenyi, 5 %), and those of {algorithms} differ by at most {}",
                algorithms - 1
            ),
        });
        notes.push(match self.least_p() {
            least if least < ALPHA => format!(
                "p: Wilcoxon's signed-rank test against the first, Holm's correction for {comparisons}"
            ),
            least => format!(
                "p is left out: on {sets}, Wilcoxon's test against the first with Holm's correction for {comparisons} \
                 cannot come below {}; more sets or fewer algorithms can",
                number::short(least)
            ),
        });
        if count >= FEWEST_FOR_EQUIVALENCE {
            notes.push(format!(
                "{EQUIVALENCE}: the probabilities that the first is practically better than this one, equivalent, or \
                 worse (Bayesian signed-rank test); equivalent are differences of up to {REGION} of a metric between \
                 two bounds, else of up to {REGION} of the larger value"
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

    fn friedman_note(&self) -> String {
        let sets = self.matrix.sets.len();
        let algorithms = self.ranks.len();
        let Some(test) = Friedman::of(&self.matrix) else {
            let fewest = Friedman::FEWEST_SETS;
            return format!("too few sets for Friedman's test, which needs {fewest}");
        };
        let [f, p, least] = [test.f, test.p, test.least_p].map(number::short);
        let f = if test.f.is_finite() {
            format!("F = {f}")
        } else {
            "all sets rank alike".to_owned()
        };
        let p = if test.p < LEAST_SHOWN {
            format!("p < {LEAST_SHOWN:e}")
        } else {
            format!("p = {p}")
        };
        let finding = if test.p < ALPHA {
            "the algorithms differ"
        } else if test.least_p >= ALPHA && test.chi_square > 0.0 {
            // If all values are equal, p is 1 for that reason.
            &format!(
                "{sets} sets cannot show whether {algorithms} algorithms differ, since p cannot come below {least}"
            )
        } else {
            "no difference between the algorithms is shown"
        };
        format!("Friedman's test (Iman and Davenport, ties corrected): {f}, {p}: {finding}")
    }

    /// Returns the table, best first; sets have columns if there are at most `most_sets`.
    pub(super) fn table(&self, most_sets: usize) -> Table {
        let shows_sets = self.matrix.sets.len() <= most_sets;
        let p = self.p();
        let equivalence = self.equivalence();
        let mut header = vec![Cell::new("algorithm"), Cell::new("mean rank")];
        if p.is_some() {
            header.push(Cell::new("p"));
        }
        if equivalence.is_some() {
            header.push(Cell::new(EQUIVALENCE));
        }
        let columns = header.len();
        if shows_sets {
            header.extend(self.matrix.sets.iter().map(|(set, _)| Cell::new(set)));
        }
        let in_sets = self.matrix.ranks();
        let mut rows = Vec::new();
        for (index, &rank) in self.ranks.iter().enumerate() {
            let name = &self.matrix.algorithms[index];
            let mut cells = vec![Cell::new(name), Cell::number(format!("{rank:.2}"), rank)];
            if let Some(place) = index.checked_sub(1) {
                if let Some(p) = &p {
                    cells.push(Cell::number(number::short(p[place]), p[place]));
                }
                if let Some(all) = &equivalence {
                    let one = all[place];
                    let shares = [one.better, one.equivalent, one.worse];
                    let text = shares.map(|share| format!("{share:.2}")).join(", ");
                    cells.push(Cell::number(text, one.better));
                }
            }
            cells.resize(columns, Cell::default());
            if shows_sets {
                for (set, ranks) in in_sets.iter().enumerate() {
                    cells.push(self.cell(set, index, ranks[index]));
                }
            }
            let mark = match self.values[index][0].1 {
                Mark::Baseline => Mark::Baseline,
                Mark::Plain | Mark::Best | Mark::Tied => Mark::Plain,
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

    /// Returns the cell of an algorithm on a set: mean and rank, and for the page its interval and standing.
    fn cell(&self, set: usize, algorithm: usize, rank: f64) -> Cell {
        let (value, mark) = self.values[algorithm][set];
        let sizes = self.matrix.sets[set].1.iter().map(|mean| mean.abs());
        let decimals = number::decimals_of(sizes.fold(0.0, f64::max));
        let mut cell = Cell::number(format!("{:.decimals$} ({rank})", value.mean), value.mean);
        let interval = number::interval(self.metric, &value, decimals);
        cell.small = joined(&interval, " · ", mark.word());
        cell.mark = mark;
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::section;

    /// Returns sections with the mean of each algorithm, the same on each of the sets.
    fn sections(sets: usize, metric: &str, rows: &str) -> Vec<Section> {
        let sets = (0..sets).map(|set| set.to_string());
        sets.map(|set| section(&set, metric, rows)).collect()
    }

    fn texts(overall: &Overall) -> Vec<String> {
        let mut texts = Vec::new();
        for row in overall.table(MOST_SETS).rows {
            let cells: Vec<String> = row.cells.into_iter().map(|cell| cell.text).collect();
            texts.push(cells.join("|"));
        }
        texts
    }

    #[test]
    fn algorithms_are_ranked_best_first_and_those_without_a_result_left_out() {
        let mut sets = sections(1, "rmse", "mean 3 | a 2 | b 1 | c 1.5");
        sets.push(section("1", "rmse", "mean 5 NaN | a 5 0 | b 4 9"));
        let found = &overall(&sets)[0];
        assert_eq!((&found.ranks, found.p()), (&vec![1.0, 2.25, 2.75], None));
        assert_eq!(texts(found)[0], "b|1.00|1.000 (1)|4.000 (1)");
        assert_eq!(texts(found)[1], "a|2.25|2.000 (2)|5.000 (2.5)");
        let notes = found.notes().join("\n");
        for words in [
            "p is left out: on 2 sets, Wilcoxon's test against the first with Holm's correction for 2 comparisons \
             cannot come below 1.00;",
            "too few sets for Friedman's test",
            "no critical-difference diagram",
            "left out, without a result on every set: c",
            "seeds left out, since a run failed: 1 (1 seed)",
        ] {
            assert!(notes.contains(words), "{notes}");
        }
    }

    /// Five sets that rank two algorithms alike do so by chance once in 16.
    #[test]
    fn what_cannot_be_significant_is_not_claimed() {
        let rows: Vec<String> = (1..=40).map(|rank| format!("a{rank} {rank}")).collect();
        let alike =
            |sets, count| overall(&sections(sets, "rmse", &rows[..count].join("|"))).remove(0);
        let words =
            "5 sets cannot show whether 2 algorithms differ, since p cannot come below 0.0625";
        assert!(alike(5, 2).friedman_note().contains(words));
        let words = "all sets rank alike, p < 1e-6: the algorithms differ";
        assert!(alike(6, 40).friedman_note().ends_with(words));
        // 2/32 is above 5 %.
        let has_p = [40, 3, 2].map(|count| alike(6, count).p().is_some());
        assert_eq!(has_p, [false, false, true]);
    }

    /// The same two sets with 70 % of their rows learned, then with half of them, then with other content; and a set of
    /// another metric.
    #[test]
    fn metrics_are_not_mixed_and_a_set_counts_once_among_those_that_are_ranked_together() {
        let mut sets = Vec::new();
        for version in 0..3 {
            for mut section in sections(2, "rmse", "a 2 | b 1") {
                section.setting.data_sha256 += ["", "", "2"][version];
                section.setting.n_train += version;
                sets.push(section);
            }
        }
        sets.extend(sections(1, "accuracy", "a 0.5 | b 0.4"));
        let mut found = overall(&sets).into_iter();
        for number in 1..=3 {
            let one = found.next().unwrap();
            let title = format!("Over all sets · hold-out · RMSE · setting {number} of each set");
            assert_eq!((one.title(), one.matrix.sets.len()), (title, 2));
        }
        let last = found.next().unwrap();
        assert_eq!(last.title(), "Over all sets · hold-out · accuracy");
        assert_eq!(last.reachable_difference(), None);
    }

    #[test]
    fn on_six_sets_the_table_has_probabilities_of_practical_differences() {
        let of = |sets| overall(&sections(sets, "rmse", "a .5 | b .502 | c .7")).remove(0);
        assert_eq!(of(5).equivalence(), None);
        // .002 of .502 is less than a hundredth; .2 of .7 is more.
        let found = of(6).equivalence().unwrap();
        assert!(found[0].equivalent == 1.0 && found[1].better > 0.99);
        assert!(texts(&of(6))[1].starts_with("b|2.00|0.00, 1.00, 0.00|"));
        let notes = of(6).notes().join(" ");
        assert!(notes.contains("Bayesian signed-rank test"));
    }

    /// Ten sets on which four algorithms rank alike: Nemenyi's difference is 2.569·√(4·5/60) = 1.48.
    #[test]
    fn bars_join_what_does_not_differ() {
        let sets = sections(10, "rmse", "a .1 | b .2 | c .3 | d .4");
        let overall = &overall(&sets)[0];
        let difference = overall.reachable_difference().unwrap();
        assert!((difference - 1.483).abs() < 0.001, "{difference}");
        assert_eq!(overall.joined(difference), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(overall.joined(2.0), [(0, 2), (1, 3)]);
        assert_eq!(overall.joined(3.0), [(0, 3)]);
        assert_eq!(overall.joined(0.5), []);
    }
}
