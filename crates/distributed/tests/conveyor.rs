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
    let said = format!("process 1 ({address}) was not there within 0.3 s");
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
fn a_failure_of_the_work_is_no_reason_to_start_again() {
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
