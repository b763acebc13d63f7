//! Bad input as a user meets it: a file or an address is opened, and the message says what is wrong, where, and what to
//! do. The table `bad_input.tsv` has a line for each.

use std::fs;

use datasets::{OpenOptions, TaskKind, open};

#[test]
fn what_cannot_be_opened_is_refused_as_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad_input.tsv");
    let table = fs::read_to_string(table).unwrap();
    for line in table.lines().filter(|line| !line.starts_with("# ")) {
        let [address, content, words, says] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four cells: {line}")
        };
        let mut options = OpenOptions::default();
        let words = words.split_whitespace();
        for (key, value) in words.filter_map(|word| word.split_once('=')) {
            match key {
                "target" => options.target = Some(value.to_owned()),
                "task" if value == "classify" => options.task = Some(TaskKind::Classification),
                "task" => options.task = Some(TaskKind::Regression),
                "folder" => options.data_dir = Some(folder.path().join(value)),
                _ => options.table.drop = vec![value.to_owned()],
            }
        }
        let mut path = address.into();
        if content != "-" {
            path = folder.path().join(address);
            let mut text: String = serde_json::from_str(&format!("\"{content}\"")).unwrap();
            if let Some((count, row)) = text.trim_matches(['{', '}']).split_once('|') {
                let rows = 0..count.parse::<u32>().unwrap();
                text = rows.map(|i| row.replace('$', &i.to_string())).collect();
            }
            let mut bytes = text.into_bytes();
            if address.ends_with(".gz") {
                bytes.extend(b"\x8b\x08\0\0\0\0\0");
            }
            fs::write(&path, bytes).unwrap();
        }
        let Err(error) = open(&path, &options) else {
            panic!("accepted: {line}")
        };
        for part in says.split(" … ") {
            let error = error.to_string();
            assert!(error.contains(part), "`{part}` is not in: {error}");
        }
    }
}
