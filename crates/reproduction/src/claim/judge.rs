//! Outcomes at each place that a claim is about.

use super::Claim;
use super::places::{Outcome, Places};
use super::rule::{Margin, Rule};
use crate::cells::{Cell, Cells, power, power_against_logarithm};
use crate::metric;
use comparison::statistics::Estimate;

/// The results and settings by which a claim is judged.
pub(super) struct Judge<'a> {
    pub claim: &'a Claim,
    pub results: &'a Cells,
    pub metric: &'a str,
    pub paper: &'a dyn Fn(&Cell, &str) -> Option<f64>,
}

impl Judge<'_> {
    pub(super) fn panel(&self, panel: &str, places: &mut Places) {
        let line = |series: &str| -> Vec<(f64, f64)> {
            let means = self.results.line(panel, series, self.metric).into_iter();
            let all: Vec<_> = means.map(|(x, mean)| (x, mean.mean)).collect();
            let chosen = self.claim.at.choose(all.iter().map(|p| p.0).collect());
            all.into_iter().filter(|p| chosen.contains(&p.0)).collect()
        };
        match &self.claim.rule {
            Rule::Slope { series, at, by } => {
                let line = line(series);
                let slope = (line.len() >= 2).then(|| power(&line));
                let place = format!("{panel} slope");
                places.number(&place, slope, |slope| (slope - at).abs() <= *by);
            }
            Rule::Logarithmic(series) => {
                let line = line(series);
                let half = &line[line.len() / 2..];
                let ratio = (half.len() >= 3).then(|| power_against_logarithm(half));
                let place = format!("{panel} error of the power over that of the logarithm");
                places.number(&place, ratio, |ratio| ratio > 1.0);
            }
            Rule::Increases(series) => steps(panel, &line(series), places, |step| step > 0.0),
            Rule::Decreases(series) => steps(panel, &line(series), places, |step| step < 0.0),
            Rule::Flat { series, by } => {
                let values: Vec<f64> = line(series).into_iter().map(|p| p.1).collect();
                let low = values.iter().copied().fold(f64::INFINITY, f64::min);
                let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let range = (values.len() >= 2).then_some(high - low);
                let place = format!("{panel} range");
                places.number(&place, range, |range| range <= by.of(low));
            }
            rule => self.each_x(panel, rule, places),
        }
    }

    /// Applies a rule to each place on its own.
    fn each_x(&self, panel: &str, rule: &Rule, places: &mut Places) {
        let xs = self.claim.at.choose(self.results.xs(panel));
        let xs: Vec<Option<f64>> = if xs.is_empty() {
            vec![None]
        } else {
            xs.into_iter().map(Some).collect()
        };
        for x in xs {
            let place = match x {
                Some(x) if panel.is_empty() => x.to_string(),
                Some(x) => format!("{panel} at {x}"),
                None => panel.to_owned(),
            };
            if let Rule::NearPaper { series, by } = rule {
                series
                    .iter()
                    .for_each(|series| self.near_paper(panel, series, x, *by, places));
                continue;
            }
            match self.outcome(panel, x, rule) {
                Some(outcome) => places.outcomes.push((place.trim().to_owned(), outcome)),
                None => places.missing += 1,
            }
        }
    }

    /// Compares with published numbers; places without one are not counted.
    fn near_paper(
        &self,
        panel: &str,
        series: &str,
        x: Option<f64>,
        by: Margin,
        places: &mut Places,
    ) {
        let Some(cell) = self.results.cell(panel, series, x) else {
            places.missing += 1;
            return;
        };
        let Some(published) = (self.paper)(cell, self.metric) else {
            return;
        };
        let ours = cell.mean(self.metric).map(|mean| mean.mean);
        let place = format!("{panel} {series} minus the reference");
        let difference = ours.map(|ours| ours - published);
        places.number(&place, difference, |difference| {
            difference.abs() <= by.of(published)
        });
    }

    /// Returns how much better a line is than the best of the others, over the seeds that both have; others without records are left out.
    fn gain_over_best(
        &self,
        first: &str,
        others: &[String],
        panel: &str,
        x: Option<f64>,
    ) -> Option<Estimate> {
        let cell = |series: &str| self.results.cell(panel, series, x);
        let first = cell(first)?;
        let gains = others
            .iter()
            .filter_map(|other| first.gain(cell(other)?, self.metric));
        gains.min_by(|one, other| one.mean.total_cmp(&other.mean))
    }

    fn outcome(&self, panel: &str, x: Option<f64>, rule: &Rule) -> Option<Outcome> {
        let cell = |series: &str| self.results.cell(panel, series, x);
        let mean = |series: &str| Some(cell(series)?.mean(self.metric)?.mean);
        let worse = |first: &str, than: &str| -> Option<f64> {
            let better = metric::better(self.metric);
            Some(better.score(mean(than)?) - better.score(mean(first)?))
        };
        let interval = |series: &str| Some(cell(series)?.mean(self.metric)?.interval());
        let yes = |holds: bool| Some(if holds { Outcome::Yes } else { Outcome::No });
        match rule {
            Rule::Better([first, second]) => {
                let gain = cell(first)?.gain(cell(second)?, self.metric)?;
                let [low, _, high] = gain.interval();
                Some(decided(low > 0.0, high < 0.0))
            }
            Rule::Best { first, of } => yes(self.gain_over_best(first, of, panel, x)?.mean >= 0.0),
            Rule::Level { first, with } => {
                let gain = self.gain_over_best(first, with, panel, x)?;
                yes(gain.interval()[2] >= 0.0)
            }
            Rule::NoWorse { first, than, by } => yes(worse(first, than)? <= by.of(mean(than)?)),
            Rule::Near { first, to, by } => yes(worse(first, to)?.abs() <= by.of(mean(to)?)),
            Rule::Within { series, of, by } => yes((mean(series)? - of).abs() <= by.of(*of)),
            Rule::AtLeast { series, value } => {
                let [low, _, high] = interval(series)?;
                Some(decided(low >= *value, high < *value))
            }
            Rule::AtMost { series, value } => {
                let [low, _, high] = interval(series)?;
                Some(decided(high <= *value, low > *value))
            }
            Rule::Times {
                first,
                of,
                at_least,
            } => yes(mean(first)? >= at_least * mean(of)?),
            _ => None,
        }
    }
}

/// Decides by an interval; undecided where it contains the limit.
fn decided(holds: bool, fails: bool) -> Outcome {
    if holds {
        Outcome::Yes
    } else if fails {
        Outcome::No
    } else {
        Outcome::Undecided
    }
}

fn steps(panel: &str, line: &[(f64, f64)], places: &mut Places, right: impl Fn(f64) -> bool) {
    if line.len() < 2 {
        places.missing += 1;
    }
    for pair in line.windows(2) {
        let holds = right(pair[1].1 - pair[0].1);
        let outcome = if holds { Outcome::Yes } else { Outcome::No };
        let place = format!("{panel} {} to {}", pair[0].0, pair[1].0);
        places.outcomes.push((place.trim().to_owned(), outcome));
    }
}
