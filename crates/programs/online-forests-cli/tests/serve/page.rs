//! The page in a browser, while a stream is learned: Chromium, driven by its own WebDriver. Where they are not installed, the test
//! says so; Debian has them as `chromium` and `chromium-driver`.
//!
//! `SCREENSHOTS=folder cargo test -p online-forests-cli --features serve --test serve page` keeps pictures to look at.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::client::Client;
use crate::service::{Service, Table};

const TOKEN: &str = "0123456789abcdef";

/// What the page names, and the name in `/metrics`.
const SAME: [(&str, &str); 6] = [
    (
        "overall",
        "online_forests_prequential{metric=\"accuracy\",rows=\"all\"}",
    ),
    (
        "recent",
        "online_forests_prequential{metric=\"accuracy\",rows=\"1000\"}",
    ),
    ("learned", "online_forests_rows_learned_total"),
    ("answered", "online_forests_rows_answered_total"),
    ("bad", "online_forests_rows_bad_total"),
    ("samples-seen", "online_forests_samples_seen"),
];

/// A browser with a window of its own.
struct Browser {
    driver: Child,
    client: Client,
    session: String,
}

impl Browser {
    /// `None` where there is no browser, or nothing to drive it.
    fn start(width: u32) -> Option<Self> {
        let is_there = |program: &str| {
            let found = Command::new(program)
                .arg("--version")
                .stderr(Stdio::null())
                .output();
            found.is_ok_and(|output| output.status.success())
        };
        if !is_there("chromium") || !is_there("chromedriver") {
            return None;
        }
        let free = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let port = format!("--port={}", free.port());
        let mut command = Command::new("chromedriver");
        let driver = command
            .arg(port)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let driver = driver.spawn().unwrap();
        wait(|| std::net::TcpStream::connect(free).is_ok());
        let mut browser = Self {
            driver,
            client: Client::new(free),
            session: "/session".to_owned(),
        };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ];
        // A window of this size, however wide Chromium's own may be.
        let size = json!({"width": width, "height": 1000, "pixelRatio": 1});
        let options = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments, "mobileEmulation": {"deviceMetrics": size}},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let made = browser.command("", &options);
        browser.session = format!("/session/{}", made["sessionId"].as_str().unwrap());
        Some(browser)
    }

    fn command(&mut self, path: &str, body: &Value) -> Value {
        let path = format!("{}{path}", self.session);
        let reply = self.client.post(&path, &body.to_string());
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()["value"].clone()
    }

    fn open(&mut self, address: &str) {
        self.command("/url", &json!({"url": address}));
    }

    /// What a script returns.
    fn run(&mut self, script: &str) -> Value {
        self.command("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Returns the text of an element; `None` if it is not shown.
    fn text(&mut self, id: &str) -> String {
        let text = self.run(&format!(
            "return document.getElementById('{id}')?.innerText ?? ''"
        ));
        text.as_str().unwrap().to_owned()
    }

    /// The number behind what is written.
    fn value(&mut self, id: &str) -> Option<f64> {
        let text = self.run(&format!(
            "return document.getElementById('{id}')?.dataset.value ?? ''"
        ));
        text.as_str().unwrap().parse().ok()
    }

    fn element(&mut self, selector: &str) -> String {
        let found = self.command(
            "/element",
            &json!({"using": "css selector", "value": selector}),
        );
        let (_, id) = found.as_object().unwrap().iter().next().unwrap();
        id.as_str().unwrap().to_owned()
    }

    fn write(&mut self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.command(&format!("/element/{element}/value"), &json!({"text": text}));
    }

    fn click(&mut self, selector: &str) {
        let element = self.element(selector);
        self.command(&format!("/element/{element}/click"), &json!({}));
    }

    /// What the page has complained of: scripts that fail, or things from elsewhere that its policy forbids.
    fn complaints(&mut self) -> Vec<String> {
        let log = self.command("/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().unwrap().iter();
        let entries = entries.filter(|entry| entry["source"] != "network");
        entries.map(|entry| entry["message"].to_string()).collect()
    }

    /// A picture, if a folder for it was named.
    fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("SCREENSHOTS") else {
            return;
        };
        let path = format!("{}/screenshot", self.session);
        let picture = self.client.get(&path).json()["value"]
            .as_str()
            .unwrap()
            .to_owned();
        let path = std::path::Path::new(&folder).join(format!("{name}.base64"));
        std::fs::write(path, picture).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = self.session.clone();
        // The browser ends with its session; a test that has failed may have none.
        let _ = self.client.try_send("DELETE", &path, None, b"");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn wait(mut until: impl FnMut() -> bool) {
    let start = Instant::now();
    while !until() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "nothing has happened"
        );
        thread::sleep(Duration::from_millis(50));
    }
}

fn metric(metrics: &str, name: &str) -> Option<f64> {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    line.map(|value| value.trim().parse().unwrap())
}

/// Learns some of the table, row by row, and replies some.
fn stream(service: &Service, parts: &[String]) {
    let mut client = service.client().with_token(TOKEN);
    for part in parts {
        client.csv("/learn", part).ok();
        client.csv("/predict", part).ok();
        thread::sleep(Duration::from_millis(10));
    }
    client.post("/predict", "{\"size\": \"wide\"}");
}

#[test]
fn numbers_on_the_page_are_those_of_metrics() {
    let Some(mut browser) = Browser::start(1000) else {
        println!("chromium and chromedriver are not installed: the page is not tested");
        return;
    };
    let table = Table::houses();
    let bench = table.bench();
    bench.write("token", TOKEN);
    let service = Service::start(&bench, "--model m --token-file token");
    browser.open(&format!("http://{}/", service.address));
    wait(|| browser.text("state") == "this service requires a token");
    browser.picture("token");
    browser.write("#token", "0123456789abcdeF");
    browser.click("button");
    wait(|| browser.text("state") == "this service requires a token");
    browser.run("document.getElementById('token').value = ''");
    browser.write("#token", TOKEN);
    browser.click("button");
    wait(|| browser.text("state") == "live");
    wait(|| browser.text("title") == "classification of kind");
    // What comes while it is looked at.
    let parts = table.parts(2);
    stream(&service, &parts);
    wait(|| browser.value("learned") == Some(400.0) && browser.value("bad") == Some(1.0));
    let metrics = service.client().with_token(TOKEN).get("/metrics").ok().body;
    wait(|| {
        let shown = SAME.map(|(id, name)| (browser.value(id), metric(&metrics, name)));
        shown
            .iter()
            .all(|(page, metrics)| page.is_some() && page == metrics)
    });
    let overall = browser.value("overall").unwrap();
    assert_eq!(browser.text("overall"), format!("{overall:.4}"));
    let lines = browser.run("return document.querySelectorAll('polyline').length");
    assert_eq!(lines, 2);
    let classes = browser.text("class-rows");
    assert!(
        classes.contains("late, and rare") && classes.contains("villa"),
        "{classes}"
    );
    browser.picture("wide");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    service.stop();
    wait(|| {
        ["the service has ended", "the service cannot be reached"]
            .contains(&browser.text("state").as_str())
    });
}

/// Nothing is wider than the window, also where names are long; and names are not markup.
#[test]
fn the_page_fits_on_a_phone() {
    let Some(mut browser) = Browser::start(360) else {
        println!("chromium and chromedriver are not installed: the page is not tested");
        return;
    };
    let bench = Bench::new();
    let long = format!("<b onclick=alert(1)>{}</b>", "long".repeat(30));
    let rows = |from: u32, to: u32| -> String {
        let class = |row: u32| {
            if row.is_multiple_of(3) {
                long.as_str()
            } else {
                "b"
            }
        };
        (from..to)
            .map(|row| format!("{},{}\n", row % 7, class(row)))
            .collect()
    };
    bench.write("rows.csv", &format!("x,class\n{}", rows(0, 100)));
    bench.ok("train --data rows.csv --model m --target class --algorithm adaptive");
    let service = Service::start(&bench, "--model m");
    browser.open(&format!("http://{}/", service.address));
    wait(|| browser.text("state") == "live");
    let mut client = service.client();
    for part in 0..50 {
        let (from, to) = (part * 10, part * 10 + 10);
        client
            .csv("/learn", &format!("x,class\n{}", rows(from, to)))
            .ok();
    }
    wait(|| browser.value("learned") == Some(500.0));
    let right = "return Math.max(...[...document.querySelectorAll('body *')].map(it => it.getBoundingClientRect().right))";
    let right = browser.run(right).as_f64().unwrap();
    assert!(right <= 360.0, "{right}");
    assert!(browser.text("class-rows").contains(&long));
    assert_eq!(
        browser.run("return document.querySelectorAll('tbody b').length"),
        0
    );
    browser.picture("phone");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The numbers beside the chart.
fn marks(browser: &mut Browser) -> Vec<f64> {
    let texts = browser.run(
        "return [...document.querySelectorAll('#chart text[x=\"48\"]')].map(it => it.textContent)",
    );
    let texts = texts.as_array().unwrap().iter();
    let marks = texts.map(|text| text.as_str().unwrap().replace(',', ""));
    marks.map(|text| text.parse().unwrap()).collect()
}

/// An error is never below 0, and an accuracy never above 1, also where the line is flat.
#[test]
fn the_axis_of_a_flat_line_has_no_values_that_cannot_be() {
    let Some(mut browser) = Browser::start(1000) else {
        println!("chromium and chromedriver are not installed: the page is not tested");
        return;
    };
    let bench = Bench::new();
    for (task, rows, expected) in [
        ("regress", "1,2\n2,2\n", 0.0),
        ("classify", "1,a\n2,a\n", 1.0),
    ] {
        bench.write("rows.csv", &format!("x,y\n{}", rows.repeat(20)));
        bench.ok(&format!(
            "train --data rows.csv --model m --target y --task {task}"
        ));
        let service = Service::start(&bench, "--model m");
        browser.open(&format!("http://{}/", service.address));
        wait(|| browser.text("state") == "live");
        let mut client = service.client();
        client.csv("/predict", "x\n1\n").ok();
        // A line has points of two seconds.
        wait(|| {
            client.csv("/learn", &format!("x,y\n{rows}")).ok();
            marks(&mut browser).len() > 2
        });
        assert_eq!(browser.value("overall"), Some(expected));
        let marks = marks(&mut browser);
        assert!(
            marks.len() > 2 && marks.iter().all(|mark| (0.0..=1.0).contains(mark)),
            "{marks:?}"
        );
        let names = browser.text("figures");
        assert!(
            names.contains("prediction time, 99th percentile"),
            "{names}"
        );
        service.stop();
        std::fs::remove_file(bench.path("m")).unwrap();
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
