//! Places for connections, and which connection is closed for another.
//!
//! Where there is a token, a connection belongs to a stranger until a request on it has stated the token. Strangers have most of the
//! places, but not all; when theirs are taken, the oldest of their connections is closed for the new one. So a client with the token
//! always gets in: a connection needs its place as a stranger only until its first head has arrived.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// One in this many places is reserved for those who have the token.
const RESERVE: usize = 8;

/// One in this many places may be taken by one stranger.
const OF_A_STRANGER: usize = 4;

/// The bits of an IPv6 address that a client cannot choose.
const NETWORK: u128 = !0 << 64;

/// All places for connections.
pub(crate) struct Places {
    free: Arc<Semaphore>,
    most: usize,
    /// `None` without a token: then nobody is a stranger, and connections wait for a place.
    strangers: Option<Mutex<Strangers>>,
}

#[derive(Default)]
struct Strangers {
    /// In the order of their arrival.
    connections: BTreeMap<u64, Stranger>,
    came: u64,
}

struct Stranger {
    client: IpAddr,
    is_closed: Arc<Notify>,
}

/// The place of an open connection.
pub(crate) struct Place {
    places: Arc<Places>,
    number: u64,
    is_closed: Arc<Notify>,
    _held: OwnedSemaphorePermit,
}

impl Places {
    /// Creates that many places; `has_strangers` if there is a token.
    pub(crate) fn new(most: usize, has_strangers: bool) -> Self {
        Self {
            free: Arc::new(Semaphore::new(most)),
            most,
            strangers: has_strangers.then(Mutex::default),
        }
    }

    /// Returns a place for a client that has just connected, once one is free.
    pub(crate) async fn take(self: &Arc<Self>, client: IpAddr) -> Place {
        let is_closed = Arc::new(Notify::new());
        let number = self.enter(client, &is_closed);
        let held = Arc::clone(&self.free).acquire_owned().await;
        Place {
            places: Arc::clone(self),
            number,
            is_closed,
            _held: held.expect("places are never closed"),
        }
    }

    /// Adds a stranger, who may displace another one.
    fn enter(&self, client: IpAddr, is_closed: &Arc<Notify>) -> u64 {
        let Some(mut strangers) = self.strangers() else {
            return 0;
        };
        let client = network(client);
        if let Some(oldest) = self.displaced_by(client, &strangers) {
            strangers.close(oldest);
        }
        strangers.came += 1;
        let number = strangers.came;
        let is_closed = Arc::clone(is_closed);
        let stranger = Stranger { client, is_closed };
        strangers.connections.insert(number, stranger);
        number
    }

    /// Returns the oldest connection of the same client if it has too many; else, if there are too many in all, the oldest.
    fn displaced_by(&self, client: IpAddr, strangers: &Strangers) -> Option<u64> {
        let connections = &strangers.connections;
        let mut own = connections.iter().filter(|(_, it)| it.client == client);
        let oldest_own = own.next().map(|(number, _)| *number);
        let has_own = usize::from(oldest_own.is_some()) + own.count();
        if has_own >= (self.most / OF_A_STRANGER).max(1) {
            return oldest_own;
        }
        let most = self.most - (self.most / RESERVE).max(1);
        let is_full = connections.len() >= most.max(1) || self.free.available_permits() == 0;
        let oldest = connections.keys().next().copied();
        oldest.filter(|_| is_full)
    }

    fn strangers(&self) -> Option<MutexGuard<'_, Strangers>> {
        let strangers = self.strangers.as_ref()?;
        Some(strangers.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Strangers {
    fn close(&mut self, number: u64) {
        if let Some(stranger) = self.connections.remove(&number) {
            stranger.is_closed.notify_one();
        }
    }
}

impl Place {
    /// Marks the connection as trusted: a request on it has stated the token.
    pub(crate) fn trust(&self) {
        if let Some(mut strangers) = self.places.strangers() {
            strangers.connections.remove(&self.number);
        }
    }

    /// Waits until the connection is to be closed for another one.
    pub(crate) async fn closed(&self) {
        self.is_closed.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.trust();
    }
}

/// Returns the part of its address that one client cannot change.
fn network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn is_closed(place: &Place) -> bool {
        place.closed().now_or_never().is_some()
    }

    fn take(places: &Arc<Places>, client: u8) -> Place {
        let client = IpAddr::from([10, 0, 0, client]);
        places.take(client).now_or_never().expect("a free place")
    }

    #[test]
    fn strangers_never_have_the_last_places() {
        let places = Arc::new(Places::new(16, true));
        let first: Vec<Place> = (0..14).map(|client| take(&places, client)).collect();
        assert!(!first.iter().any(is_closed));
        first[0].trust();
        // There is room for one more in the place of the one that is trusted now; the next one takes that of the second.
        let more = [take(&places, 20), take(&places, 21)];
        let closed: Vec<bool> = first.iter().map(is_closed).collect();
        assert_eq!(closed.iter().position(|closed| *closed), Some(1));
        assert_eq!(closed.iter().filter(|closed| **closed).count(), 1);
        assert!(!more.iter().any(is_closed));
    }

    #[test]
    fn a_network_of_version_6_is_one_client() {
        let places = Arc::new(Places::new(16, true));
        let take = |host: u16| {
            let client = IpAddr::from([0xfd00, 0, 0, 1, host, 0, 0, 1]);
            places.take(client).now_or_never().expect("a free place")
        };
        let held: Vec<Place> = (0..5).map(take).collect();
        assert!(is_closed(&held[0]) && !held[1..].iter().any(is_closed));
    }

    #[test]
    fn without_a_token_nobody_is_closed_and_others_wait() {
        let places = Arc::new(Places::new(2, false));
        let held = [take(&places, 1), take(&places, 1)];
        let client = IpAddr::from([10, 0, 0, 1]);
        assert!(places.take(client).now_or_never().is_none());
        assert!(!held.iter().any(is_closed));
        drop(held);
        take(&places, 1);
    }
}
