//! Thresholds in JSON, which has numbers that are finite alone.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Bits(String),
}

pub(super) fn serialize<S: Serializer>(threshold: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let written = if threshold.is_finite() {
        Written::Number(*threshold)
    } else {
        Written::Bits(format!("{:08x}", (*threshold as f32).to_bits()))
    };
    written.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Written::deserialize(deserializer)? {
        Written::Number(threshold) => Ok(threshold),
        Written::Bits(text) => {
            let bits = u32::from_str_radix(&text, 16).map_err(de::Error::custom)?;
            Ok(f32::from_bits(bits).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Inequality;

    /// To the bit: they decide where categories go.
    #[test]
    fn thresholds_are_read_as_they_were_written() {
        for threshold in [
            0.1f32,
            -3e38,
            f32::NEG_INFINITY,
            f32::NAN,
            -f32::from_bits(0x7fc0_1234),
        ] {
            let cut = Inequality {
                normal: vec![(0, 1.0)],
                threshold: threshold.into(),
            };
            let text = serde_json::to_string(&cut).unwrap();
            let again: Inequality = serde_json::from_str(&text).unwrap();
            assert_eq!(
                (again.threshold as f32).to_bits(),
                threshold.to_bits(),
                "{text}"
            );
        }
    }
}
