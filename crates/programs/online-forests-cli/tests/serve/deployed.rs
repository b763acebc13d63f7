//! The service behind nginx, by the files of docs/service-deployment.md. Where nginx is not installed, the test says
//! so; Debian has it as `nginx-light`.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use crate::bench::{Bench, root};
use crate::client::Client;
use crate::service::{ROW, Service, Table, wait_for};

const TOKEN: &str = "0123456789abcdef";

/// The first block of this kind.
fn block(kind: &str) -> String {
    let page = fs::read_to_string(root().join("docs/service-deployment.md")).unwrap();
    let (_, rest) = page.split_once(&format!("```{kind}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// The arguments with which systemd starts the service, but for the places of files.
fn arguments(bench: &Bench) -> String {
    let unit = block("ini");
    let mut lines = unit.lines();
    let line = lines
        .find_map(|line| line.strip_prefix("ExecStart="))
        .unwrap();
    let mut line = line.split_once(" serve ").unwrap().1.to_owned();
    bench.write("token", TOKEN);
    for (from, to) in [
        ("/var/lib/forest/houses.model", "m"),
        ("/etc/forest/", ""),
        ("--listen 127.0.0.1:8080 ", ""),
    ] {
        assert!(line.contains(from), "{from} is not in {line}");
        line = line.replace(from, to);
    }
    line
}

/// nginx with the configuration of the page.
struct Nginx {
    child: Child,
    address: SocketAddr,
}

impl Nginx {
    /// `None` where it is not installed.
    fn start(bench: &Bench, service: &Service) -> Option<Self> {
        let program = ["nginx", "/usr/sbin/nginx"].into_iter().find(|program| {
            let mut command = Command::new(program);
            let found = command.arg("-v").stderr(Stdio::null()).status();
            found.is_ok_and(|status| status.success())
        })?;
        // Another program may take the port before nginx does.
        let mut attempts = (0..10).filter_map(|_| Self::listen(bench, service, program));
        Some(attempts.next().expect("nginx listens on one of ten ports"))
    }

    /// `None` if its port is taken.
    fn listen(bench: &Bench, service: &Service, program: &str) -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let folder = bench.folder().display().to_string();
        let mut site = format!(
            "daemon off;\npid {folder}/nginx.pid;\nerror_log stderr error;\nevents {{}}\nhttp {{\naccess_log off;\n"
        );
        for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
            site += &format!("{name}_temp_path {folder}/{name};\n");
        }
        for line in block("nginx").lines() {
            // There is no certificate for the name here.
            if !line.contains("ssl_certificate") {
                site += &format!("{line}\n");
            }
        }
        let site = site.replace("listen 443 ssl;", &format!("listen {address};"));
        let site = site.replace("127.0.0.1:8080", &service.address.to_string());
        bench.write("nginx.conf", site + "}\n");
        let mut command = Command::new(program);
        // Its workers are of the user that runs the tests, to whom the folder belongs.
        let user = if is_root() { "user root;" } else { "" };
        let command = command.args(["-p", &folder, "-c", "nginx.conf", "-g", user]);
        let mut child = command.current_dir(bench.folder()).spawn().unwrap();
        let mut has_ended = false;
        // It writes this file when it listens.
        wait_for("nginx to listen", || {
            has_ended = child.try_wait().unwrap().is_some();
            has_ended || bench.path("nginx.pid").exists()
        });
        (!has_ended).then_some(Self { child, address })
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // In order, so that its workers end with it.
        let process = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &process]).status();
        let _ = self.child.wait();
    }
}

#[test]
fn a_service_behind_nginx_serves_clients_with_the_token() {
    let bench = Table::sums().bench();
    let service = Service::start(&bench, &arguments(&bench));
    let Some(nginx) = Nginx::start(&bench, &service) else {
        println!("nginx is not installed: the service behind it is not tested");
        return;
    };
    let ask = |first: &str, lines: &[&str], body: &str| {
        let host = ["host: forest.example.org", "content-type: application/json"];
        Client::new(nginx.address).ask(first, &[&host, lines].concat(), body)
    };
    let token = format!("authorization: Bearer {TOKEN}");
    for (lines, expected) in [
        (&[][..], 401),
        (&[token.as_str()], 200),
        (&[&token, "origin: https://forest.example.org"], 200),
        (&[&token, "origin: https://example.com"], 403),
    ] {
        let reply = ask("POST /learn", lines, ROW);
        assert_eq!(reply.status, expected, "{lines:?}: {reply:?}");
    }
    // A body that nginx would not allow by itself.
    let rows = format!("[{}]", [ROW; 9000].join(&format!(",{}", " ".repeat(100))));
    assert!(rows.len() > 1 << 20);
    assert_eq!(ask("POST /predict", &[&token], &rows).status, 200);
    assert_eq!(ask("GET /", &[], "").status, 200);
    drop(nginx);
    service.stop();
}

/// Where systemd is installed, it reads the unit without complaint.
#[test]
fn systemd_reads_the_unit() {
    let bench = Bench::new();
    let unit = block("ini").replace("/usr/local/bin/online-forests", "/bin/true");
    bench.write("forest.service", &unit);
    let mut command = bench.program("systemd-analyze", ["verify", "forest.service"]);
    let Ok(output) = command.output() else {
        println!("systemd is not installed: the unit is not checked");
        return;
    };
    let said = String::from_utf8(output.stderr).unwrap();
    // Of a system without units of its own, others are missing.
    assert!(!said.contains("forest.service:"), "{said}");
}
