//! Signatures of EPay: over all fields that have a value, in the order of their names, with MD5 and a key, or with RSA.
use crate::config::EpayKeys;
use crate::error::AppError;
use crate::gateways::epay::fields::{Fields, value};
use crate::security::equal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, UnparsedPublicKey};
use std::collections::BTreeMap;

/// The fields of a query. `None` if it is not text, or has a field twice: the gateway and we could then read different ones.
pub fn fields_of(query: &[u8]) -> Option<Fields> {
    let query = std::str::from_utf8(query).ok()?;
    let address = reqwest::Url::parse(&format!("http://query/?{query}")).ok()?;
    let fields: Fields = address.query_pairs().into_owned().collect();
    let names: BTreeMap<&str, ()> = fields.iter().map(|field| (field.0.as_str(), ())).collect();
    (names.len() == fields.len()).then_some(fields)
}

/// What is signed: `name=value` of each field that has a value, sorted by name and joined by `&`, as they are, not encoded.
fn signed_text(fields: &Fields) -> String {
    let named: BTreeMap<&str, &str> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let counted =
        named.into_iter().filter(|(name, value)| !value.is_empty() && *name != "sign" && *name != "sign_type");
    counted.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

fn md5_of(fields: &Fields, key: &str) -> String {
    hex::encode(Md5::digest(format!("{}{key}", signed_text(fields))))
}

/// Adds the signature and its type.
pub fn sign(keys: &EpayKeys, mut fields: Fields) -> Result<Fields, AppError> {
    let (signature, kind) = match keys {
        EpayKeys::Md5(key) => (md5_of(&fields, key), "MD5"),
        EpayKeys::Rsa { own, .. } => {
            let mut signature = vec![0; own.public().modulus_len()];
            own.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed_text(&fields).as_bytes(), &mut signature)
                .map_err(|_| AppError::internal("a request to the EPay gateway could not be signed"))?;
            (STANDARD.encode(signature), "RSA")
        }
    };
    fields.extend([("sign".to_owned(), signature), ("sign_type".to_owned(), kind.to_owned())]);
    Ok(fields)
}

/// Whether the gateway signed these fields. Only the account's own kind of signature counts: one of version 1 says nothing about an account of version 2.
pub fn is_signed(keys: &EpayKeys, fields: &Fields) -> bool {
    let (signature, kind) = (value(fields, "sign"), value(fields, "sign_type"));
    match keys {
        EpayKeys::Md5(key) => {
            let is_kind = kind.is_empty() || kind.eq_ignore_ascii_case("MD5");
            is_kind && equal(md5_of(fields, key).as_bytes(), signature.to_ascii_lowercase().as_bytes())
        }
        EpayKeys::Rsa { gateway, .. } => {
            let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, gateway);
            let signature = STANDARD.decode(signature);
            kind == "RSA" && signature.is_ok_and(|bytes| key.verify(signed_text(fields).as_bytes(), &bytes).is_ok())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn fields(query: &str) -> Fields {
        fields_of(query.as_bytes()).expect("fields")
    }

    #[test]
    fn empty_fields_and_the_signature_itself_are_not_signed_and_the_order_does_not_matter() {
        let text = "money=1.00&name=VIP\u{4f1a}\u{5458}&out_trade_no=2016&pid=1001&type=alipay";
        for query in [
            "pid=1001&type=alipay&out_trade_no=2016&name=VIP%E4%BC%9A%E5%91%98&money=1.00&param=&sign=x&sign_type=MD5",
            "type=alipay&sign_type=MD5&name=VIP%e4%bc%9a%e5%91%98&pid=1001&money=1.00&out_trade_no=2016",
        ] {
            assert_eq!(signed_text(&fields(query)), text);
        }
        // As `md5sum` has it.
        let query = "pid=1001&type=alipay&out_trade_no=2016&name=VIP%E4%BC%9A%E5%91%98&money=1.00";
        assert_eq!(md5_of(&fields(query), "hunter2"), "29c5b5cec7938c4499dd981ffa983a89");
        assert_eq!(signed_text(&fields("a=1+2&b=%2B%26%3D&c=0&B=x")), "B=x&a=1 2&b=+&=&c=0");
        assert!(fields_of(b"a=1&a=2").is_none() && fields_of(b"\xff").is_none());
    }

    #[test]
    fn a_signature_of_md5_fits_its_fields_and_its_key() {
        let keys = EpayKeys::Md5("hunter2".to_owned());
        let signed = sign(&keys, fields("pid=1001&money=1.00")).expect("a signature");
        assert!(is_signed(&keys, &signed));
        let other = EpayKeys::Md5("hunter3".to_owned());
        let changed = |name: &str, to: &str| -> Fields {
            signed
                .iter()
                .map(|(one, value)| (one.clone(), if one == name { to.into() } else { value.clone() }))
                .collect()
        };
        assert!(is_signed(&keys, &changed("sign", &value(&signed, "sign").to_uppercase())));
        assert!(!is_signed(&other, &signed) && !is_signed(&keys, &changed("money", "1.01")));
        assert!(!is_signed(&keys, &changed("sign_type", "RSA")) && !is_signed(&keys, &changed("sign", "")));
        let more = signed.iter().cloned().chain([("extra".to_owned(), "1".to_owned())]).collect();
        assert!(!is_signed(&keys, &more), "a field that the gateway did not sign");
    }

    /// The keys and the signature are by `openssl`.
    #[test]
    fn a_signature_of_rsa_is_the_gateways() {
        let settings = [
            ("POSTERN_EPAY_URL", "https://epay.example"),
            ("POSTERN_EPAY_MERCHANT", "1001"),
            ("POSTERN_EPAY_PRIVATE_KEY", include_str!("../../../tests/doubles/epay_own_key.txt")),
            ("POSTERN_EPAY_GATEWAY_KEY", include_str!("../../../tests/doubles/epay_gateway_public_key.txt")),
        ];
        let variables = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let keys = Config::read(&variables).expect("a config").epay.expect("an account").keys;
        let query =
            "pid=1001&type=alipay&out_trade_no=2016&name=VIP%E4%BC%9A%E5%91%98&money=1.00&timestamp=1721206072&param=";
        let signed = |sign: &str, kind: &str| -> Fields {
            fields(query).into_iter().chain([("sign".into(), sign.into()), ("sign_type".into(), kind.into())]).collect()
        };
        let signature = include_str!("../../../tests/doubles/epay_signature.txt").trim();
        assert!(is_signed(&keys, &signed(signature, "RSA")));
        for (signature, kind) in
            [(signature, "MD5"), (signature, ""), (&signature[4..], "RSA"), ("", "RSA"), ("?", "RSA")]
        {
            assert!(!is_signed(&keys, &signed(signature, kind)), "{kind} {signature}");
        }
        let own = sign(&keys, fields(query)).expect("a signature");
        assert!(value(&own, "sign").len() == 344 && !is_signed(&keys, &own), "our own is not the gateway's");
    }
}
