//! Remarks that a user should read before anything runs.

use datasets::{Dataset, Target};

use crate::AnyAlgorithm;
use crate::protocol::{Design, Split};
use crate::record::{Protocol, task_name};

/// Returns, in words, each request that is not fulfilled, and why.
pub fn remarks(
    datasets: &[Dataset],
    algorithms: &[AnyAlgorithm],
    protocols: &[Protocol],
    design: &Design,
) -> Vec<String> {
    let remarks = datasets.iter().flat_map(|dataset| {
        let (name, task) = (&dataset.name, task_name(dataset.task()));
        let unable = algorithms.iter();
        let unable = unable.filter(|algorithm| !algorithm.supports(dataset.task()));
        let left_out = unable.map(move |algorithm| {
            format!("{name}: `{algorithm}` is left out, it does not support {task}")
        });
        left_out
            .chain(Split::remark(dataset, design.train, design.splitting))
            .chain(single_rows(dataset))
            .chain(shuffled_dates(dataset, protocols, design))
    });
    let streams = protocols.iter().any(|protocol| protocol.is_stream());
    let offline = algorithms.iter().filter(|a| streams && a.is_offline());
    let offline = offline.map(|algorithm| {
        format!(
            "prequential: `{algorithm}` is left out, it sees all training rows at once (offline)"
        )
    });
    remarks.chain(offline).collect()
}

/// Warns that the hold-out shuffles rows that are sorted by date.
fn shuffled_dates(dataset: &Dataset, protocols: &[Protocol], design: &Design) -> Option<String> {
    let (name, dates) = (&dataset.name, dataset.ascending_dates.as_ref()?);
    let split = Split::new(dataset, design.train, design.splitting).ok()?;
    let is_shuffled =
        matches!(split, Split::Shuffled { .. }) && protocols.contains(&Protocol::Holdout);
    is_shuffled.then(|| {
        format!(
            "{name}: the rows are sorted by the dates in `{dates}`, but the hold-out shuffles them, so earlier rows are \
             tested after later ones have been learned; use --split chronological to test on the last rows"
        )
    })
}

/// Warns of classes that have a single row.
fn single_rows(dataset: &Dataset) -> Option<String> {
    let Target::Classes { labels, names } = &dataset.target else {
        return None;
    };
    let mut rows = vec![0; names.len()];
    labels.iter().for_each(|&label| rows[label as usize] += 1);
    let single = names.iter().zip(rows).filter(|(_, rows)| *rows == 1);
    let single: Vec<&str> = single.map(|(name, _)| name.as_str()).collect();
    let (name, first) = (&dataset.name, single.first()?);
    let classes = match single.len() {
        1 => format!("the class `{first}` has one row"),
        more => format!("{more} classes have one row each, such as `{first}`"),
    };
    Some(format!(
        "{name}: {classes}: no run learns it before it is tested"
    ))
}
