//! Encodings of text.

use serde::{Deserialize, Serialize};

/// How characters are written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Encoding {
    /// UTF-8.
    #[cfg_attr(feature = "clap", value(name = "utf-8"))]
    Utf8,
    /// UTF-16, the low byte first.
    #[cfg_attr(feature = "clap", value(name = "utf-16le", alias = "utf-16"))]
    Utf16Le,
    /// UTF-16, the high byte first.
    #[cfg_attr(feature = "clap", value(name = "utf-16be"))]
    Utf16Be,
    /// Latin-1, in its extension Windows-1252.
    #[cfg_attr(feature = "clap", value(name = "latin-1", alias = "windows-1252"))]
    Latin1,
}

impl Encoding {
    pub(crate) fn standard(self) -> &'static encoding_rs::Encoding {
        match self {
            Encoding::Utf8 => encoding_rs::UTF_8,
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
            Encoding::Latin1 => encoding_rs::WINDOWS_1252,
        }
    }
}
