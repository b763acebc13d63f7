//! Messages through processes, each of which is a thread here, connected as processes are.

use std::net::TcpStream;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use distributed::{Conveyor, Deadlines, Hosts, MOST_IN_FLIGHT, Place, RunError, run};

type Message = Vec<u64>;
type Work = fn(&mut Conveyor<'_, Message>) -> Result<Vec<Message>, &'static str>;
type Pass = Box<dyn FnMut(Message) -> Result<Message, &'static str> + Send>;
type Ended = Result<Option<Vec<Message>>, RunError<&'static str>>;

fn deadlines(start: u64, progress: u64) -> Deadlines {
    let [start, progress] = [start, progress].map(Duration::from_millis);
    Deadlines { start, progress }
}

fn first(text: &str, deadlines: Deadlines, work: Work) -> JoinHandle<Ended> {
    let hosts = Hosts::parse(text, 0).unwrap();
    thread::spawn(move || run(&hosts, deadlines, Place::<Work, Pass>::First(work)))
}

fn next(text: &str, process: usize, deadlines: Deadlines, pass: Pass) -> JoinHandle<Ended> {
    let hosts = Hosts::parse(text, process).unwrap();
    thread::spawn(move || run(&hosts, deadlines, Place::<Work, Pass>::Next(pass)))
}

/// Adds the number of its process.
fn adds(process: usize) -> Pass {
    Box::new(move |mut message| {
        message.push(process as u64);
        Ok(message)
    })
}

fn hundred(conveyor: &mut Conveyor<'_, Message>) -> Result<Vec<Message>, &'static str> {
    let mut back = Vec::new();
    for number in 0..100 {
        conveyor.send(vec![number]);
        back.extend(conveyor.returned());
        assert!(number as usize + 1 - back.len() <= MOST_IN_FLIGHT + 1);
    }
    while let Some(message) = conveyor.wait() {
        back.push(message);
    }
    Ok(back)
}

#[test]
fn messages_pass_all_processes_in_their_order() {
    for processes in [1, 2, 3, 5] {
        let (text, limits) = (Hosts::local(processes).unwrap(), deadlines(20_000, 20_000));
        let others: Vec<_> = (1..processes)
            .rev()
            .map(|process| next(&text, process, limits, adds(process)))
            .collect();
        let back = first(&text, limits, hundred)
            .join()
            .unwrap()
            .unwrap()
            .unwrap();
        let way = |number| {
            (std::iter::once(number))
                .chain(1..processes as u64)
                .collect::<Message>()
        };
        assert!(
            back.into_iter().eq((0..100).map(way)),
            "{processes} processes"
        );
        for other in others {
            assert_eq!(other.join().unwrap().unwrap(), None);
        }
    }
}

#[test]
fn a_process_that_never_comes_is_named_after_the_time_for_starting() {
    let text = Hosts::local(2).unwrap();
    let start = Instant::now();
    let error = first(&text, deadlines(300, 20_000), hundred)
        .join()
        .unwrap()
        .unwrap_err();
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    assert!(error.is_temporary(), "{error}");
    let address = text.lines().nth(1).unwrap();
    let said = format!("process 1 ({address}) did not connect within 0.3 s");
    assert_eq!(error.to_string(), said);
    let error = next(&text, 1, deadlines(300, 20_000), adds(1))
        .join()
        .unwrap()
        .unwrap_err();
    assert!(error.to_string().starts_with("process 0 ("), "{error}");
}

/// Another program connects and says nothing, or something else: it is not waited for.
#[test]
fn other_programs_are_refused() {
    let (text, limits) = (Hosts::local(2).unwrap(), deadlines(20_000, 20_000));
    let running = first(&text, limits, hundred);
    let address = text.lines().next().unwrap();
    let mut others = Vec::new();
    while others.len() < 2 {
        others.extend(TcpStream::connect(address));
    }
    std::io::Write::write_all(&mut others[0], b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let other = next(&text, 1, limits, adds(1));
    assert_eq!(running.join().unwrap().unwrap().unwrap().len(), 100);
    assert_eq!(other.join().unwrap().unwrap(), None);
}

/// Silent programs, and one that sends a byte now and then, neither take a place nor time.
#[test]
fn strangers_do_not_delay_processes_or_the_time_for_starting() {
    for comes in [true, false] {
        let (text, limits) = (Hosts::local(2).unwrap(), deadlines(4_000, 20_000));
        let (start, running) = (Instant::now(), first(&text, limits, hundred));
        let address: String = text.lines().next().unwrap().to_owned();
        let mut strangers = Vec::new();
        while strangers.len() < 40 {
            strangers.extend(TcpStream::connect(&address));
        }
        let trickling = thread::spawn(move || {
            while start.elapsed() < Duration::from_secs(6) {
                thread::sleep(Duration::from_millis(100));
                strangers.extend(TcpStream::connect(&address));
                for stranger in &mut strangers {
                    // It was sent away.
                    let _ = std::io::Write::write_all(stranger, b"f");
                }
            }
        });
        if comes {
            let other = next(&text, 1, limits, adds(1));
            assert_eq!(running.join().unwrap().unwrap().unwrap().len(), 100);
            assert_eq!(other.join().unwrap().unwrap(), None);
        } else {
            let error = running.join().unwrap().unwrap_err().to_string();
            assert!(
                error.contains("did not connect within 4 s; a caller was refused: "),
                "{error}"
            );
        }
        assert!(
            start.elapsed() < Duration::from_secs(6),
            "{:?}",
            start.elapsed()
        );
        trickling.join().unwrap();
    }
}

/// The address of the first process is another name of its own.
#[test]
fn a_process_that_calls_itself_is_refused() {
    let text = Hosts::local(1).unwrap();
    let (_, port) = text.trim().rsplit_once(':').unwrap();
    let text = format!("localhost:{port}\n127.0.0.1:{port}\n");
    let ended = next(&text, 1, deadlines(1_000, 20_000), adds(1)).join();
    let error = ended.unwrap().unwrap_err();
    assert!(
        matches!(error, RunError::NotThere { process: 0, .. }),
        "{error}"
    );
}

/// Two processes of one number: who came first keeps its place, and the run.
#[test]
fn a_place_that_is_taken_is_not_given_to_another_process() {
    let limits = deadlines(20_000, 20_000);
    let (text, other) = (Hosts::local(3).unwrap(), Hosts::local(1).unwrap());
    let running = first(&text, limits, hundred);
    let own = next(&text, 1, limits, adds(1));
    thread::sleep(Duration::from_millis(1_000));
    let lines: Vec<&str> = text.lines().collect();
    let list = format!("{}\n{}\n{}\n", lines[0], other.trim(), lines[2]);
    let second = next(&list, 1, deadlines(2_000, 20_000), adds(77));
    thread::sleep(Duration::from_millis(1_000));
    let last = next(&text, 2, limits, adds(2));
    let back = running.join().unwrap().unwrap().unwrap();
    assert!(
        back.into_iter()
            .eq((0..100).map(|number| vec![number, 1, 2]))
    );
    assert!(second.join().unwrap().unwrap_err().is_temporary());
    assert!(own.join().unwrap().is_ok() && last.join().unwrap().is_ok());
}

/// Processes that have the list, but another secret.
#[test]
fn a_process_that_does_not_know_the_secret_takes_no_place() {
    let text = Hosts::local(2).unwrap();
    let limits = deadlines(1_500, 20_000);
    let with = |process, secret: &str| {
        let hosts = Hosts::parse(&text, process).unwrap();
        hosts.with_secret(secret.as_bytes().to_vec())
    };
    let hosts = with(0, "a secret");
    let one = thread::spawn(move || run(&hosts, limits, Place::<Work, Pass>::First(hundred)));
    let hosts = with(1, "another secret");
    let two = thread::spawn(move || run(&hosts, limits, Place::<Work, Pass>::Next(adds(1))));
    for (ended, process) in [(one, 1), (two, 0)] {
        let error = ended.join().unwrap().unwrap_err();
        assert!(matches!(error, RunError::NotThere { process: found, .. } if found == process));
        let said = error.to_string();
        assert!(error.is_temporary() && said.contains("; "), "{said}");
    }
}

/// A process that hangs in its work: the others end, and it ends itself, by the watchdog.
#[test]
fn a_process_that_hangs_is_not_waited_for_for_ever() {
    let (text, limits) = (Hosts::local(2).unwrap(), deadlines(20_000, 700));
    let hangs: Pass = Box::new(|_| {
        loop {
            thread::park();
        }
    });
    let (one, two) = (first(&text, limits, hundred), next(&text, 1, limits, hangs));
    for ended in [one, two] {
        let error = ended.join().unwrap().unwrap_err();
        assert!(
            matches!(error, RunError::NoProgress { .. }) && error.is_temporary(),
            "{error}"
        );
    }
}

#[test]
fn a_failure_of_the_work_is_not_a_reason_to_start_again() {
    let (text, limits) = (Hosts::local(2).unwrap(), deadlines(20_000, 700));
    let fails: Pass = Box::new(|message| match message[0] {
        50 => Err("the disk is full"),
        _ => Ok(message),
    });
    let one = first(&text, limits, hundred);
    let error = next(&text, 1, limits, fails).join().unwrap().unwrap_err();
    assert_eq!(
        (error.is_temporary(), error.to_string().as_str()),
        (false, "the disk is full")
    );
    assert!(one.join().unwrap().unwrap_err().is_temporary());
    let failing: Work = |_| Err("no such file");
    let text = Hosts::local(1).unwrap();
    let error = first(&text, limits, failing).join().unwrap().unwrap_err();
    assert!(matches!(error, RunError::Work("no such file")), "{error}");
}
