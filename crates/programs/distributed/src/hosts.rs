//! The processes of a run and their addresses.

use std::fmt;
use std::io;
use std::net::TcpListener;

use thiserror::Error;

/// The addresses of all processes, and which of them this one is. The first reads the data and writes the predictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    addresses: Vec<String>,
    process: usize,
    secret: Secret,
}

/// A secret that only the processes know.
#[derive(Clone, Default, PartialEq, Eq)]
struct Secret(Vec<u8>);

/// Prints nothing that a log could reveal.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The error of a list of hosts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostsError {
    /// A line is not an address.
    #[error("line {line}: `{text}` is not HOST:PORT")]
    NoAddress {
        /// Counted from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// An address is listed twice.
    #[error("{address} is listed twice; give each process its own address")]
    Twice {
        /// The address.
        address: String,
    },
    /// The process is not in the list.
    #[error("process {process} is not in the list of {processes}, which counts from 0")]
    NoSuchProcess {
        /// The requested process.
        process: usize,
        /// The number of addresses in the list.
        processes: usize,
    },
}

impl Hosts {
    /// Reads a list of addresses, one `HOST:PORT` a line. Empty lines, and text after `#`, are skipped.
    ///
    /// ```
    /// use distributed::Hosts;
    ///
    /// let hosts = Hosts::parse("10.0.0.1:2101\n10.0.0.2:2101 # the large one\n", 1)?;
    /// assert_eq!((hosts.len(), hosts.process()), (2, 1));
    /// # Ok::<(), distributed::HostsError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a line is not an address, an address is listed twice, or the process is not in the list.
    pub fn parse(text: &str, process: usize) -> Result<Self, HostsError> {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut addresses: Vec<String> = Vec::new();
        for (line, text) in (1..).zip(lines).filter(|(_, text)| !text.is_empty()) {
            if !is_address(text) {
                let text = text.to_owned();
                return Err(HostsError::NoAddress { line, text });
            }
            if addresses.iter().any(|known| known == text) {
                let address = text.to_owned();
                return Err(HostsError::Twice { address });
            }
            addresses.push(text.to_owned());
        }
        let processes = addresses.len();
        if process < processes {
            Ok(Self {
                addresses,
                process,
                secret: Secret::default(),
            })
        } else {
            Err(HostsError::NoSuchProcess { process, processes })
        }
    }

    /// Returns a list of `processes` addresses of this machine, with ports that are free now.
    ///
    /// # Errors
    /// Returns an error if the system has no free port.
    pub fn local(processes: usize) -> io::Result<String> {
        let listeners = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0"));
        let listeners: Vec<TcpListener> = listeners.collect::<io::Result<_>>()?;
        let lines = listeners.iter().map(|listener| {
            let address = listener.local_addr()?;
            Ok(format!("{address}\n"))
        });
        lines.collect()
    }

    /// Returns the same processes, which have to prove to each other that they know a secret. Without it, anybody who reaches a
    /// port can take the place of a process that has not started.
    pub fn with_secret(self, secret: Vec<u8>) -> Self {
        let secret = Secret(secret);
        Self { secret, ..self }
    }

    /// Returns a new secret, as text.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    #[cfg(feature = "timely")]
    pub fn new_secret() -> io::Result<String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    #[cfg(feature = "timely")]
    pub(crate) fn secret(&self) -> &[u8] {
        &self.secret.0
    }

    /// Returns the number of processes.
    #[allow(clippy::len_without_is_empty, reason = "there is at least this one")]
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Returns the number of this process among them, from 0.
    pub fn process(&self) -> usize {
        self.process
    }

    #[cfg(feature = "timely")]
    pub(crate) fn address(&self, process: usize) -> &str {
        &self.addresses[process]
    }
}

fn is_address(text: &str) -> bool {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    port.is_some_and(|(_, port)| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_cannot_be_used_are_refused_with_the_line() {
        let said = |text| Hosts::parse(text, 0).map_err(|error| error.to_string());
        let error = "line 2: `b` is not HOST:PORT".to_owned();
        assert_eq!(said("a:1\nb\n"), Err(error));
        let error = "a:1 is listed twice; give each process its own address".to_owned();
        assert_eq!(said("a:1\n\na:1"), Err(error));
        let error = "process 0 is not in the list of 0, which counts from 0".to_owned();
        assert_eq!(said("# nobody"), Err(error));
        for text in [":1", "a:", "a:99999", "a:b"] {
            assert!(said(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_list_of_this_machine_can_be_read() {
        let text = Hosts::local(3).expect("there are free ports");
        let hosts = Hosts::parse(&text, 2).expect("they are addresses");
        assert_eq!((hosts.len(), hosts.process()), (3, 2));
    }
}
