//! Connections: accepted up to a number, given up when a client is too slow, and ended in order.

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

/// Bytes of the head of a request, and lines of it.
const HEAD: usize = 1 << 14;
const HEADERS: usize = 64;

/// How often it is looked whether a signal has come.
const LOOK: Duration = Duration::from_millis(50);

/// What a client may take until it has sent a head, and what requests may take to end when the service does.
const SHORT: Duration = Duration::from_secs(10);

/// Threads on which long answers are made, for each core.
const LONG_ANSWERS: usize = 2;

/// Accepts connections until a signal comes; then ends those that are open.
///
/// # Errors
/// An address that cannot be listened on.
pub fn serve(app: Arc<App>, args: &Args) -> Result<(), CommandError> {
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
    // Long answers are not waited for: nobody is there any more to read them.
    runtime.shutdown_background();
    served.map_err(refused)
}

fn runtime() -> io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut builder = Builder::new_multi_thread();
    builder.max_blocking_threads(LONG_ANSWERS * cores);
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
    info!("ending: requests that have arrived are answered");
    app.end();
    if timeout(SHORT, open.shutdown()).await.is_err() {
        warn!(
            "some requests did not end within {} seconds",
            SHORT.as_secs()
        );
    }
}

/// The next connection, once there is a place for it.
async fn next(listener: &Listener, places: &Arc<Places>) -> io::Result<(Box<dyn Stream>, Place)> {
    let (stream, client) = listener.accept().await?;
    Ok((stream, places.take(client).await))
}

/// Answers what comes on a connection.
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
        let stream = match timeout(SHORT.min(patience), tls.secured(stream)).await {
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

/// Ends when a signal to end has come; reads tokens again whenever one asks for that.
async fn signal(app: &App) {
    while !interrupt::is_requested() {
        if interrupt::is_reading_again_asked() {
            app.reload();
        }
        sleep(LOOK).await;
    }
}

/// Where the service listens, as a line on standard error: port 0 is known only now.
fn announce(address: &Address, app: &App) {
    let is_tls = app.tls().is_there();
    match address {
        Address::Port(_) if is_tls => info!("listening on https://{address}"),
        Address::Port(_) => info!("listening on http://{address}"),
        Address::File(_) => info!("listening on {address}"),
    }
    if !is_tls && !address.is_local() {
        warn!(
            "rows and the token can be read on the way: --tls-certificate, or a proxy with a certificate, prevents it"
        );
    }
}
