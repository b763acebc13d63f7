//! The greeting of two processes: who calls whom, and proofs that both know the secret.
//!
//! The caller sends its claim and a challenge; the called one a challenge of its own, and a proof over the claim and both
//! challenges; then the caller its proof. A proof is HMAC-SHA256 with the secret as key, and names the side that makes it, so
//! that a received message cannot be sent back.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::Hosts;

/// The program, and the version of the protocol.
const MAGIC: [u8; 8] = *b"forest-2";

/// The lengths of a claim, a challenge and a proof, in bytes.
const CLAIM: usize = 12;
const CHALLENGE: usize = 32;
const PROOF: usize = 32;

/// How long a greeting may take, however slowly bytes arrive.
pub(crate) const LONGEST: Duration = Duration::from_secs(2);

/// The side that makes a proof.
#[derive(Clone, Copy)]
enum Side {
    Caller = 1,
    Called = 2,
}

/// Greets a process that this one has called.
///
/// # Errors
/// Returns an error if it is too slow, or does not know the secret.
pub(crate) fn call(
    stream: &TcpStream,
    called: usize,
    hosts: &Hosts,
    by: Instant,
) -> io::Result<()> {
    // A free port may be the one that the system chooses for the caller.
    if stream.local_addr()? == stream.peer_addr()? {
        return Err(refused("it is this process itself"));
    }
    let mut stream = Timed::new(stream, by)?;
    let claim = Claim {
        caller: hosts.process(),
        called,
        processes: hosts.len(),
    };
    let [own, mut other] = [challenge()?, [0; CHALLENGE]];
    stream.write_all(&[&MAGIC[..], &claim.bytes(), &own].concat())?;
    stream.read_exact(&mut other)?;
    let exchange = Exchange::new(claim, [&own, &other], hosts.secret())?;
    exchange.expect(Side::Called, &mut stream)?;
    stream.write_all(&exchange.proof(Side::Caller))
}

/// Greets a process that has called, and returns its number.
///
/// # Errors
/// Returns an error if it is too slow, has no such place or does not know the secret, or is another program.
pub(crate) fn accept(stream: &TcpStream, hosts: &Hosts, by: Instant) -> io::Result<usize> {
    let mut stream = Timed::new(stream, by)?;
    let (mut magic, mut claim, mut other) = ([0; 8], [0; CLAIM], [0; CHALLENGE]);
    stream.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Err(refused("another program, or another version of this one"));
    }
    stream.read_exact(&mut claim)?;
    stream.read_exact(&mut other)?;
    let claim = Claim::from_bytes(claim);
    claim.check(hosts)?;
    let own = challenge()?;
    let exchange = Exchange::new(claim, [&other, &own], hosts.secret())?;
    stream.write_all(&[own, exchange.proof(Side::Called)].concat())?;
    exchange.expect(Side::Caller, &mut stream)?;
    Ok(claim.caller)
}

/// Who calls whom, as the caller states it.
#[derive(Clone, Copy)]
struct Claim {
    caller: usize,
    called: usize,
    processes: usize,
}

impl Claim {
    /// Refuses a caller that expects another process here, or whose place is not after this one.
    fn check(self, hosts: &Hosts) -> io::Result<()> {
        let (own, all) = (hosts.process(), hosts.len());
        let is_behind = self.caller > own && self.caller < all;
        if is_behind && self.called == own && self.processes == all {
            return Ok(());
        }
        let Self {
            caller,
            called,
            processes,
        } = self;
        Err(refused(&format!(
            "process {caller} of {processes} expects process {called} here, which is process {own} of {all}"
        )))
    }

    fn bytes(self) -> [u8; CLAIM] {
        let numbers = [self.caller, self.called, self.processes].map(|number| number as u32);
        let mut bytes = [0; CLAIM];
        for (to, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: [u8; CLAIM]) -> Self {
        let (numbers, _) = bytes.as_chunks::<4>();
        let number = |at: usize| u32::from_le_bytes(numbers[at]) as usize;
        Self {
            caller: number(0),
            called: number(1),
            processes: number(2),
        }
    }
}

/// What both sides prove to have seen.
struct Exchange(Hmac<Sha256>);

impl Exchange {
    /// Returns the exchange with the challenges of the caller and of the called process.
    fn new(claim: Claim, challenges: [&[u8; CHALLENGE]; 2], secret: &[u8]) -> io::Result<Self> {
        let mac = Hmac::<Sha256>::new_from_slice(secret).map_err(io::Error::other)?;
        let mac = mac.chain_update(MAGIC).chain_update(claim.bytes());
        let [caller, called] = challenges;
        Ok(Self(mac.chain_update(caller).chain_update(called)))
    }

    fn mac(&self, side: Side) -> Hmac<Sha256> {
        self.0.clone().chain_update([side as u8])
    }

    fn proof(&self, side: Side) -> [u8; PROOF] {
        self.mac(side).finalize().into_bytes().into()
    }

    /// Reads the proof of the other side, and compares it in constant time.
    fn expect(&self, side: Side, stream: &mut Timed<'_>) -> io::Result<()> {
        let mut proof = [0; PROOF];
        stream.read_exact(&mut proof)?;
        let verified = self.mac(side).verify_slice(&proof);
        verified.map_err(|_| refused("it does not know the secret"))
    }
}

fn challenge() -> io::Result<[u8; CHALLENGE]> {
    let mut bytes = [0; CHALLENGE];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, reason)
}

/// A connection with a deadline: a timeout of the system would start again with each byte.
pub(crate) struct Timed<'s> {
    stream: &'s TcpStream,
    by: Instant,
}

impl<'s> Timed<'s> {
    pub(crate) fn new(stream: &'s TcpStream, by: Instant) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, by })
    }

    fn time_left(&self) -> io::Result<Duration> {
        let left = self.by.saturating_duration_since(Instant::now());
        if left.is_zero() {
            Err(io::Error::new(ErrorKind::TimedOut, "it is too slow"))
        } else {
            Ok(left)
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.time_left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.time_left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    const LIST: &str = "a:1\nb:1\nc:1";

    fn hosts(process: usize, secret: &str) -> Hosts {
        let hosts = Hosts::parse(LIST, process).unwrap();
        hosts.with_secret(secret.as_bytes().to_vec())
    }

    fn deadline() -> Instant {
        Instant::now() + Duration::from_millis(500)
    }

    fn connected() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let caller = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (caller, listener.accept().unwrap().0)
    }

    /// How a greeting ends for the one who calls process `called`, and for process 0, which is called.
    fn greeted(caller: Hosts, called: usize, secret: &str) -> (io::Result<()>, io::Result<usize>) {
        let (calling, accepting) = connected();
        let calling = thread::spawn(move || call(&calling, called, &caller, deadline()));
        let accepted = accept(&accepting, &hosts(0, secret), deadline());
        drop(accepting);
        (calling.join().unwrap(), accepted)
    }

    #[test]
    fn who_knows_the_secret_gets_the_place() {
        let (called, accepted) = greeted(hosts(2, "a secret"), 0, "a secret");
        assert!(called.is_ok() && accepted.unwrap() == 2);
    }

    #[test]
    fn a_stranger_gets_no_place_on_either_side() {
        for secret in ["", "another secret", "a secret "] {
            let (called, accepted) = greeted(hosts(2, secret), 0, "a secret");
            assert!(called.is_err() && accepted.is_err(), "{secret:?}");
        }
    }

    /// It has what the called one proves, and knows nothing else.
    #[test]
    fn a_stranger_that_sends_back_what_it_receives_gets_no_place() {
        let (mut stranger, accepting) = connected();
        let accepting =
            thread::spawn(move || accept(&accepting, &hosts(0, "a secret"), deadline()));
        let claim = Claim {
            caller: 1,
            called: 0,
            processes: 3,
        };
        let hello = [&MAGIC[..], &claim.bytes(), &[7; CHALLENGE]].concat();
        stranger.write_all(&hello).unwrap();
        let mut reply = [0; CHALLENGE + PROOF];
        stranger.read_exact(&mut reply).unwrap();
        stranger.write_all(&reply[CHALLENGE..]).unwrap();
        let error = accepting.join().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "it does not know the secret");
    }

    #[test]
    fn a_stranger_that_echoes_is_not_taken_for_a_process() {
        let (calling, echo) = connected();
        let mut from = echo.try_clone().unwrap();
        thread::spawn(move || io::copy(&mut from, &mut &echo));
        let error = call(&calling, 0, &hosts(1, ""), deadline()).unwrap_err();
        // The claim is shorter than a proof, for which it waits.
        assert!(matches!(
            error.kind(),
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::PermissionDenied
        ));
    }

    #[test]
    fn a_place_that_a_caller_does_not_have_is_refused() {
        let four = Hosts::parse("a:1\nb:1\nc:1\nd:1", 3).unwrap();
        let secret = b"a secret".to_vec();
        for (caller, called) in [
            // Another process is expected here, there is no place before the first, another list.
            (hosts(2, "a secret"), 1),
            (hosts(0, "a secret"), 0),
            (four.with_secret(secret), 0),
        ] {
            let (called, accepted) = greeted(caller, called, "a secret");
            let error = accepted.unwrap_err().to_string();
            assert!(
                called.is_err() && error.contains("expects process"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_greeting_ends_in_time_however_slowly_bytes_come() {
        let (mut slow, accepting) = connected();
        let (start, by) = (Instant::now(), deadline());
        thread::spawn(move || {
            for byte in MAGIC {
                thread::sleep(Duration::from_millis(200));
                // The listener is gone after a while.
                let _ = slow.write_all(&[byte]);
            }
        });
        assert!(accept(&accepting, &hosts(0, ""), by).is_err());
        assert!(start.elapsed() < Duration::from_millis(900));
    }
}
