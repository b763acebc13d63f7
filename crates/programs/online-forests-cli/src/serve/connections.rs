//! Connections: accepted up to a limit, closed when a client is too slow, and finished at the end of the service.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use axum::Router;
use forest_model::interrupt;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tracing::{debug, info, warn};

use crate::serve::args::Args;
use crate::serve::metrics::Metrics;

/// The most bytes and lines of the head of a request.
const MAX_HEAD: usize = 1 << 14;
const MAX_HEADERS: usize = 64;

/// How often signals are checked.
const POLL: Duration = Duration::from_millis(50);

/// How long a client may take to send a head, and requests may take to end when the service does.
const GRACE: Duration = Duration::from_secs(10);

/// Accepts connections until a signal; then finishes those that are open. Returns an error if the address cannot be
/// listened on.
pub(super) fn serve(router: Router, metrics: &Metrics, args: &Args) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    // Two threads a core make long replies.
    let runtime = runtime
        .enable_all()
        .max_blocking_threads(2 * cores)
        .build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(args.listen).await?;
        // Port 0 is resolved only now.
        info!("listening on http://{}", listener.local_addr()?);
        if !args.listen.ip().is_loopback() {
            warn!("rows and the token can be read in transit: use a proxy with a certificate");
        }
        accept(&listener, &router, metrics, args).await;
        Ok(())
    });
    // Replies that take longer are not waited for: their clients are disconnected.
    runtime.shutdown_background();
    served.map_err(|error: io::Error| {
        let address = args.listen;
        anyhow!("cannot listen on {address}: {error}; --listen 127.0.0.1:0 takes a free port")
    })
}

async fn accept(listener: &TcpListener, router: &Router, metrics: &Metrics, args: &Args) {
    let open = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(args.limits.max_connections.get()));
    let patience = Duration::from_secs(u64::from(args.limits.patience.get())).min(GRACE);
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).max_buf_size(MAX_HEAD);
    protocol
        .header_read_timeout(patience)
        .max_headers(MAX_HEADERS);
    while !interrupt::is_requested() {
        // Signals are checked while no client connects.
        let next = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            let (stream, _) = listener.accept().await?;
            // Replies are short, and clients wait for them.
            stream.set_nodelay(true)?;
            Ok::<_, io::Error>((stream, permit))
        };
        match timeout(POLL, next).await {
            Err(_) => {}
            Ok(Ok((stream, permit))) => {
                let service = TowerToHyperService::new(router.clone());
                let connection = protocol.serve_connection(TokioIo::new(stream), service);
                let connection = open.watch(connection);
                tokio::spawn(async move {
                    let _permit = permit;
                    if let Err(error) = connection.await {
                        debug!("a connection failed: {error}");
                    }
                });
            }
            Ok(Err(error)) => {
                // Too many open files, for example: others may be closed meanwhile.
                warn!("cannot accept a connection: {error}");
                sleep(POLL).await;
            }
        }
    }
    info!("ending: finishing the requests that have arrived");
    metrics.end();
    if timeout(GRACE, open.shutdown()).await.is_err() {
        warn!(
            "some requests did not end within {} seconds",
            GRACE.as_secs()
        );
    }
}
