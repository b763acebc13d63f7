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
        vec![
            format!(
                "mean rank over {sets} sets, 1 is best; at 5 %, ranks closer than {difference} do not differ (Nemenyi)"
            ),
            format!("Friedman's test (Iman and Davenport): F = {}, p = {}: {differ}", number::short(f), number::short(p)),
            "p: Wilcoxon's signed-rank test against the first, Holm's correction; with fewer than 6 sets it cannot \
             come below 5 %"
                .to_owned(),
        ]
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
