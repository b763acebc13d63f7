//! Tables, charts and a page, made from records alone: as text, CSV, Markdown, LaTeX, SVG and HTML.

mod charts;
mod html;
mod names;
mod overall;
mod section;
mod set;
mod table;
#[cfg(test)]
mod testing;

use std::collections::BTreeSet;
use std::path::Path;

use indexmap::IndexSet;

use crate::Completion;
use crate::files::{self, FileError, write_atomically};
use crate::metric::Metric;
use crate::record::{Record, task_name};

use html::Index;
use overall::{MOST_SETS, Overall, overall};
use set::legend;
use table::{Table, escape};

pub use charts::{NamedChart, charts};
pub use section::Section;

/// Returns a section per setting, those of a data set together, with a row per algorithm, in the order in which they
/// ran. Tables show accuracy and log loss, or RMSE and MAE.
pub fn sections(records: &[Record]) -> Vec<Section> {
    sections_by(records, &[])
}

/// Returns the same with these metrics as columns, each in the tables of its task; the first determines the best.
///
/// Means are over runs of the same [key](Record::key), and a seed counts once, by its first result, or else its first
/// failure; where settings or algorithms would have the same name, distinguishing words are added to it.
pub fn sections_by(records: &[Record], metrics: &[Metric]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for run in records {
        match sections.iter_mut().find(|one| one.setting == run.setting) {
            Some(section) => section.add(run),
            None => sections.push(Section::new(run, metrics)),
        }
    }
    names::label_rows(&mut sections);
    names::label_settings(&mut sections);
    sections.iter_mut().for_each(Section::compare);
    let names = records.iter().map(|run| run.setting.dataset.as_str());
    let names: IndexSet<&str> = names.collect();
    sections.sort_by_cached_key(|section| names.get_index_of(section.setting.dataset.as_str()));
    sections
}

/// Returns the tables of all sections, and those over all sets, as text for a terminal.
pub fn tables(sections: &[Section]) -> String {
    let mut tables: Vec<Table> = sections.iter().flat_map(Section::tables).collect();
    tables.extend(over_all_sets(&overall(sections)));
    let text: String = tables.iter().map(Table::terminal).collect();
    format!("{text}{}\n", legend())
}

/// Returns the tables over several sets.
fn over_all_sets(overall: &[Overall]) -> Vec<Table> {
    let several = overall.iter().filter(|one| one.matrix.sets.len() > 1);
    several.map(|one| one.table(MOST_SETS)).collect()
}

/// Writes everything that is made from records in the folder `out`, tables before pictures; an incomplete file never
/// appears. Tables show these metrics as in [`sections_by`]; `command` is the command line. Returns a warning for each
/// picture that could not be written.
///
/// # Errors
/// Returns an error if a table or the page cannot be written.
pub fn write(
    out: &Path,
    records: &[Record],
    metrics: &[Metric],
    command: &str,
    completion: Completion,
) -> Result<Vec<String>, FileError> {
    let Some(last) = records.last() else {
        return Ok(Vec::new());
    };
    let seeds: BTreeSet<u64> = records.iter().map(|record| record.seed).collect();
    let trees = records.iter().map(|record| record.asked_trees);
    let mut index = Index {
        command: command.to_owned(),
        threads: last.threads,
        host: last.host.clone(),
        trees: trees.filter(|&trees| trees > 0).min().unwrap_or(0),
        seeds: seeds.len(),
        runs: records.len(),
        complete: completion == Completion::Complete,
        files: Vec::new(),
    };
    let sections = &sections_by(records, metrics);
    let write = |name: &str, text: &str| write_atomically(&out.join(name), text.as_bytes());
    files::make_folder(out)?;
    let overall = overall(sections);
    let mut tables = over_all_sets(&overall);
    tables.extend(sections.iter().flat_map(Section::tables));
    let latex: String = tables.iter().map(Table::latex).collect();
    let markdown: String = tables.iter().map(Table::markdown).collect();
    let legend = escape(&legend());
    write(
        "results.csv",
        &results(sections).expect("memory can be written"),
    )?;
    let head = "% Needs \\usepackage{booktabs}. Written by a comparison; the best rows are bold.";
    write("tables.tex", &format!("{head}\n{latex}"))?;
    let head = format!("# Comparison\n\n```console\n$ {command}\n```\n\n");
    write("summary.md", &format!("{head}{markdown}{legend}\n"))?;
    let names = "runs.jsonl results.csv tables.tex summary.md report.html".split(' ');
    let written = names.filter(|name| *name != "runs.jsonl" || out.join(name).is_file());
    index.files = written.map(str::to_owned).collect();
    let charts = charts(sections);
    let ranks: Vec<NamedChart> = overall.iter().filter_map(charts::ranks).collect();
    let mut warnings = Vec::new();
    for chart in ranks.iter().chain(charts.iter().flatten()) {
        let name = format!("plots/{}.svg", chart.name);
        let folder = files::make_folder(&out.join("plots"));
        let drawn = folder.and_then(|()| write(&name, &chart.chart.picture().svg()));
        warnings.extend(drawn.err().map(|error| error.to_string()));
        index.files.push(name);
    }
    let page = html::render(&index, sections, &overall, &charts);
    write("report.html", &page)?;
    let json = serde_json::to_string_pretty(&index).expect("every key is a string");
    write("index.json", &json)?;
    Ok(warnings)
}

/// The columns of `results.csv`; `distinction` has words for settings and algorithms of the same names.
const COLUMNS: &str = "dataset protocol task algorithm distinction baseline offline trees metric unit n mean \
                       half_width standing errors";

/// Returns the text of `results.csv`: metrics (the first one ranks), times and sizes of each algorithm.
fn results(sections: &[Section]) -> Result<String, ::csv::Error> {
    let mut csv = ::csv::WriterBuilder::new();
    let mut csv = csv.has_headers(false).from_writer(Vec::new());
    csv.write_record(COLUMNS.split(' '))?;
    for section in sections {
        let setting = &section.setting;
        let ranked = section.metrics[0];
        for row in &section.rows {
            let first = row.first();
            let own = row.label.strip_prefix(&first.label).unwrap_or_default();
            let distinction = format!("{}{own}", section.distinction);
            let errors = row.errors().join("; ");
            let mut write = |metric, unit, n: usize, mean: Option<f64>, half_width: Option<f64>| {
                csv.serialize((
                    &setting.dataset,
                    setting.protocol,
                    task_name(setting.task),
                    &first.label,
                    distinction.trim_start_matches(", "),
                    first.baseline,
                    first.offline,
                    first.trees,
                    metric,
                    unit,
                    n,
                    mean,
                    half_width,
                    row.mark.word(),
                    &errors,
                ))
            };
            let Some(result) = &row.value else {
                write(ranked.name, ranked.unit, 0, None, None)?;
                continue;
            };
            let others = Metric::of_task(setting.task).filter(|metric| *metric != ranked);
            for metric in [ranked].into_iter().chain(others) {
                if let Some(value) = row.metric(metric) {
                    let half = value.half_width();
                    write(metric.name, metric.unit, value.n, Some(value.mean), half)?;
                }
            }
            let trees = first.trees.max(1) as f64;
            let [learn, predict] = row.microseconds().map(|us| us.map(|us| us / trees));
            let [nodes, stored, bytes] = row.footprint();
            for (name, unit, mean) in [
                ("learn_us_per_sample_and_tree", "µs", learn),
                ("predict_us_per_sample_and_tree", "µs", predict),
                ("nodes", "", nodes),
                ("stored_samples", "", stored),
                ("model_bytes", "B", bytes),
            ] {
                if mean.is_some() {
                    write(name, unit, result.n, mean, None)?;
                }
            }
        }
    }
    let bytes = csv.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("every field is text"))
}
