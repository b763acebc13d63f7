//! Other sites whose pages may send requests.

/// The origin of pages that may send requests, as browsers state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedOrigin(pub String);

impl std::str::FromStr for AllowedOrigin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.to_ascii_lowercase();
        let (scheme, site) = text.split_once("://").unwrap_or_default();
        let port = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => "",
        };
        let is_site = !port.is_empty() && !site.is_empty() && !site.contains(['/', '*', '@', ' ']);
        if !is_site {
            return Err(
                "expected a scheme and a host without a path, such as https://forest.example.org",
            );
        }
        // Browsers omit the default port.
        Ok(Self(text.strip_suffix(port).unwrap_or(&text).to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_written_as_browsers_write_them() {
        let origin = |text: &str| text.parse::<AllowedOrigin>().map(|origin| origin.0);
        for (text, written) in [
            ("https://Forest.example.org", "https://forest.example.org"),
            (
                "https://forest.example.org:443",
                "https://forest.example.org",
            ),
            ("http://10.0.0.1:8080", "http://10.0.0.1:8080"),
        ] {
            assert_eq!(origin(text).as_deref(), Ok(written));
        }
        for text in [
            "forest.example.org",
            "https://",
            "https://a/",
            "*",
            "file://x",
            "null",
        ] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
