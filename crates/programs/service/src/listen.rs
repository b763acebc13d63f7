//! Where the service listens: an address with a port, or a socket file.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::{fmt, io};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;

#[cfg(unix)]
use socket_file::SocketFile;

/// What stands before the path of a socket file.
const FILE: &str = "unix:";

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An address and a port; of port 0, a free one.
    Port(SocketAddr),
    /// A socket file.
    File(PathBuf),
}

impl Address {
    /// Whether only programs of this machine can reach it.
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
            Some("") => Err(format!("expected a path behind `{FILE}`")),
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
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Accepts connections.
#[derive(Debug)]
pub enum Listener {
    /// At an address.
    Port(TcpListener),
    /// At a socket file, which is removed at the end.
    #[cfg(unix)]
    File(SocketFile),
}

impl Listener {
    /// Listens.
    ///
    /// # Errors
    /// An address that is taken, or not one of this machine; a file that is there.
    pub async fn new(address: &Address) -> io::Result<Self> {
        match address {
            Address::Port(address) => Ok(Self::Port(TcpListener::bind(address).await?)),
            #[cfg(unix)]
            Address::File(path) => SocketFile::new(path).map(Self::File),
            #[cfg(not(unix))]
            Address::File(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns where it listens: of port 0, which one was free.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn address(&self) -> io::Result<Address> {
        match self {
            Self::Port(listener) => listener.local_addr().map(Address::Port),
            #[cfg(unix)]
            Self::File(file) => Ok(Address::File(file.path().to_owned())),
        }
    }

    /// Waits for the next connection, and returns it with the address of the client: that of this machine behind a socket file.
    ///
    /// # Errors
    /// What the system refuses.
    pub async fn accept(&self) -> io::Result<(Box<dyn Stream>, IpAddr)> {
        match self {
            Self::Port(listener) => {
                let (stream, client) = listener.accept().await?;
                // Answers are short, and whoever asks waits for them.
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

    /// Programs of the same user and of the group of the file may connect: a proxy is given that group.
    const MODE: u32 = 0o660;

    /// Connections that the system keeps until they are accepted.
    const BACKLOG: u32 = 1024;

    /// A socket file.
    #[derive(Debug)]
    pub struct SocketFile {
        listener: UnixListener,
        path: PathBuf,
    }

    impl SocketFile {
        /// Makes the file, in the place of one that a service has left that was killed.
        pub fn new(path: &Path) -> io::Result<Self> {
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

        pub fn path(&self) -> &Path {
            &self.path
        }

        pub async fn accept(&self) -> io::Result<UnixStream> {
            Ok(self.listener.accept().await?.0)
        }
    }

    impl Drop for SocketFile {
        fn drop(&mut self) {
            // It may have been removed.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Whether nobody listens at the socket any more.
    fn is_left_over(path: &Path) -> bool {
        let is_socket = fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
        let connected = std::os::unix::net::UnixStream::connect(path);
        is_socket && connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
    }
}
