//! Tests of items from file to page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use comparison::GridPart;
use tempfile::TempDir;

use crate::Request;
use crate::item::{self, Item};
use crate::learn::{Data, Library};
use crate::runs::{Outcome, Record, Scale, Work};

const ITEM: &str = r#"
title = "Two algorithms"
source = "Table 1"
caption = "Generated data."
metrics = ["rmse", "leaves"]
chart = { x = "rows" }
quick = { trees = 2, seeds = 3, x = [200, 400], set = { test = 40 } }
full = { seeds = 1, x = [60], set = { test = 40 } }
data = [
    { name = "sines", address = 'sine-product:n={x},test={test},seed={seed}' },
    { name = "elsewhere", address = "elsewhere/table.csv", get = "Ask for it." },
]
algorithms = [
    { name = 'forest', use = 'mondrian' },
    { name = "mean", use = "mean", seeds = 2 },
]
published = [{ source = "Table 1", on = "sines", values = { forest = [2.0, 0.1] } }]
claims = [
    ["A forest is better than the mean", "forest better than mean · on sines"],
    ["… elsewhere, too", "forest better than mean · on elsewhere"],
]
"#;

/// A folder with the item `paper/item`.
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
        item::read(&self.path("paper/item.toml"))
    }

    /// Requests the item, with records and pages in `out`.
    fn request(&self, out: &str) -> Request {
        Request {
            experiments: self.path(""),
            items: vec!["paper/item".to_owned()],
            scale: Scale::Quick,
            seeds: None,
            part: GridPart::WHOLE,
            report_from: Vec::new(),
            threads: 2.try_into().ok(),
            data_dir: self.path(""),
            out: self.path(out),
            pages: self.path(out),
            csv: true,
            list: false,
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Reads every file of the item but the records, which hold times.
    fn page(&self, out: &str) -> Vec<String> {
        let files = ["paper.md", "paper/item.csv", "paper/item.svg"];
        files
            .map(|name| self.read(&format!("{out}/{name}")))
            .to_vec()
    }

    fn records(&self, file: &str) -> Vec<Record> {
        comparison::read_records(&self.path(file)).unwrap()
    }
}

fn complete(mut request: Request, change: impl FnOnce(&mut Request)) {
    change(&mut request);
    assert!(!crate::run(request).unwrap());
}

/// A run that is cut, parts on several machines, and a report of their records have the pages of one run.
#[test]
fn however_runs_come_about_their_pages_are_the_same() {
    let folder = Folder::new(ITEM);
    let runs = |out: &str| format!("{out}/paper/item/runs.jsonl");
    // On one thread, so that lines are in the order of the plan.
    complete(folder.request("whole"), |it| it.threads = 1.try_into().ok());
    let log = folder.read(&runs("whole"));
    // Two data sizes, three seeds of the forest and two of the mean.
    assert_eq!(log.lines().count(), 10);
    // The run was killed while it wrote the fourth line: of the first seed, the mean of the larger data is missing.
    let third = log.match_indices('\n').nth(2).unwrap().0 + 1;
    fs::create_dir_all(folder.path("cut/paper/item")).unwrap();
    fs::write(folder.path(&runs("cut")), &log[..third + 30]).unwrap();
    complete(folder.request("cut"), |_| ());
    let after = folder.read(&runs("cut"));
    assert_eq!(
        (after.lines().count(), &after[..third]),
        (10, &log[..third])
    );
    assert_eq!(folder.page("cut"), folder.page("whole"));
    complete(folder.request("cut"), |_| ());
    assert_eq!(folder.read(&runs("cut")), after, "nothing is left to run");
    let (mut report_from, mut all) = (Vec::new(), 0);
    for part in ["1/3", "2/3", "3/3"] {
        let out = part.replace('/', "-");
        complete(folder.request(&out), |it| it.part = part.parse().unwrap());
        all += folder.records(&runs(&out)).len();
        report_from.push(folder.path(&out));
    }
    assert_eq!(all, 10, "the parts have no run in common");
    // A part that is listed twice counts once.
    report_from.push(report_from[0].clone());
    complete(folder.request("merged"), |it| it.report_from = report_from);
    assert_eq!(folder.page("merged"), folder.page("whole"));
    assert_eq!(
        folder.read("merged/README.md"),
        folder.read("whole/README.md")
    );
    assert_eq!(folder.records(&runs("merged")).len(), 10);
}

#[test]
fn pages_have_all_items_and_both_scales_and_are_made_of_the_records_beside_them() {
    let folder = Folder::new(ITEM);
    fs::write(folder.path("paper/other.toml"), ITEM).unwrap();
    let at = |item: &str, scale| {
        let mut request = folder.request("pages");
        (request.items, request.scale) = (vec![item.to_owned()], scale);
        request.out = folder.path(&format!("runs {item}"));
        request
    };
    let says = |file: &str, words: &str| {
        let text = folder.read(file);
        assert!(text.contains(words), "{words}\n{text}");
    };
    complete(at("paper/item", Scale::Full), |_| ());
    says(
        "pages/README.md",
        "| [paper](paper.md) | 2 | 1 | 0 | 0 | 1 |",
    );
    says("pages/paper.md", "Without records: paper/other.");
    let mut full = folder.page("pages");
    full[0] = full[0].replace("\nWithout records: paper/other.\n", "");
    complete(at("paper/other", Scale::Full), |_| ());
    says("pages/README.md", "| all | 4 | 2 | 0 | 0 | 2 |");
    assert_eq!(
        folder
            .read("pages/paper.md")
            .matches("# Two algorithms")
            .count(),
        2
    );
    complete(at("paper/item", Scale::Quick), |_| ());
    says("pages/README.md", "| [paper](paper.md) | 2 |");
    says("pages/README.md", "| paper | 4 |");
    // A page replaces its own records.
    let own = |item: &str| {
        let records = folder.records("pages/paper/runs.jsonl.gz").into_iter();
        records.filter(|record| record.task.item == item).count()
    };
    assert_eq!([own("paper/item"), own("paper/other")], [2 + 10, 2]);
    complete(at("paper/item", Scale::Quick), |it| it.seeds = Some(1));
    assert_eq!([own("paper/item"), own("paper/other")], [2 + 4, 2]);
    // The records of the runs do not exist any more.
    fs::remove_file(folder.path("paper/other.toml")).unwrap();
    complete(folder.request("again"), |it| {
        (it.report_from, it.scale) = (vec![folder.path("pages")], Scale::Full);
    });
    assert_eq!(folder.page("again"), full);
}

#[test]
fn the_page_says_what_is_claimed_measured_and_missing() {
    let folder = Folder::new(ITEM);
    complete(folder.request("out"), |_| ());
    let text = folder.read("out/paper.md");
    for part in [
        "| A forest is better than the mean | forest better than mean · on sines | **holds** | 2 of 2 |",
        "**cannot be tested here**",
        "**Missing: elsewhere.** elsewhere/table.csv is missing. Ask for it.",
        "| sines, 400 | forest | rmse |",
        "| 3 | 2 ± 0.1 | −",
        "cargo xtask-all reproduce paper/item --scale quick",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // A changed record changes the verdict.
    let mut records = folder.records("out/paper/item/runs.jsonl");
    let forest = records
        .iter_mut()
        .find(|record| record.task.series == "forest");
    let Outcome::Rows(rows) = &mut forest.unwrap().outcome else {
        panic!("it did not fail")
    };
    rows[0].values.insert("rmse".to_owned(), 1000.0);
    let lines: String = records.iter().map(comparison::to_line).collect();
    fs::write(folder.path("out/paper/item/runs.jsonl"), lines).unwrap();
    complete(folder.request("out"), |_| ());
    assert!(folder.read("out/paper.md").contains("**holds in part**"));
}

#[test]
fn a_failed_run_is_shown_and_tried_again() {
    // No row is left to test.
    let folder = Folder::new(&ITEM.replace("test={test},seed={seed}", "test=0,seed={seed}"));
    for tries in [1, 2] {
        assert!(crate::run(folder.request("out")).unwrap());
        let records = folder.records("out/paper/item/runs.jsonl");
        let failed = records
            .iter()
            .filter(|record| matches!(record.outcome, Outcome::Error(_)));
        assert_eq!((failed.count(), records.len()), (10 * tries, 10 * tries));
    }
    let page = folder.read("out/paper.md");
    assert!(page.contains("**A run failed:** paper/item · sines · forest · 200 · seed 0"));
}

#[test]
fn a_mistake_names_file_and_place_and_what_to_do() {
    let hulls = "series = 's', keeps = 'hulls', algorithm = 'obsp', data = 'sea:n=50'";
    let function = |given: &str| format!("functions = [{{ name = 'hulls', {given} }}]\npublished");
    let good = function(&format!("{hulls}, n = '{{x}}'"));
    assert!(
        Folder::new(&ITEM.replacen("published", &good, 1))
            .item()
            .is_ok()
    );
    let functions = [function(hulls), function(&format!("{hulls}, n = 1, m = 1"))];
    for mistake in [
        "title = => titel = => unknown field `titel`",
        "better than mean => better than men => claim `A forest is better than the mean`: unknown algorithm `men`; available: forest; mean",
        "on elsewhere => on nowhere => claim `… elsewhere, too`: unknown data `nowhere`",
        "'mondrian' => 'mondrain' => algorithm forest: ",
        "n={x} => n={rows} => unknown variable `rows`; available: seed, test, x",
        "seed={seed}' => seed={seed' => unknown variable `seed`",
        "forest better than => forest beter than => `forest beter than mean` is not a rule of claims",
        "values = { forest => values = { tree => published in Table 1: unknown algorithm `tree`",
        "'mondrian' => 'mondrian', passes = 0 => expected a nonzero usize",
        "'mondrian' => 'mondrian', passes = '{x}.5' => expected a nonzero usize",
        &format!("published => {} => missing field `n`", functions[0]),
        &format!("published => {} => unknown field `m`", functions[1]),
    ] {
        let parts: Vec<&str> = mistake.split(" => ").collect();
        let (right, wrong, words) = (parts[0], parts[1], parts[2]);
        let item = Folder::new(&ITEM.replacen(right, wrong, 1)).item();
        let error = format!("{:#}", item.expect_err(words));
        assert!(error.contains("paper/item.toml"), "{error}");
        assert!(error.contains(words), "{words}: {error}");
    }
    let passes = ITEM.replacen("'mondrian'", "'mondrian', passes = '{test}'", 1);
    let tasks = Folder::new(&passes)
        .item()
        .unwrap()
        .tasks(Scale::Quick, None, &[])
        .unwrap();
    let learned = tasks.iter().filter_map(|task| match &task.work {
        Work::Learn(learn) => Some(learn.passes),
        Work::Call { .. } => None,
    });
    assert_eq!(learned.collect::<BTreeSet<_>>(), [1, 40].into());
}

/// A share of the training part leaves the rest of it to test; numbers of the target have mean 0 and variance 1.
#[test]
fn what_data_ask_for_is_what_is_learned() {
    let folder = Folder::new(ITEM);
    let library = Library::new(&folder.path(""));
    let data = |text: &str| -> Data { toml::from_str(text).unwrap() };
    let dataset = library.open("sine-product:n=8,test=2").unwrap();
    for (more, learned, tested) in [
        ("split = 'random-of-training'\ntrain = 0.25", 2, 6),
        ("train = 0.5\ntest = 1", 4, 1),
        ("split = 'random'\ntrain = 7", 7, 3),
        ("split = 'ordered'\ntrain = 0.3", 3, 7),
    ] {
        let rows = data(&format!("address = ''\n{more}"))
            .split(&dataset, 1)
            .unwrap();
        assert_eq!((rows.0.len(), rows.1.len()), (learned, tested), "{more}");
    }
    assert!(
        data("address = ''\nsplit = 'random'")
            .split(&dataset, 1)
            .is_err()
    );
    let [observed, _] = data("address = ''\ntarget = ['standard']")
        .numbers(&dataset)
        .unwrap();
    assert!(observed.iter().sum::<f64>().abs() < 1e-9);
    assert!((observed.iter().map(|value| value * value).sum::<f64>() - 10.0).abs() < 1e-9);
    let logarithm = data("address = ''\ntarget = ['standard', 'log']");
    assert!(logarithm.numbers(&dataset).is_err());
}

#[test]
fn every_item_is_sound_and_there_are_claims_enough() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/experiments");
    let items = item::items(&folder, &[]).unwrap();
    let claims: usize = items.iter().map(|item| item.claims.len()).sum();
    assert!(claims >= 40, "{claims}");
    let error = item::items(&folder, &["obsp/figure-33".to_owned()]).unwrap_err();
    assert!(error.to_string().contains("did you mean"), "{error}");
    let papers = item::items(&folder, &["stream-rf".to_owned()]).unwrap();
    assert!(papers.iter().all(|item| item.paper == "stream-rf") && papers.len() > 1);
}
