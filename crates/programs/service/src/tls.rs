//! TLS: encrypts connections.

use std::io;
use std::path::Path;
use std::sync::Arc;

use forest_model::CommandError;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

use crate::args::Args;
use crate::error::ServiceError;
use crate::listen::Stream;

/// The TLS configuration; without a certificate, connections are not encrypted.
pub(crate) struct Tls(Option<TlsAcceptor>);

impl Tls {
    /// Reads the certificate and the key that the command line names.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is empty, or the key is not that of the certificate.
    pub(crate) fn read(args: &Args) -> Result<Self, CommandError> {
        let (Some(certificate), Some(key)) = (&args.tls_certificate, &args.tls_key) else {
            return Ok(Self(None));
        };
        let certificates = certificates(certificate).map_err(unusable(certificate))?;
        let private = PrivateKeyDer::from_pem_file(key).map_err(unusable(key))?;
        let config = config(certificates, private).map_err(unusable(certificate))?;
        Ok(Self(Some(TlsAcceptor::from(Arc::new(config)))))
    }

    /// Returns whether there is a certificate.
    pub(crate) fn is_enabled(&self) -> bool {
        self.0.is_some()
    }

    /// Performs the TLS handshake, if there is a certificate.
    ///
    /// # Errors
    /// Returns an error if the client does not support TLS, or only an old version.
    pub(crate) async fn secure(&self, stream: Box<dyn Stream>) -> io::Result<Box<dyn Stream>> {
        match &self.0 {
            Some(acceptor) => Ok(Box::new(acceptor.accept(stream).await?)),
            None => Ok(stream),
        }
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let certificates: Vec<_> = CertificateDer::pem_file_iter(path)?.collect::<Result<_, _>>()?;
    if certificates.is_empty() {
        Err(pem::Error::NoItemsFound)
    } else {
        Ok(certificates)
    }
}

fn config(
    certificates: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth();
    let mut config = config.with_single_cert(certificates, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn unusable<E: std::fmt::Display>(path: &Path) -> impl FnOnce(E) -> CommandError {
    move |error| {
        let (path, reason) = (path.to_owned(), error.to_string());
        ServiceError::Certificate { path, reason }.into()
    }
}
