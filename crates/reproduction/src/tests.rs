//! Tests of items from file to page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use comparison::record::Host;
use tempfile::TempDir;

use crate::execute::{self, Job};
use crate::item::Item;
use crate::load;
use crate::log::Log;
use crate::page::Page;
use crate::plan::Plan;
use crate::record::{Outcome, Record, Scale, Work};
use crate::{Ending, Request};

const ITEM: &str = r#"
title = "Two algorithms"
source = "Table 1"
caption = "Generated data."
metrics = ["rmse", "leaves"]
chart = { x = "rows" }

[quick]
trees = 2
seeds = 3
x = [200, 400]
set = { test = 40 }

[full]
seeds = 1
x = [60]
set = { test = 40 }

[[data]]
name = "sines"
address = "sine-product:n={x},test={test},seed={seed}"

[[data]]
name = "elsewhere"
address = "elsewhere/table.csv"
get = "Ask for it."

[[algorithm]]
name = "forest"
use = "mondrian"

[[algorithm]]
name = "mean"
use = "mean"
seeds = 2

[[published]]
source = "Table 1"
on = "sines"
values = { forest = [2.0, 0.1] }

[[claim]]
text = "A forest is better than the mean"
on = ["sines"]
rule = { better = ["forest", "mean"] }

[[claim]]
text = "… elsewhere, too"
on = ["elsewhere"]
rule = { better = ["forest", "mean"] }
"#;

struct Folder(TempDir);

impl Folder {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("paper")).unwrap();
        fs::write(folder.path().join("paper/item.toml"), text).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn item(&self) -> anyhow::Result<Item> {
        load::read(&self.path("paper/item.toml"))
    }

    /// Runs what is missing in the folder `out`, and writes the pages.
    fn run(&self, out: &str, threads: usize) -> Job {
        let (item, out) = (self.item().unwrap(), self.path(out));
        let plan = Plan::new(&item, Scale::Quick, None, self.0.path()).unwrap();
        let log = Log::open_runs(&out, &item).unwrap();
        let mut jobs = [Job { plan, log }];
        let host = Host {
            revision: "0".to_owned(),
            cpu: "none".to_owned(),
        };
        execute::run(&mut jobs, self.0.path(), &host, threads).unwrap();
        let [job] = jobs;
        let request = request(self, &out);
        Page::new(&item, Scale::Quick, &job)
            .write(&request)
            .unwrap();
        crate::write_pages(&request, &[item]).unwrap();
        job
    }
}

/// Requests `paper/item`, with records and pages in `out`.
fn request(folder: &Folder, out: &Path) -> Request {
    Request {
        experiments: folder.path(""),
        items: vec!["paper/item".to_owned()],
        scale: Scale::Quick,
        seeds: None,
        part: comparison::Part::WHOLE,
        report_from: Vec::new(),
        threads: 2,
        data_dir: folder.path(""),
        out: out.to_owned(),
        pages: out.to_owned(),
        csv: true,
        tex: true,
    }
}

/// Reads every file of the item except the records, which hold times.
fn page(out: &Path) -> Vec<String> {
    let files = [
        "paper.md",
        "paper/item.csv",
        "paper/item.tex",
        "paper/item.svg",
    ];
    let read = |name| fs::read_to_string(out.join(name)).unwrap();
    files.map(read).to_vec()
}

#[test]
fn a_run_that_was_cut_ends_with_the_pages_of_one_that_was_not() {
    let folder = Folder::new(ITEM);
    // On one thread, so that lines are in the order of the plan.
    let whole = folder.run("whole", 1);
    // Two data sizes, three seeds of the forest and two of the mean.
    assert_eq!(whole.log.records.len(), 10);
    let log = fs::read_to_string(folder.path("whole/paper/item/runs.jsonl")).unwrap();
    // The run was killed while it wrote the fourth line: of the first seed, the mean of the larger data is missing.
    let ends: Vec<usize> = log
        .match_indices('\n')
        .map(|(place, _)| place + 1)
        .collect();
    let cut = &log[..ends[2] + 30];
    fs::create_dir_all(folder.path("cut/paper/item")).unwrap();
    let path = folder.path("cut/paper/item/runs.jsonl");
    fs::write(&path, cut).unwrap();
    let again = folder.run("cut", 2);
    assert_eq!(again.log.records.len(), 10);
    let after = fs::read_to_string(&path).unwrap();
    assert_eq!(
        after[..ends[2]],
        log[..ends[2]],
        "finished runs are unchanged"
    );
    assert_eq!(page(&folder.path("whole")), page(&folder.path("cut")));
    // Nothing is left to run.
    folder.run("cut", 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), after);
}

#[test]
fn the_overview_has_the_pages_of_items_that_were_run_elsewhere() {
    let folder = Folder::new(ITEM);
    let results = tempfile::tempdir().unwrap();
    fs::write(folder.path("paper/other.toml"), ITEM).unwrap();
    let run = |item: &str| {
        let request = Request {
            items: vec![item.to_owned()],
            pages: results.path().join("pages"),
            ..request(&folder, &results.path().join(item))
        };
        assert_eq!(crate::run(&request).unwrap(), Ending::Complete);
        fs::read_to_string(request.pages.join("README.md")).unwrap()
    };
    let first = run("paper/item");
    assert!(
        first.contains("| [paper](paper.md) | 2 | 1 | 0 | 0 | 1 |"),
        "{first}"
    );
    let page = || fs::read_to_string(results.path().join("pages/paper.md")).unwrap();
    assert!(page().contains("Without records: paper/other."));
    let second = run("paper/other");
    assert!(second.contains("| all | 4 | 2 | 0 | 0 | 2 |"), "{second}");
    assert_eq!(page().matches("# Two algorithms").count(), 2);
}

#[test]
fn the_records_beside_pages_are_of_both_scales_and_pages_are_made_of_them() {
    let split = "get = \"Ask for it.\"\nsplit = \"random\"\ntrain = 40\ntest = 10";
    let folder = Folder::new(&ITEM.replace("get = \"Ask for it.\"", split));
    let (out, again) = (folder.path("out"), folder.path("again"));
    let rows = (0..50).map(|row| format!("{row},{},{}\n", row % 7, f64::from(row) / 3.0));
    let table = format!("a,b,c\n{}", rows.collect::<String>());
    fs::create_dir(folder.path("elsewhere")).unwrap();
    fs::write(folder.path("elsewhere/table.csv"), table).unwrap();
    let run = |request: &Request| assert_eq!(crate::run(request).unwrap(), Ending::Complete);
    let at = |scale| Request {
        scale,
        ..request(&folder, &out)
    };
    run(&at(Scale::Full));
    let full = page(&out);
    run(&at(Scale::Quick));
    let overview = fs::read_to_string(out.join("README.md")).unwrap();
    let [quick, other] = ["| [paper](paper.md) | 2 |", "| paper | 2 |"];
    assert!(
        overview.contains(quick) && overview.contains(other),
        "{overview}"
    );
    // Neither the records of the runs nor their data exist any more.
    fs::remove_dir_all(out.join("paper/item")).unwrap();
    fs::remove_dir_all(folder.path("elsewhere")).unwrap();
    run(&Request {
        report_from: vec![out.clone()],
        scale: Scale::Full,
        ..request(&folder, &again)
    });
    assert_eq!(page(&again), full);
}

#[test]
fn the_records_of_a_papers_pages_are_one_file_and_a_page_replaces_its_own() {
    let folder = Folder::new(ITEM);
    fs::write(folder.path("paper/other.toml"), ITEM).unwrap();
    let out = folder.path("out");
    let run = |items: &[&str], seeds| {
        let request = Request {
            items: items.iter().map(|item| (*item).to_owned()).collect(),
            seeds: Some(seeds),
            ..request(&folder, &out)
        };
        assert_eq!(crate::run(&request).unwrap(), Ending::Complete);
        let records: Vec<Record> =
            comparison::read_records(&out.join("paper/runs.jsonl.gz")).unwrap();
        let of = |item| {
            let own = records.iter().filter(|record| record.task.item == item);
            own.count()
        };
        ["paper/item", "paper/other"].map(of)
    };
    // Two sizes, and the mean has two seeds at most.
    assert_eq!(run(&["paper"], 1), [4, 4]);
    assert_eq!(run(&["paper/item"], 2), [8, 4]);
    assert_eq!(run(&["paper/item"], 1), [4, 4]);
}

#[test]
fn csv_and_latex_are_written_where_they_are_asked_for() {
    let folder = Folder::new(ITEM);
    for (name, csv, tex) in [
        ("none", false, false),
        ("csv", true, false),
        ("tex", false, true),
    ] {
        let out = folder.path(name);
        let request = Request {
            csv,
            tex,
            ..request(&folder, &out)
        };
        assert_eq!(crate::run(&request).unwrap(), Ending::Complete);
        let is_there = |ending: &str| out.join(format!("paper/item.{ending}")).is_file();
        assert_eq!(["csv", "tex"].map(is_there), [csv, tex], "{name}");
        assert!(is_there("svg") && out.join("paper.md").is_file(), "{name}");
    }
}

/// Describes runs and their results, without times.
fn runs(folder: &Folder, out: &Path) -> BTreeSet<String> {
    let log = Log::open_runs(out, &folder.item().unwrap()).unwrap();
    let run = |mut record: Record| {
        let Outcome::Rows(rows) = &mut record.outcome else {
            panic!("it did not fail");
        };
        let is_time = |name: &str| name.contains("second") || name.contains("per_");
        for row in rows {
            row.values.retain(|name, _| !is_time(name));
        }
        format!("{:?} {:?}", record.task, record.outcome)
    };
    log.records.into_iter().map(run).collect()
}

#[test]
fn the_report_of_parts_is_that_of_one_run() {
    let folder = Folder::new(ITEM);
    let results = tempfile::tempdir().unwrap();
    let out = |name: &str| results.path().join(name);
    let run = |request: &Request| assert_eq!(crate::run(request).unwrap(), Ending::Complete);
    run(&request(&folder, &out("whole")));
    let (mut report_from, mut all) = (Vec::new(), 0);
    for part in ["1/3", "2/3", "3/3"] {
        let out = out(&part.replace('/', "-"));
        run(&Request {
            part: part.parse().unwrap(),
            ..request(&folder, &out)
        });
        all += runs(&folder, &out).len();
        report_from.push(out);
    }
    assert_eq!(all, 10, "the parts have no run in common");
    // A part that is listed twice counts once.
    report_from.push(report_from[0].clone());
    run(&Request {
        report_from,
        ..request(&folder, &out("merged"))
    });
    assert_eq!(page(&out("merged")), page(&out("whole")));
    assert_eq!(runs(&folder, &out("merged")), runs(&folder, &out("whole")));
    let overview = |name| fs::read_to_string(out(name).join("README.md")).unwrap();
    assert_eq!(overview("merged"), overview("whole"));
}

#[test]
fn the_page_says_what_is_claimed_measured_and_missing() {
    let folder = Folder::new(ITEM);
    folder.run("out", 2);
    let text = page(&folder.path("out")).swap_remove(0);
    for part in [
        "| A forest is better than the mean | forest better than mean on sines | **holds** | 2 of 2 |",
        "**cannot be tested here**",
        "**Missing: elsewhere.** elsewhere/table.csv is missing. Ask for it.",
        "| sines, 400 | forest | rmse |",
        "| 3 | 2 ± 0.1 | −",
        "cargo xtask-all reproduce paper/item --scale quick",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_changed_record_changes_the_verdict_of_the_page() {
    let folder = Folder::new(ITEM);
    let mut job = folder.run("out", 2);
    let item = folder.item().unwrap();
    let verdict = |job: &Job| {
        let page = Page::new(&item, Scale::Quick, job);
        page.judgements[0].verdict.to_string()
    };
    assert_eq!(verdict(&job), "holds");
    let forest = job.log.records.iter_mut();
    let record = forest
        .into_iter()
        .find(|record| record.task.series == "forest")
        .unwrap();
    let Outcome::Rows(rows) = &mut record.outcome else {
        panic!("it did not fail");
    };
    rows[0].values.insert("rmse".to_owned(), 1000.0);
    assert_eq!(verdict(&job), "holds in part");
}

#[test]
fn a_failed_run_is_shown_and_tried_again() {
    // The item requests more rows than exist, so the data cannot be split.
    let text = ITEM.replace("test={test},seed={seed}", "test=0,seed={seed}");
    let folder = Folder::new(&text);
    let job = folder.run("out", 2);
    assert!(
        job.log
            .records
            .iter()
            .all(|r| matches!(r.outcome, Outcome::Error(_)))
    );
    let again = folder.run("out", 2);
    assert_eq!(again.log.records.len(), 2 * job.log.records.len());
    let page = fs::read_to_string(folder.path("out/paper.md")).unwrap();
    assert!(page.contains("**A run failed:** paper/item · sines · forest · 200 · seed 0"));
}

#[test]
fn a_mistake_names_file_and_place_and_what_to_do() {
    let mistakes = [
        ("title =", "titel =", "unknown field `titel`"),
        (
            "[\"forest\", \"mean\"]",
            "[\"forest\", \"men\"]",
            "[[claim]] number 1: unknown [[algorithm]] `men`; available: forest, mean",
        ),
        (
            "on = [\"elsewhere\"]",
            "on = [\"nowhere\"]",
            "[[claim]] number 2: unknown [[data]] `nowhere`",
        ),
        (
            "use = \"mondrian\"",
            "use = \"mondrain\"",
            "[quick]: [[algorithm]] forest: ",
        ),
        (
            "n={x}",
            "n={rows}",
            "unknown variable `rows`; available: seed, test, x",
        ),
        (
            "seeds = 3",
            "seeds = 0",
            "[quick]: seeds must be at least 1",
        ),
        ("{ better", "{ beter", "unknown variant `beter`"),
        (
            "values = { forest",
            "values = { tree",
            "[[published]] number 1: unknown [[algorithm]] `tree`",
        ),
    ];
    for (right, wrong, words) in mistakes {
        let folder = Folder::new(&ITEM.replacen(right, wrong, 1));
        let error = format!("{:#}", folder.item().expect_err(wrong));
        assert!(error.contains("paper/item.toml"), "{error}");
        assert!(error.contains(words), "{wrong}: {error}");
    }
}

#[test]
fn functions_are_called_by_name_with_all_of_their_parameters() {
    let call = |parameters: &str| {
        let start = ITEM.find("[[data]]").unwrap();
        let function = format!("[[function]]\nname = \"hulls\"\nparameters = {parameters}\n");
        let claim = "[[claim]]\ntext = \"c\"\nrule = { at-least = { series = \"s\", value = 1 } }";
        Folder::new(&format!("{}{function}{claim}", &ITEM[..start]))
    };
    let good = "{ series = \"s\", keeps = \"hulls\", algorithm = \"obsp\", data = \"sine-product:n=50,test=0\", n = \"{x}\" }";
    assert!(call(good).item().is_ok());
    let error = format!("{:#}", call("{ series = \"s\" }").item().unwrap_err());
    assert!(
        error.contains("the parameter `algorithm` is missing; expected"),
        "{error}"
    );
    let error = call(&good.replace("series", "serie")).item().unwrap_err();
    assert!(
        format!("{error:#}").contains("unknown parameter `serie`"),
        "{error:#}"
    );
}

#[test]
fn a_variable_may_be_the_number_of_passes() {
    let passes = |value: &str| {
        ITEM.replace(
            "use = \"mondrian\"",
            &format!("use = \"mondrian\"\npasses = {value}"),
        )
    };
    let item = Folder::new(&passes("\"{test}\"")).item().unwrap();
    let tasks = Plan::everything(&item, Scale::Quick).unwrap();
    let learned = tasks.iter().filter_map(|task| match &task.work {
        Work::Learn(learn) => Some(learn.passes),
        Work::Call(_) => None,
    });
    assert_eq!(learned.collect::<BTreeSet<_>>(), [1, 40].into());
    let error = format!("{:#}", Folder::new(&passes("0.5")).item().unwrap_err());
    assert!(
        error.contains("forest, passes: 0.5 is not an integer of at least 1"),
        "{error}"
    );
}

#[test]
fn every_item_is_sound_and_there_are_claims_enough() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/experiments");
    let items = load::items(&folder, &[]).unwrap();
    let claims: usize = items.iter().map(|item| item.claim.len()).sum();
    assert!(claims >= 40, "{claims}");
    let error = load::items(&folder, &["obsp/figure-33".to_owned()]).unwrap_err();
    assert!(error.to_string().contains("did you mean"), "{error}");
    let papers = load::items(&folder, &["stream-rf".to_owned()]).unwrap();
    assert!(papers.iter().all(|item| item.paper == "stream-rf") && papers.len() > 1);
}
