//! Who is best over data sets.

use indexmap::IndexMap;

use super::number;
use super::summary::{Row, Section};
use crate::metric::Metric;
use crate::record::Protocol;
use crate::statistics::{Friedman, Matrix, holm, nemenyi, wilcoxon};

/// The level of the tests over data sets.
const ALPHA: f64 = 0.05;

/// With more sets than these, their columns are left out: a row has to fit on a page.
const MOST_SETS: usize = 6;

/// Of fewer sets, the least probability (all signs alike) is above 5 %.
const FEWEST_FOR_WILCOXON: usize = 6;

/// Algorithms over the data sets of one protocol, by one metric, best first.
#[derive(Clone, Debug)]
pub struct Overall {
    /// How they were measured.
    pub protocol: Protocol,
    /// By what they are ranked.
    pub metric: Metric,
    /// Their values; baselines are among them.
    pub matrix: Matrix,
    /// The mean rank of each, ascending.
    pub ranks: Vec<f64>,
    /// Whether they differ at all.
    pub friedman: Friedman,
    /// Mean ranks closer than this do not differ at 5 % (Nemenyi).
    pub critical_difference: f64,
    /// The probability that each is as good as the first, by Wilcoxon's test with Holm's correction; the first has none.
    pub p: Vec<Option<f64>>,
}

/// One for each protocol and metric that has at least two data sets with the same two algorithms. An algorithm that has
/// no result on one of the sets is left out.
pub fn overall(sections: &[Section]) -> Vec<Overall> {
    let mut groups: IndexMap<(Protocol, &str), Vec<&Section>> = IndexMap::new();
    for section in sections {
        let key = (section.setting.protocol, section.columns[0].name);
        groups.entry(key).or_default().push(section);
    }
    groups
        .values()
        .filter_map(|group| Overall::of(group))
        .collect()
}

impl Overall {
    /// Sections of one protocol and metric.
    fn of(sections: &[&Section]) -> Option<Self> {
        let Section {
            setting, columns, ..
        } = sections.first()?;
        let value = |section: &Section, name: &String| {
            let row = section.rows.iter().find(|row| row.name() == *name)?;
            Some(row.result.as_ref()?.value.mean)
        };
        let everywhere = |name: &String| {
            sections
                .iter()
                .all(|section| value(section, name).is_some())
        };
        let names = sections[0].rows.iter().map(Row::name);
        let names: Vec<String> = names.filter(everywhere).collect();
        let matrix = |names: &[String]| {
            let mut matrix = Matrix::new(names.to_vec());
            for section in sections {
                let values = names
                    .iter()
                    .filter_map(|name| value(section, name))
                    .collect();
                matrix
                    .push(&section.setting.dataset, section.columns[0], values)
                    .ok()?;
            }
            Some(matrix)
        };
        let sorted = by_rank(&matrix(&names)?);
        Self::new(setting.protocol, columns[0], matrix(&sorted)?)
    }

    /// Of a matrix whose algorithms are sorted by rank; none if there are too few.
    fn new(protocol: Protocol, metric: Metric, matrix: Matrix) -> Option<Self> {
        let friedman = Friedman::of(&matrix)?;
        let (algorithms, sets) = (matrix.algorithms().len(), matrix.sets().len());
        let against_first = |other| wilcoxon(&matrix.differences(0, other)).p;
        let p = holm(&(1..algorithms).map(against_first).collect::<Vec<f64>>());
        Some(Self {
            protocol,
            metric,
            ranks: matrix.average_ranks(),
            friedman,
            critical_difference: nemenyi(algorithms, sets, ALPHA),
            p: [None].into_iter().chain(p.into_iter().map(Some)).collect(),
            matrix,
        })
    }

    /// What is ranked.
    pub fn title(&self) -> String {
        format!("Over all sets · {} · {}", self.protocol, self.metric.title)
    }

    /// How to read the table.
    pub fn notes(&self) -> Vec<String> {
        let Friedman { f, p, .. } = self.friedman;
        let sets = self.matrix.sets().len();
        let difference = number::short(self.critical_difference);
        let differ = match p < ALPHA {
            true => "the algorithms differ",
            false => "no difference between the algorithms is shown",
        };
        let mut notes = vec![
            format!(
                "mean rank over {sets} sets, 1 is best; at 5 %, ranks closer than {difference} do not differ (Nemenyi)"
            ),
            format!(
                "Friedman's test (Iman and Davenport): F = {}, p = {}: {differ}",
                number::short(f),
                number::short(p)
            ),
            "p: Wilcoxon's signed-rank test against the first, Holm's correction".to_owned(),
        ];
        if sets < FEWEST_FOR_WILCOXON {
            notes.push(format!(
                "with fewer than {FEWEST_FOR_WILCOXON} sets, Wilcoxon's test cannot come below 5 %"
            ));
        }
        notes
    }

    /// The names of the columns.
    pub fn header(&self) -> Vec<String> {
        let mut header = ["algorithm", "mean rank", "p"].map(str::to_owned).to_vec();
        if self.shows_sets() {
            header.extend(self.matrix.sets().map(|(set, _)| set.to_owned()));
        }
        header
    }

    /// A row for each algorithm, best first.
    pub fn lines(&self) -> Vec<Vec<String>> {
        let algorithms = self.matrix.algorithms().iter().enumerate();
        let line = |(index, name): (usize, &String)| {
            let p = self.p[index].map_or(String::new(), number::short);
            let mut line = vec![name.clone(), format!("{:.2}", self.ranks[index]), p];
            if self.shows_sets() {
                let values = self.matrix.sets().map(|(_, values)| values[index]);
                line.extend(values.map(|value| format!("{value:.4}")));
            }
            line
        };
        algorithms.map(line).collect()
    }

    fn shows_sets(&self) -> bool {
        self.matrix.sets().len() <= MOST_SETS
    }
}

fn by_rank(matrix: &Matrix) -> Vec<String> {
    let ranks = matrix.average_ranks().into_iter().zip(matrix.algorithms());
    let mut ranked: Vec<(f64, &String)> = ranks.collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.into_iter().map(|(_, name)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section of this set with the mean of each algorithm.
    fn section(set: &str, metric: &str, rows: &[(&str, f64)]) -> Section {
        let rows = rows
            .iter()
            .map(|(label, mean)| Row::example(label, *label == "mean", &[*mean]));
        Section::example(set, metric.parse().unwrap(), rows.collect())
    }

    #[test]
    fn algorithms_are_ranked_best_first_and_those_without_a_result_left_out() {
        let sections = [
            section(
                "one",
                "rmse",
                &[("mean", 3.0), ("a", 2.0), ("b", 1.0), ("c", 1.5)],
            ),
            section("two", "rmse", &[("mean", 5.0), ("a", 5.0), ("b", 4.0)]),
        ];
        let [overall] = &overall(&sections)[..] else {
            panic!("there is one metric");
        };
        assert_eq!(overall.matrix.algorithms(), ["b", "a", "mean (baseline)"]);
        assert_eq!(overall.ranks, [1.0, 2.25, 2.75]);
        assert_eq!(overall.p, [None, Some(1.0), Some(1.0)]);
        let lines = overall.lines();
        assert_eq!(lines[0], ["b", "1.00", "", "1.0000", "4.0000"]);
        assert!(
            overall
                .notes()
                .last()
                .unwrap()
                .contains("fewer than 6 sets")
        );
    }

    #[test]
    fn metrics_are_not_mixed_and_one_set_is_not_several() {
        let sections = [
            section("one", "rmse", &[("a", 2.0), ("b", 1.0)]),
            section("two", "accuracy", &[("a", 0.5), ("b", 0.4)]),
            section("three", "rmse", &[("a", 2.0), ("b", 1.0)]),
        ];
        let overall = overall(&sections);
        assert_eq!(overall.len(), 1);
        assert_eq!(overall[0].metric.name, "rmse");
        assert_eq!(overall[0].ranks, [1.0, 2.0]);
    }
}
