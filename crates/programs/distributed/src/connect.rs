//! Connections between all processes, made before any of them starts work.
//!
//! timely would wait forever for a process that does not connect. Here one deadline holds for everything: processes are called,
//! and greeted when they call, in threads of their own, so that a slow one does not delay others.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::greeting::{self, Timed};
use crate::{Hosts, RunError};

/// The greeting of each process once it is connected to all.
const READY: u8 = 1;

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_millis(20);

/// The number of greetings at a time; more callers wait until one of these has ended.
const MOST_GREETINGS: usize = 256;

/// A connection to each other process, in their order; `None` for itself.
pub(crate) fn connect<E>(
    hosts: &Hosts,
    within: Duration,
) -> Result<Vec<Option<TcpStream>>, RunError<E>> {
    let address = hosts.address(hosts.process());
    let listen = |source| RunError::Listen {
        address: address.to_owned(),
        source,
    };
    let listener = TcpListener::bind(address).map_err(listen)?;
    listener.set_nonblocking(true).map_err(listen)?;
    let (greeted, arriving) = mpsc::channel();
    let connecting = Connecting {
        calls: Arc::new(Calls {
            hosts: hosts.clone(),
            deadline: Instant::now() + within,
            greeted,
        }),
        within,
        streams: (0..hosts.len()).map(|_| None).collect(),
        refused: None,
    };
    connecting.run(&listener, &arriving)
}

/// A process that was greeted, or the reason why one was not.
type Greeted = Result<(usize, TcpStream), (Option<usize>, io::Error)>;

/// State shared by the threads that call and greet.
struct Calls {
    hosts: Hosts,
    deadline: Instant,
    greeted: Sender<Greeted>,
}

impl Calls {
    /// Calls a process until it replies.
    fn call(&self, process: usize) {
        while Instant::now() < self.deadline {
            match self.try_call(process) {
                Ok(stream) => return self.report(Ok((process, stream))),
                Err(error) => self.report(Err((Some(process), error))),
            }
            thread::sleep(PAUSE);
        }
    }

    fn try_call(&self, process: usize) -> io::Result<TcpStream> {
        let mut connected = Err(ErrorKind::NotFound.into());
        for address in self.hosts.address(process).to_socket_addrs()? {
            let left = self.deadline.saturating_duration_since(Instant::now());
            connected = TcpStream::connect_timeout(&address, left.max(PAUSE));
            if connected.is_ok() {
                break;
            }
        }
        let stream = connected?;
        greeting::call(&stream, process, &self.hosts, self.greeting())?;
        Ok(stream)
    }

    fn greet(&self, stream: TcpStream) {
        let greeted = greeting::accept(&stream, &self.hosts, self.greeting());
        let greeted = greeted.map(|process| (process, stream));
        self.report(greeted.map_err(|error| (None, error)));
    }

    /// Returns when a greeting that begins now has to end.
    fn greeting(&self) -> Instant {
        self.deadline.min(Instant::now() + greeting::LONGEST)
    }

    fn report(&self, greeted: Greeted) {
        // The receiver is gone once all are connected.
        let _ = self.greeted.send(greeted);
    }
}

struct Connecting {
    calls: Arc<Calls>,
    within: Duration,
    streams: Vec<Option<TcpStream>>,
    /// Returns the reason why a process was refused last.
    refused: Option<(Option<usize>, io::Error)>,
}

impl Connecting {
    /// Connects all processes: this one calls those before it, and is called by those after it.
    fn run<E>(
        mut self,
        listener: &TcpListener,
        arriving: &Receiver<Greeted>,
    ) -> Result<Vec<Option<TcpStream>>, RunError<E>> {
        let own = self.calls.hosts.process();
        (0..own).for_each(|process| self.start(move |calls| calls.call(process)));
        while let Some(missing) =
            (0..self.streams.len()).find(|&other| other != own && self.streams[other].is_none())
        {
            if Instant::now() >= self.calls.deadline {
                return Err(self.not_there(missing));
            }
            self.accept(listener);
            match arriving.recv_timeout(PAUSE) {
                Ok(Ok((process, stream))) => self.seat(process, stream),
                Ok(Err(refused)) => self.refused = Some(refused),
                Err(_) => {}
            }
        }
        self.wait_for_all()?;
        Ok(self.streams)
    }

    /// Greets the callers.
    fn accept(&self, listener: &TcpListener) {
        while Arc::strong_count(&self.calls) <= MOST_GREETINGS
            && let Ok((stream, _)) = listener.accept()
        {
            self.start(move |calls| calls.greet(stream));
        }
    }

    fn start(&self, work: impl FnOnce(&Calls) + Send + 'static) {
        let calls = Arc::clone(&self.calls);
        // If no more threads can be started, the caller tries again.
        let _ = thread::Builder::new().spawn(move || work(&calls));
    }

    /// Assigns its place to a process. As long as a connection lasts, no other process can take its place.
    fn seat(&mut self, process: usize, stream: TcpStream) {
        let seat = &mut self.streams[process];
        if seat.as_ref().is_some_and(lasts) {
            let taken = io::Error::other("a second process has called as this one");
            self.refused = Some((Some(process), taken));
            return;
        }
        *seat = Some(stream);
    }

    /// Waits until everybody is connected to everybody: who began earlier could wait for a process that was killed since.
    fn wait_for_all<E>(&self) -> Result<(), RunError<E>> {
        let by = self.calls.deadline.max(Instant::now() + PAUSE);
        let others = self.streams.iter().enumerate();
        let others = others.filter_map(|(process, stream)| Some((process, stream.as_ref()?)));
        for (_, stream) in others.clone() {
            let written = Timed::new(stream, by).and_then(|mut to| to.write_all(&[READY]));
            written.map_err(lost)?;
        }
        for (process, stream) in others {
            let read = Timed::new(stream, by).and_then(|mut from| from.read_exact(&mut [0]));
            read.map_err(|error| self.not_ready(process, error))?;
            stream.set_read_timeout(None).map_err(lost)?;
            stream.set_write_timeout(None).map_err(lost)?;
        }
        Ok(())
    }

    fn not_ready<E>(&self, process: usize, error: io::Error) -> RunError<E> {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => self.not_there(process),
            _ => lost(error),
        }
    }

    fn not_there<E>(&self, process: usize) -> RunError<E> {
        let refused = self.refused.as_ref();
        RunError::NotThere {
            process,
            address: self.calls.hosts.address(process).to_owned(),
            within: self.within,
            refused: refused.map_or(String::new(), |(refused, error)| match refused {
                Some(process) => format!("; process {process}: {error}"),
                None => format!("; a caller was refused: {error}"),
            }),
        }
    }
}

/// Returns whether the other end of a connection still exists.
fn lasts(stream: &TcpStream) -> bool {
    let peek = || {
        stream.set_nonblocking(true)?;
        let peeked = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        peeked
    };
    match peek() {
        Ok(bytes) => bytes > 0,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    }
}

fn lost<E>(error: io::Error) -> RunError<E> {
    RunError::Lost {
        reason: error.to_string(),
    }
}
