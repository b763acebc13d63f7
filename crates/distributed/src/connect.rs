//! Connections between all processes, made before any of them begins.
//!
//! timely would wait for ever for a process that does not come.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Hosts, RunError};

/// What a process says first: that it is one, in this version of the protocol.
const MAGIC: [u8; 8] = *b"forest-1";

/// What each says once it is connected to all.
const READY: u8 = 1;

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a process that has connected may take to say who it is.
const GREETING: Duration = Duration::from_secs(2);

/// A connection to each other process, in their order; none to itself.
pub fn connect<E>(hosts: &Hosts, within: Duration) -> Result<Vec<Option<TcpStream>>, RunError<E>> {
    let connecting = Connecting {
        hosts,
        deadline: Instant::now() + within,
        within,
    };
    let mut streams = connecting.to_all()?;
    connecting.wait_for_all(&mut streams)?;
    Ok(streams)
}

struct Connecting<'h> {
    hosts: &'h Hosts,
    deadline: Instant,
    within: Duration,
}

impl Connecting<'_> {
    /// The process calls those before it, and is called by those behind it.
    fn to_all<E>(&self) -> Result<Vec<Option<TcpStream>>, RunError<E>> {
        let own = self.hosts.process();
        let address = self.hosts.address(own);
        let listen = |source| RunError::Listen {
            address: address.to_owned(),
            source,
        };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let mut streams: Vec<Option<TcpStream>> = (0..self.hosts.len()).map(|_| None).collect();
        for (process, stream) in streams.iter_mut().enumerate().take(own) {
            *stream = Some(self.call(process)?);
        }
        while let Some(missing) =
            (own + 1..self.hosts.len()).find(|&other| streams[other].is_none())
        {
            match listener.accept() {
                // The latest of a process counts: one before it was killed.
                Ok((stream, _)) => {
                    if let Ok((stream, process)) = self.greeted(stream) {
                        streams[process] = Some(stream);
                    }
                }
                Err(_) => self.pause(missing)?,
            }
        }
        Ok(streams)
    }

    fn call<E>(&self, process: usize) -> Result<TcpStream, RunError<E>> {
        loop {
            match self.try_call(process) {
                Ok(stream) => return Ok(stream),
                Err(_) => self.pause(process)?,
            }
        }
    }

    fn try_call(&self, process: usize) -> io::Result<TcpStream> {
        let addresses = self.hosts.address(process).to_socket_addrs()?;
        let left = self
            .deadline
            .saturating_duration_since(Instant::now())
            .max(PAUSE);
        let mut connected = Err(ErrorKind::NotFound.into());
        for address in addresses {
            connected = TcpStream::connect_timeout(&address, left);
            if connected.is_ok() {
                break;
            }
        }
        let mut stream = connected?;
        stream.set_nodelay(true)?;
        let [own, all] = [self.hosts.process(), self.hosts.len()].map(|number| number as u32);
        stream.write_all(&MAGIC)?;
        stream.write_all(&own.to_le_bytes())?;
        stream.write_all(&all.to_le_bytes())?;
        Ok(stream)
    }

    /// Who has called. Anything else than a process behind this one of as many is sent away.
    fn greeted(&self, mut stream: TcpStream) -> io::Result<(TcpStream, usize)> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(GREETING))?;
        let (mut magic, mut numbers) = ([0; 8], [[0; 4]; 2]);
        stream.read_exact(&mut magic)?;
        for number in &mut numbers {
            stream.read_exact(number)?;
        }
        let [process, all] = numbers.map(|bytes| u32::from_le_bytes(bytes) as usize);
        let is_behind = process > self.hosts.process() && process < all;
        match magic == MAGIC && all == self.hosts.len() && is_behind {
            true => Ok((stream, process)),
            false => Err(ErrorKind::InvalidData.into()),
        }
    }

    /// Waits until everybody is connected to everybody: who began earlier could wait for a process that was killed since.
    fn wait_for_all<E>(&self, streams: &mut [Option<TcpStream>]) -> Result<(), RunError<E>> {
        let mut others: Vec<_> = streams.iter_mut().enumerate().collect();
        for (_, stream) in &mut others {
            if let Some(stream) = stream {
                stream.write_all(&[READY]).map_err(lost)?;
            }
        }
        for (process, stream) in &mut others {
            if let Some(stream) = stream {
                let left = self
                    .deadline
                    .saturating_duration_since(Instant::now())
                    .max(PAUSE);
                stream.set_read_timeout(Some(left)).map_err(lost)?;
                stream
                    .read_exact(&mut [0])
                    .map_err(|error| self.not_ready(*process, error))?;
                stream.set_read_timeout(None).map_err(lost)?;
            }
        }
        Ok(())
    }

    fn not_ready<E>(&self, process: usize, error: io::Error) -> RunError<E> {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => self.not_there(process),
            _ => lost(error),
        }
    }

    fn pause<E>(&self, waiting_for: usize) -> Result<(), RunError<E>> {
        if Instant::now() >= self.deadline {
            return Err(self.not_there(waiting_for));
        }
        thread::sleep(PAUSE);
        Ok(())
    }

    fn not_there<E>(&self, process: usize) -> RunError<E> {
        RunError::NotThere {
            process,
            address: self.hosts.address(process).to_owned(),
            within: self.within,
        }
    }
}

fn lost<E>(error: io::Error) -> RunError<E> {
    RunError::Lost {
        reason: error.to_string(),
    }
}
