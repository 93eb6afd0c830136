//! Signatures as defined by Standard Webhooks 1.0: `v1`, HMAC-SHA256 of id, time and body with the webhook's secret.
use crate::security::random;
use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac};
use postern_core::webhook_delivery::SECRET_BYTES;
use sha2::Sha256;

/// The prefix of webhook secrets.
const PREFIX: &str = "whsec_";

/// A new secret, in the form shown to its owner.
pub fn new_secret() -> String {
    format!("{PREFIX}{}", STANDARD.encode(random::<SECRET_BYTES>()))
}

/// A new message id, by which receivers detect repeats.
pub fn new_message_id() -> String {
    format!("msg_{}", URL_SAFE_NO_PAD.encode(random::<18>()))
}

/// The header `webhook-signature`: one signature per valid secret, separated by spaces.
pub fn sign(secrets: &[String], message_id: &str, timestamp: i64, body: &str) -> anyhow::Result<String> {
    let signed: anyhow::Result<Vec<String>> = secrets
        .iter()
        .map(|secret| {
            let key = secret.strip_prefix(PREFIX).context("a webhook's secret has no prefix")?;
            let key = STANDARD.decode(key).context("a webhook's secret is not base64")?;
            let mut mac = Hmac::<Sha256>::new_from_slice(&key).context("HMAC takes a key of any length")?;
            mac.update(format!("{message_id}.{timestamp}.").as_bytes());
            mac.update(body.as_bytes());
            Ok(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
        })
        .collect();
    Ok(signed?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference vector of the Standard Webhooks libraries.
    #[test]
    fn a_signature_matches_the_reference_vector() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned();
        let (id, timestamp, body) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(sign(std::slice::from_ref(&secret), id, timestamp, body).expect("signed"), expected);
        let two = sign(&[secret.clone(), new_secret()], id, timestamp, body).expect("signed");
        assert!(two.starts_with(&format!("{expected} v1,")) && two.split(' ').count() == 2, "{two}");
        for (id, timestamp, body) in [(id, timestamp + 1, body), ("msg_other", timestamp, body), (id, timestamp, "{}")]
        {
            assert_ne!(sign(std::slice::from_ref(&secret), id, timestamp, body).expect("signed"), expected);
        }
    }

    #[test]
    fn secrets_have_the_required_length_and_differ() {
        let secret = new_secret();
        let bytes = STANDARD.decode(secret.strip_prefix("whsec_").expect("the prefix")).expect("base64");
        assert!((24..=64).contains(&bytes.len()));
        assert_ne!(secret, new_secret());
        assert!(sign(&["hunter2".to_owned()], "msg", 0, "").is_err());
        assert!(new_message_id().starts_with("msg_") && new_message_id() != new_message_id());
    }
}
