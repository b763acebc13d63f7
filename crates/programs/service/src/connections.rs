//! Connections: accepted up to a limit, closed when a client is too slow, and finished at the end of the service.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use forest_model::{CommandError, interrupt};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};
use tokio::{select, spawn};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, info, warn};

use crate::app::App;
use crate::args::Args;
use crate::error::ServiceError;
use crate::listen::{Address, Listener, Stream};
use crate::places::{Place, Places};
use crate::routes;

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
pub(crate) fn serve(app: Arc<App>, args: &Args) -> Result<(), CommandError> {
    let refused = |source: io::Error| {
        let address = args.listen.to_string();
        CommandError::from(ServiceError::Listen { address, source })
    };
    let runtime = runtime().map_err(refused)?;
    let served = runtime.block_on(async {
        let listener = Listener::new(&args.listen).await?;
        announce(&listener.address()?, &app);
        accept(&listener, &app).await;
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

async fn accept(listener: &Listener, app: &Arc<App>) {
    let (router, open) = (routes::router(Arc::clone(app)), GracefulShutdown::new());
    let most = app.limits.max_connections.get();
    let places = Arc::new(Places::new(most, app.has_token()));
    loop {
        let accepted = select! {
            accepted = next(listener, &places) => accepted,
            () = signal(app) => break,
        };
        match accepted {
            Ok((stream, place)) => converse(stream, place, &router, &open, app),
            Err(error) => {
                // Too many open files, for example: others may be closed meanwhile.
                warn!("cannot accept a connection: {error}");
                sleep(LOOK).await;
            }
        }
    }
    info!("ending: finishing the requests that have arrived");
    app.end();
    if timeout(SHORT, open.shutdown()).await.is_err() {
        warn!(
            "some requests did not end within {} seconds",
            SHORT.as_secs()
        );
    }
}

/// Accepts the next connection, once there is a place for it.
async fn next(listener: &Listener, places: &Arc<Places>) -> io::Result<(Box<dyn Stream>, Place)> {
    let (stream, client) = listener.accept().await?;
    Ok((stream, places.take(client).await))
}

/// Serves the requests of a connection.
fn converse(
    stream: Box<dyn Stream>,
    place: Place,
    router: &Router,
    open: &GracefulShutdown,
    app: &App,
) {
    let patience = Duration::from_secs(u64::from(app.limits.patience.get()));
    let (tls, open, place) = (app.tls(), open.watcher(), Arc::new(place));
    let (router, of_requests) = (TowerToHyperService::new(router.clone()), Arc::clone(&place));
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&of_requests));
        router.call(request)
    });
    let conversation = async move {
        let stream = match timeout(SHORT.min(patience), tls.secure(stream)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return debug!("a connection failed: {error}"),
            Err(_) => return debug!("a connection failed: no TLS within some seconds"),
        };
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(patience));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(SHORT.min(patience))
            .max_buf_size(HEAD)
            .max_headers(HEADERS)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        if let Err(error) = open.watch(connection).await {
            debug!("a connection failed: {error}");
        }
    };
    spawn(async move {
        select! {
            () = conversation => {}
            () = place.closed() => debug!("a connection without the token is closed for another one"),
        }
    });
}

/// Waits for a signal to end; reads tokens again whenever a signal requests that.
async fn signal(app: &App) {
    while !interrupt::is_requested() {
        if interrupt::is_reading_again_asked() {
            app.reload();
        }
        sleep(LOOK).await;
    }
}

/// Logs where the service listens: port 0 is resolved only now.
fn announce(address: &Address, app: &App) {
    let is_tls = app.tls().is_enabled();
    match address {
        Address::Port(_) if is_tls => info!("listening on https://{address}"),
        Address::Port(_) => info!("listening on http://{address}"),
        Address::File(_) => info!("listening on {address}"),
    }
    if !is_tls && !address.is_local() {
        warn!(
            "rows and the token can be read in transit: use --tls-certificate, or a proxy with a certificate"
        );
    }
}
