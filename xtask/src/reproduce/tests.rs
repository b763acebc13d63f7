//! Tests of items from file to page.

use std::fs;
use std::path::{Path, PathBuf};

use comparison::GridPart;
use comparison::record::Host;
use tempfile::TempDir;

use crate::reproduce::Request;
use crate::reproduce::function::Library;
use crate::reproduce::functions;
use crate::reproduce::hold_out::HoldOut;
use crate::reproduce::item::{self, Item};
use crate::reproduce::record::{Record, RecordRow, Scale, text};
use crate::reproduce::results::Results;

const ITEM: &str = r#"
title = "Two algorithms"
source = "Table 1"
caption = "Generated data."
metrics = ["rmse", "leaves"]
chart = { x = "rows" }
quick = { trees = 2, seeds = 3, x = [200, 400], set = { test = 40 } }
full = { seeds = 1, x = [60], set = { test = 40 } }
data = [
    { panel = "sines", data = "sine-product:n={x},test={test},seed={seed}" },
]
algorithms = [
    { series = "forest", algorithm = "mondrian" },
    { series = "mean", algorithm = "mean", seeds = 2 },
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
        Item::read(&self.path("paper/item.toml"))
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
            list: false,
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Reads every file of the item but the records, which hold times.
    fn page(&self, out: &str) -> Vec<String> {
        let files = ["paper.md", "paper/item.svg"];
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
    assert!(!crate::reproduce::run(&request).unwrap());
}

/// A run that is cut, parts on several machines, and a report of their records have the pages of one run.
#[test]
fn however_runs_come_about_their_pages_are_the_same() {
    let folder = Folder::new(ITEM);
    let runs = |out: &str| format!("{out}/paper/item.jsonl");
    // On one thread, so that lines are in the order of the plan.
    complete(folder.request("whole"), |it| it.threads = 1.try_into().ok());
    let log = folder.read(&runs("whole"));
    // Two data sizes, three seeds of the forest and two of the mean.
    assert_eq!(log.lines().count(), 10);
    // The run was killed while it wrote the fourth line: of the first seed, the mean of the larger data is missing.
    let third = log.match_indices('\n').nth(2).unwrap().0 + 1;
    fs::create_dir_all(folder.path("cut/paper")).unwrap();
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
    let mut report_from = Vec::new();
    let mut all = 0;
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
    assert_eq!(folder.records("merged/paper/runs.jsonl.gz").len(), 10);
}

#[test]
fn pages_have_all_items_and_both_scales_and_are_made_of_the_records_beside_them() {
    let folder = Folder::new(ITEM);
    fs::write(folder.path("paper/other.toml"), ITEM).unwrap();
    let at = |item: &str, scale| {
        let mut request = folder.request("pages");
        request.items = vec![item.to_owned()];
        request.scale = scale;
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
    let titles = folder
        .read("pages/paper.md")
        .matches("# Two algorithms")
        .count();
    assert_eq!(titles, 2);
    complete(at("paper/item", Scale::Quick), |_| ());
    says("pages/README.md", "| [paper](paper.md) | 2 |");
    says("pages/README.md", "| paper | 4 |");
    let own = |item: &str| {
        let records = folder.records("pages/paper/runs.jsonl.gz").into_iter();
        records.filter(|record| record.run.item == item).count()
    };
    assert_eq!([own("paper/item"), own("paper/other")], [2 + 10, 2]);
    // Records of what an item does not plan any more are dropped, those of an item that plans nothing kept.
    let budget = ITEM.replace("\"mondrian\"", "\"mondrian:budget=1\"");
    fs::write(folder.path("paper/item.toml"), budget).unwrap();
    let without = &ITEM[..ITEM.find("algorithms = ").unwrap()];
    let without = format!("{without}{}", &ITEM[ITEM.find("published").unwrap()..]);
    fs::write(folder.path("paper/other.toml"), without).unwrap();
    complete(at("paper", Scale::Full), |_| ());
    assert_eq!([own("paper/item"), own("paper/other")], [2 + 10, 2]);
    fs::write(folder.path("paper/item.toml"), ITEM).unwrap();
    complete(at("paper", Scale::Full), |_| ());
    // The logs of the runs do not exist any more.
    fs::remove_file(folder.path("paper/other.toml")).unwrap();
    fs::remove_file(folder.path("pages/paper/item.jsonl")).unwrap();
    complete(folder.request("again"), |it| {
        it.report_from = vec![folder.path("pages")];
        it.scale = Scale::Full;
    });
    assert_eq!(folder.page("again"), full);
}

#[test]
fn the_page_says_what_is_claimed_and_measured() {
    let folder = Folder::new(ITEM);
    complete(folder.request("out"), |_| ());
    let text = folder.read("out/paper.md");
    for part in [
        "| A forest is better than the mean | forest better than mean · on sines | **holds** | 2 of 2 |",
        "| forest better than mean · on elsewhere | **cannot be tested here** | no records |",
        "| sines, 400 | forest | rmse |",
        "| 3 | 2 ± 0.1 | −",
        "cargo xtask-all reproduce paper/item --scale quick",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // A changed record changes the verdict.
    let mut records = folder.records("out/paper/runs.jsonl.gz");
    let mut forests = records
        .iter_mut()
        .filter(|record| record.rows[0].series == "forest");
    let values = &mut forests.next().unwrap().rows[0].values;
    values.insert("rmse".to_owned(), 1000.0);
    comparison::write_packed(&folder.path("out/paper/runs.jsonl.gz"), records).unwrap();
    fs::remove_file(folder.path("out/paper/item.jsonl")).unwrap();
    complete(folder.request("out"), |_| ());
    assert!(folder.read("out/paper.md").contains("**holds in part**"));
}

#[test]
fn a_failed_run_is_shown_and_tried_again_and_a_folder_in_use_is_refused() {
    // No row is left to test.
    let folder =
        Folder::new(&ITEM.replace("seed={seed}\"", "seed={seed}\", training = \"divided\""));
    let lock = comparison::files::lock(&folder.path("out")).unwrap();
    let refused = crate::reproduce::run(&folder.request("out")).unwrap_err();
    assert!(refused.to_string().contains("--out"), "{refused}");
    drop(lock);
    for tries in [1, 2] {
        assert!(crate::reproduce::run(&folder.request("out")).unwrap());
        let records = folder.records("out/paper/item.jsonl");
        let failed = records.iter().filter(|record| record.error.is_some());
        assert_eq!((failed.count(), records.len()), (10 * tries, 10 * tries));
    }
    let page = folder.read("out/paper.md");
    let words = "**10 runs failed**, the first was paper/item · sines · forest · 200 · seed 0: ";
    assert!(page.contains(words), "{page}");
}

#[test]
fn a_mistake_names_file_and_place_and_what_to_do() {
    let function = |given: &str| format!("functions = [{{ {given}, series = 'uRTP' }}]\npublished");
    let cuts = "name = 'cuts', data = 'mondrian-cube:n=20', trees = 1";
    let good = function(&format!("{cuts}, particles = \"{{x}}\""));
    let item = Folder::new(&ITEM.replacen("published", &good, 1)).item();
    item.unwrap();
    for mistake in [
        "title = => titel = => unknown field `titel`",
        "\"mondrian\" => \"mondrain\" => item · sines · forest · 200 · seed 0: ",
        "\"mondrian\" => \"mondrain\" => did you mean `mondrian`",
        "forest better than => forest beter than => `forest beter than mean` is not a rule",
        "\"mondrian\" => \"mondrian\", passes = 0 => invalid value '0' for '--passes",
        "\"mondrian\" => \"mondrian\", train = 1.5 => expected a number of rows (1, 2, …) or a fraction",
        "\"mondrian\" => \"mondrian\", trian = 1 => a similar argument exists: '--train'",
        "\"mondrian\" => \"mondrian\", trees = 0 => trees must be",
        "\"mondrian\" => \"mondrian\", folds = 3 => folds has no effect on the protocols that are run",
        &format!(
            "published => {} => missing field `particles`",
            function(cuts)
        ),
        &format!(
            "published => {} => unknown function `cut`",
            function("name = 'cut'")
        ),
    ] {
        let [right, wrong, words] = mistake.split(" => ").collect::<Vec<_>>()[..] else {
            panic!("{mistake}");
        };
        let item = Folder::new(&ITEM.replacen(right, wrong, 1)).item();
        let error = format!("{:#}", item.err().expect(words));
        assert!(error.contains(words), "{words}: {error}");
    }
    let passes = ITEM.replacen("\"mondrian\"", "\"mondrian\", passes = \"{test}\"", 1);
    let runs = Folder::new(&passes).item().unwrap().runs(Scale::Quick, 3);
    let passes: Vec<_> = runs
        .unwrap()
        .iter()
        .filter_map(|run| run.call.get("passes")?.as_integer())
        .collect();
    assert_eq!(passes, [40; 6]);
}

/// A share of the training part leaves the rest of it to test.
#[test]
fn what_data_ask_for_is_what_is_learned() {
    let library = Library::new(Path::new(""));
    let dataset = library.open("sine-product:n=8,test=2").unwrap();
    for (more, expected) in [
        ("", Some((8, 2))),
        ("training = 'divided'\ntrain = 0.25", Some((2, 6))),
        ("training = 'shuffled'\ntrain = 0.5\ntest = 1", Some((4, 1))),
        ("split = 'repeated'\ntrain = 7", Some((7, 3))),
        ("split = 'chronological'\ntrain = 0.3", Some((3, 7))),
        ("training = 'divided'", None),
        ("split = 'none'", None),
    ] {
        let call = format!(
            "panel = ''\nseries = ''\ndata = 'sines'\nalgorithm = 'mean'\ntrees = 1\n{more}"
        );
        let hold_out = HoldOut::parse(&toml::from_str(&call).unwrap());
        let rows = hold_out.and_then(|it| it.divide(&dataset, 1)).ok();
        let sizes = rows.map(|(train, test)| (train.len(), test.len()));
        assert_eq!(sizes, expected, "{more}");
    }
    // Numbers of variance 1, and rows of this seed and x.
    let rows = |call: &str, x| {
        let call = functions::read(&toml::from_str(call).unwrap()).unwrap();
        call.rows(0, x, &library).unwrap()
    };
    let data =
        "panel = ''\nseries = ''\ndata = 'friedman:n=900,test=100'\nalgorithm = 'mean'\ntrees = 1";
    let errors = ["", "standard_target = true\ncolumns = '2-1'"]
        .map(|more| rows(&format!("{data}\n{more}"), None)[0].values["rmse"]);
    assert!(
        errors[0] > 4.0 && (0.8..1.2).contains(&errors[1]),
        "{errors:?}"
    );
    let file = "name = 'recorded'\nfile = 'xtask/experiments/stream-rf/offline-quick.jsonl'";
    let places: Vec<_> = rows(file, Some(400.0))
        .iter()
        .map(|row| (row.x, row.values.len()))
        .collect();
    assert_eq!(places, [(Some(400.0), 1)]);
}

#[test]
fn every_item_is_sound_and_its_claims_are_about_its_panels_and_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let items = item::items(&folder).unwrap();
    let claims: usize = items.iter().map(|item| item.claims.len()).sum();
    assert!(claims >= 40, "{claims}");
    let error = item::asked(&items, &["obsp/figure-33".to_owned()])
        .err()
        .unwrap();
    assert!(error.to_string().contains("did you mean"), "{error}");
    let papers = item::asked(&items, &["stream-rf".to_owned()]).unwrap();
    assert!(papers.iter().all(|item| item.paper() == "stream-rf") && papers.len() > 1);
    let host = Host::current();
    // Functions have panels and lines of their own.
    let known = items.iter().filter(|item| item.functions.is_empty());
    for item in known.filter(|item| !item.algorithms.is_empty()) {
        let mut records = Vec::new();
        for run in item.runs(Scale::Quick, 1).unwrap() {
            let place = (text(&run.call, "panel"), text(&run.call, "series"), run.x);
            let values = item.metrics.iter().map(|metric| (&metric[..], 1.0));
            let rows = vec![RecordRow::new(place, &values.collect::<Vec<_>>())];
            records.push(Record {
                run,
                host: host.clone(),
                rows,
                error: None,
            });
        }
        let verdicts = item.judge(&Results::new(&records.iter().collect::<Vec<_>>()));
        for ([claim, sentence], (_, detail)) in item.claims.iter().zip(verdicts.unwrap()) {
            assert!(
                !detail.contains("no records") && !detail.contains("without records"),
                "{}: {claim} | {sentence}",
                item.address
            );
        }
    }
}
