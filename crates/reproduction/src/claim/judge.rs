//! Outcomes at the places that a claim is about, and the verdict on them.

use comparison::number::significant;
use comparison::statistics::Estimate;

use super::{Claim, Margin, Rule, Verdict};
use crate::cells::{Cells, better, power, power_against_logarithm};

/// A verdict, and what it is seen by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judgement {
    pub verdict: Verdict,
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Yes,
    Undecided,
    No,
}

impl From<bool> for Outcome {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// Outcomes by place, numbers that decided them, and places without records.
#[derive(Default)]
struct Places {
    outcomes: Vec<(String, Outcome)>,
    numbers: Vec<String>,
    missing: usize,
}

impl Places {
    fn add(&mut self, place: &str, outcome: Option<Outcome>) {
        match outcome {
            Some(outcome) => self.outcomes.push((place.trim().to_owned(), outcome)),
            None => self.missing += 1,
        }
    }

    fn add_number(&mut self, place: &str, value: Option<f64>, holds: impl Fn(f64) -> bool) {
        let value = value.filter(|value| !value.is_nan());
        self.add(place, value.map(|value| holds(value).into()));
        self.numbers
            .extend(value.map(|value| format!("{} {}", place.trim(), significant(value, 4))));
    }

    fn judgement(&self, share: f64) -> Judgement {
        let count = |wanted| {
            self.outcomes
                .iter()
                .filter(|(_, one)| *one == wanted)
                .count()
        };
        let (yes, no, all) = (count(Outcome::Yes), count(Outcome::No), self.outcomes.len());
        let verdict = match (yes, self.missing) {
            _ if all == 0 => Verdict::Untested,
            (0, _) => Verdict::DoesNotHold,
            (yes, missing) if yes as f64 >= share * (all + missing) as f64 => Verdict::Holds,
            (_, 0) if share < 1.0 => Verdict::DoesNotHold,
            _ => Verdict::InPart,
        };
        if all == 0 {
            return Judgement {
                verdict,
                detail: "no records".to_owned(),
            };
        }
        let has_numbers = self.numbers.len() == all;
        let mut parts = vec![if has_numbers && all <= 4 {
            self.numbers.join("; ")
        } else {
            format!("{yes} of {all}")
        }];
        if !has_numbers && no > 0 {
            let against = self.outcomes.iter().filter(|(_, one)| *one == Outcome::No);
            let against: Vec<&str> = against.map(|(place, _)| place.as_str()).collect();
            let is_short = no <= 4 && !against.concat().is_empty();
            let against = if is_short {
                against.join(", ")
            } else {
                no.to_string()
            };
            parts.push(format!("against: {against}"));
        }
        if all > yes + no {
            parts.push(format!("undecided: {}", all - yes - no));
        }
        if self.missing > 0 {
            parts.push(format!("without records: {}", self.missing));
        }
        Judgement {
            verdict,
            detail: parts.join("; "),
        }
    }
}

/// A claim with what it is judged by.
struct Judge<'a> {
    claim: &'a Claim,
    results: &'a Cells,
    metric: &'a str,
    reference: &'a Reference<'a>,
}

/// Returns the reference value of a line at a place: its panel, its name, x and the metric.
pub(crate) type Reference<'a> = dyn Fn(&str, &str, Option<f64>, &str) -> Option<f64> + 'a;

impl Claim {
    /// Judges it by results in these panels.
    pub(crate) fn judge(
        &self,
        results: &Cells,
        panels: &[String],
        metric: &str,
        reference: &Reference<'_>,
    ) -> Judgement {
        if let Rule::Untestable(reason) = &self.rule {
            return Judgement {
                verdict: Verdict::Untested,
                detail: reason.clone(),
            };
        }
        let metric = self.metric.as_deref().unwrap_or(metric);
        let judge = Judge {
            claim: self,
            results,
            metric,
            reference,
        };
        let mut places = Places::default();
        for panel in self.on.as_deref().unwrap_or(panels) {
            judge.panel(panel, &mut places);
        }
        places.judgement(self.share)
    }
}

impl Judge<'_> {
    fn panel(&self, panel: &str, places: &mut Places) {
        let line = |series: &str| -> Vec<(f64, f64)> {
            let line = self.results.line(panel, series, self.metric);
            let chosen = self
                .claim
                .at
                .choose(line.iter().map(|point| point.0).collect());
            let line = line.into_iter().filter(|point| chosen.contains(&point.0));
            line.map(|(x, mean)| (x, mean.mean)).collect()
        };
        match &self.claim.rule {
            Rule::Slope(series, at, by) => {
                let line = line(series);
                let slope = (line.len() >= 2).then(|| power(&line));
                places.add_number(&format!("{panel} slope"), slope, |slope| {
                    (slope - at).abs() <= *by
                });
            }
            Rule::Logarithmic(series) => {
                let line = line(series);
                let half = &line[line.len() / 2..];
                let ratio = (half.len() >= 3).then(|| power_against_logarithm(half));
                let place = format!("{panel} error of the power over that of the logarithm");
                places.add_number(&place, ratio, |ratio| ratio > 1.0);
            }
            Rule::Increases(series) => steps(panel, &line(series), places, |step| step > 0.0),
            Rule::Decreases(series) => steps(panel, &line(series), places, |step| step < 0.0),
            Rule::Flat(series, by) => {
                let line = line(series);
                let low = line
                    .iter()
                    .map(|point| point.1)
                    .fold(f64::INFINITY, f64::min);
                let high = line
                    .iter()
                    .map(|point| point.1)
                    .fold(f64::NEG_INFINITY, f64::max);
                let range = (line.len() >= 2).then_some(high - low);
                places.add_number(&format!("{panel} range"), range, |range| {
                    range <= by.of(low)
                });
            }
            rule => {
                let xs = self.claim.at.choose(self.results.xs(panel));
                let some = xs.iter().copied().map(Some);
                for x in some.chain(xs.is_empty().then_some(None)) {
                    let place = match x {
                        Some(x) if panel.is_empty() => x.to_string(),
                        Some(x) => format!("{panel} at {x}"),
                        None => panel.to_owned(),
                    };
                    match rule {
                        Rule::NearPaper(lines, by) => {
                            lines
                                .iter()
                                .for_each(|line| self.near_paper(panel, line, x, *by, places));
                        }
                        rule => places.add(&place, self.outcome(panel, x, rule)),
                    }
                }
            }
        }
    }

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
        let Some(published) = (self.reference)(panel, series, x, self.metric) else {
            return;
        };
        let difference = cell.mean(self.metric).map(|mean| mean.mean - published);
        let place = format!("{panel} {series} minus the reference");
        places.add_number(&place, difference, |difference| {
            difference.abs() <= by.of(published)
        });
    }

    fn outcome(&self, panel: &str, x: Option<f64>, rule: &Rule) -> Option<Outcome> {
        let cell = |series: &str| self.results.cell(panel, series, x);
        let mean = |series: &str| cell(series)?.mean(self.metric);
        let worse = |first: &str, than: &str| -> Option<f64> {
            let better = better(self.metric);
            Some(better.score(mean(than)?.mean) - better.score(mean(first)?.mean))
        };
        let gain_over_best = |first: &str, others: &[String]| -> Option<Estimate> {
            let first = cell(first)?;
            let gains = others
                .iter()
                .filter_map(|other| first.gain(cell(other)?, self.metric));
            gains.min_by(|one, other| one.mean.total_cmp(&other.mean))
        };
        let decided = |holds: bool, fails: bool| match (holds, fails) {
            (true, _) => Outcome::Yes,
            (false, true) => Outcome::No,
            (false, false) => Outcome::Undecided,
        };
        Some(match rule {
            Rule::Better(first, second) => {
                let [low, _, high] = cell(first)?.gain(cell(second)?, self.metric)?.interval();
                decided(low > 0.0, high < 0.0)
            }
            Rule::Best(first, others) => (gain_over_best(first, others)?.mean >= 0.0).into(),
            Rule::Level(first, others) => {
                (gain_over_best(first, others)?.interval()[2] >= 0.0).into()
            }
            Rule::NoWorse(first, than, by) => {
                (worse(first, than)? <= by.of(mean(than)?.mean)).into()
            }
            Rule::Near(first, to, by) => (worse(first, to)?.abs() <= by.of(mean(to)?.mean)).into(),
            Rule::Within(series, of, by) => ((mean(series)?.mean - of).abs() <= by.of(*of)).into(),
            Rule::AtLeast(series, value) => {
                let [low, _, high] = mean(series)?.interval();
                decided(low >= *value, high < *value)
            }
            Rule::AtMost(series, value) => {
                let [low, _, high] = mean(series)?.interval();
                decided(high <= *value, low > *value)
            }
            Rule::Times(first, of, times) => (mean(first)?.mean >= times * mean(of)?.mean).into(),
            _ => return None,
        })
    }
}

/// Compares each point of a line with the next.
fn steps(panel: &str, line: &[(f64, f64)], places: &mut Places, is_right: impl Fn(f64) -> bool) {
    if line.len() < 2 {
        places.missing += 1;
    }
    for pair in line.windows(2) {
        let place = format!("{panel} {} to {}", pair[0].0, pair[1].0);
        places.add(&place, Some(is_right(pair[1].1 - pair[0].1).into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::Row;

    /// Seeds with a value for each line and x.
    type Lines<'a> = [(&'a str, &'a [(f64, f64)])];

    fn rows(lines: &Lines<'_>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (series, points) in lines {
            let row = |&(x, y): &(f64, f64)| Row::new("p", series, Some(x)).with("accuracy", y);
            rows.extend(points.iter().map(row));
        }
        rows
    }

    fn results(lines: &Lines<'_>) -> Cells {
        let rows = rows(lines);
        Cells::new((0..3).flat_map(|seed| rows.iter().map(move |row| (seed, row))))
    }

    fn by_seed(seeds: &[(u64, Vec<Row>)]) -> Cells {
        Cells::new(
            seeds
                .iter()
                .flat_map(|(seed, rows)| rows.iter().map(|row| (*seed, row))),
        )
    }

    /// `a` has these values in the seeds, the others always the same.
    fn seeds(values: [f64; 3], others: &Lines<'_>) -> Cells {
        let of = |(seed, value): (u64, f64)| {
            (
                seed,
                [rows(&[("a", &[(1.0, value)])]), rows(others)].concat(),
            )
        };
        by_seed(&(0..).zip(values).map(of).collect::<Vec<_>>())
    }

    fn one_value(ours: f64, other: f64) -> Cells {
        results(&[("a", &[(1.0, ours)]), ("b", &[(1.0, other)])])
    }

    fn judgement(sentence: &str, results: &Cells) -> Judgement {
        let claim = Claim::try_from(["claim".to_owned(), sentence.to_owned()]).unwrap();
        let paper = |_: &str, line: &str, _, _: &str| (line == "a").then_some(0.9);
        claim.judge(results, &["p".to_owned()], "accuracy", &paper)
    }

    fn verdict(sentence: &str, results: &Cells) -> Verdict {
        judgement(sentence, results).verdict
    }

    /// Checks that a rule holds by the first results, and not by the second.
    fn border(sentence: &str, holds: &Cells, does_not: &Cells) {
        assert_eq!(verdict(sentence, holds), Verdict::Holds, "{sentence}");
        assert_eq!(
            verdict(sentence, does_not),
            Verdict::DoesNotHold,
            "{sentence}"
        );
    }

    fn line(y: impl Fn(f64) -> f64) -> Cells {
        let points = [100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0].map(|x| (x, y(x)));
        results(&[("a", &points)])
    }

    #[test]
    fn every_rule_is_decided_on_both_sides_of_its_border() {
        for (sentence, holds, does_not) in [
            ("a better than b", (0.91, 0.9), (0.9, 0.9)),
            ("a better than b", (0.91, 0.9), (0.89, 0.9)),
            (
                "a no worse than b by more than 0.0101",
                (0.89, 0.9),
                (0.88, 0.9),
            ),
            (
                "a no worse than b by more than 10 %",
                (0.82, 0.9),
                (0.80, 0.9),
            ),
            ("a within 0.0101 of b", (0.91, 0.9), (0.92, 0.9)),
            ("a within 0.01 of 0.667", (0.66, 0.0), (0.65, 0.0)),
            (
                "a; b near the reference values within 0.01",
                (0.905, 0.1),
                (0.915, 0.1),
            ),
            ("a at least 0.5", (0.5, 0.0), (0.49, 0.0)),
            ("a at most 0.5", (0.5, 0.0), (0.51, 0.0)),
            ("a at least 2 times b", (2.0, 1.0), (1.99, 1.0)),
        ] {
            border(
                sentence,
                &one_value(holds.0, holds.1),
                &one_value(does_not.0, does_not.1),
            );
        }
        let slope = "a grows as x to the power -0.5 ± 0.05";
        border(slope, &line(|x| x.powf(-0.54)), &line(|x| x.powf(-0.56)));
        let logarithm = "a: a logarithm fits better than a power";
        border(logarithm, &line(f64::ln), &line(f64::sqrt));
        border("a increases", &line(|x| x), &line(|x| -x));
        border("a decreases", &line(|x| -x), &line(|x| x));
        let flat = "a within a range of 10 %";
        border(
            flat,
            &line(|x| 1.0 + x / 40_000.0),
            &line(|x| 1.0 + x / 20_000.0),
        );
        assert_eq!(
            verdict("a increases", &line(|x| -(x - 300.0).abs())),
            Verdict::InPart
        );
        for sentence in [
            "a better b",
            "a within ten of b",
            "a better than b · near last",
            "",
        ] {
            let claim = Claim::try_from([String::new(), sentence.to_owned()]);
            assert!(
                claim.unwrap_err().contains("experiments/README.md"),
                "{sentence}"
            );
        }
    }

    #[test]
    fn a_smaller_error_is_better() {
        let rows = [("a", 0.5), ("b", 0.6)];
        let rows = rows.map(|(line, y)| Row::new("p", line, Some(1.0)).with("rmse", y));
        let results = by_seed(&[(0, rows.to_vec())]);
        assert_eq!(verdict("rmse: a better than b", &results), Verdict::Holds);
    }

    /// Student's t with two degrees of freedom: a standard error of 0.01/√3 gives ± 0.0248.
    #[test]
    fn what_lies_within_an_interval_is_undecided() {
        let b: &Lines<'_> = &[("b", &[(1.0, 0.9)]), ("c", &[(1.0, 0.5)])];
        let (wide, narrow) = (seeds([0.91, 0.92, 0.93], b), seeds([0.919, 0.92, 0.921], b));
        for (sentence, narrow_holds) in [
            ("a better than b", true),
            ("a at most 0.93", true),
            ("a at most 0.91", false),
            ("a at least 0.91", true),
            ("a at least 0.93", false),
        ] {
            let judged = judgement(sentence, &wide);
            assert_eq!(judged.verdict, Verdict::DoesNotHold, "{sentence}");
            assert!(judged.detail.contains("undecided: 1"), "{}", judged.detail);
            let judged = judgement(sentence, &narrow);
            assert_eq!(judged.verdict == Verdict::Holds, narrow_holds, "{sentence}");
            assert!(!judged.detail.contains("undecided"), "{}", judged.detail);
        }
        // `b` is the best of the others, and `a` is compared with it alone.
        let (within, below) = (seeds([0.9, 0.89, 0.88], b), seeds([0.89, 0.889, 0.891], b));
        border("a level with the best of c; b; missing", &within, &below);
        border(
            "a the best of c; b; missing",
            &seeds([0.9, 0.91, 0.895], b),
            &within,
        );
        assert_eq!(
            verdict("a level with the best of d", &within),
            Verdict::Untested
        );
    }

    /// Seeds differ by far more than lines do: a value paired with that of another seed would reverse the verdict.
    #[test]
    fn a_run_missing_on_one_side_moves_no_pair() {
        let run = |line: &str, seed: u64, y: f64| (seed, rows(&[(line, &[(1.0, y)])]));
        let first = [(0, 0.5), (1, 0.6), (2, 0.7), (3, 0.8)].map(|(seed, y)| run("a", seed, y));
        for second in [
            [(1, 0.589), (2, 0.69), (3, 0.791)],
            [(3, 0.791), (1, 0.589), (2, 0.69)],
        ] {
            let second = second.map(|(seed, y)| run("b", seed, y));
            let results = by_seed(&[&first[..], &second].concat());
            assert_eq!(verdict("a better than b", &results), Verdict::Holds);
            assert_eq!(verdict("b better than a", &results), Verdict::DoesNotHold);
            assert_eq!(verdict("a the best of b", &results), Verdict::Holds);
        }
    }

    #[test]
    fn a_claim_may_be_about_some_places_or_a_share_of_them() {
        let b = [(1.0, 0.2), (2.0, 0.2), (3.0, 0.2), (4.0, 0.4)];
        let results = results(&[("a", &b.map(|(x, _)| (x, 0.3))), ("b", &b)]);
        for (about, expected) in [
            ("", Verdict::InPart),
            (" · at 75 % of the places", Verdict::Holds),
            (" · at 76 % of the places", Verdict::DoesNotHold),
            (" · at first", Verdict::Holds),
            (" · at last", Verdict::DoesNotHold),
            (" · to 3.5", Verdict::Holds),
            (" · from 4", Verdict::DoesNotHold),
            (" · at 2; 3", Verdict::Holds),
            (" · on p; q", Verdict::InPart),
            (" · on q", Verdict::Untested),
        ] {
            assert_eq!(
                verdict(&format!("a better than b{about}"), &results),
                expected,
                "{about}"
            );
        }
        assert_eq!(verdict("a better than c", &results), Verdict::Untested);
        let untestable = judgement("untestable: the data: not public", &results);
        assert_eq!(
            (untestable.verdict, &*untestable.detail),
            (Verdict::Untested, "the data: not public")
        );
    }
}
