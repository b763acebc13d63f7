//! Connections that are slow, are silent for a while, or for good: a proxy stands between two processes.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{LEARNERS, tables, train};
use crate::bench::{Bench, stderr};

/// What a proxy does with bytes that come.
#[derive(Default)]
struct Link {
    /// Milliseconds for which each piece is held back.
    delay: AtomicU64,
    /// Pieces that go through before the link is silent; 0 if it never is.
    pieces: AtomicU64,
    /// Milliseconds for which it is silent then.
    silence: AtomicU64,
}

/// Listens, and connects every caller with `address`.
fn proxy(address: String, link: &Arc<Link>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().to_string();
    let link = Arc::clone(link);
    thread::spawn(move || {
        for caller in listener.incoming() {
            let caller = caller.unwrap();
            if let Some(called) = connected(&address) {
                forward(
                    caller.try_clone().unwrap(),
                    called.try_clone().unwrap(),
                    &link,
                );
                forward(called, caller, &link);
            }
        }
    });
    own
}

/// The process may be slower to start than its caller, for whom the connection is there already.
fn connected(address: &str) -> Option<TcpStream> {
    (0..600).find_map(|_| {
        let called = TcpStream::connect(address);
        if called.is_err() {
            thread::sleep(Duration::from_millis(50));
        }
        called.ok()
    })
}

fn forward(mut from: TcpStream, mut to: TcpStream, link: &Arc<Link>) {
    let link = Arc::clone(link);
    thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut piece) {
            thread::sleep(Duration::from_millis(link.delay.load(Ordering::Relaxed)));
            if link.pieces.load(Ordering::Relaxed) > 0
                && link.pieces.fetch_sub(1, Ordering::Relaxed) == 1
            {
                thread::sleep(Duration::from_millis(link.silence.load(Ordering::Relaxed)));
            }
            if to.write_all(&piece[..length]).is_err() {
                break;
            }
        }
        // The other direction may continue.
        let _ = to.shutdown(std::net::Shutdown::Write);
    });
}

/// Two processes, of which the second reaches the first through a proxy.
fn start(bench: &Bench, line: &str, link: &Arc<Link>) -> Vec<Child> {
    let list = distributed::Hosts::local(2).unwrap();
    let addresses: Vec<&str> = list.lines().collect();
    bench.write("list0", &list);
    bench.write(
        "list1",
        &format!(
            "{}\n{}\n",
            proxy(addresses[0].to_owned(), link),
            addresses[1]
        ),
    );
    let start = |process| {
        let line = format!(
            "{line} --hosts list{process} --process {process} --checkpoint-dir c --threads 1"
        );
        bench.command(&line).stderr(Stdio::piped()).spawn().unwrap()
    };
    vec![start(0), start(1)]
}

#[test]
fn links_that_are_slow_or_silent_for_a_while_change_nothing() {
    let bench = tables();
    let line = format!("{} --batch 50", train(LEARNERS[0]));
    bench.ok(&format!("{line} --model whole"));
    for (delay, pieces, silence) in [(3, 0, 0), (0, 12, 1500)] {
        let link = Arc::new(Link::default());
        link.delay.store(delay, Ordering::Relaxed);
        link.pieces.store(pieces, Ordering::Relaxed);
        link.silence.store(silence, Ordering::Relaxed);
        for child in start(&bench, &format!("{line} --model m"), &link) {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", stderr(&output));
        }
        bench.ok("join c --model joined");
        assert!(bench.bytes("joined") == bench.bytes("whole"));
        std::fs::remove_dir_all(bench.path("c")).unwrap();
    }
}

#[test]
fn a_link_that_stays_silent_ends_all_processes_within_the_time_for_progress() {
    let bench = tables();
    let line = format!(
        "{} --batch 20 --progress-within 2s --model m",
        train(LEARNERS[0])
    );
    let link = Arc::new(Link::default());
    link.pieces.store(12, Ordering::Relaxed);
    link.silence.store(3_600_000, Ordering::Relaxed);
    let start_time = Instant::now();
    for child in start(&bench, &line, &link) {
        let output = child.wait_with_output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(75), "{said}");
        assert!(
            said.contains("no message from the other processes for 2 s")
                || said.contains("has ended"),
            "{said}"
        );
    }
    assert!(
        start_time.elapsed() < Duration::from_secs(30),
        "{:?}",
        start_time.elapsed()
    );
}
