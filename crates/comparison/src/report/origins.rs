//! Notes on runs of several revisions or machines.

use std::collections::BTreeSet;

use crate::number;
use crate::record::Host;

/// Returns notes for readers of runs of several revisions, or of several machines.
pub(super) fn notes(hosts: &[(Host, usize)]) -> impl Iterator<Item = String> {
    let revisions: BTreeSet<&str> = hosts
        .iter()
        .map(|(host, _)| host.revision.as_str())
        .collect();
    let machines = hosts
        .iter()
        .map(|(host, threads)| machine(host, *threads))
        .collect::<BTreeSet<_>>();
    let code = (revisions.len() > 1).then(|| {
        let revisions: Vec<&str> = revisions.into_iter().collect();
        format!(
            "the runs are of different revisions: {}",
            revisions.join(", ")
        )
    });
    let times = (machines.len() > 1).then(|| {
        let machines: Vec<String> = machines.into_iter().collect();
        format!(
            "times are means over different machines: {}",
            machines.join("; ")
        )
    });
    code.into_iter().chain(times)
}

fn machine(host: &Host, threads: usize) -> String {
    format!("{}, {}", host.cpu, number::counted(threads, "thread"))
}
