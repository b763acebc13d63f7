//! The address of the service: an IP address with a port, or a socket file.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::{fmt, io};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;

#[cfg(unix)]
use socket_file::SocketFile;

/// The prefix of the path of a socket file.
const FILE: &str = "unix:";

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An IP address and a port; port 0 takes a free one.
    Port(SocketAddr),
    /// A socket file.
    File(PathBuf),
}

impl Address {
    /// Returns whether only programs of this machine can reach it.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Port(address) => address.ip().is_loopback(),
            Self::File(_) => true,
        }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix(FILE) {
            Some("") => Err(format!("expected a path after `{FILE}`")),
            Some(path) => Ok(Self::File(path.into())),
            None => text.parse().map(Self::Port).map_err(|error| {
                format!("{error}; expected ADDRESS:PORT, such as 127.0.0.1:8080, or {FILE}PATH")
            }),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port(address) => write!(f, "{address}"),
            Self::File(path) => write!(f, "{FILE}{}", path.display()),
        }
    }
}

/// A connection of any kind.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Accepts connections.
#[derive(Debug)]
pub(crate) enum Listener {
    /// At an IP address.
    Port(TcpListener),
    /// At a socket file, which is removed at the end.
    #[cfg(unix)]
    File(SocketFile),
}

impl Listener {
    /// Listens.
    ///
    /// # Errors
    /// Returns an error if the address is in use or not one of this machine, or the file exists.
    pub(crate) async fn new(address: &Address) -> io::Result<Self> {
        match address {
            Address::Port(address) => Ok(Self::Port(TcpListener::bind(address).await?)),
            #[cfg(unix)]
            Address::File(path) => SocketFile::new(path).map(Self::File),
            #[cfg(not(unix))]
            Address::File(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns the address, with the port that was chosen for port 0.
    ///
    /// # Errors
    /// Returns an error of the system.
    pub(crate) fn address(&self) -> io::Result<Address> {
        match self {
            Self::Port(listener) => listener.local_addr().map(Address::Port),
            #[cfg(unix)]
            Self::File(file) => Ok(Address::File(file.path().to_owned())),
        }
    }

    /// Waits for the next connection, and returns it with the address of the client: that of this machine for a socket file.
    ///
    /// # Errors
    /// Returns an error of the system.
    pub(crate) async fn accept(&self) -> io::Result<(Box<dyn Stream>, IpAddr)> {
        match self {
            Self::Port(listener) => {
                let (stream, client) = listener.accept().await?;
                // Replies are short, and clients wait for them.
                stream.set_nodelay(true)?;
                Ok((Box::new(stream), client.ip()))
            }
            #[cfg(unix)]
            Self::File(file) => Ok((Box::new(file.accept().await?), Ipv4Addr::LOCALHOST.into())),
        }
    }
}

#[cfg(unix)]
mod socket_file {
    use std::fs::{self, Permissions};
    use std::io::{self, ErrorKind};
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
    use std::path::{Path, PathBuf};

    use tokio::net::{UnixListener, UnixSocket, UnixStream};

    /// The permissions of a socket file: programs of the same user and group may connect, such as a proxy in that group.
    const MODE: u32 = 0o660;

    /// The number of connections that the system queues until they are accepted.
    const BACKLOG: u32 = 1024;

    /// A socket file.
    #[derive(Debug)]
    pub(crate) struct SocketFile {
        listener: UnixListener,
        path: PathBuf,
    }

    impl SocketFile {
        /// Makes the file, replacing one that a killed service has left.
        pub(crate) fn new(path: &Path) -> io::Result<Self> {
            if is_left_over(path) {
                fs::remove_file(path)?;
            }
            let socket = UnixSocket::new_stream()?;
            socket.bind(path)?;
            // Before anyone can connect.
            fs::set_permissions(path, Permissions::from_mode(MODE))?;
            let listener = socket.listen(BACKLOG)?;
            let path = path.to_owned();
            Ok(Self { listener, path })
        }

        pub(crate) fn path(&self) -> &Path {
            &self.path
        }

        pub(crate) async fn accept(&self) -> io::Result<UnixStream> {
            Ok(self.listener.accept().await?.0)
        }
    }

    impl Drop for SocketFile {
        fn drop(&mut self) {
            // It may have been removed already.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Returns whether nobody listens at the socket any more.
    fn is_left_over(path: &Path) -> bool {
        let is_socket = fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
        let connected = std::os::unix::net::UnixStream::connect(path);
        is_socket && connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
    }
}
