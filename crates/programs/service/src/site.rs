//! Which requests are accepted: not those whose head two programs could read differently, not those of pages of other
//! sites, and, without a token, not those from other machines.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, StatusCode, Version, header};

use crate::app::App;
use crate::refusal::Refusal;

/// Headers whose repetition could contradict the first. Lengths are checked by `hyper`.
const ONCE: [HeaderName; 5] = [
    header::HOST,
    header::ORIGIN,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    header::TRANSFER_ENCODING,
];

/// Headers that proxies add, besides `x-forwarded-…`.
const FORWARDED: [&str; 6] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "true-client-ip",
    "cf-connecting-ip",
];

/// Checks the origin of a request.
///
/// # Errors
/// Returns 400, 415 or 501 for an ambiguous head; 403 for another site, machine or name.
pub(crate) fn check(app: &App, request: &Request) -> Result<(), Refusal> {
    check_head(request)?;
    let host = text(request.headers(), &header::HOST).unwrap_or_default();
    if !app.has_token() {
        check_is_local(request.headers(), host)?;
    }
    check_origin(app, request, host)
}

fn check_head(request: &Request) -> Result<(), Refusal> {
    let headers = request.headers();
    for name in &ONCE {
        if headers.get_all(name).iter().nth(1).is_some() {
            let reason = format!("the header `{name}` must not be repeated");
            return Err(Refusal::bad_request(reason));
        }
    }
    check_host(request)?;
    check_codings(headers)
}

/// Returns the one host, which the first line does not contradict.
fn check_host(request: &Request) -> Result<(), Refusal> {
    let host = text(request.headers(), &header::HOST);
    if host.is_none() && request.version() >= Version::HTTP_11 {
        return Err(Refusal::bad_request("the header `host` is missing"));
    }
    let authority = request.uri().authority();
    match authority {
        Some(authority) if host.is_some_and(|host| host != authority.as_str()) => {
            let reason = "the first line of the request names another host than the header `host`";
            Err(Refusal::bad_request(reason))
        }
        _ => Ok(()),
    }
}

/// Checks that a body is not compressed, and only chunked if it is encoded.
fn check_codings(headers: &HeaderMap) -> Result<(), Refusal> {
    let are = |name: HeaderName, known: &str| {
        let values = headers.get_all(name).into_iter();
        let mut codings = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
        codings.all(|coding| coding.trim_ascii().eq_ignore_ascii_case(known.as_bytes()))
    };
    if !are(header::CONTENT_ENCODING, "identity") {
        let reason = "the body has a `content-encoding`; send it without one";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
    }
    if !are(header::TRANSFER_ENCODING, "chunked") || !are(header::TE, "trailers") {
        let reason = "transfer codings other than `chunked` are not supported";
        return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, reason));
    }
    Ok(())
}

/// Checks the host of a request without a token. Anyone on the service's own machine may send requests; a proxy
/// would let all others in, too. And the service must have a name that no site elsewhere can have, since a browser may send
/// requests of its pages.
fn check_is_local(headers: &HeaderMap, host: &str) -> Result<(), Refusal> {
    if let Some(name) = headers.keys().find(|name| is_of_proxy(name.as_str())) {
        let reason = format!(
            "the request was forwarded by a proxy (`{name}`): behind a proxy, start the service with --token-file FILE"
        );
        return Err(Refusal::new(StatusCode::FORBIDDEN, reason));
    }
    if is_loopback(host) {
        Ok(())
    } else {
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "without a token, the service accepts only the names localhost, 127.0.0.1 or [::1]",
        ))
    }
}

fn is_of_proxy(name: &str) -> bool {
    name.starts_with("x-forwarded-") || FORWARDED.contains(&name)
}

/// Checks the origin. A page of another site that is open in a browser on this machine can reach the service, too. It states its origin.
fn check_origin(app: &App, request: &Request, host: &str) -> Result<(), Refusal> {
    let origin = text(request.headers(), &header::ORIGIN);
    if origin.is_some_and(|origin| {
        app.allowed_origins
            .iter()
            .any(|allowed| allowed.0 == origin)
    }) {
        return Ok(());
    }
    let is_own = |origin: &str| {
        origin
            .split_once("://")
            .is_some_and(|(_, site)| site == host)
    };
    let fetched = text(
        request.headers(),
        &HeaderName::from_static("sec-fetch-site"),
    );
    // A link to the page, which holds no data, may be anywhere.
    let is_page = request.uri().path() == "/";
    if origin.is_none_or(is_own) && (is_page || is_of_this_site(fetched)) {
        Ok(())
    } else {
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "requests from pages of other sites are refused; behind a proxy, --allowed-origin names the page's own site",
        ))
    }
}

/// What a browser states about the page that sends a request; other programs state nothing.
fn is_of_this_site(fetched: Option<&str>) -> bool {
    fetched.is_none_or(|site| ["same-origin", "none"].contains(&site))
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let value = headers.get(name)?;
    // A text that no name equals.
    Some(value.to_str().unwrap_or_default())
}

fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse::<std::net::IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:1",
            "127.0.0.2",
            "[::1]",
            "[::1]:80",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:80",
            "10.0.0.1",
            "localhost:80:x",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
