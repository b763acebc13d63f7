//! Connections: accepted up to a limit, closed when a client is too slow, and finished at the end of the service.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use forest_model::{CommandError, interrupt};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio::{select, spawn};
use tracing::{debug, info, warn};

use crate::args::Args;
use crate::readiness::Readiness;

/// The most bytes and lines of the head of a request.
const HEAD: usize = 1 << 14;
const HEADERS: usize = 64;

/// How often signals are checked.
const LOOK: Duration = Duration::from_millis(50);

/// How long a client may take to send a head, and requests may take to end when the service does.
const SHORT: Duration = Duration::from_secs(10);

/// The number of threads for long replies, per core.
const LONG_REPLIES: usize = 2;

/// Accepts connections until a signal; then finishes those that are open.
///
/// # Errors
/// Returns an error if the address cannot be listened on.
pub(crate) fn serve(
    router: Router,
    readiness: &Readiness,
    args: &Args,
) -> Result<(), CommandError> {
    let refused = |error: io::Error| {
        CommandError::new(format!(
            "cannot listen on {}: {error}; --listen 127.0.0.1:0 takes a free port",
            args.listen
        ))
    };
    let runtime = runtime().map_err(refused)?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(args.listen).await?;
        announce(listener.local_addr()?);
        accept(&listener, &router, readiness, args).await;
        Ok(())
    });
    // Long replies are not waited for: nobody reads them any more.
    runtime.shutdown_background();
    served.map_err(refused)
}

fn runtime() -> io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut builder = Builder::new_multi_thread();
    builder.max_blocking_threads(LONG_REPLIES * cores);
    builder.enable_io().enable_time().build()
}

async fn accept(listener: &TcpListener, router: &Router, readiness: &Readiness, args: &Args) {
    let open = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(args.limits.max_connections.get()));
    let patience = Duration::from_secs(u64::from(args.limits.patience.get())).min(SHORT);
    loop {
        let accepted = select! {
            accepted = next(listener, &places) => accepted,
            () = signal() => break,
        };
        match accepted {
            Ok((stream, place)) => converse(stream, place, router, &open, patience),
            Err(error) => {
                // Too many open files, for example: others may be closed meanwhile.
                warn!("cannot accept a connection: {error}");
                sleep(LOOK).await;
            }
        }
    }
    info!("ending: finishing the requests that have arrived");
    readiness.end();
    if timeout(SHORT, open.shutdown()).await.is_err() {
        warn!(
            "some requests did not end within {} seconds",
            SHORT.as_secs()
        );
    }
}

/// Accepts the next connection, once there is a place for it.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await;
    let place = place.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    // Replies are short, and clients wait for them.
    stream.set_nodelay(true)?;
    Ok((stream, place))
}

/// Serves the requests of a connection.
fn converse(
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    router: &Router,
    open: &GracefulShutdown,
    patience: Duration,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(HEAD)
        .max_headers(HEADERS)
        .serve_connection(
            TokioIo::new(stream),
            TowerToHyperService::new(router.clone()),
        );
    let conversation = open.watch(connection);
    spawn(async move {
        let _place = place;
        if let Err(error) = conversation.await {
            debug!("a connection failed: {error}");
        }
    });
}

/// Waits for a signal to end.
async fn signal() {
    while !interrupt::is_requested() {
        sleep(LOOK).await;
    }
}

/// Logs where the service listens: port 0 is resolved only now.
fn announce(address: SocketAddr) {
    info!("listening on http://{address}");
    if !address.ip().is_loopback() {
        warn!("rows and the token can be read in transit: use a proxy with a certificate");
    }
}
