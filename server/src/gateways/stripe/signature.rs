//! Verifies Stripe's callback signatures.
use hmac::{Hmac, KeyInit as _, Mac};
use sha2::Sha256;

/// The maximum age of a callback's signature on arrival: older ones are replays.
const TOLERANCE_SECONDS: i64 = 300;

/// Whether one of the header's signatures matches the body and was made around the time of arrival.
pub fn is_signed(secret: &str, header: &str, body: &[u8], received_at: i64) -> bool {
    let pairs: Vec<_> = header.split(',').filter_map(|pair| pair.trim().split_once('=')).collect();
    let Some((_, time)) = pairs.iter().find(|pair| pair.0 == "t") else { return false };
    let is_fresh =
        time.parse::<i64>().is_ok_and(|signed_at| received_at.abs_diff(signed_at) <= TOLERANCE_SECONDS as u64);
    let fits = |signature: &str| {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body);
        // Constant-time comparison.
        hex::decode(signature).is_ok_and(|bytes| mac.verify_slice(&bytes).is_ok())
    };
    is_fresh && pairs.iter().any(|(name, signature)| *name == "v1" && fits(signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(secret: &str, time: i64, body: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
        mac.update(format!("{time}.{body}").as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    #[test]
    fn a_signature_fits_one_body_one_secret_and_its_time() {
        let good = signature("whsec_a", 1_000, "{}");
        let header = format!("t=1000,v1={good}");
        let is_signed = |secret: &str, header: &str, body: &str, received_at: i64| {
            is_signed(secret, header, body.as_bytes(), received_at)
        };
        assert!(is_signed("whsec_a", &header, "{}", 1_000));
        assert!(is_signed("whsec_a", &header, "{}", 1_300) && is_signed("whsec_a", &header, "{}", 700));
        assert!(is_signed("whsec_a", &format!("t=1000,v1={},v1={good},v0=aa", "00".repeat(32)), "{}", 1_000));
        for (header, body, received_at) in [
            (header.as_str(), "{} ", 1_000),
            (&header, "{}", 1_301),
            (&header, "{}", 699),
            (&format!("t=1001,v1={good}"), "{}", 1_000),
            (&format!("v1={good}"), "{}", 1_000),
            (&format!("t=1000,v0={good}"), "{}", 1_000),
            (&format!("t=1000,v1={}", &good[..62]), "{}", 1_000),
            ("t=1000,v1=", "{}", 1_000),
            ("t=-9223372036854775808,v1=00", "{}", 1_000),
            ("", "{}", 1_000),
        ] {
            assert!(!is_signed("whsec_a", header, body, received_at), "{header}");
        }
        assert!(!is_signed("whsec_b", &header, "{}", 1_000));
    }
}
